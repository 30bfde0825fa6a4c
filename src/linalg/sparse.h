/* Sparse matrices by columns. */
#ifndef GOS_SPARSE_H
#define GOS_SPARSE_H

#include "linalg/solver.h"

typedef struct gos_sparse {
    int m, n;  // rows, columns
    int nnz;   // stored entries
    int *p;    // column starts (n + 1)
    int *i;    // rows, ascending in a column (nnz)
    double *x; // values (nnz)
} gos_sparse;

/** Room for nnz entries, p zeroed. Free with gos__sparse_free also after a failure. */
gos_status gos__sparse_alloc(gos_ctx *ctx, int m, int n, size_t nnz, gos_sparse *A);
void gos__sparse_free(gos_ctx *ctx, gos_sparse *A);
/** The block of rows [r0, r0 + m) and columns [c0, c0 + n) of a stored matrix; zeros are left
 *  out. */
gos_status gos__sparse_block(gos_ctx *ctx, const gos_pattern *pattern, const double *values, int r0,
                             int m, int c0, int n, gos_sparse *block);
/** From `count` triplets (i, j, x) in any order. Columns are sorted; entries with the same place
 * stand one after another. */
gos_status gos__sparse_from_triplets(gos_ctx *ctx, int m, int n, int count, const int *i,
                                     const int *j, const double *x, gos_sparse *A);
/** Sum entries of the same place, which stand one after another. */
void gos__sparse_merge(gos_sparse *A);
/** Dense A (m, n), column-major, without its zeros. */
gos_status gos__sparse_from_dense(gos_ctx *ctx, int m, int n, const double *A, gos_sparse *S);
gos_status gos__sparse_copy(gos_ctx *ctx, const gos_sparse *A, gos_sparse *copy);
gos_status gos__sparse_transpose(gos_ctx *ctx, const gos_sparse *A, gos_sparse *T);
/** sum = a A + b B, of equal sizes; entries that cancel are kept. */
gos_status gos__sparse_sum(gos_ctx *ctx, double a, const gos_sparse *A, double b,
                           const gos_sparse *B, gos_sparse *sum);
/** (A + A^T) / 2; *asymmetry is the largest |A - A^T| relative to the largest |A|, may be NULL. */
gos_status gos__sparse_symmetric_part(gos_ctx *ctx, const gos_sparse *A, gos_sparse *S,
                                      double *asymmetry);

/** Is A its transpose, to the last bit? */
gos_status gos__sparse_is_symmetric(gos_ctx *ctx, const gos_sparse *A, bool *symmetric);

/** Y (m, ncol) = A X (n, ncol), columns one after another. */
void gos__sparse_apply(const gos_sparse *A, int ncol, const double *X, double *Y);
/** The same for a symmetric A, several columns at a time: A is read once for each eight. panel
 *  (n, 8) is scratch, 64-byte aligned. */
void gos__sparse_apply_symmetric(const gos_sparse *A, int ncol, const double *X, double *Y,
                                 double *panel);
/** The same, each sum as if it had 24 digits, rounded once (product_exact.c). */
void gos__sparse_apply_exact(const gos_sparse *A, int ncol, const double *X, double *Y,
                             double *panel);
/** y (n) = A^T x (m). */
void gos__sparse_apply_transposed(const gos_sparse *A, const double *x, double *y);
/** Largest magnitude, 0 for an empty matrix. */
double gos__sparse_largest(const gos_sparse *A);
/** Sum of the products of entries at equal places (Frobenius); rows ascend in every column. */
double gos__sparse_dot(const gos_sparse *A, const gos_sparse *B);

/* kernel_product.c: Y (n, ncol) = A X for a symmetric A of order n and up to eight columns */
void gos__kernel_product(int n, const int *p, const int *row, const double *value, int ncol,
                         const double *X, double *Y, double *panel);
/* sum (8): for each of up to eight columns x of X the sum of all |A_ij|^2 |x_i|^2 |x_j|^2, |x_i|
   the length of the ncomp components that stand side by side there */
void gos__kernel_squares(int n, int ncomp, const int *p, const int *row, const double *value,
                         int ncol, const double *X, double *sum, double *panel);
/* product_exact.c: the product with sums of 24 digits */
void gos__product_exact(int n, const int *p, const int *row, const double *value, int ncol,
                        const double *X, double *Y, double *panel);

#endif
