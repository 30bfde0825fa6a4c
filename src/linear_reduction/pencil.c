/* Assembly of the matrix polynomial of a linear model, and derived products. */
#include "linear_reduction/pencil.h"

#include <complex.h>
#include <math.h>

#include "linear_reduction/stability.h"

#define MAX_ASYMMETRY 1e-10 // largest relative asymmetry

/* position of a block by field (row, column), for one power of s */
typedef struct place {
    gos_block block;
    int row, column;
} place;

static const place places[3][10] = {
    {{GOS_BLOCK_K, GOS_FIELD_Q, GOS_FIELD_Q},
     {GOS_BLOCK_G, GOS_FIELD_Q, GOS_FIELD_T},
     {GOS_BLOCK_G_phi, GOS_FIELD_Q, GOS_FIELD_PHI},
     {GOS_BLOCK_H_q, GOS_FIELD_T, GOS_FIELD_Q},
     {GOS_BLOCK_K_T, GOS_FIELD_T, GOS_FIELD_T},
     {GOS_BLOCK_H_phi, GOS_FIELD_PHI, GOS_FIELD_Q},
     {GOS_BLOCK_T_phi, GOS_FIELD_PHI, GOS_FIELD_T},
     {GOS_BLOCK_K_phi, GOS_FIELD_PHI, GOS_FIELD_PHI},
     {GOS_NBLOCKS, 0, 0}},
    {{GOS_BLOCK_D, GOS_FIELD_Q, GOS_FIELD_Q},
     {GOS_BLOCK_H_v, GOS_FIELD_T, GOS_FIELD_Q},
     {GOS_BLOCK_C_T, GOS_FIELD_T, GOS_FIELD_T},
     {GOS_BLOCK_P, GOS_FIELD_T, GOS_FIELD_PHI},
     {GOS_NBLOCKS, 0, 0}},
    {{GOS_BLOCK_M, GOS_FIELD_Q, GOS_FIELD_Q}, {GOS_NBLOCKS, 0, 0}},
};

/* blocks of one power, in row order, so that columns are sorted */
static gos_status stack(gos_ctx *ctx, const gos_linear *l, const int *start, const place *list,
                        gos_sparse *A) {
    size_t nnz = 0;
    for (const place *b = list; b->block != GOS_NBLOCKS; b++) {
        nnz += l->block[b->block].nnz;
    }
    GOS_TRY(gos__sparse_alloc(ctx, start[GOS_NFIELDS], start[GOS_NFIELDS], nnz, A));
    int at = 0;
    for (int field = 0; field < GOS_NFIELDS; field++) {
        for (int j = start[field]; j < start[field + 1]; j++) {
            for (const place *b = list; b->block != GOS_NBLOCKS; b++) {
                const gos_sparse *S = &l->block[b->block];
                const int c = j - start[field];
                for (int k = b->column == field ? S->p[c] : 0;
                     b->column == field && k < S->p[c + 1]; k++) {
                    A->i[at] = start[b->row] + S->i[k];
                    A->x[at++] = S->x[k];
                }
            }
            A->p[j + 1] = at;
        }
    }
    return GOS_OK;
}

/* append column c of S below row r0 */
static int append_column(const gos_sparse *S, int c, int r0, gos_sparse *C, int at) {
    for (int k = S->p[c]; k < S->p[c + 1]; k++) {
        C->i[at] = r0 + S->i[k];
        C->x[at++] = S->x[k];
    }
    return at;
}

/* [C 0 0; 0 H 0; more 0 0] */
static gos_status stack_constraints(gos_ctx *ctx, const gos_linear *l, const int *start,
                                    const gos_sparse *more, gos_sparse *C) {
    const gos_sparse *Cq = &l->block[GOS_BLOCK_C], *H = &l->block[GOS_BLOCK_H];
    const size_t nnz = (size_t)Cq->nnz + H->nnz + (more ? more->nnz : 0);
    const int rows = l->nc + l->nh + (more ? more->m : 0);
    GOS_TRY(gos__sparse_alloc(ctx, rows, start[GOS_NFIELDS], nnz, C));
    int at = 0;
    for (int j = 0; j < C->n; j++) {
        if (j < start[1]) {
            at = append_column(Cq, j, 0, C, at);
            at = more ? append_column(more, j, l->nc + l->nh, C, at) : at;
        } else if (j < start[2]) {
            at = append_column(H, j - start[1], l->nc, C, at);
        }
        C->p[j + 1] = at;
    }
    return GOS_OK;
}

/* Blocks that are symmetric within round-off are symmetrised: solvers use one triangle, products
   both; the difference can be as large as the response of a soft model. */
