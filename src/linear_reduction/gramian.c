/* Selection of the Gramian solver, and balancing by singular values. */
#include "linear_reduction/gramian.h"

#include <cblas.h>
#include <lapacke.h>

#include "linalg/dense.h"

gos_status gos__gramians(gos_reduce_pencil *p, gos_gramians *g) {
    if (p->nc > 0 || p->n > GOS_GRAMIAN_DENSE) {
        return gos__gramians_adi(p, g);
    }
    bool done;
    GOS_TRY(gos__gramians_modal(p, false, g, &done));
    return done ? GOS_OK : gos__gramians_dense(p, g);
}

void gos__gramians_free(gos_ctx *ctx, gos_gramians *g) {
    gos__free(ctx, g->R);
    gos__free(ctx, g->L);
    *g = (gos_gramians){0};
}

void gos__balance_free(gos_ctx *ctx, gos_balance *b) {
    gos__free(ctx, b->sigma);
    gos__free(ctx, b->U);
    gos__free(ctx, b->V);
    *b = (gos_balance){0};
}

/* rows [r0, r0 + m) of F (n, k) */
static void cut_rows(const double *F, int n, int k, int r0, int m, double *to) {
    for (long j = 0; j < k; j++) {
        memcpy(to + j * m, F + j * n + r0, m * sizeof *to);
    }
}

static gos_status decompose(gos_ctx *ctx, int m, int n, double *S, gos_balance *b) {
    const int k = m < n ? m : n;
    double *VT = gos__alloc(ctx, (size_t)k * n + 1, sizeof *VT);
    b->sigma = gos__zalloc(ctx, k + 1L, sizeof *b->sigma);
    b->U = gos__alloc(ctx, (size_t)m * k + 1, sizeof *b->U);
    b->V = gos__alloc(ctx, (size_t)n * k + 1, sizeof *b->V);
    gos_status status = VT && b->sigma && b->U && b->V ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && k > 0) {
        const lapack_int info =
            LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, S, m, b->sigma, b->U, m, VT, k);
        if (info != 0) {
            status = gos__fail(ctx, GOS_E_DIVERGED,
                               "the singular value decomposition for balancing did not converge");
        }
        for (long i = 0; i < k; i++) {
            for (long j = 0; j < n; j++) {
                b->V[i * n + j] = VT[j * k + i];
            }
        }
    }
    b->n = k;
    gos__free(ctx, VT);
    return status;
}

gos_status gos__balance(gos_ctx *ctx, const gos_gramians *g, const gos_sparse *E, int l0, int r0,
                        gos_balance *b) {
    const int n = E->n;
    const size_t nr = g->nr, nl = g->nl;
    *b = (gos_balance){0};
    double *R = gos__alloc(ctx, n * (2 * nr + nl) + nl * nr + 1, sizeof *R);
    if (!R) {
        return GOS_E_MEMORY;
    }
    double *ER = R + n * nr, *L = ER + n * nr, *S = L + n * nl;
    cut_rows(g->R, g->n, g->nr, r0, n, R);
    cut_rows(g->L, g->n, g->nl, l0, n, L);
    gos__sparse_apply(E, g->nr, R, ER);
    gos__dense_product(g->nl, g->nr, n, L, ER, S);
    const gos_status status = decompose(ctx, g->nl, g->nr, S, b);
    gos__free(ctx, R);
    if (status != GOS_OK) {
        gos__balance_free(ctx, b);
    }
    return status;
}
