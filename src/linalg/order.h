/* Elimination orders for matrices with constraints. */
#ifndef GOS_ORDER_H
#define GOS_ORDER_H

#include "linalg/solver.h"

/** Fill-reducing order in which each unknown marked `late` (n; constraints without own pivot)
 * follows the last one it is coupled to. order[k]: unknown eliminated as number k (n). *products:
 * multiplications of an LU factorisation with diagonal pivots; may be NULL. */
gos_status gos__order_constraints(gos_ctx *ctx, const gos_pattern *a, const bool *late, int *order,
                                  double *products);
/** The same for unknowns without diagonal entry, which are returned in late (n). */
gos_status gos__order_saddle(gos_ctx *ctx, const gos_pattern *a, bool *late, int *order,
                             double *products);

/** Nested dissection (METIS) of the graph of nodes: `ncomp` consecutive unknowns; ncomp 0:
 * consecutive unknowns with equal neighbours. Each of the last `nlast` unknowns (constraints) is a
 * node eliminated after all unknowns it is coupled to. order[k] is the unknown eliminated as
 * number k (pattern.n). */
gos_status gos__dissect(gos_ctx *ctx, const gos_pattern *pattern, int ncomp, int nlast, int *order);
/** The same for a lower triangle with unsorted columns; consecutive unknowns with equal neighbours
 * form a node. */
gos_status gos__dissect_lower(gos_ctx *ctx, const gos_pattern *lower, int *order);

#endif