static gos_status find_symmetry(gos_reduce_pencil *p) {
    gos_sparse S[3] = {{0}, {0}, {0}};
    gos_status status = GOS_OK;
    p->symmetric = true;
    for (int power = 0; power < 3 && status == GOS_OK; power++) {
        double asymmetry = 0;
        status = gos__sparse_symmetric_part(p->ctx, &p->A[power], &S[power], &asymmetry);
        p->symmetric = p->symmetric && asymmetry <= MAX_ASYMMETRY;
    }
    for (int power = 0; power < 3; power++) {
        gos_sparse *const dropped = status == GOS_OK && p->symmetric ? &p->A[power] : &S[power];
        gos__sparse_free(p->ctx, dropped);
        if (dropped == &p->A[power]) {
            p->A[power] = S[power];
        }
    }
    return status;
}

/* X (n, columns) from row r0 += S, or S^T */
static void put(const gos_sparse *S, bool transposed, int n, int r0, double *X) {
    for (int j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            const long row = transposed ? j : S->i[k], column = transposed ? S->i[k] : j;
            X[column * n + (r0 + row)] += S->x[k];
        }
    }
}

static gos_status make_ports(gos_reduce_pencil *p, const gos_linear *l) {
    static const gos_block in[GOS_NFIELDS] = {GOS_BLOCK_B, GOS_BLOCK_B_T, GOS_BLOCK_B_phi};
    static const gos_block out[GOS_NFIELDS] = {GOS_BLOCK_Y_q, GOS_BLOCK_Y_T, GOS_BLOCK_Y_phi};
    const size_t n = p->n, nu = p->nu, ny = p->ny;
    p->B = gos__zalloc(p->ctx, n * nu + 1, sizeof *p->B);
    p->Y[0] = gos__zalloc(p->ctx, n * ny + 1, sizeof *p->B);
    p->Y[1] = gos__zalloc(p->ctx, n * ny + 1, sizeof *p->B);
    p->Yu = gos__zalloc(p->ctx, ny * nu + 1, sizeof *p->B);
    if (!p->B || !p->Y[0] || !p->Y[1] || !p->Yu) {
        return GOS_E_MEMORY;
    }
    for (int f = 0; f < GOS_NFIELDS; f++) {
        put(&l->block[in[f]], false, p->n, p->start[f], p->B);
        put(&l->block[out[f]], true, p->n, p->start[f], p->Y[0]);
    }
    put(&l->block[GOS_BLOCK_Y_v], true, p->n, 0, p->Y[1]);
    put(&l->block[GOS_BLOCK_Y_u], false, p->ny, 0, p->Yu);
    return GOS_OK;
}

/* values of A on the pattern, which contains its entries */
static void scatter(const gos_reduce_pencil *p, const gos_sparse *A, double *value) {
    for (int j = 0; j < A->n; j++) {
        int at = p->pattern.p[j];
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            while (p->pattern.i[at] != A->i[k]) {
                at++;
            }
            value[at] = A->x[k];
        }
    }
}

static gos_status make_pattern(gos_reduce_pencil *p, const gos_sparse *U, const gos_sparse *CT) {
    const size_t nnz = U->nnz + 2L * p->C.nnz, order = p->n + p->nc;
    p->pattern = (gos_pattern){.n = (int)order, .nnz = (int)nnz};
    p->pattern.p = gos__zalloc(p->ctx, order + 1, sizeof(int));
    p->pattern.i = gos__alloc(p->ctx, nnz + 1, sizeof(int));
    bool all = p->pattern.p && p->pattern.i;
    for (int power = 0; power < 3; power++) {
        p->value[power] = gos__zalloc(p->ctx, nnz + 1, sizeof(double));
        all = all && p->value[power];
    }
    if (!all) {
        return GOS_E_MEMORY;
    }
    // scale constraints to the stiffness, so that pivots are comparable
    const double k = gos__sparse_largest(&p->A[0]), c = gos__sparse_largest(&p->C);
    p->scale = k > 0 && c > 0 ? k / c : 1;
    int at = 0;
    for (int j = 0; j < p->n + p->nc; j++) {
        for (int e = j < p->n ? U->p[j] : 0; j < p->n && e < U->p[j + 1]; e++) {
            p->pattern.i[at++] = U->i[e];
        }
        const gos_sparse *S = j < p->n ? &p->C : CT;
        const int column = j < p->n ? j : j - p->n, shift = j < p->n ? p->n : 0;
        for (int e = S->p[column]; e < S->p[column + 1]; e++) {
            p->pattern.i[at] = S->i[e] + shift;
            p->value[0][at++] = p->scale * S->x[e];
        }
        p->pattern.p[j + 1] = at;
    }
    for (int power = 0; power < 3; power++) {
        scatter(p, &p->A[power], p->value[power]);
    }
    return GOS_OK;
}

