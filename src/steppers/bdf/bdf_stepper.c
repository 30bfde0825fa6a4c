/* Stepper interface of BDF: creation, history. The history of IDA is not stored, so a continued
 * run restarts at order 1: reproducible from the same checkpoint, equal to an uninterrupted run
 * within the tolerance. */
#include <limits.h>
#include <math.h>
#include <float.h>

#include "steppers/bdf/bdf.h"
#include "solve/initial_state.h"
#include "solve/scales.h"
#include "solve/consistent.h"
#include "base/base.h"
#include "solve/step_failure.h"

/* Start and restart of BDF: consistent values and rates, and a first step suitable for order 1. */

#define FIRST_MOTION 1e-3 // relative to the extent and the run, in the first step
#define SAFETY 0.5        // of the allowed error, as third derivatives are unknown
#define LONGEST 1e-3      // longest first step, relative to the run

/* Position errors are h^2 a / 2. Changes of velocities and temperatures are limited, since their
 * errors are unknown. IDA shortens a step that is too long. */
static double first_step(const gos_bdf *g) {
    const gos_state *x = g->x;
    const double span = g->opt.end - g->t_start, allowed = gos__bdf_allowed(g, 0);
    const double v = gos__motion_rms(g->sys, x->v, g->mv), a = gos__motion_rms(g->sys, x->a, g->mv);
    const double change = gos__bdf_velocity_rms(g, x->a, allowed);
    const double heats = gos__heat_rms(g->sys, x->thd, g->mv) / g->T_range;
    double h = fmin(LONGEST * span, g->opt.max_step);
    h = v > 0 ? fmin(h, FIRST_MOTION / v) : h;
    h = a > 0 ? fmin(h, sqrt(2 * SAFETY * allowed / a)) : h;
    h = change > 0 ? fmin(h, sqrt(allowed) / change) : h;
    h = heats > 0 ? fmin(h, sqrt(allowed) / heats) : h;
    return fmax(h, 2 * g->opt.min_step);
}

static void note_base(gos_bdf *g) {
    const gos_state *x = g->x;
    g->base[GOS_BDF_DISSIPATED] = x->energy.dissipated;
    g->base[GOS_BDF_WORK] = x->energy.work;
    g->base[GOS_BDF_THERMAL] = x->energy.thermal_work;
    g->base[GOS_BDF_HEAT_IN] = x->heat_supplied;
    g->base[GOS_BDF_HEAT_CON] = x->heat_constrained;
}

/* Velocities from rounding eps of the coordinates: accelerations change by a = w^2 eps, with w of
 * the fastest modes, and velocities by w eps = sqrt(a eps). For a fine mesh at rest this exceeds
 * the allowed error. */
static gos_status find_rounding(gos_bdf *g) {
    const gos_system *s = g->sys;
    const gos_state *x = g->x;
    gos_state *near = NULL;
    gos_status status = gos_state_create(g->ctx, s, &near);
    status = status == GOS_OK ? gos_state_copy(near, x) : status;
    if (status == GOS_OK) {
        for (int i = 0; i < s->nq; i++) {
            // opposite signs for neighbours
            near->q[i] *= 1 + (i % 3 == 1 ? -DBL_EPSILON : DBL_EPSILON);
        }
        status = gos__consistent(g->ctx, g->w, near, gos__breaks_right(&g->breaks, x->t));
    }
    if (status == GOS_OK) {
        for (int i = 0; i < s->nq; i++) {
            near->a[i] -= x->a[i];
            near->q[i] -= x->q[i];
        }
        g->shakes = sqrt(gos__motion_rms(s, near->a, g->mv) * gos__motion_rms(s, near->q, g->mv));
    }
    gos_state_destroy(near);
    return status;
}

