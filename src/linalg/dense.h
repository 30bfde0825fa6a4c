/* Dense eigenproblems and null spaces by LAPACK. Matrices are column-major. */
#ifndef GOS_DENSE_H
#define GOS_DENSE_H

#include "linalg/sparse.h"

/** Orthonormal basis Z (n, *nz) of the null space of C (nc, n), by Householder QR of C^T with
 * column pivoting; dependent rows (1e-10 of the largest) count once. Free *Z. */
gos_status gos__null_space(gos_ctx *ctx, const gos_sparse *C, double **Z, int *nz);
/** The `count` lowest eigenvalues (ascending) of K x = lambda M x for symmetric K and positive
 * definite M, with M-orthonormal vectors X (n, count). Overwrites K and M. @return GOS_E_SINGULAR
 * with a record when M is not positive definite. */
gos_status gos__dense_pencil(gos_ctx *ctx, int n, double *K, double *M, int count, double *lambda,
                             double *X);
/** Eigenvalues re + i im and vectors V (n, n) of a real matrix, which is overwritten. A complex
 * pair (positive imaginary part first) has its real and imaginary part in two columns, as in
 * LAPACK. */
gos_status gos__dense_general(gos_ctx *ctx, int n, double *A, double *re, double *im, double *V);
/** Also computes left vectors L (n, n), L^H A = s L^H, unless NULL. */
gos_status gos__dense_general_both(gos_ctx *ctx, int n, double *A, double *re, double *im,
                                   double *L, double *V);
/** Eigenvalues of a symmetric matrix (ascending); A is replaced by the vectors. */
gos_status gos__dense_symmetric(gos_ctx *ctx, int n, double *A, double *w);
/** C (m, n) = A^T (k, m) B (k, n). */
void gos__dense_product(int m, int n, int k, const double *A, const double *B, double *C);
/** C (m, n) = A (m, k) B (k, n). */
void gos__dense_combine(int m, int n, int k, const double *A, const double *B, double *C);

static inline double gos__dense_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/** Column j of a matrix of n rows. */
static inline double *gos__dense_column(double *A, int n, int j) {
    return A + (size_t)j * (size_t)n;
}

#endif
