/* Projection: every block W^T A V by fields, and names. Symmetric pairs are in normal form
   (normal_form.c). */
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear_reduction/reduce.h"

/* fields of rows and columns; PORT: outputs (rows), inputs (columns) */
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
    [GOS_BLOCK_T_phi] = {GOS_FIELD_PHI, GOS_FIELD_T},
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

static const gos_space *left_of(const gos_linear_reduction *r) {
    return r->W.ctx ? &r->W : &r->V;
}

/* AV (n, columns) = A V of a square block, accurate for stiffness times smooth vectors. `rows`
   holds A^T; an almost symmetric A differs from it by round-off, which is removed. */
static gos_status times_square(gos_ctx *ctx, const gos_sparse *A, bool symmetric, bool same,
                               int columns, const double *V, double *AV) {
    gos_sparse rows = {0};
    double *panel = gos__alloc(ctx, 8L * A->n + 1, sizeof *panel);
    gos_status status = panel ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && !(symmetric && same)) {
        status = symmetric ? gos__sparse_symmetric_part(ctx, A, &rows, NULL)
                           : gos__sparse_transpose(ctx, A, &rows);
    }
    if (status == GOS_OK) {
        gos__sparse_apply_exact(rows.p ? &rows : A, columns, V, AV, panel);
    }
    gos__sparse_free(ctx, &rows);
    gos__free(ctx, panel);
    return status;
}

/* S (rows, columns) = W^T A V; NULL: identity of ports */
static gos_status congruence(gos_ctx *ctx, const gos_sparse *A, bool square, bool symmetric,
                             int rows, const double *W, int columns, const double *V, double *S) {
    double *AV = gos__zalloc(ctx, (size_t)A->m * columns + 1, sizeof *AV);
    if (!AV) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    if (A->nnz == 0) {
        memset(S, 0, (size_t)rows * columns * sizeof *S);
        gos__free(ctx, AV);
        return GOS_OK;
    }
    if (V && square) {
        status = times_square(ctx, A, symmetric, W == V, columns, V, AV);
    } else if (V) {
        gos__sparse_apply(A, columns, V, AV);
    } else {
        for (long j = 0; j < A->n; j++) {
            for (int k = A->p[j]; k < A->p[j + 1]; k++) {
                AV[j * A->m + A->i[k]] = A->x[k];
            }
        }
    }
    if (W && status == GOS_OK) {
        gos__dense_product(rows, columns, A->m, W, AV, S);
    } else if (status == GOS_OK) {
        memcpy(S, AV, (size_t)rows * columns * sizeof *S);
    }
    gos__free(ctx, AV);
    return status;
}

static void symmetrise(int n, double *S) {
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < j; i++) {
            double *a = &S[j * n + i];
            double *b = &S[i * n + j];
            *a = *b = (*a + *b) / 2;
        }
    }
}

gos_status gos__reduce_congruence(gos_ctx *ctx, const gos_sparse *A, bool exact, int r,
                                  const double *V, double *S) {
    if (exact) {
        GOS_TRY(congruence(ctx, A, true, true, r, V, r, V, S));
        symmetrise(r, S);
        return GOS_OK;
    }
    const size_t n = A->n, size = (n * r + 7) / 8 * 8;
    double *AV = gos__alloc(ctx, size + 8 * n + 1, sizeof *AV);
    if (!AV) {
        return GOS_E_MEMORY;
    }
    gos__sparse_apply_symmetric(A, r, V, AV, AV + size);
    gos__dense_product(r, r, A->n, V, AV, S);
    symmetrise(r, S);
    gos__free(ctx, AV);
    return GOS_OK;
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
    double *S = gos__zalloc(ctx, (size_t)m * n + 1, sizeof *S);
    if (!S) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    if (m > 0 && n > 0) {
        status = congruence(ctx, &full->block[block], square(block), full->symmetric, m,
                            f == PORT ? NULL : W->v[f], n, g == PORT ? NULL : V->v[g], S);
    }
    if (status == GOS_OK) {
        if (square(block) && full->symmetric && !r->W.ctx) {
            symmetrise(m, S);
        }
        gos__sparse_free(ctx, to);
        status = gos__sparse_from_dense(ctx, m, n, S, to);
    }
    gos__free(ctx, S);
    return status;
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
    return gos__linear_name_ports(full, l);
}

