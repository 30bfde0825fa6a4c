/* The observer of runs of reduced systems: what such a system does not promise, whether a run stays within what the
   reduction was trained with, and how large the residual of the full model is. */
#include "rom/observe.h"

#include "rom/monitor.h"
#include "rom/promise.h"
#include "rom/watch.h"

typedef struct watching {
    gos_ctx *ctx;
    gos_arena *arena; // all of this
    gos_watch watch;
    gos_monitor *monitor; // NULL: there is no full model to compare with
} watching;

static void destroy(void *observer) {
    watching *w = observer;
    if (w) {
        gos__monitor_destroy(w->monitor);
        gos__arena_destroy(w->arena);
    }
}

static gos_status create(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer) {
    gos_reduction reduction;
    gos_reduction_get(sys, &reduction);
    gos__rom_promise(ctx, sys);
    gos_arena *arena = gos__arena_create(ctx);
    watching *w = arena ? GOS_NEW(arena, watching, 1) : NULL;
    if (!w) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    *w = (watching){.ctx = ctx, .arena = arena};
    gos_status status = gos__watch_create(arena, sys, &w->watch);
    status = status == GOS_OK ? gos__monitor_create(ctx, sys, &w->monitor) : status;
    if (status != GOS_OK) {
        destroy(w);
        return status;
    }
    *preparing = reduction.time;
    *observer = w;
    return GOS_OK;
}

static gos_status see(void *observer, const gos_state *state, long iterations) {
    watching *w = observer;
    gos__watch(w->ctx, &w->watch, state);
    return w->monitor ? gos__monitor_see(w->monitor, state, iterations) : GOS_OK;
}

static gos_status end(void *observer, const gos_state *state) {
    watching *w = observer;
    if (!w->monitor) {
        return GOS_OK;
    }
    const gos_status status = gos__monitor_end(w->monitor, state);
    gos__monitor_say(w->monitor);
    return status;
}

const gos_observer gos__rom_observer = {create, see, end, destroy};
