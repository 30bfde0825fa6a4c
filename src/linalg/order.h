/* Orders of elimination for matrices with constraints. */
#ifndef GOS_ORDER_H
#define GOS_ORDER_H

#include "linalg/solver.h"

/** Fill-reducing order of all unknowns, then each of those marked `late` (n; constraints, which
 * have no pivot of their own) after the last unknown it touches. order[k]: the unknown eliminated
 * as number k (n). *products: multiplications of an LU factorisation with diagonal pivots; may be
 * NULL. */
gos_status gos__order_constraints(gos_ctx *ctx, const gos_pattern *a, const bool *late, int *order,
                                  double *products);
/** The same of what has no diagonal entry. late (n): := these unknowns. */
gos_status gos__order_saddle(gos_ctx *ctx, const gos_pattern *a, bool *late, int *order,
                             double *products);
/** The second half of it: order := base (n), with those marked late moved. work (3, n) */
void gos__order_late(const gos_pattern *a, const bool *late, const int *base, int *work,
                     int *order);

#endif
