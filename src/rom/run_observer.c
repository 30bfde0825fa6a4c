/* Observer of reduced runs. */
#include "rom/run_observer.h"

#include "rom/monitor.h"
#include "rom/pod.h"
#include "rom/limits.h"
#include "rom/training_range.h"
#include "solve/validity.h"

typedef struct run_observer {
    gos_ctx *ctx;
    gos_arena *arena; // owns this structure
    gos_step_monitor step_monitor;
    gos_monitor *monitor;      // NULL: no full model to compare with
    const gos_observer *range; // of bodies with a limited range of states; NULL: none
    void *ranging;
} run_observer;

static void destroy(void *observer) {
    run_observer *w = observer;
    if (w) {
        if (w->range) {
            w->range->destroy(w->ranging);
        }
        gos__monitor_destroy(w->monitor);
        gos__arena_destroy(w->arena);
    }
}

static gos_status create(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer) {
    gos_reduction reduction;
    gos_reduction_get(sys, &reduction);
    gos__rom_limits(ctx, sys);
    gos__rom_warn_single_run(ctx, sys);
    gos_arena *arena = gos__arena_create(ctx);
    run_observer *w = arena ? GOS_NEW(arena, run_observer, 1) : NULL;
    if (!w) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    *w = (run_observer){.ctx = ctx, .arena = arena, .range = gos__range_observer(sys)};
    gos_status status = gos__step_monitor_create(arena, sys, &w->step_monitor);
    status = status == GOS_OK ? gos__monitor_create(ctx, sys, &w->monitor) : status;
    if (status == GOS_OK && w->range) {
        status = w->range->create(ctx, sys, preparing, &w->ranging);
    }
    if (status != GOS_OK) {
        destroy(w);
        return status;
    }
    *preparing = sys->pod ? sys->pod->time : reduction.time;
    *observer = w;
    return GOS_OK;
}

static gos_status see(void *observer, const gos_state *state, long iterations) {
    run_observer *w = observer;
    gos__step_monitor(w->ctx, &w->step_monitor, state);
    if (w->range) {
        GOS_TRY(w->range->see(w->ranging, state, iterations));
    }
    return w->monitor ? gos__monitor_process(w->monitor, state, iterations) : GOS_OK;
}

static gos_status end(void *observer, const gos_state *state) {
    run_observer *w = observer;
    if (w->range) {
        GOS_TRY(w->range->end(w->ranging, state));
    }
    if (!w->monitor) {
        return GOS_OK;
    }
    const gos_status status = gos__monitor_end(w->monitor, state);
    gos__monitor_report(w->monitor);
    return status;
}

static gos_status walk(void *observer, gos_walk *past) {
    const run_observer *w = observer;
    if (w->monitor) {
        gos__monitor_walk(w->monitor, past);
    }
    return w->range ? w->range->walk(w->ranging, past) : GOS_OK;
}

const gos_observer gos__rom_observer = {create, see, end, walk, destroy};
