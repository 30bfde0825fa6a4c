/* Another way to step a system in time, behind the calls of the integrator: a reduction that is
   not a system with fewer coordinates but a stepping of its own gives its system one of these. */
#ifndef GOS_STEPPER_H
#define GOS_STEPPER_H

#include "gossamer/sim.h"

struct gos_stepper {
    gos_status (*create)(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                         gos_state *state, void **stepper);
    gos_status (*step)(void *stepper, double t_end);
    const gos_state *(*at)(void *stepper, double t);
    void (*statistics)(const void *stepper, gos_statistics *stats);
    void (*destroy)(void *stepper);
};

#endif
