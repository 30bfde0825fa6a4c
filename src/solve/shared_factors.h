/* Factors of Newton matrices shared by consecutive similar runs. Members of a sweep pass through
 * similar configurations at the same times, so Newton's iteration, which rotates factors and
 * checks convergence, can reuse those of earlier runs. Dense matrices (reduced models) only.
 * Results depend only on earlier runs. */
#ifndef GOS_SHARED_FACTORS_H
#define GOS_SHARED_FACTORS_H

#include "solve/newton_solver.h"
#include "system/system.h"

typedef struct gos_shared_factor {
    gos_newton_solver *solver;
    double t, h; // end of the step, its size [s]
    double *q;   // configuration (nq)
} gos_shared_factor;

gos_status gos__shared_factors_create(gos_ctx *ctx, gos_shared_factors **shared);
void gos__shared_factors_destroy(gos_shared_factors *s);
/** Use the shared factors for a run; allocates all memory. *suits: matrices are dense and of the
 * size of the first run's. */
gos_status gos__shared_factors_join(gos_shared_factors *s, const gos_system *sys,
                                    const gos_pattern *pattern, bool *suits);
/** Pattern of the solvers for gos__shared_factors_keep, borrowed; after
 * gos__shared_factors_join. */
const gos_pattern *gos__shared_factors_pattern(const gos_shared_factors *s);
/** Distance between a factorisation made at t_made for a step h_made and a step: 0 is perfect,
 * below 1 usable. */
double gos__shared_factor_distance(double t, double h, double t_made, double h_made, double span);
/** Nearest factorisation for a step to t of size h, closer than `least`; NULL: none. span: length
 * of the run [s]. */
const gos_shared_factor *gos__shared_factors_find(const gos_shared_factors *s, double t, double h,
                                                  double span, double least);
/** Store a factorisation: takes *solver and returns another in exchange.
 * @return the stored one; NULL if there is no room, nothing changes */
const gos_shared_factor *gos__shared_factors_keep(gos_shared_factors *s, gos_newton_solver **solver,
                                                  double t, double h, const double *q);

/** Solver for the dense matrix at the start of runs (values, of this pattern), factorised at the
 * first call and shared by equal starts. Borrowed; NULL: another matrix, or singular. */
gos_status gos__shared_factors_begin(gos_shared_factors *s, const gos_pattern *pattern,
                                     const double *values, gos_solver **solver);
/** Solver for matrices of the full model, analysed once; pivots are reused by later runs. Borrowed;
 * NULL: the pattern differs. */
gos_status gos__shared_factors_whole(gos_shared_factors *s, const gos_pattern *pattern,
                                     gos_solver **solver);

#endif
