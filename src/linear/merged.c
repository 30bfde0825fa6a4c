/* Merges the blocks of a linear model into three matrices with a common pattern. */
#include "linear/merged.h"

/* kinds of unknowns and rows */
enum { Q, T, PHI, LAM, LAM_T };

#define TRANSPOSED_C GOS_NBLOCKS
#define TRANSPOSED_H (GOS_NBLOCKS + 1)

/* position and power of s of each block */
static const struct term {
    int block, power, row, column;
} terms[] = {
    {GOS_BLOCK_M, 2, Q, Q},         {GOS_BLOCK_D, 1, Q, Q},       {GOS_BLOCK_K, 0, Q, Q},
    {GOS_BLOCK_G, 0, Q, T},         {GOS_BLOCK_G_phi, 0, Q, PHI}, {TRANSPOSED_C, 0, Q, LAM},
    {GOS_BLOCK_C_T, 1, T, T},       {GOS_BLOCK_K_T, 0, T, T},     {GOS_BLOCK_H_q, 0, T, Q},
    {GOS_BLOCK_H_v, 1, T, Q},       {GOS_BLOCK_P, 1, T, PHI},     {TRANSPOSED_H, 0, T, LAM_T},
    {GOS_BLOCK_K_phi, 0, PHI, PHI}, {GOS_BLOCK_H_phi, 0, PHI, Q}, {GOS_BLOCK_C, 0, LAM, Q},
    {GOS_BLOCK_H, 0, LAM_T, T},     {GOS_BLOCK_T_phi, 0, PHI, T}};

typedef struct merge {
    gos_merged *w;
    const gos_sparse *block[GOS_COUNT(terms)];
    double scale[GOS_COUNT(terms)];
    gos_sparse CT, HT;
} merge;

/* merge rows of kind `row` in column j of kind `column` from sorted lists; returns the end */
static int merge_rows(const merge *m, int row, int column, int j, int at) {
    int list[3], next[3], n = 0;
    for (int t = 0; t < GOS_COUNT(terms); t++) {
        if (terms[t].row == row && terms[t].column == column) {
            next[n] = m->block[t]->p[j];
            list[n++] = t;
        }
    }
    for (;;) {
        int lowest = INT32_MAX;
        for (int k = 0; k < n; k++) {
            const gos_sparse *A = m->block[list[k]];
            if (next[k] < A->p[j + 1] && A->i[next[k]] < lowest) {
                lowest = A->i[next[k]];
            }
        }
        if (lowest == INT32_MAX) {
            return at;
        }
        for (int k = 0; k < n; k++) {
            const gos_sparse *A = m->block[list[k]];
            if (next[k] < A->p[j + 1] && A->i[next[k]] == lowest) {
                m->w->A[terms[list[k]].power][at] += m->scale[list[k]] * A->x[next[k]++];
            }
        }
        m->w->pattern.i[at++] = m->w->at[row] + lowest;
    }
}

static void merge_all(merge *m) {
    gos_merged *w = m->w;
    int at = 0;
    for (int kind = Q; kind <= LAM_T; kind++) {
        for (int j = 0; j < w->at[kind + 1] - w->at[kind]; j++) {
            for (int row = Q; row <= LAM_T; row++) {
                at = merge_rows(m, row, kind, j, at);
            }
            w->pattern.p[w->at[kind] + j + 1] = at;
        }
    }
    w->pattern.nnz = at;
}

static double size_ratio(const gos_sparse *A, const gos_sparse *B) {
    const double a = gos__sparse_largest(A), b = gos__sparse_largest(B);
    return a > 0 && b > 0 ? a / b : 1;
}

static gos_status merge_blocks(gos_merged *w, const gos_linear *l) {
    merge m = {.w = w};
    size_t nnz = 0;
    const double c = size_ratio(&l->block[GOS_BLOCK_K], &l->block[GOS_BLOCK_C]);
    const double h = size_ratio(&l->block[GOS_BLOCK_K_T], &l->block[GOS_BLOCK_H]);
    gos_status status = gos__sparse_transpose(w->ctx, &l->block[GOS_BLOCK_C], &m.CT);
    status =
        status == GOS_OK ? gos__sparse_transpose(w->ctx, &l->block[GOS_BLOCK_H], &m.HT) : status;
    for (int t = 0; t < GOS_COUNT(terms) && status == GOS_OK; t++) {
        const int b = terms[t].block;
        m.block[t] = b == TRANSPOSED_C ? &m.CT : b == TRANSPOSED_H ? &m.HT : &l->block[b];
        m.scale[t] = terms[t].row == LAM || terms[t].column == LAM       ? c
                     : terms[t].row == LAM_T || terms[t].column == LAM_T ? h
                                                                         : 1;
        nnz += m.block[t]->nnz;
    }
    if (status == GOS_OK && nnz > INT32_MAX) {
        status = gos__fail(w->ctx, GOS_E_LIMIT, "the linear model has more than 2^31 entries");
    }
    if (status == GOS_OK) {
        w->pattern = (gos_pattern){.n = w->n};
        w->pattern.p = gos__zalloc(w->ctx, w->n + 1L, sizeof(int));
        w->pattern.i = gos__alloc(w->ctx, nnz + 1, sizeof(int));
        for (int k = 0; k < 3; k++) {
            w->A[k] = gos__zalloc(w->ctx, nnz + 1, sizeof(double));
        }
        const bool all = w->pattern.p && w->pattern.i && w->A[0] && w->A[1] && w->A[2];
        status = all ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        merge_all(&m);
    }
    gos__sparse_free(w->ctx, &m.CT);
    gos__sparse_free(w->ctx, &m.HT);
    return status;
}

