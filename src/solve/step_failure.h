/* Steps that have no solution: what to say of them, whoever has tried. */
#ifndef GOS_STEP_FAILURE_H
#define GOS_STEP_FAILURE_H

#include "system/system.h"

/* The last attempt at a step. */
typedef struct gos_attempt {
    double t_start, t, h; // of the run, of the step [s]; its length, as short as it was made [s]
    const gos_point_of *tried; // where it has come to
    const double *correction;  // of its last iteration (nq)
} gos_attempt;

/** Record why, with the function of time, body, joint or load that is the cause. @return a negative
 * status */
gos_status gos__unsolved(gos_ctx *ctx, gos_work *w, const gos_attempt *a);

#endif
