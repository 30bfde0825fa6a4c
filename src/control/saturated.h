/* Time histories of loops with saturated commands, exact except for the saturation. */
#ifndef GOS_SATURATED_H
#define GOS_SATURATED_H

#include "control/plant.h"

typedef struct gos_saturated_options {
    double t_end; // [s]
    double step;  // longest step [s], with 8 samples each
    double limit; // of each command; HUGE_VAL: none
    // error of a step's saturated commands, relative to limit and step: usually 1e-3
    double tolerance;
    double w, w_from, w_to; // disturbance w for w_from <= t < w_to
    double t_start;         // statistics begin at this time
    double settled[2];      // thresholds of |z[0]| for settling
    /* called for each sample in order; at a jump, before and after; or NULL */
    void (*sample)(void *user, double t, const double *z, const double *command);
    void *user;
} gos_saturated_options;

/* statistics of z[0] from `watch` on */
typedef struct gos_saturated_response {
    double rms, peak;
    double command;     // largest, before saturation
    double settling[2]; // last time with |z[0]| above `settled`; `watch` if never [s]
    double clipped;     // fraction of time with saturation [-]
    long steps, halved; // equal steps, and steps shortened because of saturation
} gos_saturated_response;

/** From rest. Unsaturated steps are exact (matrix exponential); the excess is a quadratic per step,
 *  halved until accurate.
 *  @return GOS_E_INPUT for invalid sizes, GOS_E_NONFINITE with a record if the solution diverges,
 *  GOS_E_DIVERGED if steps of 1/16384 do not resolve the saturation */
gos_status gos__saturated_run(gos_ctx *ctx, const gos_loop *loop,
                              const gos_saturated_options *options,
                              gos_saturated_response *response);

/** Weight for which the largest command of an unsaturated run equals `limit`; `make` builds the
 *  loop (freed here). Searched from `start` by factors of 4, then in the bracket to 1e-7 relative;
 *  *weight is the smallest root found with five points per bracket.
 *  @return GOS_E_INPUT if none within a factor of 1e12 */
gos_status gos__saturated_weight(
    gos_ctx *ctx, gos_status (*make)(void *user, gos_ctx *ctx, double weight, gos_loop *loop),
    void *user, const gos_saturated_options *options, double limit, double start, double *weight);

#endif
