#include "linear/state_space.h"

#include <float.h>
#include <math.h>
#include <lapacke.h>

#include "linalg/dense.h"
#include "linear/linear.h"

/* Stiffness times a free motion is round-off of the stiffest coordinate (shell in m: 1e16 1/s^2
 * gives 10 1/s^2). With the motion as a coordinate, its row and column can be set to 0. */

#define FIRST_MODES 8 // modes computed first

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
    for (int asked = FIRST_MODES; more && status == GOS_OK; asked *= 2) {
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

/* Rotate orthonormal columns Z (nq, n) so that the first *count span the zero-frequency modes.
 * NULL (unit matrix, n = nq) is replaced if there are any. None for unsymmetric K. The caller
 * frees *Z, also after a failure. */
static gos_status free_motions_first(gos_ctx *ctx, const gos_linear *l, int n, double **Z,
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

#define ROUNDED 64 // round-off threshold of damping, in units of eps

/* kinds of states: p, p', temperatures, potentials */
enum { P, V, T, PHI, KINDS };

typedef struct making {
    gos_ctx *ctx;
    const gos_linear *l;
    gos_state_space *s;
    double *Z[KINDS]; // basis of each kind; NULL: identity
    int full[KINDS];  // rows of the bases
    int n[KINDS];     // columns
    int at[KINDS];    // first state
    int free;         // free motions, first among p
    double *T1, *T2;  // scratch
} making;

/* W (n[row], columns) := Z_row^T X */
static void project_rows(const making *m, int row, int columns, const double *X, double *W) {
    if (m->Z[row]) {
        gos__dense_product(m->n[row], columns, m->full[row], m->Z[row], X, W);
    } else {
        memcpy(W, X, (size_t)m->full[row] * columns * sizeof *W);
    }
}

/* X := block Z_column (rows of the block, n[column]) */
static void apply_columns(const making *m, const gos_sparse *A, int column, double *X) {
    if (m->Z[column]) {
        gos__sparse_apply(A, m->n[column], m->Z[column], X);
        return;
    }
    memset(X, 0, (size_t)A->m * A->n * sizeof *X);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            gos__dense_column(X, A->m, j)[A->i[k]] = A->x[k];
        }
    }
}

/* to += factor Z_row^T block Z_column; `to` has n rows */
static void add(const making *m, double *to, double factor, gos_block block, int row, int column) {
    const gos_sparse *A = &m->l->block[block];
    if (A->nnz == 0) {
        return;
    }
    apply_columns(m, A, column, m->T1);
    project_rows(m, row, m->n[column], m->T1, m->T2);
    for (int j = 0; j < m->n[column]; j++) {
        double *at = gos__dense_column(to, m->s->n, m->at[column] + j) + m->at[row];
        for (int i = 0; i < m->n[row]; i++) {
            at[i] += factor * gos__dense_column(m->T2, m->n[row], j)[i];
        }
    }
}

static void add_inputs(const making *m, gos_block block, int row) {
    const gos_sparse *A = &m->l->block[block];
    memset(m->T1, 0, (size_t)A->m * A->n * sizeof *m->T1);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            gos__dense_column(m->T1, A->m, j)[A->i[k]] = A->x[k];
        }
    }
    project_rows(m, row, A->n, m->T1, m->T2);
    for (int j = 0; j < A->n; j++) {
        memcpy(gos__dense_column(m->s->B, m->s->n, j) + m->at[row],
               gos__dense_column(m->T2, m->n[row], j), m->n[row] * sizeof *m->T2);
    }
}

static void add_outputs(const making *m, gos_block block, int column) {
    const gos_sparse *A = &m->l->block[block];
    apply_columns(m, A, column, m->T1);
    memcpy(gos__dense_column(m->s->C, m->s->ny, m->at[column]), m->T1,
           (size_t)m->s->ny * m->n[column] * sizeof *m->T1);
}

static void clear_stiffness(const making *m) {
    gos_state_space *s = m->s;
    for (int j = 0; j < m->n[P]; j++) {
        double *column = gos__dense_column(s->A, s->n, m->at[P] + j) + m->at[V];
        memset(column, 0, (size_t)(j < m->free ? m->n[P] : m->free) * sizeof *column);
    }
}

/* Clear round-off of stiffness-proportional damping on them. */
static void clear_damping(const making *m) {
    const gos_sparse *D = &m->l->block[GOS_BLOCK_D];
    gos_state_space *s = m->s;
    const int nq = m->l->nq;
    for (int j = 0; j < m->free && D->nnz > 0; j++) {
        const double *z = gos__dense_column(m->Z[V], nq, j);
        memset(m->T1, 0, (size_t)nq * sizeof *m->T1);
        for (int c = 0; c < nq; c++) {
            for (int k = D->p[c]; k < D->p[c + 1]; k++) {
                m->T1[D->i[k]] += fabs(D->x[k] * z[c]);
            }
        }
        for (int i = 0; i < m->n[V]; i++) {
            const double *row = gos__dense_column(m->Z[V], nq, i);
            double size = 0;
            for (int c = 0; c < nq; c++) {
                size += fabs(row[c]) * m->T1[c];
            }
            double *here = gos__dense_column(s->A, s->n, m->at[V] + j) + m->at[V] + i,
                   *across = gos__dense_column(s->A, s->n, m->at[V] + i) + m->at[V] + j;
            const double noise = ROUNDED * DBL_EPSILON * size;
            *here = fabs(*here) <= noise ? 0 : *here;
            *across = fabs(*across) <= noise ? 0 : *across;
        }
    }
}

