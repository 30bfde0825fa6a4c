#include "control/modal_plant.h"

#include <math.h>

gos_status gos__modal_create(gos_ctx *ctx, int n, int np, gos_modal *m) {
    *m = (gos_modal){.n = n, .np = np};
    const size_t N = n, P = np;
    m->omega = gos__zalloc(ctx, 3 * N + N * P + P + 1, sizeof *m->omega);
    if (!m->omega) {
        return GOS_E_MEMORY;
    }
    m->zeta = m->omega + N;
    m->phi = m->zeta + N;
    m->Kup = m->phi + N;
    m->capacitance = m->Kup + N * P;
    return GOS_OK;
}

void gos__modal_free(gos_ctx *ctx, gos_modal *m) {
    gos__free(ctx, m->omega);
    *m = (gos_modal){0};
}

void gos__modal_moving(const gos_modal *m, int n, double tolerance, int *mode, int *count) {
    double max = 0;
    n = n < m->n ? n : m->n;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(m->phi[i]));
    }
    *count = 0;
    for (int i = 0; i < n; i++) {
        if (fabs(m->phi[i]) > tolerance * max) {
            mode[(*count)++] = i;
        }
    }
}

void gos__modal_signs(const gos_modal *m, int nmode, const int *mode, const int *group,
                      double *sign) {
    for (int p = 0; p < m->np; p++) {
        int first = p;
        for (int k = 0; k < p && first == p; k++) {
            first = group[k] == group[p] ? k : first;
        }
        double dot = 0;
        for (int i = 0; i < nmode; i++) {
            const long at = mode ? mode[i] : i;
            dot += m->Kup[(long)p * m->n + at] * m->Kup[(long)first * m->n + at];
        }
        sign[p] = dot < 0 ? -1 : 1;
    }
}

gos_status gos__modal_join(gos_ctx *ctx, const gos_modal *m, int n, const int *group,
                           const double *sign, gos_modal *joined) {
    GOS_TRY(gos__modal_create(ctx, m->n, n, joined));
    const size_t size = m->n * sizeof *m->phi;
    memcpy(joined->omega, m->omega, size);
    memcpy(joined->zeta, m->zeta, size);
    memcpy(joined->phi, m->phi, size);
    for (int p = 0; p < m->np; p++) {
        if (group[p] >= n) {
            return gos__fail(ctx, GOS_E_INPUT, "channel %d: group %d of %d", p, group[p], n);
        }
        if (group[p] < 0) {
            continue;
        }
        for (int i = 0; i < m->n; i++) {
            joined->Kup[(long)group[p] * m->n + i] +=
                (sign ? sign[p] : 1) * m->Kup[(long)p * m->n + i];
        }
        joined->capacitance[group[p]] += m->capacitance[p];
    }
    return GOS_OK;
}

/* in range and unique */
static gos_status check_indices(gos_ctx *ctx, const char *what, int n, const int *index, int max) {
    for (int i = 0; i < n; i++) {
        if (index[i] < 0 || index[i] >= max) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "%s %d is out of range; there are %d, counted from 0", what, index[i],
                             max);
        }
        for (int k = 0; k < i; k++) {
            if (index[k] == index[i]) {
                return gos__fail(ctx, GOS_E_INPUT, "%s %d is given twice", what, index[i]);
            }
        }
    }
    return GOS_OK;
}

static gos_status check(gos_ctx *ctx, const gos_modal *m, const gos_modal_part *part) {
    if (part->mode) {
        GOS_TRY(check_indices(ctx, "mode", part->nmode, part->mode, m->n));
    } else if (part->nmode > m->n) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "a plant of %d modes was requested, but there are only %d", part->nmode,
                         m->n);
    }
    GOS_TRY(check_indices(ctx, "driven channel", part->ndrive, part->drive, m->np));
    GOS_TRY(check_indices(ctx, "measured channel", part->nsense, part->sense, m->np));
    for (int k = 0; k < part->ndrive * part->nsense && part->current; k++) {
        if (part->drive[k % part->ndrive] == part->sense[k / part->ndrive]) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "the current of channel %d depends on the rate of its own voltage: "
                             "measure with channels that are not driven",
                             part->sense[k / part->ndrive]);
        }
    }
    if (part->current && part->residual) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "currents have no residual static terms of truncated modes");
    }
    for (int i = 0; i < m->n; i++) {
        if (!(m->omega[i] > 0) || !(m->zeta[i] >= 0)) {
            return gos__fail(
                ctx, GOS_E_INPUT,
                "mode %d has frequency %g rad/s and damping ratio %g; modal plants need positive "
                "frequencies and non-negative damping; constrain the structure",
                i, m->omega[i], m->zeta[i]);
        }
    }
    return GOS_OK;
}

static int mode_of(const gos_modal_part *part, int i) {
    return part->mode ? part->mode[i] : i;
}

static bool is_left_out(const gos_modal_part *part, int mode) {
    for (int i = 0; i < part->nmode; i++) {
        if (mode_of(part, i) == mode) {
            return false;
        }
    }
    return true;
}

