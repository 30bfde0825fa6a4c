/* Scores of modes. Cost, peak and gain treat modes separately, valid for well separated
   frequencies; balanced uses the Gramian in closed form (theory 3.3). */
#include "linear_reduction/ranking.h"

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

/* |c_j|, velocities at the mode's frequency */
static double output_size(const gos_modal *m, long j, double omega) {
    double sum = 0;
    for (int i = 0; i < m->ny; i++) {
        const double q = m->yq[j * m->ny + i];
        const double v = omega * m->yv[j * m->ny + i];
        sum += q * q + v * v;
    }
    return sqrt(sum);
}

static double input_product(const gos_modal *m, int i, int j) {
    double sum = 0;
    for (long k = 0; k < m->nu; k++) {
        sum += m->b[k * m->n + i] * m->b[k * m->n + j];
    }
    return sum;
}

static double output_product(const gos_modal *m, long i, long j) {
    double sum = 0;
    const double wi = m->mode[i].omega, wj = m->mode[j].omega;
    for (int k = 0; k < m->ny; k++) {
        const size_t a = i * m->ny + k;
        const size_t b = j * m->ny + k;
        sum += m->yq[a] * m->yq[b] + wi * wj * m->yv[a] * m->yv[b];
    }
    return sum;
}

/* int x_i x_j dt of impulse responses of unit modes */
static double kernel(const gos_modal *m, int i, int j) {
    const double wi = m->mode[i].omega, wj = m->mode[j].omega;
    const double ai = 2 * m->zeta[i] * wi, aj = 2 * m->zeta[j] * wj, a = ai + aj;
    const double gap = wi * wi - wj * wj;
    return a / (gap * gap + a * (ai * wj * wj + aj * wi * wi));
}

/* Greedy removal by the smallest increase X_jj + 2 sum_dropped X_ij of the squared H2 norm
   dropped, X_ij = int h_i h_j dt. Late removal means importance. */
static gos_status balanced(gos_ctx *ctx, const gos_modal *m, double *score) {
    const size_t n = m->n;
    double *increase = gos__alloc(ctx, n + 1, sizeof *increase);
    if (!increase) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < m->n; j++) {
        score[j] = -1; // not yet removed
        increase[j] = m->mode[j].rigid
                          ? HUGE_VAL
                          : kernel(m, j, j) * input_product(m, j, j) * output_product(m, j, j);
    }
    for (int k = 0; k < m->n; k++) {
        int weakest = -1;
        for (int j = 0; j < m->n; j++) {
            weakest =
                score[j] < 0 && (weakest < 0 || increase[j] < increase[weakest]) ? j : weakest;
        }
        score[weakest] = k;
        for (int j = 0; j < m->n && !m->mode[weakest].rigid; j++) {
            increase[j] += m->mode[j].rigid
                               ? 0
                               : 2 * kernel(m, weakest, j) * input_product(m, weakest, j) *
                                     output_product(m, weakest, j);
        }
    }
    gos__free(ctx, increase);
    return GOS_OK;
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
                         "unknown ranking '%s'%s%s; options are frequency, peak, gain, cost, "
                         "balanced and inertia",
                         name, near ? ", did you mean " : "", near ? near : "");
    }
    if (by_gramian) {
        GOS_TRY(balanced(ctx, m, score));
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
            score[j] = HUGE_VAL; // always kept
        }
    }
    return GOS_OK;
}