/* Consistent values of g->x at a start or restart, and a first step. */
static gos_status bdf_start(gos_bdf *g) {
    gos_state *x = g->x;
    const double t = gos__breaks_right(&g->breaks, x->t);
    const bool first = !(x->h > 0);
    if (!first) {
        GOS_TRY(gos__initial_state_restart(g->ctx, g->w, x, t, g->r));
    }
    GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    const gos_point_of begin = gos__state_point(x, t);
    gos__memory_begin(g->w, &begin, x->mem);
    g->from = x->t;
    gos__integrator_scales(&g->run);
    GOS_TRY(gos__elastic(g->sys) && !(g->shakes > 0) ? find_rounding(g) : GOS_OK);
    note_base(g);
    gos__bdf_pack(g);
    gos__solver_repivot(g->solver); // make the start independent of the history
    const double asked = first ? g->opt.initial_step : 0;
    x->h = asked > 0 ? asked : first_step(g);
    GOS_TRY(gos__ida_start(g->ida, x->t, g->y, g->yd, x->h));
    g->runs = true;
    return GOS_OK;
}

/* Step loop of BDF: stop times and completion of steps. IDA selects step size and order. */

#define STABLE 2            // highest order that does not amplify vibration
#define TINY_STEP 1e-6      // relative to the run: such steps would need millions
#define MAX_TINY_STEPS 1000 // ... consecutive ones
#define MAX_SPENT_ERROR 3   // accumulated allowed errors that cause a warning, in tolerances

/* Latest end of this step; avoids a tiny one before a stop. */
static double choose_stop(const gos_bdf *g, double stop) {
    const double t = g->x->t, h = gos__ida_h(g->ida);
    const double next = h > 0 ? h : g->x->h;
    const double most = gos__breaks_step(&g->breaks, t, next);
    stop = most < next ? fmin(stop, t + most) : stop;
    const double left = stop - t;
    return next < left && next > 0.5 * left ? t + 0.5 * left : stop;
}

static void take_integrals(const gos_bdf *g, double t, gos_state *x) {
    double now[GOS_BDF_NINTEGRAL];
    gos__ida_integrals(g->ida, t, now);
    x->energy.dissipated = g->base[GOS_BDF_DISSIPATED] + now[GOS_BDF_DISSIPATED];
    x->energy.work = g->base[GOS_BDF_WORK] + now[GOS_BDF_WORK];
    x->energy.thermal_work = g->base[GOS_BDF_THERMAL] + now[GOS_BDF_THERMAL];
    x->heat_supplied = g->base[GOS_BDF_HEAT_IN] + now[GOS_BDF_HEAT_IN];
    x->heat_constrained = g->base[GOS_BDF_HEAT_CON] + now[GOS_BDF_HEAT_CON];
    gos__integrator_store_heat(&g->run, x);
}

/* x := state at t in the last step, by its interpolating polynomial. */
static void interpolate(gos_bdf *g, double t, gos_state *x) {
    gos__ida_at(g->ida, t, 0, g->y);
    gos__ida_at(g->ida, t, 1, g->yd);
    gos__bdf_unpack(g, g->y, g->yd, x);
    x->t = t;
    take_integrals(g, t, x);
}

/* The motion restarts there. */
static gos_status cut(void *method, double t) {
    gos_bdf *g = method;
    interpolate(g, t, g->x);
    gos__integrator_sum_up(&g->run, t, g->x, g->r);
    g->runs = false;
    return GOS_OK;
}

/* Notes limited accuracy due to rounding, or short steps after many restarts. */
static void note_spent(gos_bdf *g) {
    const double before = g->spent;
    g->spent += gos__bdf_allowed(g, g->x->h) / g->opt.tolerance;
    if (before <= MAX_SPENT_ERROR && g->spent > MAX_SPENT_ERROR) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "bdf may not meet tolerance %g: it is close to rounding error, or the motion "
                  "restarts too often; step errors up to t = %.6g s may reach %.2g",
                  g->opt.tolerance, g->x->t, g->spent * g->opt.tolerance);
    }
}

