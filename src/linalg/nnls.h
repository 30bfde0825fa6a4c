/* Non-negative least squares. */
#ifndef GOS_NNLS_H
#define GOS_NNLS_H

#include "base/base.h"

/** w (n) >= 0 with few entries that are not 0 and |A w - b| <= tau |b|, or else the w that makes
 *  |A w - b| least: Lawson and Hanson (1974), ch. 23, stopped as soon as the residual is small
 *  enough (Farhat et al. 2014, alg. 1).
 *  @param A (m, n) column-major
 *  @param count [out] entries of w that are not 0
 *  @param residual [out] |A w - b| / |b|, may be NULL
 *  Cost of k entries: k products A^T r, and Q of (m, k). */
gos_status gos__nnls(gos_ctx *ctx, int m, int n, const double *A, const double *b, double tau,
                     double *w, int *count, double *residual);

/** Turn the m equations [A b] into no more than there are columns, by a QR factorisation: |A w - b|
 * is what it was for every w, and so is the best w.
 *  @param Ab (m, n + 1) column-major with leading dimension cap; b is its last column
 *  @param rows [out] min(m, n + 1) */
gos_status gos__nnls_compress(gos_ctx *ctx, int m, int n, double *Ab, int cap, int *rows);

#endif
