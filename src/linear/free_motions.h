#ifndef GOS_FREE_MOTIONS_H
#define GOS_FREE_MOTIONS_H

#include "linear/linear.h"

/** Rotate orthonormal columns Z (nq, n) so that the first *count span the zero-frequency modes.
 *  NULL (unit matrix, n = nq) is replaced if there are any. None for unsymmetric K. The caller
 *  frees *Z, also after a failure. */
gos_status gos__free_motions_first(gos_ctx *ctx, const gos_linear *l, int n, double **Z,
                                   int *count);

#endif