static gos_status give_up(gos_bdf *g, gos_ida_end end) {
    const double time = isnan(g->tried) ? g->x0->t : g->tried;
    const gos_point_of tried = gos__bdf_point(&g->matrix, time, g->y, g->yd, g->x0->mem);
    if (g->failed < 0) {
        return g->failed;
    }
    if (end == GOS_IDA_BROKEN) {
        return gos__fail(g->ctx, GOS_E_INTERNAL, "BDF stopped unexpectedly at t = %.9g s",
                         g->x0->t);
    }
    if (end == GOS_IDA_INACCURATE) {
        return gos__fail(
            g->ctx, GOS_E_DIVERGED,
            "the error of the step at t = %.9g s exceeds its share of tolerance %g even with "
            "steps of %.3g s: the motion or its rates jump there, or the tolerance is near "
            "rounding error; smooth the jump, use a larger tolerance, or use generalised_alpha",
            g->x0->t, g->opt.tolerance, gos__ida_h(g->ida));
    }
    return gos__step_failure(g->ctx, g->w,
                             &(gos_attempt){g->t_start, g->x0->t, gos__ida_h(g->ida), false, &tried,
                                            g->worst + g->matrix.at.q});
}

/* Orders from 3 on amplify undamped vibration of some frequencies, even from rounding, which then
 * requires permanently short steps. Order 2 damps it. */
static void limit_order(gos_bdf *g) {
    const double span = g->opt.end - g->t_start;
    g->short_steps = g->x->h < TINY_STEP * span ? g->short_steps + 1 : 0;
    if (g->short_steps < MAX_TINY_STEPS || g->opt.max_order <= STABLE || !gos__elastic(g->sys)) {
        return;
    }
    char text[200];
    (void)gos__format(
        text, sizeof text,
        "bdf continues with order 2 from t = %.6g s: higher orders amplify undamped vibration and "
        "need steps of %.2g s there; add material damping, or use radau",
        g->x->t, g->x->h);
    gos__note(g->ctx, "analysis", text);
    g->opt.max_order = STABLE;
    gos__ida_limit_order(g->ida, STABLE);
    g->runs = false;
}

static gos_status begin(void *method, gos_stop_kind kind, double t_end) {
    gos_bdf *g = method;
    GOS_UNUSED(t_end);
    g->stop = HUGE_VAL;
    if (kind <= GOS_STOP_KINK && g->runs) {
        return GOS_OK;
    }
    g->stats.restarts += g->x->h > 0;
    return bdf_start(g);
}

static gos_status plan(void *method, gos_step *k) {
    gos_bdf *g = method;
    g->stop = k->stop = choose_stop(g, k->stop);
    k->h = k->stop - g->x->t;
    return GOS_OK;
}

/* IDA repeats the step until it is accurate. */
static gos_status attempt(void *method, gos_step *k) {
    gos_bdf *g = method;
    g->failed = GOS_OK;
    g->tried = (double)NAN;
    k->t = g->x->t;
    const gos_ida_end end = gos__ida_step(g->ida, g->stop, &k->t, g->y, g->yd);
    if (end != GOS_IDA_STEPPED) {
        g->runs = false;
        return give_up(g, end);
    }
    gos__bdf_unpack(g, g->y, g->yd, g->x);
    g->x->t = k->t;
    take_integrals(g, k->t, g->x);
    gos__state_sums(g->x, &g->sums);
    return GOS_OK;
}

static gos_status accept(void *method, gos_step *k) {
    gos_bdf *g = method;
    gos_state *x = g->x;
    x->h = x->t - g->x0->t;
    x->h_next = gos__ida_h(g->ida);
    gos__integrator_scales(&g->run);
    note_spent(g);
    limit_order(g);
    k->made = gos__ida_error(g->ida) * gos__bdf_allowed(g, x->h);
    return GOS_OK;
}

static void interpolate_at(void *method, double t) {
    gos_bdf *g = method;
    memcpy(g->at->mem, g->x0->mem, g->sys->nmem * sizeof *g->at->mem); // as used by the step
    interpolate(g, t, g->at);
    gos__integrator_sum_up(&g->run, t, g->at, g->r);
}

