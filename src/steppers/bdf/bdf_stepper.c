/* Stepper interface of BDF: creation, history. The history of IDA is not stored, so a continued
 * run restarts at order 1: reproducible from the same checkpoint, equal to an uninterrupted run
 * within the tolerance. */
#include <limits.h>
#include <math.h>

#include "steppers/bdf/bdf.h"
#include "solve/initial_state.h"
#include "solve/scales.h"

// smallest step relative to the run, as restarts of fast motion need at order 1
#define LEAST 1e-14

static gos_status check_options(gos_ctx *ctx, const gos_options *o, double t) {
    if (!(o->end > t) || !(o->tolerance > 0) || !(o->newton_tolerance > 0) ||
        !(o->max_iterations > 0) || o->max_order < 1 || o->max_order > GOS_IDA_ORDER) {
        return gos__fail(ctx, GOS_E_USE,
                         "options of the integration are out of range: end %g s, tolerance %g, "
                         "newton_tolerance %g, max_order %d",
                         o->end, o->tolerance, o->newton_tolerance, o->max_order);
    }
    if (o->step > 0 || o->probe_tolerance > 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "analysis: integrator bdf selects its steps automatically and does not "
                         "support `%s`; remove it, or use generalised-alpha",
                         o->step > 0 ? "step" : "probe_tolerance");
    }
    return GOS_OK;
}

static gos_status allocate(gos_bdf *g, const gos_run_of *run) {
    const gos_system *s = g->sys;
    GOS_TRY(gos_state_create(g->ctx, s, &g->x0));
    GOS_TRY(gos_state_create(g->ctx, s, &g->at));
    GOS_TRY(gos__work_create(g->ctx, s, &g->w));
    GOS_TRY(gos__bdf_matrix_make(g->ctx, g->w, &g->matrix));
    GOS_TRY(gos__solver_create(g->ctx, &g->matrix.pattern, &g->solver));
    const size_t n = (size_t)g->matrix.at.n + 1;
    g->y = gos__zalloc(g->ctx, n, sizeof *g->y);
    g->yd = gos__zalloc(g->ctx, n, sizeof *g->yd);
    g->r = gos__zalloc(g->ctx, n, sizeof *g->r);
    g->worst = gos__zalloc(g->ctx, n, sizeof *g->worst);
    g->mv = gos__zalloc(g->ctx, (size_t)s->nstate + 1, sizeof *g->mv);
    if (!g->y || !g->yd || !g->r || !g->worst || !g->mv) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__breaks_find(run, g->opt.max_step, 0, g->w, &g->breaks));
    const gos_ida_problem problem = gos__bdf_problem(g);
    const gos_ida_options options = {.max_order = g->opt.max_order,
                                     .max_iterations = g->opt.max_iterations,
                                     .newton = g->opt.newton_tolerance,
                                     .max_step = g->opt.max_step};
    return gos__ida_create(g->ctx, &problem, &options, &g->ida);
}

static void destroy(void *stepper) {
    gos_bdf *g = stepper;
    if (g) {
        gos__ida_destroy(g->ida);
        gos__solver_destroy(g->solver);
        gos__bdf_matrix_free(&g->matrix);
        gos_state_destroy(g->x0);
        gos_state_destroy(g->at);
        gos__work_destroy(g->ctx, g->w);
        gos__free(g->ctx, g->y);
        gos__free(g->ctx, g->yd);
        gos__free(g->ctx, g->r);
        gos__free(g->ctx, g->worst);
        gos__free(g->ctx, g->mv);
        gos__breaks_free(g->ctx, &g->breaks);
        gos__free(g->ctx, g);
    }
}

static void statistics(const void *stepper, gos_statistics *stats) {
    const gos_bdf *g = stepper;
    *stats = g->stats;
    gos__ida_counts(g->ida, &stats->iterations, &stats->rejected);
    stats->iterations += g->iterations;
    stats->rejected += g->rejected;
    stats->residuals = g->w->nresidual;
    stats->time_residual = g->w->time_residual;
    stats->time_jacobian = g->w->time_jacobian;
}

static gos_status tell(void *stepper) {
    ((gos_bdf *)stepper)->tells = true;
    return GOS_OK;
}

