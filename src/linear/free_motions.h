/* A basis of coordinates whose first columns are the motions without restoring force. */
#ifndef GOS_FREE_MOTIONS_H
#define GOS_FREE_MOTIONS_H

#include "linear/linear.h"

/** Turn the orthonormal columns Z (nq, n) within their span so that the first *count of them span
 * the modes of frequency 0; NULL, which stands for the unit matrix (n = nq), is replaced where
 * there are any. An unsymmetric K has none. Free *Z, also after a failure. */
gos_status gos__free_motions_first(gos_ctx *ctx, const gos_linear *l, int n, double **Z,
                                   int *count);

#endif