static gos_status stack_inputs(gos_merged *w, const gos_linear *l) {
    const gos_sparse *part[] = {&l->block[GOS_BLOCK_B], &l->block[GOS_BLOCK_B_T],
                                &l->block[GOS_BLOCK_B_phi]};
    int at = 0;
    GOS_TRY(gos__sparse_alloc(w->ctx, w->n, w->nu,
                              (size_t)part[0]->nnz + part[1]->nnz + part[2]->nnz, &w->B));
    for (int j = 0; j < w->nu; j++) {
        for (int k = 0; k < GOS_COUNT(part); k++) {
            for (int e = part[k]->p[j]; e < part[k]->p[j + 1]; e++) {
                w->B.i[at] = w->at[k] + part[k]->i[e];
                w->B.x[at++] = part[k]->x[e];
            }
        }
        w->B.p[j + 1] = at;
    }
    return GOS_OK;
}

static gos_status join_outputs(gos_merged *w, int power, const gos_sparse *const part[3]) {
    gos_sparse *Y = &w->Y[power];
    int at = 0;
    size_t nnz = 0;
    for (int k = 0; k < 3; k++) {
        nnz += part[k] ? part[k]->nnz : 0;
    }
    GOS_TRY(gos__sparse_alloc(w->ctx, w->ny, w->n, nnz, Y));
    for (int j = 0; j < w->n; j++) {
        const int k = j < w->at[1] ? 0 : j < w->at[2] ? 1 : 2;
        if (j < w->at[3] && part[k]) {
            for (int e = part[k]->p[j - w->at[k]]; e < part[k]->p[j - w->at[k] + 1]; e++) {
                Y->i[at] = part[k]->i[e];
                Y->x[at++] = part[k]->x[e];
            }
        }
        Y->p[j + 1] = at;
    }
    return GOS_OK;
}

gos_status gos__merged_create(gos_ctx *ctx, const gos_linear *l, gos_merged **merged) {
    gos_merged *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    *w = (gos_merged){.ctx = ctx,
                      .nu = l->nu,
                      .ny = l->ny,
                      .ncomp = l->nt + l->nphi > 0 ? 1 : l->ncomp,
                      .Y_u = &l->block[GOS_BLOCK_Y_u]};
    const int count[] = {l->nq, l->nt, l->nphi, l->nc, l->nh};
    for (int k = 0; k < GOS_COUNT(count); k++) {
        w->at[k + 1] = w->at[k] + count[k];
    }
    w->n = w->at[GOS_COUNT(count)];
    gos_status status = merge_blocks(w, l);
    status = status == GOS_OK ? stack_inputs(w, l) : status;
    const gos_sparse *const value[] = {&l->block[GOS_BLOCK_Y_q], &l->block[GOS_BLOCK_Y_T],
                                       &l->block[GOS_BLOCK_Y_phi]};
    const gos_sparse *const rate[] = {&l->block[GOS_BLOCK_Y_v], NULL, NULL};
    status = status == GOS_OK ? join_outputs(w, 0, value) : status;
    status = status == GOS_OK ? join_outputs(w, 1, rate) : status;
    if (status != GOS_OK) {
        gos__merged_destroy(w);
        return status;
    }
    *merged = w;
    return GOS_OK;
}

gos_status gos__merged_symmetric(const gos_merged *w, bool *symmetric) {
    const gos_pattern *a = &w->pattern;
    *symmetric = true;
    for (int power = 0; power < 3 && *symmetric; power++) {
        const gos_sparse A = {a->n, a->n, a->nnz, a->p, a->i, w->A[power]};
        gos_sparse S;
        double asymmetry;
        GOS_TRY(gos__sparse_symmetric_part(w->ctx, &A, &S, &asymmetry));
        *symmetric = S.nnz == a->nnz && asymmetry <= GOS_SYMMETRIC;
        gos__sparse_free(w->ctx, &S);
    }
    return GOS_OK;
}

void gos__merged_destroy(gos_merged *w) {
    if (!w) {
        return;
    }
    gos__free(w->ctx, w->pattern.p);
    gos__free(w->ctx, w->pattern.i);
    for (int k = 0; k < 3; k++) {
        gos__free(w->ctx, w->A[k]);
    }
    gos__sparse_free(w->ctx, &w->B);
    gos__sparse_free(w->ctx, &w->Y[0]);
    gos__sparse_free(w->ctx, &w->Y[1]);
    gos__free(w->ctx, w);
}
