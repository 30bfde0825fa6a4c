/* Linearised buckling by the solver of modes. With 0 < s,
 *
 *     (K + s K_g) x = nu K x,   nu = 1 - s / lambda,
 *
 * has the same vectors as (K + lambda K_g) x = 0, and K is positive definite. The lowest nu belong
 * to the smallest positive lambda; factors of reversed loads have nu > 1. The counts of the solver
 * prove that no factor is missing. */
#include "linear/buckling.h"

#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"

#define ITERATIONS 12 // of the first estimate
#define ATTEMPTS 8    // shifts
#define SHIFT 0.6     // shift over the lowest factor
#define SMALLEST 0.2  // accepted ratio of both
#define UNLOADED 1e-7 // 1 - nu of directions without geometric stiffness, by rounding

gos_status gos__buckling_refuse(gos_ctx *ctx, bool free) {
    return gos__fail(ctx, GOS_E_SINGULAR, "buckling: the structure is %s",
                     free ? "free to move without resistance; add supports, joints or springs"
                          : "unstable already under its constant loads, so load factors have no "
                            "meaning; reduce these loads");
}

static gos_status check_stiffness(gos_ctx *ctx, const gos_buckling_pencil *p, gos_saddle **saddle) {
    const gos_pencil pencil = {.K = p->K, .M = p->K, .C = p->C, .ncomp = p->ncomp};
    int negative = 0;
    GOS_TRY(gos__saddle_create_strict(ctx, &pencil, saddle));
    const gos_status status = gos__saddle_try(*saddle, 0, 0, &negative);
    return status == GOS_E_SINGULAR           ? gos__buckling_refuse(ctx, true)
           : status == GOS_OK && negative > 0 ? gos__buckling_refuse(ctx, false)
                                              : status;
}

gos_status gos__buckling_check(gos_ctx *ctx, const gos_buckling_pencil *p) {
    gos_saddle *saddle = NULL;
    const gos_status status = check_stiffness(ctx, p, &saddle);
    gos__saddle_destroy(saddle);
    return status;
}

/* smallest |lambda| by inverse iteration, from above; HUGE_VAL: K_g is zero */
static gos_status estimate(gos_ctx *ctx, const gos_buckling_pencil *p, gos_saddle *saddle,
                           double *least) {
    const int n = p->K->n;
    double *x = gos__alloc(ctx, 2 * (size_t)n + 1, sizeof *x), *y = x ? x + n : NULL;
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    unsigned random = 12345;
    for (int i = 0; i < n && x; i++) {
        random = random * 1103515245U + 12345U;
        y[i] = (double)(random >> 16 & 0x7fff) / 0x8000 - 0.5;
    }
    status = status == GOS_OK ? gos__saddle_solve(saddle, 1, y, x) : status;
    *least = HUGE_VAL;
    for (int k = 0; k < ITERATIONS && status == GOS_OK; k++) {
        gos__sparse_apply(p->K, 1, x, y);
        const double size = sqrt(gos__dense_dot(n, x, y));
        for (int i = 0; i < n && size > 0; i++) {
            x[i] /= size;
        }
        gos__sparse_apply(p->Kg, 1, x, y);
        const double work = sqrt(gos__dense_dot(n, y, y));
        if (!(size > 0) || !(work > 0)) {
            break;
        }
        *least = k > 0 ? 1 / size : *least;
        status = gos__saddle_solve(saddle, 1, y, x);
    }
    gos__free(ctx, x);
    return status;
}

/* with shift s; *found factors */
static gos_status solve(gos_ctx *ctx, const gos_buckling_pencil *p, double s, int n, double *lambda,
                        double *X, int *found) {
    gos_sparse B = {0};
    int count = 0;
    *found = 0;
    gos_status status = gos__sparse_sum(ctx, 1, p->K, s, p->Kg, &B);
    const gos_pencil pencil = {.K = &B, .M = p->K, .C = p->C, .ncomp = p->ncomp};
    status = status == GOS_OK ? gos__eigen_lowest(ctx, &pencil, n, lambda, X, &count) : status;
    for (int k = 0; k < count && status == GOS_OK && 1 - lambda[k] > UNLOADED; k++) {
        lambda[k] = s / (1 - lambda[k]);
        *found = k + 1;
    }
    gos__sparse_free(ctx, &B);
    return status;
}

gos_status gos__buckling_factors(gos_ctx *ctx, const gos_buckling_pencil *p, int n, double *lambda,
                                 double *X, int *found) {
    gos_saddle *saddle = NULL;
    double shift = HUGE_VAL;
    *found = 0;
    gos_status status = check_stiffness(ctx, p, &saddle);
    status = status == GOS_OK ? estimate(ctx, p, saddle, &shift) : status;
    gos__saddle_destroy(saddle);
    shift *= SHIFT;
    for (int i = 0; i < ATTEMPTS && status == GOS_OK && shift < HUGE_VAL; i++) {
        status = solve(ctx, p, shift, n, lambda, X, found);
        const double ratio = *found > 0 ? shift / lambda[0] : 1;
        if (status != GOS_OK || (ratio > SMALLEST && ratio <= 1)) {
            break;
        }
        shift = SHIFT * lambda[0];
    }
    return status;
}
