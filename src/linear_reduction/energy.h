/* Columns made independent by their strain energy. */
#ifndef GOS_REDUCE_ENERGY_H
#define GOS_REDUCE_ENERGY_H

#include "linear_reduction/reduce.h"

/** Columns X (nq, n) of displacements, scaled to unit norms and orthogonalised in the order of
 * their priority; *left (n): the norm of each when the earlier ones are taken from it, 0 of those
 * that are dropped because it is 1e-8 or less. The norm is the strain energy x^T K x, of columns
 * without any the mass x^T M x. Dropped columns are told by notes, as `first` (n_first) of them
 *  `what[0]` and the others `what[1]` from 1 on. */
gos_status gos__energy_independent(gos_ctx *ctx, const gos_linear *l, int n, int n_first,
                                   const char *const what[2], double *X, double *left);

#endif