static gos_status merge(gos_reduce_pencil *p) {
    gos_sparse U1 = {0}, U = {0}, CT = {0};
    gos_status status = gos__sparse_sum(p->ctx, 1, &p->A[0], 1, &p->A[1], &U1);
    status = status == GOS_OK ? gos__sparse_sum(p->ctx, 1, &U1, 1, &p->A[2], &U) : status;
    status = status == GOS_OK ? gos__sparse_transpose(p->ctx, &p->C, &CT) : status;
    status = status == GOS_OK ? make_pattern(p, &U, &CT) : status;
    gos__sparse_free(p->ctx, &U1);
    gos__sparse_free(p->ctx, &U);
    gos__sparse_free(p->ctx, &CT);
    return status;
}

void gos__reduce_fields(const gos_linear *l, int start[GOS_NFIELDS + 1], int max[GOS_NFIELDS]) {
    const int n[GOS_NFIELDS] = {l->nq, l->nt, l->nphi}, held[GOS_NFIELDS] = {l->nc, l->nh, 0};
    start[0] = 0;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        start[f + 1] = start[f] + n[f];
        max[f] = n[f] - held[f];
    }
}

gos_status gos__reduce_pencil_create(gos_ctx *ctx, const gos_linear *l, const gos_sparse *more,
                                     gos_reduce_pencil **pencil) {
    gos_reduce_pencil *p = gos__zalloc(ctx, 1, sizeof *p);
    if (!p) {
        return GOS_E_MEMORY;
    }
    *p = (gos_reduce_pencil){.ctx = ctx,
                             .n = l->nq + l->nt + l->nphi,
                             .nc = l->nc + l->nh + (more ? more->m : 0),
                             .nu = l->nu,
                             .ny = l->ny,
                             .ncomp = l->nt + l->nphi > 0 ? 1 : l->ncomp};
    gos__reduce_fields(l, p->start, p->max);
    gos_status status = GOS_OK;
    gos_energy_form form = GOS_ENERGY_NONE;
    for (int power = 0; power < 3 && status == GOS_OK; power++) {
        status = stack(ctx, l, p->start, places[power], &p->A[power]);
    }
    status = status == GOS_OK ? stack_constraints(ctx, l, p->start, more, &p->C) : status;
    status = status == GOS_OK ? find_symmetry(p) : status;
    if (status == GOS_OK && !p->symmetric) {
        status = gos__energy_form(ctx, l, &form);
    }
    p->one_sided = p->symmetric || form != GOS_ENERGY_NONE;
    status = status == GOS_OK ? make_ports(p, l) : status;
    status = status == GOS_OK ? merge(p) : status;
    if (status != GOS_OK) {
        gos__reduce_pencil_destroy(p);
        return status;
    }
    *pencil = p;
    return GOS_OK;
}

void gos__reduce_pencil_destroy(gos_reduce_pencil *p) {
    if (!p) {
        return;
    }
    for (int power = 0; power < 3; power++) {
        gos__sparse_free(p->ctx, &p->A[power]);
        gos__free(p->ctx, p->value[power]);
    }
    gos__sparse_free(p->ctx, &p->C);
    gos__pencil_solvers_free(p);
    gos__pencil_gram_free(p);
    void *const rest[] = {p->B, p->Y[0], p->Y[1], p->Yu, p->pattern.p, p->pattern.i, p};
    for (int i = 0; i < GOS_COUNT(rest); i++) {
        gos__free(p->ctx, rest[i]);
    }
}

static gos_status record_pole(const gos_reduce_pencil *p, gos_complex s, gos_status status) {
    if (status == GOS_E_SINGULAR) {
        return gos__fail(p->ctx, status,
                         "the model has a pole at the expansion point s = %g%+gi 1/s (at 0: rigid "
                         "motions), or linearly dependent constraints; select another point",
                         creal(s), cimag(s));
    }
    return status;
}

gos_status gos__reduce_pencil_factor(gos_reduce_pencil *p, gos_complex s) {
    return record_pole(p, s, gos__reduce_pencil_try(p, s));
}

void gos__reduce_pencil_add(const gos_reduce_pencil *p, int power, bool transposed, gos_complex a,
                            const gos_complex *x, gos_complex *y) {
    const gos_sparse *A = &p->A[power];
    for (int j = 0; j < A->n; j++) {
        const gos_complex xj = a * x[j];
        gos_complex sum = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            if (transposed) {
                sum += A->x[k] * x[A->i[k]];
            } else {
                y[A->i[k]] += A->x[k] * xj;
            }
        }
        y[j] += a * sum;
    }
}

