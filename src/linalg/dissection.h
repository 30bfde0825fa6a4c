/* Elimination order of large symmetric matrices. */
#ifndef GOS_DISSECTION_H
#define GOS_DISSECTION_H

#include "linalg/solver.h"

/** Nested dissection (METIS) of the graph of nodes: `ncomp` consecutive unknowns; ncomp 0:
 * consecutive unknowns with equal neighbours. Each of the last `nlast` unknowns (constraints) is a
 * node eliminated after all unknowns it is coupled to. order[k] is the unknown eliminated as
 * number k (pattern.n). */
gos_status gos__dissect(gos_ctx *ctx, const gos_pattern *pattern, int ncomp, int nlast, int *order);
/** The same for a lower triangle with unsorted columns; consecutive unknowns with equal neighbours
 * form a node. */
gos_status gos__dissect_lower(gos_ctx *ctx, const gos_pattern *lower, int *order);
#endif
