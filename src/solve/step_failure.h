/* Messages for steps without a solution, for all integrators. */
#ifndef GOS_STEP_FAILURE_H
#define GOS_STEP_FAILURE_H

#include "system/system.h"

typedef struct gos_attempt {
    // start of the run and of the step [s]; length of the last attempt [s]
    double t_start, t, h;
    const gos_point_of *tried;
    const double *correction; // of its last iteration (nq)
} gos_attempt;

/** Record the reason and the time function, body, joint or load responsible.
 * @return a negative status */
gos_status gos__step_failure(gos_ctx *ctx, gos_work *w, const gos_attempt *a);

#endif
