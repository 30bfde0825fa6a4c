/* What a factorisation makes of right-hand sides that come again and again: forces of inputs that
   are set at every step. It is linear, so a right-hand side in the space of those met before needs
   no solution, but a sum of their answers. */
#ifndef GOS_RESPONSES_H
#define GOS_RESPONSES_H

#include "solve/newton_solver.h"
#include "solve/stepper.h"

typedef struct gos_responses gos_responses;

/** For n unknowns; memory is asked for when the first one is solved. */
gos_status gos__responses_create(gos_ctx *ctx, int n, gos_responses **r);
void gos__responses_destroy(gos_responses *r);
/** There is another factorisation. */
void gos__responses_forget(gos_responses *r);
/** x (n) := solution of x, by the factorisation of a solver or what is known of it. loose > 0: of
 * what is not known, that part of what adds up to each entry may be left out; 0: none but
 * rounding. */
gos_status gos__responses_solve(gos_responses *r, gos_newton_solver *solver, double loose,
                                double *x);
/** Give the right-hand sides that are known, or find those that were given (count, n; borrowed). */
void gos__responses_give(gos_responses *r, gos_walk *past);
const double *gos__responses_find(const gos_responses *r, gos_walk *past, int *count);
/** Know them again, to the last bit: after the factorisation has been made again. */
gos_status gos__responses_take(gos_responses *r, gos_newton_solver *solver, const double *force,
                               int count);

#endif
