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
/** Second step of it: order := base (n) with late unknowns moved; work (3, n). */
void gos__order_late(const gos_pattern *a, const bool *late, const int *base, int *work,
                     int *order);

#endif