/* Kup_r^T w_r^-2 (Kup_r, phi_r) of truncated modes */
static void add_residual(const gos_modal *m, const gos_modal_part *part, gos_plant *p) {
    for (int r = 0; r < m->n; r++) {
        if (!is_left_out(part, r)) {
            continue;
        }
        const double flexibility = 1 / (m->omega[r] * m->omega[r]);
        for (int k = 0; k <= part->ndrive; k++) {
            const double push =
                k < part->ndrive ? m->Kup[(long)part->drive[k] * m->n + r] : m->phi[r];
            for (int s = 0; s < part->nsense; s++) {
                p->D[(long)k * p->ny + s] +=
                    flexibility * push * m->Kup[(long)part->sense[s] * m->n + r];
            }
        }
    }
}

gos_status gos__modal_plant(gos_ctx *ctx, const gos_modal *m, const gos_modal_part *part,
                            gos_plant *p) {
    *p = (gos_plant){0};
    GOS_TRY(check(ctx, m, part));
    const int nm = part->nmode, n = 2 * nm, nd = part->ndrive, ns = part->nsense;
    GOS_TRY(gos__plant_create(ctx, n, nd + 1, ns + 1, p));
    const long ny = p->ny;
    for (int i = 0; i < nm; i++) {
        const int at = mode_of(part, i);
        const double w = m->omega[at], phi = m->phi[at], stiffness = w * w,
                     damping = 2 * m->zeta[at] * w;
        const long z = i, rate = nm + i;
        p->A[rate * n + z] = 1;
        p->A[z * n + rate] = -stiffness;
        p->A[rate * n + rate] = -damping;
        p->C[z * ny + ns] = -phi * stiffness;
        p->C[rate * ny + ns] = -phi * damping;
        for (int k = 0; k < nd; k++) {
            const double push = m->Kup[(long)part->drive[k] * m->n + at];
            p->B[(long)k * n + rate] = push;
            p->D[(long)k * ny + ns] += phi * push;
        }
        p->B[(long)nd * n + rate] = phi;
        p->D[(long)nd * ny + ns] += phi * phi;
        for (int s = 0; s < ns; s++) {
            p->C[(part->current ? rate : z) * ny + s] = m->Kup[(long)part->sense[s] * m->n + at];
        }
    }
    for (int s = 0; s < ns; s++) {
        for (int k = 0; k < nd; k++) {
            if (part->sense[s] == part->drive[k]) {
                p->D[(long)k * ny + s] = m->capacitance[part->sense[s]];
            }
        }
    }
    if (part->residual) {
        add_residual(m, part, p);
    }
    return GOS_OK;
}

gos_status gos__modal_weights(gos_ctx *ctx, const gos_modal *m, const gos_modal_part *part,
                              gos_modal_aim aim, double k_Q, double *Q, double *N, double *R) {
    GOS_TRY(check(ctx, m, part));
    const long nm = part->nmode, n = 2 * nm, nd = part->ndrive;
    memset(Q, 0, n * n * sizeof *Q);
    memset(N, 0, n * nd * sizeof *N);
    memset(R, 0, nd * nd * sizeof *R);
    for (long k = 0; k < nd; k++) {
        R[k * nd + k] = 1;
    }
    if (aim != GOS_AIM_ACCELERATION) {
        const long from = aim == GOS_AIM_VELOCITY ? nm : 0;
        for (int i = 0; i < nm; i++) {
            const int at = mode_of(part, i);
            Q[(from + i) * (n + 1)] = k_Q * fabs(m->phi[at]) * m->omega[at];
        }
        return GOS_OK;
    }
    const gos_modal_part driven = {
        .nmode = part->nmode, .mode = part->mode, .ndrive = part->ndrive, .drive = part->drive};
    gos_plant p;
    gos_status status = gos__modal_plant(ctx, m, &driven, &p);
    if (status == GOS_OK) {
        p.nu = part->ndrive; // without the force, the last input
        status = gos__output_weights(ctx, &p, &k_Q, Q, N, R);
    }
    gos__plant_free(ctx, &p);
    return status;
}

void gos__modal_intensities(const gos_modal *m, const gos_modal_part *part,
                            const gos_modal_noise *noise, double *W, double *V) {
    const long nm = part->nmode, n = 2 * nm, ns = part->nsense;
    memset(W, 0, n * n * sizeof *W);
    memset(V, 0, ns * ns * sizeof *V);
    for (int i = 0; i < nm; i++) {
        for (int j = 0; j < nm; j++) {
            W[(nm + j) * n + nm + i] =
                noise->force * m->phi[mode_of(part, i)] * m->phi[mode_of(part, j)];
        }
        W[(nm + i) * (n + 1)] += noise->floor;
    }
    for (int s = 0; s < ns; s++) {
        double leak = 0;
        for (int k = 0; k < part->ndrive; k++) {
            if (part->drive[k] == part->sense[s]) {
                leak = noise->capacitance * m->capacitance[part->sense[s]] * noise->voltage;
            }
        }
        V[s * (ns + 1)] = noise->charge * noise->charge + leak * leak;
    }
}
