/* Exact ties before reduction: rigid node sets, nodes of equal temperature. */
#include "flex/flex.h"

/* *P (R->m, A->n) = R A; does not free P */
static gos_status product(gos_ctx *ctx, const gos_sparse *R, const gos_sparse *A, gos_sparse *P) {
    size_t room = 1;
    for (int k = 0; k < A->nnz; k++) {
        room += (size_t)(R->p[A->i[k] + 1] - R->p[A->i[k]]);
    }
    if (room > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT, "a tied matrix has more than 2^31 entries");
    }
    int *i = gos__alloc(ctx, room, sizeof *i), *j = gos__alloc(ctx, room, sizeof *j), n = 0;
    double *x = gos__alloc(ctx, room, sizeof *x);
    for (int column = 0; i && j && x && column < A->n; column++) {
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            for (int q = R->p[A->i[k]]; q < R->p[A->i[k] + 1]; q++) {
                i[n] = R->i[q];
                j[n] = column;
                x[n++] = R->x[q] * A->x[k];
            }
        }
    }
    const gos_status status =
        i && j && x ? gos__sparse_from_triplets(ctx, R->m, A->n, n, i, j, x, P) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_merge(P);
    }
    gos__free(ctx, i);
    gos__free(ctx, j);
    gos__free(ctx, x);
    return status;
}

/* A := R A */
static gos_status from_left(gos_ctx *ctx, const gos_sparse *R, gos_sparse *A) {
    gos_sparse P;
    if (!A->p) { // not set
        return GOS_OK;
    }
    GOS_TRY(product(ctx, R, A, &P));
    gos__sparse_free(ctx, A);
    *A = P;
    return GOS_OK;
}

/* A := A R^T */
static gos_status from_right(gos_ctx *ctx, const gos_sparse *R, gos_sparse *A) {
    gos_sparse T;
    if (!A->p) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_transpose(ctx, A, &T));
    gos__sparse_free(ctx, A);
    *A = T;
    GOS_TRY(from_left(ctx, R, A));
    GOS_TRY(gos__sparse_transpose(ctx, A, &T));
    gos__sparse_free(ctx, A);
    *A = T;
    return GOS_OK;
}

static gos_status from_both(gos_ctx *ctx, const gos_sparse *R, gos_sparse *A) {
    GOS_TRY(from_left(ctx, R, A));
    return from_right(ctx, R, A);
}

/* R for the Gram fields: rigid fields unchanged, shapes by component. */
static gos_status gram_ties(gos_ctx *ctx, const gos_sparse *R, gos_sparse *G) {
    GOS_TRY(gos__sparse_alloc(ctx, GOS_FLEX_RIGID + 3 * R->m, GOS_FLEX_RIGID + 3 * R->n,
                              GOS_FLEX_RIGID + 3 * (size_t)R->nnz, G));
    int nnz = 0;
    for (int d = 0; d < GOS_FLEX_RIGID; d++) {
        G->i[nnz] = d;
        G->x[nnz++] = 1;
        G->p[d + 1] = nnz;
    }
    for (int k = 0; k < 3 * R->n; k++) {
        for (int q = R->p[k / 3]; q < R->p[k / 3 + 1]; q++) {
            G->i[nnz] = gos__flex_at(R->i[q], k % 3);
            G->x[nnz++] = R->x[q];
        }
        G->p[GOS_FLEX_RIGID + k + 1] = nnz;
    }
    G->nnz = nnz;
    return GOS_OK;
}

static gos_status tie_amplitudes(gos_flex *f, const gos_sparse *R) {
    gos_ctx *ctx = f->ctx;
    gos_sparse G = {0};
    GOS_TRY(from_left(ctx, R, &f->move));
    GOS_TRY(from_left(ctx, R, &f->turn));
    GOS_TRY(from_both(ctx, R, &f->K));
    GOS_TRY(from_both(ctx, R, &f->bare_K));
    GOS_TRY(from_both(ctx, R, &f->D));
    GOS_TRY(from_left(ctx, R, &f->heat.G));
    GOS_TRY(from_left(ctx, R, &f->piezo.force));
    gos_status status = gram_ties(ctx, R, &G);
    status = status == GOS_OK ? from_both(ctx, &G, &f->gram) : status;
    status = status == GOS_OK ? from_both(ctx, &G, &f->bare_gram) : status;
    gos__sparse_free(ctx, &G);
    f->n = R->m;
    return status;
}

static gos_status tie_temperatures(gos_flex *f, const gos_sparse *S) {
    gos_ctx *ctx = f->ctx;
    gos_flex_heat *h = &f->heat;
    double *mean = gos__zalloc(ctx, (size_t)S->m + 1, sizeof *mean);
    GOS_TRY(mean ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < S->n; k++) { // tied temperatures are equal
        for (int q = S->p[k]; q < S->p[k + 1]; q++) {
            mean[S->i[q]] = h->mean[k];
        }
    }
    gos__free(ctx, h->mean);
    h->mean = mean;
    h->n = S->m;
    GOS_TRY(from_both(ctx, S, &h->C));
    GOS_TRY(from_both(ctx, S, &h->S));
    GOS_TRY(from_left(ctx, S, &h->at));
    GOS_TRY(from_left(ctx, S, &h->across));
    GOS_TRY(from_left(ctx, S, &f->piezo.charge));
    return from_right(ctx, S, &h->G);
}

gos_status gos__flex_tie(gos_flex *f, const gos_sparse *R, const gos_sparse *S) {
    GOS_TRY(R ? tie_amplitudes(f, R) : GOS_OK);
    return S ? tie_temperatures(f, S) : GOS_OK;
}

gos_status gos__flex_fix(gos_flex *f, const gos_conditions *held) {
    gos_sparse R = {0};
    const size_t room = (size_t)f->n + 1;
    bool *dropped = gos__zalloc(f->ctx, room, sizeof *dropped), single = true;
    double *size = gos__alloc(f->ctx, room, sizeof *size);
    gos_status status = dropped && size ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < f->n && size; i++) {
        size[i] = 1;
    }
    for (int i = 0; i < held->n && dropped; i++) {
        single = single && held->start[i + 1] == held->start[i] + 1;
        dropped[held->unknown[held->start[i]]] = true;
    }
    if (status == GOS_OK && !single) {
        status = gos__ties_solve(held, f->n, size, &R, NULL);
        status = status == GOS_OK ? gos__flex_tie(f, &R, NULL) : status;
        memset(dropped, 0, room * sizeof *dropped);
    }
    status = status == GOS_OK ? gos__flex_drop(f, dropped) : status;
    gos__sparse_free(f->ctx, &R);
    gos__free(f->ctx, dropped);
    gos__free(f->ctx, size);
    return status;
}
