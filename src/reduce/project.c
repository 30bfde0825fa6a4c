/* From bases to a reduced model: every block W^T A V of its fields, names, and the normal form M = I,
   K diagonal of symmetric pairs, which is what integrators like best. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "reduce/reduce.h"

/* fields of rows and columns; negative: inputs (column) or outputs (row) */
enum { PORT = -1, NONE = -2 };
static const int shape[GOS_NBLOCKS][2] = {
    [GOS_BLOCK_M] = {GOS_FIELD_Q, GOS_FIELD_Q},
    [GOS_BLOCK_D] = {GOS_FIELD_Q, GOS_FIELD_Q},
    [GOS_BLOCK_K] = {GOS_FIELD_Q, GOS_FIELD_Q},
    [GOS_BLOCK_G] = {GOS_FIELD_Q, GOS_FIELD_T},
    [GOS_BLOCK_C_T] = {GOS_FIELD_T, GOS_FIELD_T},
    [GOS_BLOCK_K_T] = {GOS_FIELD_T, GOS_FIELD_T},
    [GOS_BLOCK_H_q] = {GOS_FIELD_T, GOS_FIELD_Q},
    [GOS_BLOCK_H_v] = {GOS_FIELD_T, GOS_FIELD_Q},
    [GOS_BLOCK_C] = {NONE, GOS_FIELD_Q},
    [GOS_BLOCK_H] = {NONE, GOS_FIELD_T},
    [GOS_BLOCK_K_phi] = {GOS_FIELD_PHI, GOS_FIELD_PHI},
    [GOS_BLOCK_G_phi] = {GOS_FIELD_Q, GOS_FIELD_PHI},
    [GOS_BLOCK_H_phi] = {GOS_FIELD_PHI, GOS_FIELD_Q},
    [GOS_BLOCK_P] = {GOS_FIELD_T, GOS_FIELD_PHI},
    [GOS_BLOCK_B] = {GOS_FIELD_Q, PORT},
    [GOS_BLOCK_B_T] = {GOS_FIELD_T, PORT},
    [GOS_BLOCK_B_phi] = {GOS_FIELD_PHI, PORT},
    [GOS_BLOCK_Y_q] = {PORT, GOS_FIELD_Q},
    [GOS_BLOCK_Y_v] = {PORT, GOS_FIELD_Q},
    [GOS_BLOCK_Y_T] = {PORT, GOS_FIELD_T},
    [GOS_BLOCK_Y_phi] = {PORT, GOS_FIELD_PHI},
    [GOS_BLOCK_Y_u] = {PORT, PORT},
};

gos_status gos__reduce_sparse(gos_ctx *ctx, int m, int n, const double *A, gos_sparse *S) {
    size_t nnz = 0;
    for (size_t k = 0; k < (size_t)m * (size_t)n; k++) {
        nnz += A[k] != 0;
    }
    GOS_TRY(gos__sparse_alloc(ctx, m, n, nnz, S));
    int at = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            const double x = A[(size_t)j * (size_t)m + (size_t)i];
            if (x != 0) {
                S->i[at] = i;
                S->x[at++] = x;
            }
        }
        S->p[j + 1] = at;
    }
    return GOS_OK;
}

static const gos_space *left_of(const gos_linear_reduction *r) {
    return r->W.ctx ? &r->W : &r->V;
}

/* S (rows, columns) = W^T A V; W or V NULL stand for the identity of ports */
static gos_status congruence(gos_ctx *ctx, const gos_sparse *A, bool symmetric, int rows,
                             const double *W, int columns, const double *V, double *S) {
    const size_t size = (size_t)A->m * (size_t)columns;
    double *AV = gos__zalloc(ctx, size + (symmetric ? 8 * (size_t)A->m + 8 : 0) + 1, sizeof *AV);
    if (!AV) {
        return GOS_E_MEMORY;
    }
    if (V && symmetric) {
        gos__sparse_apply_symmetric(A, columns, V, AV, AV + (size + 7) / 8 * 8);
    } else if (V) {
        gos__sparse_apply(A, columns, V, AV);
    } else {
        for (int j = 0; j < A->n; j++) {
            for (int k = A->p[j]; k < A->p[j + 1]; k++) {
                AV[(size_t)j * (size_t)A->m + (size_t)A->i[k]] = A->x[k];
            }
        }
    }
    if (W) {
        gos__dense_product(rows, columns, A->m, W, AV, S);
    } else {
        memcpy(S, AV, (size_t)rows * (size_t)columns * sizeof *S);
    }
    gos__free(ctx, AV);
    return GOS_OK;
}

