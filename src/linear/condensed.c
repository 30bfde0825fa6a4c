/* Static condensation of electric potentials: Z = K_phi^-1 [H_phi, T_phi, B_phi], and products
   of coupling blocks with Z. Without mutual capacities Z has the pattern of H_phi. */
#include "linear/condensed.h"

#include <math.h>

#define MAX_ENTRIES 3e7 // most entries of a condensed stiffness
#define DETERMINED 1e-6 // largest error of known potentials of 1; otherwise K_phi is singular

typedef struct condensing {
    gos_ctx *ctx;
    const gos_linear *l;
    gos_solver *solver;
    gos_sparse Z[3]; // for displacements, temperatures, inputs
    gos_sparse W;    // heat due to input rates (nt, nu)
    gos_sparse X; // C_T'^-1 W: temperatures of l are those of `to` minus X u; no columns if W = 0
    gos_linear *to;
} condensing;

/* ---- solves with K_phi ----------------------------------------------------------------------- */

static gos_status undetermined(const condensing *c) {
    return gos__fail(c->ctx, GOS_E_SINGULAR,
                     "the permittivity matrix K_phi is singular: some potentials are determined "
                     "only up to a constant; prescribe one of them");
}

/* Singular within round-off: recover potentials of 1 from their charges. */
static gos_status check_determined(const condensing *c, double *x) {
    const gos_sparse *A = &c->l->block[GOS_BLOCK_K_phi];
    bool good = true;
    memset(x, 0, (size_t)A->n * sizeof *x);
    for (int k = 0; k < A->nnz; k++) {
        x[A->i[k]] += A->x[k];
    }
    gos__solver_solve(c->solver, x);
    for (int i = 0; i < A->n; i++) {
        good = good && fabs(x[i] - 1) <= DETERMINED;
    }
    return good ? GOS_OK : undetermined(c);
}

/* x := K_phi^-1 R_j; *n += number of nonzeros */
static void solve_column(const condensing *c, const gos_sparse *R, int j, double *x, long *n) {
    if (R->p[j + 1] == R->p[j]) {
        return;
    }
    memset(x, 0, (size_t)R->m * sizeof *x);
    for (int k = R->p[j]; k < R->p[j + 1]; k++) {
        x[R->i[k]] = R->x[k];
    }
    gos__solver_solve(c->solver, x);
    for (int i = 0; i < R->m; i++) {
        *n += x[i] != 0;
    }
}

static gos_status full(const condensing *c, double entries) {
    return gos__fail(
        c->ctx, GOS_E_LIMIT,
        "condensing %d electric potentials would couple all coordinates connected to them: the "
        "matrix would have at least %.2g entries, the stiffness has %d; use a reduction method "
        "that keeps potentials (auto, krylov, static_vectors, frequency_vectors, pod)",
        c->l->nphi, entries, c->l->block[GOS_BLOCK_K].nnz);
}

static gos_status solve(const condensing *c, const gos_sparse *R, double *x, gos_sparse *Z) {
    long entries = 0, at = 0;
    for (int j = 0; j < R->n; j++) { // uncoupled potentials keep the pattern of R
        solve_column(c, R, j, x, &entries);
    }
    if ((double)entries > MAX_ENTRIES) {
        return full(c, (double)entries);
    }
    GOS_TRY(gos__sparse_alloc(c->ctx, R->m, R->n, (size_t)entries, Z));
    for (int j = 0; j < R->n; j++) {
        long unused = 0;
        solve_column(c, R, j, x, &unused);
        for (int i = 0; i < R->m && R->p[j + 1] > R->p[j]; i++) {
            if (x[i] != 0) {
                Z->i[at] = i;
                Z->x[at++] = x[i];
            }
        }
        Z->p[j + 1] = (int)at;
    }
    return GOS_OK;
}

