/* Response modes (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13 (2005), 3.1.2): static
   deformations under temperature fields. */
#include "linear/response_modes.h"

#include <cblas.h>
#include <lapacke.h>

#include "linalg/dense.h"
#include "linalg/saddle.h"

gos_status gos__linear_response_modes(gos_ctx *ctx, const gos_linear *l, int n,
                                      const double *fields, double *u) {
    const gos_pencil pencil = {
        .K = &l->K, .M = &l->M, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp > 0 ? l->ncomp : 1};
    gos_saddle *saddle = NULL;
    gos__sparse_apply(&l->block[GOS_BLOCK_G], n, fields, u);
    GOS_TRY(gos__saddle_create(ctx, &pencil, &saddle));
    gos_status status = gos__saddle_factor(saddle, 0, 0);
    status = status == GOS_OK ? gos__saddle_solve(saddle, n, u, u) : status;
    gos__saddle_destroy(saddle);
    for (size_t i = 0; i < (size_t)n * (size_t)l->nq && status == GOS_OK; i++) {
        u[i] = -u[i];
    }
    return status == GOS_E_SINGULAR ? gos__fail(ctx, status,
                                                "response modes require a supported structure, "
                                                "but this one has rigid-body modes; add supports")
                                    : status;
}

/* u := u - V (V^T K V)^-1 (K V)^T u, twice against round-off; A (m, m), KV, share (m, n) */
static gos_status take_rest(gos_ctx *ctx, const gos_linear *l, int m, const double *V, int n,
                            double *work, double *u) {
    const size_t nq = (size_t)l->nq;
    double *KV = work, *A = KV + nq * (size_t)m, *share = A + (size_t)m * (size_t)m;
    gos__sparse_apply(&l->K, m, V, KV);
    gos__dense_product(m, m, l->nq, V, KV, A);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, A, m) != 0) {
        return gos__fail(ctx, GOS_E_SINGULAR, "the displacement modes are linearly dependent");
    }
    for (int pass = 0; pass < 2; pass++) {
        gos__dense_product(m, n, l->nq, KV, u, share);
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, n, A, m, share, m);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, l->nq, n, m, -1, V, l->nq, share, m,
                    1, u, l->nq);
    }
    return GOS_OK;
}

gos_status gos__linear_dependent_modes(gos_ctx *ctx, const gos_linear *l, int m, const double *V,
                                       int n, const double *fields, double *u) {
    GOS_TRY(gos__linear_response_modes(ctx, l, n, fields, u));
    if (m == 0 || n == 0) {
        return GOS_OK;
    }
    const size_t size = ((size_t)l->nq + (size_t)m + (size_t)n) * (size_t)m;
    double *work = gos__alloc(ctx, size, sizeof *work);
    const gos_status status = work ? take_rest(ctx, l, m, V, n, work, u) : GOS_E_MEMORY;
    gos__free(ctx, work);
    return status;
}
