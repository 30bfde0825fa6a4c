/* Quasi-static response modes: the part of thermal deformations b outside V follows the
   temperatures without delay,
     q = V z + U theta,  U = b - V (V^T K V)^-1 V^T K b
   (mode acceleration for thermal loads); exact in the static limit. Outputs and strain heat
   include U; its inertia, of order (thermal rate / frequency)^2, is neglected. */
#include <cblas.h>
#include <lapacke.h>

#include "linalg/dense.h"
#include "linear/response_modes.h"
#include "linear_reduction/reduce.h"

/* block += factor S */
static gos_status add(gos_linear *l, gos_block block, double factor, const double *S) {
    const gos_sparse *A = &l->block[block];
    gos_sparse more = {0}, sum = {0};
    gos_status status = gos__sparse_from_dense(l->ctx, A->m, A->n, S, &more);
    status = status == GOS_OK ? gos__sparse_sum(l->ctx, 1, A, factor, &more, &sum) : status;
    status = status == GOS_OK ? gos__linear_put(l, block, &sum) : status;
    gos__sparse_free(l->ctx, &more);
    gos__sparse_free(l->ctx, &sum);
    return status;
}

static void scatter(const gos_sparse *A, double *S) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            S[A->i[k] + (size_t)j * (size_t)A->m] += A->x[k];
        }
    }
}

/* Dependent displacements in block `by`: reduced block += A U, for heat W^T A U. */
static gos_status follow(const gos_reduce_task *t, gos_block by, gos_block block, bool heat) {
    const gos_linear_reduction *r = t->out;
    const gos_sparse *A = &t->full->block[by];
    const int n = r->model->nt, rows = heat ? n : A->m;
    if (A->nnz == 0) {
        return GOS_OK;
    }
    double *AU = gos__zalloc(t->ctx, ((size_t)A->m + (size_t)rows) * (size_t)n + 1, sizeof *AU);
    double *S = AU;
    GOS_TRY(AU ? GOS_OK : GOS_E_MEMORY);
    gos__sparse_apply(A, r->ndependent, r->dependent, AU);
    if (heat) {
        S = AU + (size_t)A->m * (size_t)n;
        gos__dense_product(n, n, A->m, r->V.v[GOS_FIELD_T], AU, S);
    }
    const gos_status status = add(r->model, block, 1, S);
    gos__free(t->ctx, AU);
    return status;
}

typedef struct rates {
    double *C, *YU, *S, *YS; // factorised capacity (nt, nt); Y_v U (ny, nt); scratch
    int *pivot;
} rates;

/* block += sign Y_v U C^-1 (reduced block `by`) */
static gos_status follow_rate(gos_linear *l, const rates *k, gos_block by, gos_block block,
                              double sign) {
    const gos_sparse *A = &l->block[by];
    if (A->nnz == 0) {
        return GOS_OK;
    }
    memset(k->S, 0, (size_t)A->m * (size_t)A->n * sizeof *k->S);
    scatter(A, k->S);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', l->nt, A->n, k->C, l->nt, k->pivot, k->S, l->nt);
    gos__dense_combine(l->ny, A->n, l->nt, k->YU, k->S, k->YS);
    return add(l, block, sign, k->YS);
}

/* outputs of rates from theta' = C^-1 (B_T u - K_T theta - H_v v - H_q q) */
static gos_status follow_rates(const gos_reduce_task *t) {
    const gos_sparse *Y = &t->full->block[GOS_BLOCK_Y_v];
    gos_linear *l = t->out->model;
    if (Y->nnz == 0) {
        return GOS_OK;
    }
    const int n = l->nt, widest = n > l->nq ? n : l->nq, max = widest > l->nu ? widest : l->nu;
    const size_t own = (size_t)n * (size_t)n, out = (size_t)l->ny * (size_t)n;
    rates k = {.pivot = gos__alloc(t->ctx, (size_t)n + 1, sizeof *k.pivot)};
    k.C =
        gos__zalloc(t->ctx, own + out + ((size_t)n + (size_t)l->ny) * (size_t)max + 1, sizeof *k.C);
    gos_status status = k.C && k.pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        k.YU = k.C + own;
        k.S = k.YU + out;
        k.YS = k.S + (size_t)n * (size_t)max;
        gos__sparse_apply(Y, t->out->ndependent, t->out->dependent, k.YU);
        scatter(&l->block[GOS_BLOCK_C_T], k.C);
        status = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, k.C, n, k.pivot) == 0
                     ? GOS_OK
                     : gos__fail(t->ctx, GOS_E_SINGULAR, "a reduced temperature has no capacity");
    }
    status = status == GOS_OK ? follow_rate(l, &k, GOS_BLOCK_K_T, GOS_BLOCK_Y_T, -1) : status;
    status = status == GOS_OK ? follow_rate(l, &k, GOS_BLOCK_H_v, GOS_BLOCK_Y_v, -1) : status;
    status = status == GOS_OK ? follow_rate(l, &k, GOS_BLOCK_H_q, GOS_BLOCK_Y_q, -1) : status;
    status = status == GOS_OK ? follow_rate(l, &k, GOS_BLOCK_B_T, GOS_BLOCK_Y_u, 1) : status;
    gos__free(t->ctx, k.C);
    gos__free(t->ctx, k.pivot);
    return status;
}

gos_status gos__reduce_dependent(gos_reduce_task *t, int n) {
    gos_linear_reduction *r = t->out;
    const gos_linear *l = t->full;
    r->dependent = gos__zalloc(t->ctx, (size_t)n * (size_t)l->nq + 1, sizeof *r->dependent);
    GOS_TRY(r->dependent ? GOS_OK : GOS_E_MEMORY);
    r->ndependent = n;
    GOS_TRY(gos__linear_dependent_modes(t->ctx, l, r->V.count[GOS_FIELD_Q], r->V.v[GOS_FIELD_Q], n,
                                        r->V.v[GOS_FIELD_T], r->dependent));
    GOS_TRY(follow(t, GOS_BLOCK_H_v, GOS_BLOCK_C_T, true));
    GOS_TRY(follow(t, GOS_BLOCK_H_q, GOS_BLOCK_K_T, true));
    GOS_TRY(follow(t, GOS_BLOCK_Y_q, GOS_BLOCK_Y_T, false));
    GOS_TRY(follow_rates(t));
    return gos__linear_close(r->model);
}