static gos_status solve_all(condensing *c) {
    static const gos_block by[] = {GOS_BLOCK_H_phi, GOS_BLOCK_T_phi, GOS_BLOCK_B_phi};
    const gos_sparse *A = &c->l->block[GOS_BLOCK_K_phi];
    const gos_pattern pattern = {.n = A->n, .nnz = A->nnz, .p = A->p, .i = A->i};
    double *x = gos__alloc(c->ctx, (size_t)A->n + 1, sizeof *x);
    gos_status status = x ? gos__solver_create(c->ctx, &pattern, &c->solver) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__solver_factor(c->solver, A->x, NULL) : status;
    status = status == GOS_E_SINGULAR ? undetermined(c) : status;
    status = status == GOS_OK ? check_determined(c, x) : status;
    for (int k = 0; k < GOS_COUNT(by) && status == GOS_OK; k++) {
        status = solve(c, &c->l->block[by[k]], x, &c->Z[k]);
    }
    gos__free(c->ctx, x);
    return status;
}

/* ---- products -------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* unsorted rows of column j of base + A Z; mark (rows): j + 1 if listed */
static int rows_of(const gos_sparse *base, const gos_sparse *A, const gos_sparse *Z, int j,
                   int *mark, int *row) {
    int n = 0;
    for (int k = base->p[j]; k < base->p[j + 1]; k++) {
        mark[base->i[k]] = j + 1;
        row[n++] = base->i[k];
    }
    for (int z = Z->p[j]; z < Z->p[j + 1]; z++) {
        const int column = Z->i[z];
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            if (mark[A->i[k]] != j + 1) {
                mark[A->i[k]] = j + 1;
                row[n++] = A->i[k];
            }
        }
    }
    return n;
}

/* add the values of the column to sum (rows), initially 0 */
static void sum_column(const gos_sparse *base, double factor, const gos_sparse *A,
                       const gos_sparse *Z, int j, double *sum) {
    for (int k = base->p[j]; k < base->p[j + 1]; k++) {
        sum[base->i[k]] += base->x[k];
    }
    for (int z = Z->p[j]; z < Z->p[j + 1]; z++) {
        const int column = Z->i[z];
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            sum[A->i[k]] += factor * A->x[k] * Z->x[z];
        }
    }
}

static void fill(const gos_sparse *base, double factor, const gos_sparse *A, const gos_sparse *Z,
                 int *mark, double *sum, gos_sparse *to) {
    int at = 0;
    memset(mark, 0, (size_t)base->m * sizeof *mark);
    for (int j = 0; j < base->n; j++) {
        int *row = to->i + at;
        const int n = rows_of(base, A, Z, j, mark, row);
        qsort(row, (size_t)n, sizeof *row, ascending);
        sum_column(base, factor, A, Z, j, sum);
        for (int k = 0; k < n; k++) {
            to->x[at + k] = sum[row[k]];
            sum[row[k]] = 0;
        }
        at += n;
        to->p[j + 1] = at;
    }
}

/* symmetrise a product that is symmetric within round-off */
static gos_status restore_symmetry(gos_ctx *ctx, const gos_sparse *base, gos_sparse *A) {
    bool was;
    gos_sparse part = {0};
    double asymmetry;
    if (base->m != base->n) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_is_symmetric(ctx, base, &was));
    if (!was) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_symmetric_part(ctx, A, &part, &asymmetry));
    gos_sparse *const gone = asymmetry <= GOS_SYMMETRIC ? A : &part;
    gos__sparse_free(ctx, gone);
    if (gone == A) {
        *A = part;
    }
    return GOS_OK;
}

