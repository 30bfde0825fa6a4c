/* Scores of modes. Cost, peak and gain look at one mode at a time, which is right for well separated
   frequencies; the Gramians of "balanced" see that close modes answer together (closed form of
   theory 3.3, which needs no Lyapunov equation). */
#include "reduce/ranking.h"

#include <math.h>

typedef struct criterion {
    const char *name;
    double (*score)(double b, double c, double zeta, double omega);
} criterion;

static double frequency(double b, double c, double zeta, double omega) {
    GOS_UNUSED(b);
    GOS_UNUSED(c);
    GOS_UNUSED(zeta);
    return 1 / omega;
}
static double peak(double b, double c, double zeta, double omega) {
    return b * c / (2 * zeta * omega * omega);
}
static double gain(double b, double c, double zeta, double omega) {
    GOS_UNUSED(zeta);
    return b * c / (omega * omega);
}
static double cost(double b, double c, double zeta, double omega) {
    return b * b * c * c / (4 * zeta * omega * omega * omega);
}

static const criterion criteria[] = {
    {"frequency", frequency}, {"peak", peak}, {"gain", gain}, {"cost", cost}};

/* |c_j| with velocities at the mode's own frequency */
static double output_size(const gos_modal *m, int j, double omega) {
    double sum = 0;
    for (int i = 0; i < m->ny; i++) {
        const double q = m->yq[(size_t)j * (size_t)m->ny + (size_t)i];
        const double v = omega * m->yv[(size_t)j * (size_t)m->ny + (size_t)i];
        sum += q * q + v * v;
    }
    return sqrt(sum);
}

static double input_product(const gos_modal *m, int i, int j) {
    double sum = 0;
    for (int k = 0; k < m->nu; k++) {
        sum +=
            m->b[(size_t)k * (size_t)m->n + (size_t)i] * m->b[(size_t)k * (size_t)m->n + (size_t)j];
    }
    return sum;
}

static double output_product(const gos_modal *m, int i, int j) {
    double sum = 0;
    const double wi = m->mode[i].omega, wj = m->mode[j].omega;
    for (int k = 0; k < m->ny; k++) {
        const size_t a = (size_t)i * (size_t)m->ny + (size_t)k;
        const size_t b = (size_t)j * (size_t)m->ny + (size_t)k;
        sum += m->yq[a] * m->yq[b] + wi * wj * m->yv[a] * m->yv[b];
    }
    return sum;
}

/* Gramian of positions for unit products: int x_i x_j dt of impulse responses */
static double kernel(const gos_modal *m, int i, int j) {
    const double wi = m->mode[i].omega, wj = m->mode[j].omega;
    const double ai = 2 * m->zeta[i] * wi, aj = 2 * m->zeta[j] * wj, a = ai + aj;
    const double gap = wi * wi - wj * wj;
    return a / (gap * gap + a * (ai * wj * wj + aj * wi * wi));
}

/* (P Q)_jj^(1/4) with velocity Gramian P and position Gramian Q's dual: what the mode receives and
   shows through all its neighbours */
static void balanced(const gos_modal *m, double *score) {
    for (int j = 0; j < m->n; j++) {
        double sum = 0;
        for (int i = 0; i < m->n && !m->mode[j].rigid; i++) {
            if (!m->mode[i].rigid) {
                const double k = kernel(m, i, j);
                sum += k * k * input_product(m, i, j) * output_product(m, i, j);
            }
        }
        score[j] = sum > 0 ? sqrt(sum) * m->mode[j].omega : 0;
    }
}

gos_status gos__rank_modes(gos_ctx *ctx, const gos_modal *m, const char *name, double *score) {
    const char *const names[] = {"frequency", "peak", "gain", "cost", "balanced", "inertia"};
    const criterion *found = NULL;
    name = name ? name : "frequency";
    for (int i = 0; i < GOS_COUNT(criteria); i++) {
        found = strcmp(name, criteria[i].name) == 0 ? &criteria[i] : found;
    }
    const bool by_gramian = strcmp(name, "balanced") == 0, by_mass = strcmp(name, "inertia") == 0;
    if (!found && !by_gramian && !by_mass) {
        const char *near = gos__suggest(name, names, GOS_COUNT(names));
        return gos__fail(ctx, GOS_E_INPUT,
                         "unknown ranking '%s'%s%s; there are frequency, peak, gain, cost, "
                         "balanced and inertia",
                         name, near ? ", did you mean " : "", near ? near : "");
    }
    if (by_gramian) {
        balanced(m, score);
    }
    for (int j = 0; j < m->n; j++) {
        const gos_mode *mode = &m->mode[j];
        if (found) {
            score[j] = found->score(sqrt(input_product(m, j, j)), output_size(m, j, mode->omega),
                                    m->zeta[j], mode->omega);
        } else if (by_mass) {
            score[j] = mode->mass[0] + mode->mass[1] + mode->mass[2];
        }
        if (mode->rigid || !(mode->omega > 0)) {
            score[j] = HUGE_VAL; // nothing replaces these
        }
    }
    return GOS_OK;
}
