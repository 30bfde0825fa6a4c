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

/** Allocates nnz entries, p zeroed. Call gos__sparse_free even after a failure. */
gos_status gos__sparse_alloc(gos_ctx *ctx, int m, int n, size_t nnz, gos_sparse *A);
void gos__sparse_free(gos_ctx *ctx, gos_sparse *A);
/** Block of rows [r0, r0 + m) and columns [c0, c0 + n) of a stored matrix, without zeros. */
gos_status gos__sparse_block(gos_ctx *ctx, const gos_pattern *pattern, const double *values, int r0,
                             int m, int c0, int n, gos_sparse *block);
/** From `count` triplets (i, j, x) in any order. Columns are sorted; duplicates are adjacent. */
gos_status gos__sparse_from_triplets(gos_ctx *ctx, int m, int n, int count, const int *i,
                                     const int *j, const double *x, gos_sparse *A);
/** Sums adjacent duplicates. */
void gos__sparse_merge(gos_sparse *A);
/** From dense A (m, n), column-major, without zeros. */
gos_status gos__sparse_from_dense(gos_ctx *ctx, int m, int n, const double *A, gos_sparse *S);
gos_status gos__sparse_copy(gos_ctx *ctx, const gos_sparse *A, gos_sparse *copy);
gos_status gos__sparse_transpose(gos_ctx *ctx, const gos_sparse *A, gos_sparse *T);
/** sum = a A + b B of equal sizes; cancelled entries are kept. */
gos_status gos__sparse_sum(gos_ctx *ctx, double a, const gos_sparse *A, double b,
                           const gos_sparse *B, gos_sparse *sum);
/** (A + A^T) / 2; *asymmetry (may be NULL): largest |A - A^T| relative to the largest |A|. */
gos_status gos__sparse_symmetric_part(gos_ctx *ctx, const gos_sparse *A, gos_sparse *S,
                                      double *asymmetry);

/** Is A exactly its transpose? */
gos_status gos__sparse_is_symmetric(gos_ctx *ctx, const gos_sparse *A, bool *symmetric);

/** Y (m, ncol) = A X (n, ncol), column by column. */
void gos__sparse_apply(const gos_sparse *A, int ncol, const double *X, double *Y);
/** The same for symmetric A, eight columns per pass over A. panel (n, 8) is scratch, 64-byte
 * aligned. */
void gos__sparse_apply_symmetric(const gos_sparse *A, int ncol, const double *X, double *Y,
                                 double *panel);
/** The same with sums of 24 digits, rounded once (sparse.c). */
void gos__sparse_apply_exact(const gos_sparse *A, int ncol, const double *X, double *Y,
                             double *panel);
/** y (n) = A^T x (m). */
void gos__sparse_apply_transposed(const gos_sparse *A, const double *x, double *y);
/** Largest magnitude, 0 for an empty matrix. */
double gos__sparse_largest(const gos_sparse *A);
/** Sum of products of corresponding entries (Frobenius); rows must ascend in every column. */
double gos__sparse_dot(const gos_sparse *A, const gos_sparse *B);

/* kernel_product.c: Y (n, ncol) = A X for symmetric A and up to eight columns. */
void gos__kernel_product(int n, const int *p, const int *row, const double *value, int ncol,
                         const double *X, double *Y, double *panel);
/* sum (8): for up to eight columns x of X, the sum of |A_ij|^2 |x_i|^2 |x_j|^2, where |x_i| is the
 * length of ncomp consecutive components. */
void gos__kernel_squares(int n, int ncomp, const int *p, const int *row, const double *value,
                         int ncol, const double *X, double *sum, double *panel);

#endif
