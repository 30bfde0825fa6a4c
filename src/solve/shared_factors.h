/* Factorised Newton matrices that like runs share, one run after the other: members of a sweep that
   differ in loads or initial values go through almost the same configurations at the same times,
   and Newton's iteration, which turns a factorisation along with the motion and sees by itself
   whether it serves, needs no better ones than those of a run before. Dense matrices (of reduced
   models) alone, which are what such a run costs most. What a run does with them depends on the
   runs before it, and on nothing else. */
#ifndef GOS_SHARED_FACTORS_H
#define GOS_SHARED_FACTORS_H

#include "solve/newton_solver.h"
#include "system/system.h"

/* A factorisation and where it was made. */
typedef struct gos_shared_factor {
    gos_newton_solver *solver;
    double t, h; // end of the step, its size [s]
    double *q;   // configuration (nq)
} gos_shared_factor;

gos_status gos__shared_factors_create(gos_ctx *ctx, gos_shared_factors **shared);
void gos__shared_factors_destroy(gos_shared_factors *s);
/** Use them for a run of this system with matrices of this pattern; all memory is asked for here.
 * *suits tells whether that can be done: matrices are dense, and of the size of the first run's. */
gos_status gos__shared_factors_join(gos_shared_factors *s, const gos_system *sys,
                                    const gos_pattern *pattern, bool *suits);
/** The pattern that solvers given to gos__shared_factors_keep are made for, borrowed; after
 * gos__shared_factors_join. */
const gos_pattern *gos__shared_factors_pattern(const gos_shared_factors *s);
/** How ill a factorisation made at t for a step h suits another step: 0 perfectly, below 1
 * perhaps. */
double gos__shared_factor_distance(double t, double h, double t_made, double h_made, double span);
/** The one that suits a step to t of size h best, with a distance below `least`; NULL: none does.
 * span: of the run [s]. */
const gos_shared_factor *gos__shared_factors_find(const gos_shared_factors *s, double t, double h,
                                                  double span, double least);
/** Keep a factorisation: *solver is taken, and another one given in its place. @return what is
 * kept; NULL, and nothing changes, when there is no more room */
const gos_shared_factor *gos__shared_factors_keep(gos_shared_factors *s, gos_newton_solver **solver,
                                                  double t, double h, const double *q);

/** The solver of a dense matrix that runs begin with (values, of this pattern), factorised when the
 * first of them asked for it: those that begin alike ask for the same one. Borrowed; NULL: this is
 * another matrix, or has no factors. */
gos_status gos__shared_factors_begin(gos_shared_factors *s, const gos_pattern *pattern,
                                     const double *values, gos_solver **solver);
/** A solver for matrices of the model that the runs' one was reduced from: analysed once, its
 * pivots serve one run after the other. Borrowed; NULL: there is one of another pattern. */
gos_status gos__shared_factors_whole(gos_shared_factors *s, const gos_pattern *pattern,
                                     gos_solver **solver);

#endif
