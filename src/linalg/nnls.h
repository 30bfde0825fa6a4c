/* Non-negative least squares. */
#ifndef GOS_NNLS_H
#define GOS_NNLS_H

#include "base/base.h"

/** Sparse w (n) >= 0 with |A w - b| <= tau |b|, or else the w that minimises |A w - b|: Lawson and
 * Hanson (1974), ch. 23, stopped once the residual is small enough (Farhat et al. 2014, alg. 1).
 *  @param A (m, n) column-major
 *  @param count [out] nonzero entries of w
 *  @param residual [out] |A w - b| / |b|, may be NULL
 *  Cost for k entries: k products A^T r, and Q (m, k). */
gos_status gos__nnls(gos_ctx *ctx, int m, int n, const double *A, const double *b, double tau,
                     double *w, int *count, double *residual);

/** Reduces the m equations [A b] to at most n + 1 by a QR factorisation; |A w - b| is unchanged for
 * every w, up to rounding.
 *  @param Ab (m, n + 1) column-major, leading dimension cap; b is its last column
 *  @param rows [out] min(m, n + 1) */
gos_status gos__nnls_compress(gos_ctx *ctx, int m, int n, double *Ab, int cap, int *rows);

#endif