static void symmetrise(int n, double *S) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) {
            double *a = &S[(size_t)j * (size_t)n + (size_t)i];
            double *b = &S[(size_t)i * (size_t)n + (size_t)j];
            *a = *b = (*a + *b) / 2;
        }
    }
}

static bool square(int block) {
    return shape[block][0] == shape[block][1] && shape[block][0] >= 0;
}

static gos_status project_block(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                                int block, gos_sparse *to) {
    const gos_space *W = left_of(r), *V = &r->V;
    const int f = shape[block][0], g = shape[block][1];
    if (f == NONE) {
        return GOS_OK; // constraints are eliminated
    }
    const int m = f == PORT ? full->ny : W->count[f], n = g == PORT ? full->nu : V->count[g];
    double *S = gos__zalloc(ctx, (size_t)m * (size_t)n + 1, sizeof *S);
    if (!S) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    if (m > 0 && n > 0) {
        status = congruence(ctx, &full->block[block], square(block) && full->symmetric, m,
                            f == PORT ? NULL : W->v[f], n, g == PORT ? NULL : V->v[g], S);
    }
    if (status == GOS_OK) {
        if (square(block) && full->symmetric && !r->W.ctx) {
            symmetrise(m, S);
        }
        gos__sparse_free(ctx, to);
        status = gos__reduce_sparse(ctx, m, n, S, to);
    }
    gos__free(ctx, S);
    return status;
}

/* ---- normal form ----------------------------------------------------------------------------- */

/* V := V X with X^T (V^T M V) X = I and K diagonal; left alone when M is not positive definite */
static gos_status normalise(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M, int field,
                            gos_space *s) {
    const int r = s->count[field], n = gos__space_rows(s, field);
    const size_t rr = (size_t)r * (size_t)r;
    double *k = gos__zalloc(ctx, 4 * rr + (size_t)r + 1, sizeof *k);
    double *VX = gos__alloc(ctx, (size_t)n * (size_t)r + 1, sizeof *VX);
    gos_status status = k && VX ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *m = k + rr, *x = m + rr, *copy = x + rr, *lambda = copy + rr;
        status = congruence(ctx, K, true, r, s->v[field], r, s->v[field], k);
        status =
            status == GOS_OK ? congruence(ctx, M, true, r, s->v[field], r, s->v[field], m) : status;
        if (status == GOS_OK) {
            symmetrise(r, k);
            symmetrise(r, m);
            memcpy(copy, m, rr * sizeof *m);
            if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', r, copy, r) == 0) {
                status = gos__dense_pencil(ctx, r, k, m, r, lambda, x);
                gos__dense_combine(n, r, r, s->v[field], x, VX);
                memcpy(s->v[field], VX, (size_t)n * (size_t)r * sizeof *VX);
            }
        }
    }
    gos__free(ctx, k);
    gos__free(ctx, VX);
    return status;
}

/* round-off beside the diagonal of a pair in normal form goes */
static void keep_diagonal(gos_sparse *block, bool unit) {
    int at = 0;
    for (int j = 0; j < block->n; j++) {
        const int begin = block->p[j], end = block->p[j + 1];
        block->p[j] = at;
        for (int k = begin; k < end; k++) {
            if (block->i[k] == j) {
                block->i[at] = j;
                block->x[at++] = unit ? 1 : block->x[k];
            }
        }
    }
    block->p[block->n] = at;
    block->nnz = at;
}

/* M = I to round-off? */
static bool is_unit(const gos_sparse *M) {
    for (int j = 0; j < M->n; j++) {
        double diagonal = 0;
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            if (M->i[k] == j) {
                diagonal = M->x[k];
            } else if (!(fabs(M->x[k]) < 1e-9)) {
                return false;
            }
        }
        if (!(fabs(diagonal - 1) < 1e-9)) {
            return false;
        }
    }
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *copy_of(gos_arena *a, const char *text) {
    return gos__arena_strdup(a, text ? text : "");
}

