/* Messages for steps without a solution, for all integrators. */
#ifndef GOS_STEP_FAILURE_H
#define GOS_STEP_FAILURE_H

#include "system/system.h"

typedef struct gos_attempt {
    // start of the run and of the step [s]; length of the last attempt [s]
    double t_start, t, h;
    bool fixed; // a fixed step, which is not shortened
    const gos_point_of *tried;
    const double *correction; // of its last iteration (nq)
} gos_attempt;

/** Record the reason and the time function, body, joint or load responsible.
 * @return a negative status */
gos_status gos__step_failure(gos_ctx *ctx, gos_work *w, const gos_attempt *a);

/** Evaluate the system part by part at a point with a nonfinite residual, and record the time
 * function, body and element, joint, load or heat entry that causes it. Allocates; slower than a
 * residual.
 * @return GOS_E_NONFINITE with a message; GOS_OK if all parts are finite */
gos_status gos__nonfinite(gos_ctx *ctx, gos_work *w, const gos_point_of *x);
/** Find a time function of a joint or load that is at least 1e4 times larger at t than between
 * t_start and t (or its second derivative, if it prescribes motion): runs stop before it reaches
 * infinity. what: start of the message.
 * @return GOS_E_DIVERGED with a message; GOS_OK: none */
gos_status gos__growing(gos_ctx *ctx, const gos_system *s, double t_start, double t,
                        const char *what);
/** Are coordinates far larger than the extent? Then writes a clause that ends a message. */
bool gos__exploded(const gos_system *s, const double *q, char *buf, size_t size);

#endif
