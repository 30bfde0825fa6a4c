/* Homogeneous linear conditions between unknowns, solved for some of them: those that follow are
   linear in those that are left. What is said twice counts once. */
#ifndef GOS_TIES_H
#define GOS_TIES_H

#include "linalg/sparse.h"

/* Conditions sum_j c_j x_j = 0 as they are collected. */
typedef struct gos_conditions {
    gos_ctx *ctx;
    int n;           // conditions
    int cap;         //
    int *start;      // (n + 1)
    int *follows;    // the unknown that is to follow from the others, -1: any (n)
    int nterm, most; //
    int *unknown;    // (nterm)
    double *factor;  //
} gos_conditions;

/** Begin a condition; `follows` -1: any of its unknowns may follow. */
gos_status gos__conditions_begin(gos_conditions *c, int follows);
/** A term of the last one. */
gos_status gos__conditions_term(gos_conditions *c, int unknown, double factor);
void gos__conditions_free(gos_conditions *c);

/** Solve conditions between n unknowns, in their order, each for the one that is to follow, or
 * where its factor is too small for that, for the one that changes the others least: x = T^T y.
 *  @param size  what the unknowns are measured by (n), for the largest factor and for what is
 * rounding
 *  @param T     (free, n): column j is what unknown j is made of, its only entry 1 where it is free
 * itself, none where it is 0
 *  @param given  number of conditions that the ones before say already; may be NULL */
gos_status gos__ties_solve(const gos_conditions *c, int n, const double *size, gos_sparse *T,
                           int *given);

#endif
