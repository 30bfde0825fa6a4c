/* The full system again, stepped by local linearisation: what gos_reduce gives for complex_modes.
   All arrays are borrowed from the system it was made of. */
#include "rom/local.h"
#include "solve/stepper.h"

static gos_status create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                         gos_state *state, void **stepper) {
    gos_local *g = NULL;
    GOS_TRY(gos_local_create(ctx, sys, options, state, &g));
    *stepper = g;
    return GOS_OK;
}

static gos_status step(void *stepper, double t_end) {
    return gos_local_step(stepper, t_end);
}

static const gos_state *at(void *stepper, double t) {
    return gos_local_at(stepper, t);
}

static void statistics(const void *stepper, gos_statistics *stats) {
    gos_local_statistics(stepper, stats);
}

static void destroy(void *stepper) {
    gos_local_destroy(stepper);
}

static const gos_stepper local_stepper = {
    .create = create, .step = step, .at = at, .statistics = statistics, .destroy = destroy};

gos_status gos__local_system(gos_ctx *ctx, const gos_system *sys, gos_system **local) {
    if (sys->full) {
        return gos__fail(ctx, GOS_E_USE, "the system is a reduced one already");
    }
    gos_arena *a = gos__arena_create(ctx);
    gos_system *s = a ? GOS_NEW(a, gos_system, 1) : NULL;
    if (!s) {
        gos__arena_destroy(a);
        return GOS_E_MEMORY;
    }
    *s = *sys;
    s->ctx = ctx;
    s->arena = a;
    s->full = sys;
    s->stepper = &local_stepper;
    *local = s;
    return GOS_OK;
}
