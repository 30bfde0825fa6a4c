/* The order of elimination of a large symmetric matrix. */
#ifndef GOS_DISSECTION_H
#define GOS_DISSECTION_H

#include "linalg/solver.h"

/** Nested dissection (METIS) of the graph of nodes: `ncomp` unknowns that stand side by side are
 *  one node, each of the last `nlast` unknowns (constraints) is a node of its own and comes after
 *  all unknowns it is coupled to. ncomp 0: nobody says what a node is, and unknowns that follow one
 * another with the same neighbours are one. order[k] is the unknown eliminated as number k
 * (pattern.n). */
gos_status gos__dissect(gos_ctx *ctx, const gos_pattern *pattern, int ncomp, int nlast, int *order);
/** The same by the lower triangle alone, rows of a column in any order: unknowns that follow one
 * another with the same neighbours are one node. */
gos_status gos__dissect_lower(gos_ctx *ctx, const gos_pattern *lower, int *order);
#endif
