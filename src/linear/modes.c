/* Undamped modes, their effective masses, and thermal modes: questions put to the eigensolver,
   and its answers in the words of mechanics. */
#include <math.h>

#include "linalg/eigen.h"
#include "linear/linear.h"

static gos_mode mode_of(double lambda) {
    const double omega = lambda > 0 ? sqrt(lambda) : 0;
    return (gos_mode){.omega = omega,
                      .frequency = omega / (2 * M_PI),
                      .re = lambda < 0 ? sqrt(-lambda) : 0,
                      .im = omega,
                      .rigid = lambda == 0};
}

/* m = (x^T M t)^2 for the unit translations t: of all modes, they sum to the mass that can move */
static gos_status effective_masses(gos_ctx *ctx, const gos_linear *l, int n, const double *shapes,
                                   gos_mode *modes) {
    double *Mt = gos__alloc(ctx, (size_t)l->nq + 1, sizeof *Mt);
    if (!Mt) {
        return GOS_E_MEMORY;
    }
    for (int c = 0; c < 3; c++) {
        gos__sparse_apply(&l->M, 1, l->translation + (size_t)c * (size_t)l->nq, Mt);
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int i = 0; i < l->nq; i++) {
                sum += shapes[(size_t)k * (size_t)l->nq + (size_t)i] * Mt[i];
            }
            modes[k].mass[c] = sum * sum;
        }
    }
    gos__free(ctx, Mt);
    return GOS_OK;
}

static void warn_unstable(gos_ctx *ctx, int n, const double *lambda) {
    int unstable = 0;
    for (int k = 0; k < n; k++) {
        unstable += lambda[k] < 0;
    }
    if (unstable) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the configuration is unstable: small motions grow in %d modes (frequency 0)",
                  unstable);
    }
}

static gos_status check_count(gos_ctx *ctx, int n) {
    return n > 0 ? GOS_OK
                 : gos__fail(ctx, GOS_E_USE, "%d modes were asked for; ask for one or more", n);
}

static void tell(gos_ctx *ctx, const gos_eigen_info *info, int n, gos_mode_proof *proof) {
    *proof = (gos_mode_proof){.frequency = sqrt(fmax(0, info->proof)) / (2 * M_PI),
                              .found = info->below,
                              .counted = info->counted,
                              .cluster = info->cluster};
    if (info->cluster > 0) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "mode %d has the same frequency as %d modes behind it, which were not asked for; "
                  "shapes of equal modes mean something only together: ask for %d",
                  n, info->cluster, n + info->cluster);
    }
}

/* modes, shapes and proof may each be NULL */
static gos_status undamped(gos_ctx *ctx, const gos_linear *l, int n, gos_mode *modes,
                           double *shapes, int *found, gos_mode_proof *proof) {
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    n = n < l->nq ? n : l->nq;
    const gos_pencil p = {.K = &l->K, .M = &l->M, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp};
    double *lambda = gos__zalloc(ctx, 2 * (size_t)n + 1, sizeof *lambda), *residual;
    double *own = shapes ? NULL : gos__alloc(ctx, (size_t)n * (size_t)l->nq + 1, sizeof *own);
    double *X = shapes ? shapes : own;
    int count = 0;
    gos_eigen_info info = {0};
    gos_status status = lambda && X ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        residual = lambda + n;
        status = gos__eigen_find(ctx, &p, n, lambda, X, &count, proof ? &info : NULL,
                                 proof ? residual : NULL);
    }
    if (status == GOS_OK) {
        warn_unstable(ctx, count, lambda);
        for (int k = 0; k < count && modes; k++) {
            modes[k] = mode_of(lambda[k]);
            modes[k].residual = residual[k];
        }
        if (proof) {
            tell(ctx, &info, count, proof);
        }
        status = modes ? effective_masses(ctx, l, count, X, modes) : GOS_OK;
        *found = status == GOS_OK ? count : 0;
    }
    gos__free(ctx, lambda);
    gos__free(ctx, own);
    return status;
}

gos_status gos_linear_modes(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                            gos_mode *modes, int *found) {
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    if (damped || !linear->symmetric_K || linear->gyroscopic) {
        return gos__linear_damped(ctx, linear, n, damped, modes, found);
    }
    return undamped(ctx, linear, n, modes, NULL, found, NULL);
}

gos_status gos_linear_modes_proved(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found, gos_mode_proof *proof) {
    *found = 0;
    *proof = (gos_mode_proof){0};
    if (!linear->symmetric_K || linear->gyroscopic) {
        return gos_linear_modes(ctx, linear, n, false, modes, found);
    }
    GOS_TRY(check_count(ctx, n));
    return undamped(ctx, linear, n, modes, NULL, found, proof);
}

gos_status gos_linear_shapes(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                             double *shapes, int *found) {
    return undamped(ctx, linear, n, modes, shapes, found, NULL);
}

gos_status gos_linear_thermal_modes(gos_ctx *ctx, const gos_linear *linear, int n, double *rates,
                                    double *shapes, int *found) {
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    n = n < linear->nt ? n : linear->nt;
    if (n == 0) {
        return GOS_OK;
    }
    const gos_pencil p = {.K = &linear->K_T,
                          .M = &linear->block[GOS_BLOCK_C_T],
                          .C = &linear->block[GOS_BLOCK_H],
                          .ncomp = 1};
    double *own = NULL;
    if (!shapes) {
        own = gos__alloc(ctx, (size_t)n * (size_t)linear->nt, sizeof *own);
        if (!own) {
            return GOS_E_MEMORY;
        }
    }
    const gos_status status = gos__eigen_lowest(ctx, &p, n, rates, shapes ? shapes : own, found);
    gos__free(ctx, own);
    return status;
}