static gos_status names(const gos_linear *full, const gos_linear_reduction *r, gos_linear *l) {
    char text[200];
    for (int i = 0; i < l->nq; i++) {
        if (i < r->kept) {
            gos_linear_coordinate(full, r->kept_index[i], text, sizeof text);
        } else {
            gos__format(text, sizeof text, "vector(%d)", i - r->kept + 1);
        }
        l->coordinate[i] = copy_of(l->arena, text);
    }
    for (int i = 0; i < l->nt; i++) {
        l->temperature[i] = gos__arena_printf(l->arena, "field(%d)", i + 1);
    }
    bool all = true;
    for (int i = 0; i < l->nu; i++) {
        const gos_port p = gos_linear_input(full, i);
        l->input[i] = (gos_port){copy_of(l->arena, p.name), copy_of(l->arena, p.unit)};
        all = all && l->input[i].name && l->input[i].unit;
    }
    for (int i = 0; i < l->ny; i++) {
        const gos_port p = gos_linear_output(full, i);
        l->output[i] = (gos_port){copy_of(l->arena, p.name), copy_of(l->arena, p.unit)};
        all = all && l->output[i].name && l->output[i].unit;
    }
    return all ? GOS_OK : GOS_E_MEMORY;
}

/* motions of the whole model in reduced coordinates, nearest in kinetic energy: M_r t_r = W^T M t */
static gos_status rigid_motions(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                                gos_linear *l) {
    const int n = full->nq, nr = l->nq;
    const size_t rr = (size_t)nr * (size_t)nr;
    double *work = gos__zalloc(ctx, (size_t)n + rr + 1, sizeof *work);
    lapack_int *pivot = gos__alloc(ctx, (size_t)nr + 1, sizeof *pivot);
    if (!work || !pivot) {
        gos__free(ctx, work);
        gos__free(ctx, pivot);
        return GOS_E_MEMORY;
    }
    double *M = work + n;
    const gos_sparse *Mr = &l->block[GOS_BLOCK_M];
    for (int c = 0; c < 6; c++) {
        gos__sparse_apply(&full->M, 1, full->rigid + (size_t)c * (size_t)n, work);
        gos__dense_product(nr, 1, n, left_of(r)->v[GOS_FIELD_Q], work,
                           l->rigid + (size_t)c * (size_t)nr);
    }
    for (int j = 0; j < nr; j++) {
        for (int k = Mr->p[j]; k < Mr->p[j + 1]; k++) {
            M[(size_t)j * (size_t)nr + (size_t)Mr->i[k]] = Mr->x[k];
        }
    }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, nr, 6, M, nr, pivot, l->rigid, nr) != 0) {
        memset(l->rigid, 0, 6 * (size_t)nr * sizeof(double)); // no kinetic energy to speak of
    }
    gos__free(ctx, work);
    gos__free(ctx, pivot);
    return GOS_OK;
}

static gos_status fill(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                       gos_linear *l) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        GOS_TRY(project_block(ctx, full, r, b, &l->block[b]));
    }
    const int pair[2][2] = {{GOS_BLOCK_M, GOS_BLOCK_K}, {GOS_BLOCK_C_T, GOS_BLOCK_K_T}};
    for (int i = 0; i < 2 && full->symmetric && !r->W.ctx && !r->physical; i++) {
        gos_sparse *M = &l->block[pair[i][0]];
        if (M->n > 0 && is_unit(M)) {
            keep_diagonal(M, true);
            keep_diagonal(&l->block[pair[i][1]], false);
        }
    }
    GOS_TRY(names(full, r, l));
    if (l->nq > 0) {
        GOS_TRY(rigid_motions(ctx, full, r, l));
    }
    return gos__linear_close(l);
}

gos_status gos__reduce_project(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *r) {
    if (full->symmetric && !r->W.ctx && !r->physical) {
        if (r->V.count[GOS_FIELD_Q] > 0) {
            GOS_TRY(normalise(ctx, &full->K, &full->M, GOS_FIELD_Q, &r->V));
        }
        if (r->V.count[GOS_FIELD_T] > 0) {
            GOS_TRY(normalise(ctx, &full->K_T, &full->block[GOS_BLOCK_C_T], GOS_FIELD_T, &r->V));
        }
    }
    const gos_linear_size size = {.nq = r->V.count[GOS_FIELD_Q],
                                  .nt = r->V.count[GOS_FIELD_T],
                                  .nphi = r->V.count[GOS_FIELD_PHI],
                                  .nu = full->nu,
                                  .ny = full->ny};
    gos_linear *l;
    GOS_TRY(gos__linear_create(ctx, &size, &l));
    const gos_status status = fill(ctx, full, r, l);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    gos_linear_destroy(r->model);
    r->model = l;
    return GOS_OK;
}
