/* Homogeneous linear conditions between unknowns: dependent unknowns become linear combinations of
 * the free ones. Redundant conditions are counted. */
#ifndef GOS_TIES_H
#define GOS_TIES_H

#include "linalg/sparse.h"

/* Conditions sum_j c_j x_j = 0. */
typedef struct gos_conditions {
    gos_ctx *ctx;
    int n;               // conditions
    int cap;             // capacity for conditions
    int *start;          // (n + 1)
    int *follows;        // preferred dependent unknown, -1: any (n)
    int nterm, capacity; // terms, capacity
    int *unknown;        // (nterm)
    double *factor;      // (nterm)
} gos_conditions;

/** Begins a condition; `follows`: preferred dependent unknown, -1: any. */
gos_status gos__conditions_begin(gos_conditions *c, int follows);
gos_status gos__conditions_term(gos_conditions *c, int unknown, double factor);
void gos__conditions_free(gos_conditions *c);

/** Solves conditions between n unknowns in order, each for its preferred unknown, or, where that
 * coefficient is too small, for the one with the largest scaled coefficient: x = T^T y.
 *  @param size typical magnitudes of the unknowns (n), for pivot choice and rounding
 *  @param T (free, n): column j expresses unknown j; a single 1 if it is free, empty if it is 0
 *  @param given  number of redundant conditions; may be NULL */
gos_status gos__ties_solve(const gos_conditions *c, int n, const double *size, gos_sparse *T,
                           int *given);

#endif
