/* Full system with the stepper of local linearisation, as gos_reduce returns it. Arrays are
   borrowed. */
#include "rom/local.h"
#include "rom/run_observer.h"

static gos_status create(const gos_run_of *run, void **stepper) {
    gos_local *g = NULL;
    GOS_TRY(gos__local_begin(run, &g));
    *stepper = g;
    return GOS_OK;
}

static gos_status step(void *stepper, double t_end) {
    return gos_local_step(stepper, t_end);
}

static const gos_state *at(void *stepper, double t) {
    return gos_local_at(stepper, t);
}

static const gos_state *step_start(const void *stepper) {
    return ((const gos_local *)stepper)->x0;
}

static const gos_breaks *breaks(const void *stepper) {
    return &((const gos_local *)stepper)->breaks;
}

static void walk(void *stepper, gos_walk *past) {
    gos__local_give(stepper, past);
}

static void statistics(const void *stepper, gos_statistics *stats) {
    gos_local_statistics(stepper, stats);
}

static void destroy(void *stepper) {
    gos_local_destroy(stepper);
}

/* names of serialised data */
static const char layout[] =
#define X(type, name, doc) #name ","
    "local linearisation: motions,basis,cluster,modes,interval and its "
    "lag,breaks," GOS_LOCAL_REPORT_FIELDS(X) "statistics";
#undef X

static const gos_stepper local_stepper = {.layout = layout,
                                          .create = create,
                                          .step = step,
                                          .at = at,
                                          .start = step_start,
                                          .breaks = breaks,
                                          .walk = walk,
                                          .statistics = statistics,
                                          .destroy = destroy};

gos_status gos__local_system(gos_ctx *ctx, const gos_system *sys, gos_system **local) {
    if (sys->full) {
        return gos__fail(ctx, GOS_E_USE, "the system is already reduced");
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
    s->observer = &gos__rom_observer;
    *local = s;
    return GOS_OK;
}