static gos_status add_product(const condensing *c, gos_sparse *base, double factor,
                              const gos_sparse *A, const gos_sparse *Z) {
    gos_sparse sum = {0};
    const size_t m = (size_t)base->m;
    if (A->nnz == 0 || Z->nnz == 0) {
        return GOS_OK;
    }
    int *mark = gos__zalloc(c->ctx, 2 * m + 1, sizeof *mark);
    double *x = gos__zalloc(c->ctx, m + 1, sizeof *x);
    double entries = 0;
    gos_status status = mark && x ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < base->n && status == GOS_OK; j++) {
        entries += rows_of(base, A, Z, j, mark, mark + m);
    }
    status = status == GOS_OK && entries > MAX_ENTRIES ? full(c, entries) : status;
    status = status == GOS_OK ? gos__sparse_alloc(c->ctx, base->m, base->n, (size_t)entries, &sum)
                              : status;
    if (status == GOS_OK) {
        fill(base, factor, A, Z, mark, x, &sum);
        status = restore_symmetry(c->ctx, base, &sum);
    }
    if (status == GOS_OK) {
        gos__sparse_free(c->ctx, base);
        *base = sum;
    } else {
        gos__sparse_free(c->ctx, &sum);
    }
    gos__free(c->ctx, mark);
    gos__free(c->ctx, x);
    return status;
}

/* the same for a block of the new model */
static gos_status add(const condensing *c, gos_block name, double factor, const gos_sparse *A,
                      const gos_sparse *Z) {
    return add_product(c, &c->to->block[name], factor, A, Z);
}

/* ---- heat due to input rates ----------------------------------------------------------------- */

/* S := [C_T' H^T; H 0] */
static gos_status held_capacity(const condensing *c, gos_sparse *S) {
    const gos_sparse *C = &c->to->block[GOS_BLOCK_C_T], *H = &c->to->block[GOS_BLOCK_H];
    gos_sparse HT = {0};
    GOS_TRY(gos__sparse_transpose(c->ctx, H, &HT));
    gos_status status =
        gos__sparse_alloc(c->ctx, C->m + H->m, C->m + H->m, (size_t)C->nnz + 2 * (size_t)H->nnz, S);
    int at = 0;
    for (int j = 0; j < S->n && status == GOS_OK; j++) {
        const gos_sparse *const part[] = {j < C->n ? C : &HT, j < C->n ? H : NULL};
        const int column = j < C->n ? j : j - C->n;
        for (int s = 0; s < GOS_COUNT(part) && part[s]; s++) {
            for (int k = part[s]->p[column]; k < part[s]->p[column + 1]; k++) {
                S->i[at] = part[s]->i[k] + s * C->m;
                S->x[at++] = part[s]->x[k];
            }
        }
        S->p[j + 1] = at;
    }
    gos__sparse_free(c->ctx, &HT);
    return status;
}

/* X := temperature jumps due to unit jumps of the inputs */
static gos_status find_jumps(condensing *c) {
    const int nt = c->l->nt, nu = c->l->nu;
    gos_sparse S = {0};
    gos_solver *solver = NULL;
    double *dense = gos__zalloc(c->ctx, (size_t)nt * (size_t)nu + 1, sizeof *dense), *x = NULL;
    gos_status status = dense ? held_capacity(c, &S) : GOS_E_MEMORY;
    const gos_pattern pattern = {.n = S.n, .nnz = S.nnz, .p = S.p, .i = S.i};
    if (status == GOS_OK) {
        x = gos__zalloc(c->ctx, (size_t)S.n + 1, sizeof *x);
        status = x ? gos__solver_create(c->ctx, &pattern, &solver) : GOS_E_MEMORY;
    }
    status = status == GOS_OK ? gos__solver_factor(solver, S.x, NULL) : status;
    for (int u = 0; u < nu && status == GOS_OK; u++) {
        memset(x, 0, (size_t)S.n * sizeof *x);
        for (int k = c->W.p[u]; k < c->W.p[u + 1]; k++) {
            x[c->W.i[k]] = c->W.x[k];
        }
        gos__solver_solve(solver, x);
        memcpy(dense + (size_t)u * (size_t)nt, x, (size_t)nt * sizeof *x);
    }
    status = status == GOS_OK ? gos__sparse_from_dense(c->ctx, nt, nu, dense, &c->X) : status;
    gos__solver_destroy(solver);
    gos__sparse_free(c->ctx, &S);
    gos__free(c->ctx, dense);
    gos__free(c->ctx, x);
    return status == GOS_E_SINGULAR
               ? gos__fail(c->ctx, status,
                           "voltage rates heat the model, but its heat capacity matrix is "
                           "singular, so temperatures would depend on rates of inputs")
               : status;
}

