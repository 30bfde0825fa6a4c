/* Full system with the stepper of local linearisation, as gos_reduce returns it. Arrays are
   borrowed. */
#include "rom/local.h"
#include "rom/run_observer.h"

static const char layout[] =
#define X(type, name, doc) #name ","
    "local linearisation: motions,basis,cluster,modes,interval and its "
    "lag," GOS_LOCAL_REPORT_FIELDS(X) ";";
#undef X

const gos_stepper gos__local_stepper = {
    .is = {.keys = "step probe_tolerance rho_infinity solver", .order = 2},
    .layout = layout,
    .size = sizeof(gos_local),
    .unmonitored = true,
    .check = gos__local_check,
    .allocate = gos__local_allocate,
    .release = gos__local_release,
    .start = gos__local_start,
    .begin = gos__local_begin,
    .plan = gos__local_plan,
    .attempt = gos__local_attempt,
    .error = gos__local_error,
    .cut = gos__local_cut,
    .shorten = gos__local_shorten,
    .accept = gos__local_accept,
    .end = gos__local_end,
    .undo = gos__local_undo,
    .interpolate = gos__local_interpolate,
    .sizes = gos__local_sizes,
    .save = gos__local_save,
    .statistics = gos__local_statistics};

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
    s->stepper = &gos__local_stepper;
    s->observer = &gos__rom_observer;
    *local = s;
    return GOS_OK;
}
