/* Stored solutions for recurring right-hand sides, such as input forces of every step, combined by
 * superposition. */
#ifndef GOS_RESPONSES_H
#define GOS_RESPONSES_H

#include "solve/newton_solver.h"
#include "solve/walk.h"

typedef struct gos_responses gos_responses;

/** For n unknowns; memory is allocated at the first solution. */
gos_status gos__responses_create(gos_ctx *ctx, int n, gos_responses **r);
void gos__responses_destroy(gos_responses *r);
/** Discard all: the factorisation has changed. */
void gos__responses_forget(gos_responses *r);
/** Solve for x (n) by the solver or stored solutions. loose > 0: relative part of each entry
 * outside the span that may be neglected; 0: rounding only. */
gos_status gos__responses_solve(gos_responses *r, gos_newton_solver *solver, double loose,
                                double *x);
/** Write the stored right-hand sides, or find written ones (count, n; borrowed). */
void gos__responses_give(gos_responses *r, gos_walk *past);
const double *gos__responses_find(const gos_responses *r, gos_walk *past, int *count);
/** Restore them exactly, after the factorisation was restored. */
gos_status gos__responses_take(gos_responses *r, gos_newton_solver *solver, const double *force,
                               int count);

#endif
