/* Step loop of BDF: stop times and completion of steps. IDA selects step size and order. */
#include <math.h>

#include "base/note.h"
#include "steppers/bdf/bdf.h"
#include "solve/consistent.h"
#include "solve/section_frames.h"
#include "solve/scales.h"
#include "solve/step_failure.h"
#include "system/assemble.h"

#define STABLE 2     // highest order that does not amplify vibration
#define SHORT 1e-6   // relative to the run: such steps would need millions
#define MANY 1000    // ... consecutive ones
#define MOST_SPENT 3 // accumulated allowed errors that cause a warning, in tolerances

/* Latest end of this step; avoids a tiny one before a stop. */
static double choose_stop(gos_bdf *g, double t_end) {
    const double t = g->x->t, h = gos__ida_h(g->ida);
    const double next = h > 0 ? h : g->x->h;
    double stop = gos__breaks_before(&g->breaks, g->x, t_end);
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
    double stored = 0;
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (x->th[i] - g->x0->th[i]);
    }
    x->heat_stored = g->x0->heat_stored + stored;
}

static void take_sums(const gos_sums *sums, gos_state *x) {
    x->energy.strain = sums->strain;
    x->power_diss = sums->dissipated;
    x->power_work = sums->work;
    x->power_thermal = sums->thermal;
    x->heat_in = sums->heat_in;
    x->heat_con = sums->heat_con;
}

/* x := state at t in the last step, by its interpolating polynomial. */
static void interpolate(gos_bdf *g, double t, gos_state *x) {
    gos__ida_at(g->ida, t, 0, g->y);
    gos__ida_at(g->ida, t, 1, g->yd);
    gos__bdf_unpack(g, g->y, g->yd, x);
    x->t = t;
    take_integrals(g, t, x);
}

/* Powers and strain energy of a state; time: for time functions. */
static void sum_up(gos_bdf *g, double time, gos_state *x) {
    const gos_point_of at = gos__state_point(x, time);
    const gos_residual out = gos__residual_of(g->sys, g->r);
    gos_sums sums;
    if (gos__residual(g->w, &at, &out, &sums) == GOS_OK) {
        take_sums(&sums, x);
    }
}

/* Shortens the step to a change of a law or a final limit; the motion then restarts. */
static void land(gos_bdf *g) {
    double t;
    while ((t = gos__breaks_inside(&g->breaks, g->ctx, g->w, g->x0, g->x)) != g->x->t) {
        interpolate(g, t, g->x);
        sum_up(g, t, g->x);
        g->runs = false;
    }
}

/* Notes limited accuracy due to rounding, or short steps after many restarts. */
static void note_spent(gos_bdf *g) {
    const double before = g->spent;
    g->spent += gos__bdf_allowed(g, g->x->h) / g->opt.tolerance;
    if (before <= MOST_SPENT && g->spent > MOST_SPENT) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "bdf may not meet tolerance %g: it is close to rounding error, or the motion "
                  "restarts too often; step errors up to t = %.6g s may reach %.2g",
                  g->opt.tolerance, g->x->t, g->spent * g->opt.tolerance);
    }
}

/* Reports the error without probes: a sum over steps would miss effects such as that of a fast
 * spin on a slow precession. */
static void note_made(gos_bdf *g, bool last) {
    char text[400];
    g->made += gos__ida_error(g->ida) * gos__bdf_allowed(g, g->x->h);
    if (last && g->tells) {
        (void)gos__format(text, sizeof text,
                          "the estimated step errors add up to about %.2g (relative to the "
                          "extent, the largest speed and the temperature range); in unstable or "
                          "chaotic motion the error of the run is larger",
                          g->made);
        gos__note(g->ctx, "errors", text);
    }
}

static void finish(gos_bdf *g, double reached) {
    gos_state *x = g->x;
    gos__bdf_unpack(g, g->y, g->yd, x);
    x->t = reached;
    take_integrals(g, reached, x);
    take_sums(&g->sums, x);
    land(g);
    x->h = x->t - g->x0->t;
    x->h_next = gos__ida_h(g->ida);
    g->T_range = gos__heat_range(x, g->T_range);
    x->speed = fmax(x->speed, gos__motion_rms(g->sys, x->v, g->mv));
    g->place = gos__motion_rms(g->sys, x->q, g->mv);
    (void)gos__breaks_end(&g->breaks, g->w, x, gos__breaks_left(&g->breaks, x->t));
    note_spent(g);
    gos__section_frames_check(g->ctx, g->sys, x);
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
                             &(gos_attempt){g->t_start, g->x0->t, gos__ida_h(g->ida), &tried,
                                            g->worst + g->matrix.at.q});
}

/* Orders from 3 on amplify undamped vibration of some frequencies, even from rounding, which then
 * requires permanently short steps. Order 2 damps it. */
static void limit_order(gos_bdf *g) {
    const double span = g->opt.end - g->t_start;
    g->short_steps = g->x->h < SHORT * span ? g->short_steps + 1 : 0;
    if (g->short_steps < MANY || g->opt.max_order <= STABLE || !gos__elastic(g->sys)) {
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

gos_status gos__bdf_step(gos_bdf *g, double t_end) {
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the present %g s",
                         t_end, g->x->t);
    }
    const double began = gos__now();
    gos_stop_kind kind;
    GOS_TRY(gos__breaks_begin(&g->breaks, g->ctx, g->w, g->x, &kind));
    g->stop = HUGE_VAL;
    if (kind > GOS_STOP_KINK || !g->runs) {
        g->stats.restarts += g->x->h > 0;
        GOS_TRY(gos__bdf_start(g));
    }
    GOS_TRY(gos_state_copy(g->x0, g->x));
    g->stop = choose_stop(g, t_end);
    double reached = g->x->t;
    g->failed = GOS_OK;
    g->tried = (double)NAN;
    const gos_ida_end end = gos__ida_step(g->ida, g->stop, &reached, g->y, g->yd);
    if (end != GOS_IDA_STEPPED) {
        g->runs = false;
        return give_up(g, end);
    }
    finish(g, reached);
    g->stats.steps++;
    limit_order(g);
    const bool last = gos__breaks_last(&g->breaks, g->x);
    note_made(g, last);
    const gos_monitored watched = gos__bdf_monitored(g);
    gos__step_monitor_step(&g->watch, &watched, &g->stats, last);
    g->stats.time_total += gos__now() - began;
    return GOS_OK;
}

const gos_state *gos__bdf_at(gos_bdf *g, double t) {
    gos_state *y = g->at;
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    (void)gos_state_copy(y, g->x);
    if (t < g->x->t && g->x->t > g->x0->t) {
        memcpy(y->mem, g->x0->mem, g->sys->nmem * sizeof *y->mem); // as used by the step
        interpolate(g, fmax(t, g->x0->t), y);
        sum_up(g, y->t, y);
    }
    g->w->nresidual = n; // exclude output from the statistics of the solver
    g->w->time_residual = time;
    return y;
}
