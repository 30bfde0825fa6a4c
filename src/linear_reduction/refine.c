/* Symmetric solves to working precision by iterative refinement with residuals of 24 digits
   (Wilkinson, Rounding Errors in Algebraic Processes (1963), ch. 3). Plain solves for plates
   have errors of 1e-8; moments need 1e-10. */
#include <complex.h>
#include <math.h>

#include "linear_reduction/pencil.h"

#define BLOCK_COLUMNS 8 // columns of an exact product

/* scratch for products with complex vectors of length n */
typedef struct product {
    double *panel; // (n, BLOCK_COLUMNS), aligned
    double *x, *y; // (n, columns)
} product;

static gos_status make_product(gos_ctx *ctx, long n, int ncol, product *t) {
    const size_t size = (ncol < BLOCK_COLUMNS ? ncol : BLOCK_COLUMNS) * n;
    t->panel = gos__alloc(ctx, BLOCK_COLUMNS * n + 2 * size + 1, sizeof *t->x);
    if (!t->panel) {
        return GOS_E_MEMORY;
    }
    t->x = t->panel + BLOCK_COLUMNS * n;
    t->y = t->x + size;
    return GOS_OK;
}

/* Y (n, ncol) += factor A X */
static void add_exact(const product *t, const gos_sparse *A, int ncol, gos_complex factor,
                      const gos_complex *X, gos_complex *Y) {
    const size_t n = A->n;
    if (A->nnz == 0) {
        return;
    }
    for (int from = 0; from < ncol; from += BLOCK_COLUMNS) {
        const size_t at = from * n;
        const int count = ncol - from < BLOCK_COLUMNS ? ncol - from : BLOCK_COLUMNS;
        const size_t size = n * count;
        for (int half = 0; half < 2; half++) {
            bool any = false;
            for (size_t i = 0; i < size; i++) {
                t->x[i] = half ? cimag(X[at + i]) : creal(X[at + i]);
                any = any || t->x[i] != 0;
            }
            if (any) {
                const gos_complex f = half ? factor * gos__complex(0, 1) : factor;
                gos__sparse_apply_exact(A, count, t->x, t->y, t->panel);
                for (size_t i = 0; i < size; i++) {
                    Y[at + i] += f * t->y[i];
                }
            }
        }
    }
}

gos_status gos__reduce_pencil_add_exact(const gos_reduce_pencil *p, int power, int ncol,
                                        gos_complex factor, const gos_complex *X, gos_complex *Y) {
    product t;
    GOS_TRY(make_product(p->ctx, p->n, ncol, &t));
    add_exact(&t, &p->A[power], ncol, factor, X, Y);
    gos__free(p->ctx, t.panel);
    return GOS_OK;
}

/* correct the solution x (N, count) of [P C^T; C 0] x = b once; r: scratch */
static gos_status correct(gos_reduce_pencil *p, const product *t, int count, const gos_complex *b,
                          gos_complex *x, gos_complex *r) {
    const size_t size = (size_t)p->pattern.n * count;
    memcpy(r, b, size * sizeof *r);
    gos_complex power = -1;
    for (int k = 0; k < 3; k++) {
        const gos_sparse A = {.m = p->pattern.n,
                              .n = p->pattern.n,
                              .nnz = k > 0 && p->A[k].nnz == 0 ? 0 : p->pattern.nnz,
                              .p = p->pattern.p,
                              .i = p->pattern.i,
                              .x = p->value[k]};
        add_exact(t, &A, count, power, x, r);
        power *= p->at;
    }
    GOS_TRY(gos__pencil_solve_augmented(p, false, count, r));
    for (size_t i = 0; i < size; i++) {
        x[i] += r[i];
    }
    return GOS_OK;
}

static bool all_zero(size_t n, const gos_complex *x) {
    for (size_t i = 0; i < n; i++) {
        if (x[i] != 0) {
            return false;
        }
    }
    return true;
}

gos_status gos__reduce_pencil_solve_refined(gos_reduce_pencil *p, int ncol, gos_complex *X) {
    if (all_zero((size_t)p->n * ncol, X)) { // odd moments without damping
        return GOS_OK;
    }
    if (!p->symmetric) {
        return gos__reduce_pencil_solve(p, false, ncol, X);
    }
    const size_t n = p->n, N = p->pattern.n;
    const size_t size = N * (ncol < BLOCK_COLUMNS ? ncol : BLOCK_COLUMNS);
    product t = {0};
    gos_complex *b = gos__zalloc(p->ctx, 3 * size + 1, sizeof *b), *x = b + size, *r = x + size;
    gos_status status = b ? make_product(p->ctx, (int)N, ncol, &t) : GOS_E_MEMORY;
    for (int from = 0; from < ncol && status == GOS_OK; from += BLOCK_COLUMNS) {
        const int count = ncol - from < BLOCK_COLUMNS ? ncol - from : BLOCK_COLUMNS;
        for (int j = 0; j < count; j++) { // zero right-hand side of constraints
            memcpy(b + j * N, X + (from + j) * n, n * sizeof *X);
        }
        memcpy(x, b, N * count * sizeof *x);
        status = gos__pencil_solve_augmented(p, false, count, x);
        status = status == GOS_OK ? correct(p, &t, count, b, x, r) : status;
        for (int j = 0; j < count && status == GOS_OK; j++) {
            memcpy(X + (from + j) * n, x + j * N, n * sizeof *X);
        }
    }
    gos__free(p->ctx, t.panel);
    gos__free(p->ctx, b);
    return status;
}
