/* Stiffness times a free motion is round-off of the stiffest coordinate (shell in m: 1e16 1/s^2
   gives 10 1/s^2). With the motion as a coordinate, its row and column can be set to 0. */
#include "linear/free_motions.h"

#include <lapacke.h>

#include "linalg/dense.h"

#define FEW 8 // modes computed first

/* zero-frequency modes among the `asked` lowest, X (nq, *count); *more: there may be others */
static gos_status look(gos_ctx *ctx, const gos_linear *l, int asked, double *X, int *count,
                       bool *more) {
    int found = 0, n = 0;
    gos_mode *modes = gos__zalloc(ctx, (size_t)asked + 1, sizeof *modes);
    const gos_status status =
        modes ? gos_linear_shapes(ctx, l, asked, modes, X, &found) : GOS_E_MEMORY;
    const size_t nq = (size_t)l->nq;
    for (int k = 0; k < found && status == GOS_OK; k++) {
        if (modes[k].rigid) {
            memmove(X + (size_t)n++ * nq, X + (size_t)k * nq, nq * sizeof *X);
        }
    }
    *count = status == GOS_OK ? n : 0;
    *more = status == GOS_OK && found == asked && modes[found - 1].rigid;
    gos__free(ctx, modes);
    return status;
}

/* Models without modes (singular or unsymmetric mass) have none. */
static gos_status find(gos_ctx *ctx, const gos_linear *l, int n, double **X, int *count) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_status status = quiet ? GOS_OK : GOS_E_MEMORY;
    bool more = true;
    for (int asked = FEW; more && status == GOS_OK; asked *= 2) {
        asked = asked < n ? asked : n;
        gos__free(ctx, *X);
        *X = gos__alloc(ctx, (size_t)asked * (size_t)l->nq + 1, sizeof **X);
        status = *X ? look(quiet, l, asked, *X, count, &more) : GOS_E_MEMORY;
        more = more && asked < n;
    }
    gos_ctx_destroy(quiet);
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

static gos_status unit_matrix(gos_ctx *ctx, int n, double **Z) {
    *Z = gos__zalloc(ctx, (size_t)n * (size_t)n + 1, sizeof **Z);
    for (int i = 0; i < n && *Z; i++) {
        gos__dense_column(*Z, n, i)[i] = 1;
    }
    return *Z ? GOS_OK : GOS_E_MEMORY;
}

/* Z := Z Q with Z^T X = Q R: its first columns span X */
static gos_status turn(gos_ctx *ctx, const gos_linear *l, int n, int r, const double *X,
                       double *Z) {
    double *N = gos__alloc(ctx, (size_t)n * (size_t)r + (size_t)r + 1, sizeof *N);
    if (!N) {
        return GOS_E_MEMORY;
    }
    double *tau = N + (size_t)n * (size_t)r;
    gos__dense_product(n, r, l->nq, Z, X, N);
    const bool good =
        LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, r, N, n, tau) == 0 &&
        LAPACKE_dormqr(LAPACK_COL_MAJOR, 'R', 'N', l->nq, n, r, N, n, tau, Z, l->nq) == 0;
    gos__free(ctx, N);
    return good ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__free_motions_first(gos_ctx *ctx, const gos_linear *l, int n, double **Z,
                                   int *count) {
    double *X = NULL;
    *count = 0;
    if (n == 0 || !l->symmetric_K) {
        return GOS_OK;
    }
    gos_status status = find(ctx, l, n, &X, count);
    status = status == GOS_OK && *count > 0 && !*Z ? unit_matrix(ctx, n, Z) : status;
    status = status == GOS_OK && *count > 0 ? turn(ctx, l, n, *count, X, *Z) : status;
    gos__free(ctx, X);
    return status;
}