/* rigid motions in reduced coordinates, nearest in kinetic energy: M_r t_r = W^T M t */
static gos_status rigid_motions(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                                gos_linear *l) {
    const int n = full->nq, nr = l->nq;
    const size_t rr = (size_t)nr * nr;
    double *work = gos__zalloc(ctx, n + rr + 1, sizeof *work);
    lapack_int *pivot = gos__alloc(ctx, nr + 1L, sizeof *pivot);
    if (!work || !pivot) {
        gos__free(ctx, work);
        gos__free(ctx, pivot);
        return GOS_E_MEMORY;
    }
    double *M = work + n;
    const gos_sparse *Mr = &l->block[GOS_BLOCK_M];
    for (long c = 0; c < 6; c++) {
        gos__sparse_apply(&full->M, 1, full->rigid + c * n, work);
        gos__dense_product(nr, 1, n, left_of(r)->v[GOS_FIELD_Q], work, l->rigid + c * nr);
    }
    for (long j = 0; j < nr; j++) {
        for (int k = Mr->p[j]; k < Mr->p[j + 1]; k++) {
            M[j * nr + Mr->i[k]] = Mr->x[k];
        }
    }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, nr, 6, M, nr, pivot, l->rigid, nr) != 0) {
        memset(l->rigid, 0, 6L * nr * sizeof(double)); // singular mass
    }
    gos__free(ctx, work);
    gos__free(ctx, pivot);
    return GOS_OK;
}

/* M = I, K = diag(lambda) without projection */
static gos_status put_normal(gos_ctx *ctx, const double *lambda, gos_sparse *M, gos_sparse *K) {
    const int n = M->n;
    gos_sparse unit = {0}, diagonal = {0};
    gos_status status = gos__sparse_alloc(ctx, n, n, n, &unit);
    status = status == GOS_OK ? gos__sparse_alloc(ctx, n, n, n, &diagonal) : status;
    if (status != GOS_OK) {
        gos__sparse_free(ctx, &unit);
        return status;
    }
    for (int j = 0; j < n; j++) {
        unit.i[j] = diagonal.i[j] = j;
        unit.p[j + 1] = diagonal.p[j + 1] = j + 1;
        unit.x[j] = 1;
        diagonal.x[j] = lambda[j];
    }
    gos__sparse_free(ctx, M);
    gos__sparse_free(ctx, K);
    *M = unit;
    *K = diagonal;
    return GOS_OK;
}

/* pairs in normal form: displacements and temperatures */
static const int pair[2][2] = {{GOS_BLOCK_M, GOS_BLOCK_K}, {GOS_BLOCK_C_T, GOS_BLOCK_K_T}};

static gos_status fill(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                       double *const lambda[2], gos_linear *l) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const bool diagonal_known = (lambda[0] && (b == pair[0][0] || b == pair[0][1])) ||
                                    (lambda[1] && (b == pair[1][0] || b == pair[1][1]));
        if (!diagonal_known) {
            GOS_TRY(project_block(ctx, full, r, b, &l->block[b]));
        }
    }
    for (int i = 0; i < 2; i++) {
        if (lambda[i]) {
            GOS_TRY(put_normal(ctx, lambda[i], &l->block[pair[i][0]], &l->block[pair[i][1]]));
        }
    }
    GOS_TRY(names(full, r, l));
    if (l->nq > 0) {
        GOS_TRY(rigid_motions(ctx, full, r, l));
    }
    return gos__linear_close(l);
}

static gos_status normalise(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *r,
                            double *lambda[2]) {
    const gos_sparse *K[2] = {&full->K, &full->K_T};
    const gos_sparse *M[2] = {&full->M, &full->block[GOS_BLOCK_C_T]};
    const int field[2] = {GOS_FIELD_Q, GOS_FIELD_T};
    for (int i = 0; i < 2; i++) {
        if (r->V.count[field[i]] > 0) {
            GOS_TRY(gos__reduce_normal_form(ctx, K[i], M[i], field[i], &r->V, &lambda[i]));
        }
    }
    return GOS_OK;
}

static gos_status make_model(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                             double *const lambda[2], gos_linear **model) {
    const gos_linear_size size = {.nq = r->V.count[GOS_FIELD_Q],
                                  .nt = r->V.count[GOS_FIELD_T],
                                  .nphi = r->V.count[GOS_FIELD_PHI],
                                  .nu = full->nu,
                                  .ny = full->ny};
    gos_linear *l;
    GOS_TRY(gos__linear_create(ctx, &size, &l));
    const gos_status status = fill(ctx, full, r, lambda, l);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *model = l;
    return GOS_OK;
}

gos_status gos__reduce_project(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *r) {
    double *lambda[2] = {NULL, NULL};
    gos_linear *l = NULL;
    gos_status status =
        full->symmetric && !r->W.ctx && !r->physical ? normalise(ctx, full, r, lambda) : GOS_OK;
    status = status == GOS_OK ? make_model(ctx, full, r, lambda, &l) : status;
    gos__free(ctx, lambda[0]);
    gos__free(ctx, lambda[1]);
    if (status == GOS_OK) {
        gos_linear_destroy(r->model);
        r->model = l;
    }
    return status;
}