static void walk(void *stepper, gos_walk *w) {
    gos_bdf *g = stepper;
    gos_statistics stats;
    statistics(g, &stats);
    gos__walk(w, &g->T_range, 1);
    gos__walk(w, &g->opt.tolerance, 1);
    gos__walk(w, &g->spent, 1);
    gos__walk(w, &g->made, 1);
    gos__walk_bool(w, &g->tells);
    gos__walk_int(w, &g->opt.max_order, GOS_IDA_ORDER);
    gos__walk_int(w, &g->short_steps, INT_MAX);
    gos__breaks_walk(&g->breaks, w);
    gos__step_monitor_walk(&g->watch, w);
    gos__walk_statistics(w, &stats);
    if (w->takes) {
        gos__ida_limit_order(g->ida, g->opt.max_order);
        w->bad = w->bad || !(g->T_range > 0 && isfinite(g->T_range)) || !(g->opt.tolerance > 0) ||
                 !(g->spent >= 0) || !(g->made >= 0) || !(g->x->h > 0);
        g->iterations = stats.iterations;
        g->rejected = stats.rejected;
        g->w->nresidual = stats.residuals;
        g->w->time_residual = stats.time_residual;
        g->w->time_jacobian = stats.time_jacobian;
        g->stats = stats;
    }
}

/* scratch suffices for both: equations outnumber coordinates plus constraints */
gos_monitored gos__bdf_monitored(const gos_bdf *g) {
    return (gos_monitored){.ctx = g->ctx,
                           .opt = &g->opt,
                           .x = g->x,
                           .w = g->w,
                           .u = g->r,
                           .weighed = g->mv,
                           .c = g->r + g->sys->nq};
}

static gos_status begin(gos_bdf *g) {
    GOS_TRY(gos__initial_state(g->ctx, g->w, g->x));
    GOS_TRY(gos__bdf_start(g));
    gos__initial_energy(g->x);
    const gos_monitored watched = gos__bdf_monitored(g);
    gos__step_monitor_begin(&g->watch, &watched);
    g->stats = (gos_statistics){0};
    g->w->time_residual = g->w->time_jacobian = 0;
    g->w->nresidual = g->w->njacobian = 0;
    return gos_state_copy(g->x0, g->x);
}

static gos_status create(const gos_run_of *run, void **stepper) {
    const double t0 = gos__now();
    GOS_TRY(check_options(run->ctx, run->options, run->t_start));
    if (run->sys->steady_heat) {
        return gos__fail(run->ctx, GOS_E_USE,
                         "analysis: integrator bdf requires temperature rates, which `heat: "
                         "steady` does not have; use generalised-alpha");
    }
    gos_bdf *g = gos__zalloc(run->ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_bdf){.ctx = run->ctx,
                   .sys = run->sys,
                   .opt = *run->options,
                   .x = run->x,
                   .matrix = {.ctx = run->ctx},
                   .t_start = run->t_start,
                   .stop = HUGE_VAL};
    const double span = g->opt.end - g->t_start;
    g->T_range = g->opt.temperature_range > 0 ? g->opt.temperature_range : 1;
    g->opt.max_step = g->opt.max_step > 0 ? g->opt.max_step : 0.1 * span;
    g->opt.min_step = g->opt.min_step > 0 ? g->opt.min_step : LEAST * span;
    gos_status status = allocate(g, run);
    if (status == GOS_OK && run->past) {
        walk(g, run->past);
        status = gos_state_copy(g->x0, g->x);
    } else if (status == GOS_OK) {
        status = begin(g);
    }
    if (status != GOS_OK) {
        destroy(g);
        return status;
    }
    g->x0->npast = 0;
    g->stats.time_setup += gos__now() - t0;
    *stepper = g;
    return GOS_OK;
}

static const gos_state *step_start(const void *stepper) {
    return ((const gos_bdf *)stepper)->x0;
}

static const gos_breaks *breaks(const void *stepper) {
    return &((const gos_bdf *)stepper)->breaks;
}

static gos_status step(void *stepper, double t_end) {
    return gos__bdf_step(stepper, t_end);
}

static const gos_state *at(void *stepper, double t) {
    return gos__bdf_at(stepper, t);
}

/* names of the data of `walk`, in order */
static const char layout[] =
#define X(name, doc) #name ","
    "bdf: T_range,tolerance,spent,made,tells,max_order,short_steps,breaks," GOS_WATCH_NUMBERS(
        X) "statistics";
#undef X

const gos_stepper gos__bdf = {.layout = layout,
                              .create = create,
                              .step = step,
                              .at = at,
                              .start = step_start,
                              .tell = tell,
                              .breaks = breaks,
                              .walk = walk,
                              .statistics = statistics,
                              .destroy = destroy};