/* C_T' theta' + W u' with theta = theta_new - X u, C_T' X = W eliminates u' */
static gos_status shift(condensing *c) {
    gos_linear *to = c->to;
    GOS_TRY(gos__sparse_alloc(c->ctx, c->l->nt, c->l->nu, 0, &c->W));
    GOS_TRY(add_product(c, &c->W, 1, &c->l->block[GOS_BLOCK_P], &c->Z[2]));
    if (!(gos__sparse_largest(&c->W) > 0)) {
        return GOS_OK;
    }
    GOS_TRY(find_jumps(c));
    GOS_TRY(add(c, GOS_BLOCK_B_T, 1, &to->block[GOS_BLOCK_K_T], &c->X));
    GOS_TRY(add(c, GOS_BLOCK_B, 1, &to->block[GOS_BLOCK_G], &c->X));
    return add(c, GOS_BLOCK_Y_u, -1, &to->block[GOS_BLOCK_Y_T], &c->X);
}

/* ---- condensed model ------------------------------------------------------------------------- */

static gos_status condense(condensing *c) {
    const gos_sparse *b = c->l->block, *G = &b[GOS_BLOCK_G_phi], *P = &b[GOS_BLOCK_P],
                     *Y = &b[GOS_BLOCK_Y_phi];
    for (int k = 0; k < GOS_NBLOCKS; k++) {
        const gos_sparse *to = &c->to->block[k];
        if (to->m == b[k].m && to->n == b[k].n) { // skip blocks of potentials
            GOS_TRY(gos__linear_put(c->to, (gos_block)k, &b[k]));
        }
    }
    GOS_TRY(solve_all(c));
    GOS_TRY(add(c, GOS_BLOCK_K, -1, G, &c->Z[0]));
    GOS_TRY(add(c, GOS_BLOCK_G, -1, G, &c->Z[1]));
    GOS_TRY(add(c, GOS_BLOCK_B, -1, G, &c->Z[2]));
    GOS_TRY(add(c, GOS_BLOCK_H_v, -1, P, &c->Z[0]));
    GOS_TRY(add(c, GOS_BLOCK_C_T, -1, P, &c->Z[1]));
    GOS_TRY(add(c, GOS_BLOCK_Y_q, -1, Y, &c->Z[0]));
    GOS_TRY(add(c, GOS_BLOCK_Y_T, -1, Y, &c->Z[1]));
    GOS_TRY(add(c, GOS_BLOCK_Y_u, 1, Y, &c->Z[2]));
    GOS_TRY(shift(c));
    GOS_TRY(gos__linear_copy_names(c->l, c->to));
    return gos__linear_close(c->to);
}

gos_status gos__linear_condensed(gos_ctx *ctx, const gos_linear *l, gos_linear **condensed) {
    condensing c = {.ctx = ctx, .l = l};
    const gos_linear_size size = {
        .nq = l->nq, .nt = l->nt, .nc = l->nc, .nh = l->nh, .nu = l->nu, .ny = l->ny};
    gos_status status = gos__linear_create(ctx, &size, &c.to);
    status = status == GOS_OK ? condense(&c) : status;
    gos__solver_destroy(c.solver);
    for (int k = 0; k < GOS_COUNT(c.Z); k++) {
        gos__sparse_free(ctx, &c.Z[k]);
    }
    gos__sparse_free(ctx, &c.W);
    gos__sparse_free(ctx, &c.X);
    if (status != GOS_OK) {
        gos_linear_destroy(c.to);
        return status;
    }
    *condensed = c.to;
    return GOS_OK;
}

gos_status gos__linear_condense(gos_ctx *ctx, const gos_linear *l, gos_linear **own,
                                const gos_linear **use) {
    *own = NULL;
    *use = l;
    if (l->nphi > 0) {
        GOS_TRY(gos__linear_condensed(ctx, l, own));
        *use = *own;
    }
    return GOS_OK;
}
