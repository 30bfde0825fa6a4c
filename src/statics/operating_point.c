/* Advances a state to the linearisation point and linearises there. */
#include "gossamer/linearise.h"
#include "gossamer/sim.h"
#include "system/system.h"

static gos_status settle(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                         gos_state *state) {
    gos_options o = *options;
    o.analysis = GOS_STATIC;
    o.end = 0; // at a single time
    return gos_solve_static(ctx, sys, &o, state, NULL);
}

static gos_status step_to(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                          double time, gos_state *state) {
    gos_options o = *options;
    gos_integrator *integrator = NULL;
    o.analysis = GOS_DYNAMIC;
    o.end = time;
    gos_status status = gos_integrator_create(ctx, sys, &o, state, &integrator);
    while (status == GOS_OK && gos_state_time(state) < time) {
        status = gos_integrator_step(integrator, time);
        status = status == GOS_OK ? gos__progress(ctx, gos_state_time(state) / time,
                                                  "computing the state for linearisation")
                                  : status;
    }
    gos_integrator_destroy(integrator);
    return status;
}

gos_status gos_state_find_operating_point(gos_ctx *ctx, const gos_system *sys,
                                          const gos_options *options,
                                          const gos_operating_point *point, gos_state *state) {
    if (point->kind == GOS_OPERATING_EQUILIBRIUM) {
        return settle(ctx, sys, options, state);
    }
    if (point->kind == GOS_OPERATING_INITIAL) {
        return GOS_OK;
    }
    if (!(point->time >= 0)) {
        return gos__fail(ctx, GOS_E_USE, "the time of a state must be 0 or later, not %g s",
                         point->time);
    }
    if (options->start_equilibrium) {
        GOS_TRY(settle(ctx, sys, options, state));
    }
    return point->time > gos_state_time(state) ? step_to(ctx, sys, options, point->time, state)
                                               : gos_state_satisfy_constraints(ctx, state, NULL);
}

gos_status gos_linearise_at(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            const gos_operating_point *point, const gos_state *state,
                            gos_linear **linear) {
    const double spin[3] = {options->spin_x, options->spin_y, options->spin_z};
    const double pivot[3] = {options->pivot_x, options->pivot_y, options->pivot_z};
    switch (point->kind) {
    case GOS_OPERATING_EQUILIBRIUM:
        return gos_linearise_rotating(ctx, sys, state, spin, pivot, linear);
    case GOS_OPERATING_TIME:
        return gos_linearise(ctx, sys, state, linear);
    default:
        return gos_linearise_structure(ctx, sys, state, linear);
    }
}
