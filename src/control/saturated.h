/* Courses of loops with limited commands, exact but for the clipping, which is followed to a
 * tolerance. */
#ifndef GOS_SATURATED_H
#define GOS_SATURATED_H

#include "control/loop.h"

typedef struct gos_saturated_options {
    double t_end;     // [s]
    double step;      // longest step [s]: what is watched is looked at 8 times in each
    double limit;     // of every command; HUGE_VAL: none
    double tolerance; // error of a step's limited commands over the step, relative to limit and
                      // step: 1e-3 is usual
    double w, w_from, w_to; // the disturbance, while w_from <= t < w_to
    double watch;           // statistics are those of t >= watch
    double settled[2];      // amounts of z[0] below which it settles
    /* each point that is looked at, in order; a state that jumps is looked at before and after.
     * NULL: nothing */
    void (*look)(void *user, double t, const double *z, const double *command);
    void *user;
} gos_saturated_options;

/* of z[0], from `watch` on */
typedef struct gos_limited_course {
    double rms, peak;
    double command; // largest one, before limiting
    double
        settling[2]; // last time at which |z[0]| is above `settled`; `watch` when it never is [s]
    double clipped;  // share of the time in which some command is limited [-]
    long steps, halved; // of equal length, and those that the clipping made shorter
} gos_limited_course;

/** The loop from rest. With commands within the limit steps are exact (matrix exponential); the
 * share that is clipped away is a quadratic in each step, whose halves are taken where that is not
 * close enough to it.
 *  @return GOS_E_INPUT for sizes that make no sense, GOS_E_NONFINITE with a record when the course
 * grows beyond all bounds, GOS_E_DIVERGED when steps of 1/16384 do not suffice for the clipping */
gos_status gos__saturated_run(gos_ctx *ctx, const gos_loop *loop,
                              const gos_saturated_options *options, gos_limited_course *course);

/** The weight at which the largest command of a course is `limit`: `make` builds the loop of a
 * weight (freed here). Nothing is clipped meanwhile. Sought from `start` on by factors of 4 and
 * then between two weights, to the relative 1e-7; *weight is the least one that five points of each
 * bracket tell.
 *  @return GOS_E_INPUT when no weight within a factor of 1e12 has such a course */
gos_status gos__saturated_weight(
    gos_ctx *ctx, gos_status (*make)(void *user, gos_ctx *ctx, double weight, gos_loop *loop),
    void *user, const gos_saturated_options *options, double limit, double start, double *weight);

#endif
