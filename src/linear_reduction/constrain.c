/* Projection of vectors on C x = 0. Orthogonalisation of Krylov vectors amplifies round-off of C
   x (from 1e-16 to 1e-6 in 50 vectors): constraint forces would do work and moments would not
   match. */
#include <cblas.h>

#include "linear_reduction/pencil.h"

void gos__pencil_gram_free(gos_reduce_pencil *p) {
    gos__symmetric_destroy(p->gram);
    gos__sparse_free(p->ctx, &p->CCT);
    p->gram = NULL;
}

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Row indices of column r of C C^T; returns their number. mark (nc): r + 1 if listed. */
static int rows_of(const gos_sparse *C, const gos_sparse *CT, int r, int *mark, int *list) {
    int count = 0;
    for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
        const int j = CT->i[k];
        for (int e = C->p[j]; e < C->p[j + 1]; e++) {
            if (mark[C->i[e]] != r + 1) {
                mark[C->i[e]] = r + 1;
                list[count++] = C->i[e];
            }
        }
    }
    qsort(list, count, sizeof *list, ascending);
    return count;
}

static gos_status multiply(gos_ctx *ctx, const gos_sparse *C, const gos_sparse *CT, int *mark,
                           int *list, double *sum, gos_sparse *CCT) {
    size_t nnz = 0;
    for (int r = 0; r < C->m; r++) {
        nnz += rows_of(C, CT, r, mark, list);
    }
    GOS_TRY(gos__sparse_alloc(ctx, C->m, C->m, nnz, CCT));
    memset(mark, 0, C->m * sizeof *mark);
    int at = 0;
    for (int r = 0; r < C->m; r++) {
        const int count = rows_of(C, CT, r, mark, list);
        for (int k = 0; k < count; k++) {
            sum[list[k]] = 0;
        }
        for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
            const int j = CT->i[k];
            for (int e = C->p[j]; e < C->p[j + 1]; e++) {
                sum[C->i[e]] += CT->x[k] * C->x[e];
            }
        }
        for (int k = 0; k < count; k++) {
            CCT->i[at] = list[k];
            CCT->x[at++] = sum[list[k]];
        }
        CCT->p[r + 1] = at;
    }
    return GOS_OK;
}

static gos_status make_gram(gos_reduce_pencil *p) {
    const size_t nc = p->nc;
    gos_sparse CT = {0};
    int *mark = gos__zalloc(p->ctx, 2 * nc + 1, sizeof *mark);
    double *sum = gos__alloc(p->ctx, nc + 1, sizeof *sum);
    gos_status status = mark && sum ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_transpose(p->ctx, &p->C, &CT) : status;
    status =
        status == GOS_OK ? multiply(p->ctx, &p->C, &CT, mark, mark + nc, sum, &p->CCT) : status;
    gos__sparse_free(p->ctx, &CT);
    gos__free(p->ctx, mark);
    gos__free(p->ctx, sum);
    const gos_pattern pattern = {.n = p->nc, .nnz = p->CCT.nnz, .p = p->CCT.p, .i = p->CCT.i};
    p->gram_pattern = pattern;
    const gos_symmetric_def def = {.pattern = &p->gram_pattern, .ncomp = 1, .strict = true};
    status = status == GOS_OK ? gos__symmetric_create(p->ctx, &def, NULL, &p->gram) : status;
    status = status == GOS_OK ? gos__symmetric_factor(p->gram, p->CCT.x, true, NULL) : status;
    if (status != GOS_OK) {
        gos__pencil_gram_free(p);
    }
    return status == GOS_E_SINGULAR
               ? gos__fail(p->ctx, status, "the constraints of the model are linearly dependent")
               : status;
}

gos_status gos__reduce_pencil_constrain(gos_reduce_pencil *p, int ncol, double *X) {
    if (p->nc == 0) {
        return GOS_OK;
    }
    if (!p->gram) {
        GOS_TRY(make_gram(p));
    }
    const size_t n = p->n, nc = p->nc;
    double *mu = gos__alloc(p->ctx, nc * ncol + n + 1, sizeof *mu);
    if (!mu) {
        return GOS_E_MEMORY;
    }
    double *const back = mu + nc * ncol;
    gos__sparse_apply(&p->C, ncol, X, mu);
    const gos_status status = gos__symmetric_solve(p->gram, ncol, mu);
    for (int j = 0; j < ncol && status == GOS_OK; j++) {
        gos__sparse_apply_transposed(&p->C, mu + j * nc, back);
        cblas_daxpy(p->n, -1, back, 1, X + j * n, 1);
    }
    gos__free(p->ctx, mu);
    return status;
}