void gos__reduce_pencil_rhs(const gos_reduce_pencil *p, bool transposed, gos_complex s, int power,
                            gos_complex *X) {
    const size_t size = (size_t)p->n * (transposed ? p->ny : p->nu);
    for (size_t i = 0; i < size; i++) {
        const gos_complex first = transposed ? p->Y[0][i] + s * p->Y[1][i] : p->B[i];
        X[i] = power == 0 ? first : transposed && power == 1 ? p->Y[1][i] : 0;
    }
}

/* H (ny, nu) += (Y0 + s Y1) X + Y1 Z, Z may be NULL */
static void outputs(const gos_reduce_pencil *p, gos_complex s, const gos_complex *X,
                    const gos_complex *Z, gos_complex *H) {
    const size_t n = p->n;
    for (long j = 0; j < p->nu; j++) {
        for (int i = 0; i < p->ny; i++) {
            const double *y0 = p->Y[0] + i * n, *y1 = p->Y[1] + i * n;
            const gos_complex *x = X + j * n, *z = Z ? Z + j * n : NULL;
            gos_complex sum = 0;
            for (size_t k = 0; k < n; k++) {
                sum += (y0[k] + s * y1[k]) * x[k] + (z ? y1[k] * z[k] : 0);
            }
            H[j * p->ny + i] += sum;
        }
    }
}

gos_status gos__reduce_pencil_quiet(gos_reduce_pencil *p, gos_complex s, gos_complex *H) {
    gos_complex *X = gos__alloc(p->ctx, (size_t)p->n * p->nu + 1, sizeof *X);
    gos_status status = X ? gos__reduce_pencil_try(p, s) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__reduce_pencil_rhs(p, false, s, 0, X);
        status = gos__reduce_pencil_solve(p, false, p->nu, X);
    }
    if (status == GOS_OK) {
        for (int i = 0; i < p->ny * p->nu; i++) {
            H[i] = p->Yu[i];
        }
        outputs(p, s, X, NULL, H);
    }
    gos__free(p->ctx, X);
    return status;
}

gos_status gos__reduce_pencil_response(gos_reduce_pencil *p, gos_complex s, gos_complex *H) {
    return record_pole(p, s, gos__reduce_pencil_quiet(p, s, H));
}

/* X (n, nu) -= (A1 + 2 s0 A2) X1 + A2 X2 */
static gos_status next_rhs(const gos_reduce_pencil *p, gos_complex s0, const gos_complex *X1,
                           const gos_complex *X2, gos_complex *X) {
    if (p->symmetric) {
        GOS_TRY(gos__reduce_pencil_add_exact(p, 1, p->nu, -1, X1, X));
        GOS_TRY(gos__reduce_pencil_add_exact(p, 2, p->nu, -2 * s0, X1, X));
        return gos__reduce_pencil_add_exact(p, 2, p->nu, -1, X2, X);
    }
    for (long j = 0; j < p->nu; j++) {
        const size_t at = j * p->n;
        gos__reduce_pencil_add(p, 1, false, -1, X1 + at, X + at);
        gos__reduce_pencil_add(p, 2, false, -2 * s0, X1 + at, X + at);
        gos__reduce_pencil_add(p, 2, false, -1, X2 + at, X + at);
    }
    return GOS_OK;
}

gos_status gos__reduce_pencil_moments(gos_reduce_pencil *p, gos_complex s0, int k, gos_complex *m) {
    const size_t size = (size_t)p->n * p->nu, block = (size_t)p->ny * p->nu;
    gos_complex *X = gos__zalloc(p->ctx, 3 * size + 1, sizeof *X);
    gos_status status = X ? gos__reduce_pencil_factor(p, s0) : GOS_E_MEMORY;
    gos_complex *x[3] = {X, X + size, X + 2 * size}; // current, last and previous
    for (int i = 0; i < k && status == GOS_OK; i++) {
        gos__reduce_pencil_rhs(p, false, s0, i, x[0]);
        status = i > 0 ? next_rhs(p, s0, x[1], x[2], x[0]) : GOS_OK;
        status = status == GOS_OK ? gos__reduce_pencil_solve_refined(p, p->nu, x[0]) : status;
        gos_complex *mi = m + i * block;
        for (size_t e = 0; e < block; e++) {
            mi[e] = i == 0 ? p->Yu[e] : 0;
        }
        outputs(p, s0, x[0], i > 0 ? x[1] : NULL, mi);
        gos_complex *const last = x[2];
        x[2] = x[1];
        x[1] = x[0];
        x[0] = last;
    }
    gos__free(p->ctx, X);
    return status;
}
