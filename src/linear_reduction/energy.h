#ifndef GOS_REDUCE_ENERGY_H
#define GOS_REDUCE_ENERGY_H

#include "linear_reduction/reduce.h"

/** Normalise and orthogonalise columns X (nq, n) in order, in the norm x^T K x, or x^T M x
 *  without strain energy. *left (n): remaining relative norms, 0 if dropped at 1e-8 or less.
 *  Dropped columns are reported by notes, as what[0] for the first n_first and what[1] for the
 *  others, numbered from 1. */
gos_status gos__energy_independent(gos_ctx *ctx, const gos_linear *l, int n, int n_first,
                                   const char *const what[2], double *X, double *left);

#endif