static gos_status check(void *method) {
    const gos_bdf *g = method;
    return g->opt.max_order >= 1 && g->opt.max_order <= GOS_IDA_ORDER
               ? GOS_OK
               : gos__fail(g->ctx, GOS_E_USE, "max_order must be from 1 to %d, got %d",
                           GOS_IDA_ORDER, g->opt.max_order);
}

static gos_status allocate(void *method) {
    gos_bdf *g = method;
    g->matrix.ctx = g->ctx;
    g->stop = HUGE_VAL;
    GOS_TRY(gos__bdf_matrix_make(g->ctx, g->w, &g->matrix));
    GOS_TRY(gos__solver_create(g->ctx, &g->matrix.pattern, &g->solver));
    const size_t n = (size_t)g->matrix.at.n + 1;
    g->y = gos__zalloc(g->ctx, n, sizeof *g->y);
    g->yd = gos__zalloc(g->ctx, n, sizeof *g->yd);
    g->r = gos__zalloc(g->ctx, n, sizeof *g->r);
    g->worst = gos__zalloc(g->ctx, n, sizeof *g->worst);
    if (!g->y || !g->yd || !g->r || !g->worst) {
        return GOS_E_MEMORY;
    }
    const gos_ida_problem problem = gos__bdf_problem(g);
    const gos_ida_options options = {.max_order = g->opt.max_order,
                                     .max_iterations = g->opt.max_iterations,
                                     .newton = g->opt.newton_tolerance,
                                     .max_step = g->opt.max_step};
    return gos__ida_create(g->ctx, &problem, &options, &g->ida);
}

static void release(void *method) {
    gos_bdf *g = method;
    gos__ida_destroy(g->ida);
    gos__solver_destroy(g->solver);
    gos__bdf_matrix_free(&g->matrix);
    gos__free(g->ctx, g->y);
    gos__free(g->ctx, g->yd);
    gos__free(g->ctx, g->r);
    gos__free(g->ctx, g->worst);
}

static void statistics(const void *method, gos_statistics *stats) {
    const gos_bdf *g = method;
    gos__ida_counts(g->ida, &stats->iterations, &stats->rejected);
    stats->iterations += g->iterations;
    stats->rejected += g->rejected;
}

static gos_status track_errors(void *method) {
    ((gos_bdf *)method)->reports = true;
    return GOS_OK;
}

static gos_status save(void *method, gos_walk *w) {
    gos_bdf *g = method;
    gos__walk(w, &g->spent, 1);
    gos__walk_int(w, &g->opt.max_order, GOS_IDA_ORDER);
    gos__walk_int(w, &g->short_steps, INT_MAX);
    if (w->takes) {
        gos__ida_limit_order(g->ida, g->opt.max_order);
        w->bad = w->bad || !(g->spent >= 0) || !(g->x->h > 0);
        g->iterations = g->stats.iterations;
        g->rejected = g->stats.rejected;
    }
    return GOS_OK;
}

static gos_status start(void *method) {
    gos_bdf *g = method;
    GOS_TRY(gos__initial_state(g->ctx, g->w, g->x, gos__breaks_first(&g->breaks, g->x->t)));
    return bdf_start(g);
}

const gos_stepper gos__integrator_bdf = {
    .is = {.keys = "max_order", .order = 5, .heat_rates = true, .restarts = true},
    .layout = "bdf: spent,max_order,short_steps",
    .size = sizeof(gos_bdf),
    .least = 1e-14, // for restarts of fast motion at order 1
    .check = check,
    .allocate = allocate,
    .release = release,
    .start = start,
    .begin = begin,
    .plan = plan,
    .attempt = attempt,
    .cut = cut,
    .accept = accept,
    .interpolate = interpolate_at,
    .track_errors = track_errors,
    .save = save,
    .statistics = statistics};