static void fill(const making *m) {
    gos_state_space *s = m->s;
    for (int i = 0; i < m->n[P]; i++) {
        gos__dense_column(s->E, s->n, i)[i] = 1;
        gos__dense_column(s->A, s->n, m->at[V] + i)[i] = 1;
    }
    add(m, s->E, 1, GOS_BLOCK_M, V, V);
    add(m, s->E, 1, GOS_BLOCK_C_T, T, T);
    add(m, s->E, 1, GOS_BLOCK_P, T, PHI);
    add(m, s->A, -1, GOS_BLOCK_K, V, P);
    add(m, s->A, -1, GOS_BLOCK_D, V, V);
    clear_stiffness(m);
    clear_damping(m);
    add(m, s->A, -1, GOS_BLOCK_G, V, T);
    add(m, s->A, -1, GOS_BLOCK_G_phi, V, PHI);
    add(m, s->A, -1, GOS_BLOCK_H_q, T, P);
    add(m, s->A, -1, GOS_BLOCK_H_v, T, V);
    add(m, s->A, -1, GOS_BLOCK_K_T, T, T);
    add(m, s->A, -1, GOS_BLOCK_H_phi, PHI, P);
    add(m, s->A, -1, GOS_BLOCK_T_phi, PHI, T);
    add(m, s->A, -1, GOS_BLOCK_K_phi, PHI, PHI);
    add_inputs(m, GOS_BLOCK_B, V);
    add_inputs(m, GOS_BLOCK_B_T, T);
    add_inputs(m, GOS_BLOCK_B_phi, PHI);
    add_outputs(m, GOS_BLOCK_Y_q, P);
    add_outputs(m, GOS_BLOCK_Y_v, V);
    add_outputs(m, GOS_BLOCK_Y_T, T);
    add_outputs(m, GOS_BLOCK_Y_phi, PHI);
    const gos_sparse *F = &m->l->block[GOS_BLOCK_Y_u];
    for (int j = 0; j < F->n; j++) {
        for (int k = F->p[j]; k < F->p[j + 1]; k++) {
            gos__dense_column(s->D, s->ny, j)[F->i[k]] = F->x[k];
        }
    }
}

static gos_status bases(making *m) {
    const gos_linear *l = m->l;
    const int full[] = {l->nq, l->nq, l->nt, l->nphi};
    memcpy(m->full, full, sizeof full);
    memcpy(m->n, full, sizeof full);
    if (l->nc > 0) {
        GOS_TRY(gos__null_space(m->ctx, &l->block[GOS_BLOCK_C], &m->Z[P], &m->n[P]));
        m->n[V] = m->n[P];
    }
    GOS_TRY(free_motions_first(m->ctx, l, m->n[P], &m->Z[P], &m->free));
    m->Z[V] = m->Z[P];
    if (l->nh > 0) {
        GOS_TRY(gos__null_space(m->ctx, &l->block[GOS_BLOCK_H], &m->Z[T], &m->n[T]));
    }
    for (int k = 1; k < KINDS; k++) {
        m->at[k] = m->at[k - 1] + m->n[k - 1];
    }
    m->s->n = m->at[PHI] + m->n[PHI];
    return GOS_OK;
}

static gos_status make(making *m) {
    gos_state_space *s = m->s;
    GOS_TRY(bases(m));
    const size_t n = s->n, nu = s->nu, ny = s->ny;
    size_t full = ny + nu;
    for (int k = 0; k < KINDS; k++) {
        full += m->full[k];
    }
    s->E = gos__zalloc(m->ctx, 2 * n * n + n * (nu + ny) + nu * ny + 1, sizeof *s->E);
    m->T1 = gos__alloc(m->ctx, 2 * full * (n + nu) + 1, sizeof *m->T1);
    if (!s->E || !m->T1) {
        return GOS_E_MEMORY;
    }
    m->T2 = m->T1 + full * (n + nu);
    s->A = s->E + n * n;
    s->B = s->A + n * n;
    s->C = s->B + n * nu;
    s->D = s->C + ny * n;
    fill(m);
    return GOS_OK;
}

gos_status gos__state_space_make(gos_ctx *ctx, const gos_linear *l, gos_state_space *s) {
    making m = {.ctx = ctx, .l = l, .s = s};
    *s = (gos_state_space){.nu = l->nu, .ny = l->ny};
    const long states = 2L * l->nq + l->nt + l->nphi;
    if (states > GOS_STATE_SPACE_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "the model has %ld states; dense equations of first order are limited to "
                         "%d: reduce it first",
                         states, GOS_STATE_SPACE_MAX);
    }
    const gos_status status = make(&m);
    gos__free(ctx, m.Z[P]);
    gos__free(ctx, m.Z[T]);
    gos__free(ctx, m.T1);
    return status;
}

void gos__state_space_free(gos_ctx *ctx, gos_state_space *s) {
    gos__free(ctx, s->E);
    *s = (gos_state_space){0};
}
