#include "linear_reduction/first_order.h"

#include <math.h>

#include "linear/condensed.h"

gos_status gos__compose(gos_ctx *ctx, int m, int n, int count, const gos_block_part *parts,
                        gos_sparse *S) {
    size_t nnz = 0;
    for (int k = 0; k < count; k++) {
        nnz += parts[k].A ? parts[k].A->nnz : parts[k].n;
    }
    gos__sparse_free(ctx, S);
    GOS_TRY(gos__sparse_alloc(ctx, m, n, nnz, S));
    int at = 0;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < count; k++) {
            const gos_block_part *p = &parts[k];
            const int c = j - p->column;
            if (c < 0 || c >= (p->A ? p->A->n : p->n)) {
                continue;
            }
            if (!p->A) {
                S->i[at] = p->row + c;
                S->x[at++] = p->factor;
                continue;
            }
            for (int e = p->A->p[c]; e < p->A->p[c + 1]; e++) {
                S->i[at] = p->row + p->A->i[e];
                S->x[at++] = p->factor * p->A->x[e];
            }
        }
        S->p[j + 1] = at;
    }
    return GOS_OK;
}

double gos__first_order_weight(const gos_linear *l) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < l->nq; j++) {
        double k = 0, m = 0;
        for (int e = l->K.p[j]; e < l->K.p[j + 1]; e++) {
            k = l->K.i[e] == j ? l->K.x[e] : k;
        }
        for (int e = l->M.p[j]; e < l->M.p[j + 1]; e++) {
            m = l->M.i[e] == j ? l->M.x[e] : m;
        }
        if (k > 0 && m > 0) {
            sum += log(k / m) / 2;
            count++;
        }
    }
    return count > 0 ? exp(sum / count) : 1;
}

static gos_status fill(gos_ctx *ctx, const gos_linear *l, double w, gos_linear *f) {
    const int nq = l->nq, nt = l->nt, n = 2 * nq + nt, T = 2 * nq;
    const gos_sparse *b = l->block;
    const gos_block_part E[] = {
        {NULL, 1, 0, 0, nq}, {&b[GOS_BLOCK_M], 1, nq, nq, 0}, {&b[GOS_BLOCK_C_T], 1, T, T, 0}};
    const gos_block_part A[] = {{NULL, -w, 0, nq, nq},
                                {&b[GOS_BLOCK_K], 1 / w, nq, 0, 0},
                                {&b[GOS_BLOCK_D], 1, nq, nq, 0},
                                {&b[GOS_BLOCK_G], 1, nq, T, 0},
                                {&b[GOS_BLOCK_H_q], 1 / w, T, 0, 0},
                                {&b[GOS_BLOCK_H_v], 1, T, nq, 0},
                                {&b[GOS_BLOCK_K_T], 1, T, T, 0}};
    const gos_block_part H[] = {{&b[GOS_BLOCK_C], 1, 0, 0, 0},
                                {&b[GOS_BLOCK_C], 1, l->nc, nq, 0},
                                {&b[GOS_BLOCK_H], 1, 2 * l->nc, T, 0}};
    const gos_block_part B[] = {{&b[GOS_BLOCK_B], 1, nq, 0, 0}, {&b[GOS_BLOCK_B_T], 1, T, 0, 0}};
    const gos_block_part Y[] = {{&b[GOS_BLOCK_Y_q], 1 / w, 0, 0, 0},
                                {&b[GOS_BLOCK_Y_v], 1, 0, nq, 0},
                                {&b[GOS_BLOCK_Y_T], 1, 0, T, 0}};
    const gos_block_part U[] = {{&b[GOS_BLOCK_Y_u], 1, 0, 0, 0}};
    GOS_TRY(gos__compose(ctx, n, n, GOS_COUNT(E), E, &f->block[GOS_BLOCK_C_T]));
    GOS_TRY(gos__compose(ctx, n, n, GOS_COUNT(A), A, &f->block[GOS_BLOCK_K_T]));
    GOS_TRY(gos__compose(ctx, f->nh, n, GOS_COUNT(H), H, &f->block[GOS_BLOCK_H]));
    GOS_TRY(gos__compose(ctx, n, l->nu, GOS_COUNT(B), B, &f->block[GOS_BLOCK_B_T]));
    GOS_TRY(gos__compose(ctx, l->ny, n, GOS_COUNT(Y), Y, &f->block[GOS_BLOCK_Y_T]));
    GOS_TRY(gos__compose(ctx, l->ny, l->nu, 1, U, &f->block[GOS_BLOCK_Y_u]));
    for (int i = 0; i < l->nu; i++) {
        const gos_port p = gos_linear_input(l, i);
        f->input[i] =
            (gos_port){gos__arena_strdup(f->arena, p.name), gos__arena_strdup(f->arena, p.unit)};
    }
    for (int i = 0; i < l->ny; i++) {
        const gos_port p = gos_linear_output(l, i);
        f->output[i] =
            (gos_port){gos__arena_strdup(f->arena, p.name), gos__arena_strdup(f->arena, p.unit)};
    }
    return gos__linear_close(f);
}

gos_status gos__first_order(gos_ctx *ctx, const gos_linear *l, double weight, gos_linear **first) {
    gos_linear *f = NULL, *own;
    const gos_linear_size size = {
        .nt = 2 * l->nq + l->nt, .nh = 2 * l->nc + l->nh, .nu = l->nu, .ny = l->ny};
    GOS_TRY(gos__linear_condense(ctx, l, &own, &l));
    gos_status status = gos__linear_create(ctx, &size, &f);
    status = status == GOS_OK ? fill(ctx, l, weight, f) : status;
    gos_linear_destroy(own);
    if (status != GOS_OK) {
        gos_linear_destroy(f);
        return status;
    }
    *first = f;
    return GOS_OK;
}
