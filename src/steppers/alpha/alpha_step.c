/* Step loop of generalised-alpha: error control, switching times, retries. The error estimate is
 * the change of accelerations and temperature rates. `tolerance` is distributed over the run
 * (error per unit step) to control the global error. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/section_frames.h"
#include "steppers/alpha/generalised_alpha.h"
#include "system/assemble.h"

#define STEP_GROWS 1.25 // smallest increase of the step worth a factorisation
// cost of a factorisation in iterations (2 for tiny to 20 for sparse matrices)
#define FACTOR_WORTH 8
#define PARTS_WORTH 5    // ... of one in parts
#define REDUCED_WORTH 20 // ... and for a reduced system, with a dense tangent
#define SPENDS 0.01      // fraction of the saved tolerance for one step
#define OFF_GRID 1e-6    // relative to a fixed step
// first part of a divided fixed step at a start or restart, where fast transients begin
#define FIRST_PART 0.03125
#define STEP_SHRINKS 0.8 // largest factor when the step must shrink

static void swap_states(gos_state *x, gos_state *y) {
    const gos_state z = *x;
    *x = *y;
    *y = z;
}

gos_monitored gos__alpha_monitored(const gos_alpha *g) {
    return (gos_monitored){.ctx = g->ctx,
                           .opt = &g->opt,
                           .x = g->x,
                           .w = g->w,
                           .u = g->r,
                           .weighed = g->mv,
                           .c = g->normal};
}

double gos__alpha_rounded(double h) {
    int exponent;
    const double part = frexp(h, &exponent);
    return ldexp(floor(ldexp(part, 16)), exponent - 16);
}

/* Next step; avoids a tiny one before the stop. */
static double choose_step(const gos_alpha *g, const gos_state *x, double stop) {
    const double left = stop - x->t;
    double h = x->h_next;
    if (g->opt.step > 0) {
        const double n = floor((x->t - g->t_start) / g->opt.step * (1 + 1e-12) + 1e-9) + 1;
        const double grid = g->t_start + n * g->opt.step - x->t;
        // no drift by rounding
        h = h < (1 - OFF_GRID) * fmin(grid, g->opt.step) ? fmin(h, 0.5 * grid) : grid;
    }
    const double most = gos__breaks_step(&g->breaks, x->t, h);
    h = most < h ? gos__alpha_rounded(most) : h;
    // tiny steps leave no digits in the rates
    if (h >= left * (1 - 1e-6)) {
        return left;
    }
    return g->opt.step > 0 || h <= 0.5 * left ? h : gos__alpha_rounded(fmin(h, 0.5001 * left));
}

static bool off_grid(const gos_alpha *g, double t) {
    const double n = (t - g->t_start) / g->opt.step;
    return fabs(n - round(n)) > OFF_GRID;
}

/* After a start, restart or event, fixed steps may be divided up to the next grid point to resolve
 * transients. */
static bool starting(const gos_alpha *g) {
    return !(g->x0->h > 0) || off_grid(g, g->x0->t);
}

static void adapt(gos_alpha *g, double h, double error, bool cut) {
    gos_state *x = g->x;
    if (g->opt.step > 0) {
        const bool parts = (cut || x->h_next < (1 - OFF_GRID) * g->opt.step) && off_grid(g, x->t);
        x->h_next = parts ? fmin(2 * h, g->opt.step) : g->opt.step;
        return;
    }
    const double best = error > 1 ? 1 : 0.85 / sqrt(fmax(error, 1e-8));
    /* Each change costs a factorisation. Rigid mechanisms need two steps to settle. */
    const bool settled = x->same >= 2 || gos__elastic(g->sys);
    const double factor = best < 1                       ? fmin(best, STEP_SHRINKS)
                          : best > STEP_GROWS && settled ? fmin(best, 2)
                                                         : 1;
    x->same = factor == 1 ? x->same + 1 : 0;
    x->h_next = gos__alpha_rounded(fmin(h * factor, g->opt.max_step));
}

/* Allowed Newton error of a step. It enters the velocity as error / h and persists, so it
 * decreases with (h / span)^2. Fixed steps use 1e-7 of the extent. */
static double newton_allowed(const gos_alpha *g, double h, double span) {
    const double part = h / span;
    const double allowed = g->opt.step > 0 ? 1e-7 * part : 10 * g->opt.tolerance * part * part;
    return g->opt.newton_tolerance * allowed;
}

/* Continues with changed accelerations after a jump or event, or restarts. */
static gos_status restart(gos_alpha *g, gos_stop_kind kind, double t_end) {
    const double span = g->opt.end - g->t_start, t = gos__breaks_right(&g->breaks, g->x->t);
    bool anew = kind == GOS_STOP_EVENT || !(g->x->h > 0);
    double unused;
    if (!anew) {
        const double h = choose_step(g, g->x, gos__breaks_before(&g->breaks, g->x, t_end));
        GOS_TRY(gos__alpha_discontinuity(g, h, kind == GOS_STOP_DRIVE,
                                         newton_allowed(g, g->x->h, span), g->opt.tolerance / span,
                                         &anew));
    }
    if (anew) {
        gos__newton_solver_forget(g->own); // a continued run starts without factors
        GOS_TRY(gos__consistent_position(g->ctx, g->w, g->x, t));
        GOS_TRY(gos__consistent_velocity(g->ctx, g->w, g->x, t, &unused));
        const double strain = g->x->energy.strain;
        GOS_TRY(gos__alpha_start(g, t));
        if (g->sys->steady_heat) { // temperatures may have jumped
            g->x->energy.thermal_work += g->x->energy.strain - strain;
        }
    }
    if (!(g->x->h > 0)) {
        g->x->h_next = g->opt.step > 0
                           ? g->opt.step
                           : gos__alpha_rounded(fmin(gos__alpha_first_step(g), g->x->h_next));
    }
    const gos_point_of begin = gos__state_point(g->x, t);
    gos__memory_begin(g->w, &begin, g->x->mem);
    g->stats.restarts++;
    return GOS_OK;
}

/* Have additional iterations since the last factorisation exceeded its cost? */
static bool outlived(gos_state *x, bool made, bool whole) {
    const double worth = x->sys->reduced ? REDUCED_WORTH : whole ? FACTOR_WORTH : PARTS_WORTH;
    x->fresh = made ? x->iterations : x->fresh;
    x->excess = made ? 0 : x->excess + fmax(0, x->iterations - x->fresh);
    return x->excess > worth;
}

/* Is this error, relative to its share of the tolerance, acceptable? At a jump of a derivative it
 * decreases only with h^2, its share with h, so a shortened step may use tolerance saved by
 * earlier ones. part: step relative to the run. */
static bool accurate(gos_state *x, double error, double part, int inaccurate) {
    const bool spends = inaccurate > 0 && (error - 1) * part <= SPENDS * x->saved;
    x->saved += (1 - error) * part;
    return error <= 1 || spends;
}

typedef struct tries {
    long factorisations, rejected; // counts before the step
    int inaccurate;
} tries;

static void finish(gos_alpha *g, double h, double error, double t_eval, const gos_sums *sums,
                   const tries *k) {
    gos__alpha_accept(g, h, sums);
    if (g->told) {
        gos__error_propagation_step(g, h);
    }
    if (!gos__breaks_landed(&g->breaks)) {
        adapt(g, h, error, g->stats.rejected > k->rejected);
    } else { // shortened by an event
        g->x->h_next = g->x0->h_next;
        g->x->same = g->x0->same;
    }
    (void)gos__breaks_end(&g->breaks, g->w, g->x, t_eval);
    const bool whole = gos__alpha_whole(g), failed = g->whole_left > 0 && !whole;
    g->stale = outlived(g->x, g->stats.factorisations > k->factorisations, whole) || failed;
    gos__section_frames_check(g->ctx, g->sys, g->x);
}

gos_status gos__alpha_step(gos_alpha *g, double t_end) {
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the current time %g s",
                         t_end, g->x->t);
    }
    const double began = gos__now();
    const bool fixed = g->opt.step > 0;
    const double span = g->opt.end - g->t_start;
    const double allowed_rate = g->opt.tolerance / span;
    gos_stop_kind kind;
    GOS_TRY(gos__breaks_begin(&g->breaks, g->ctx, g->w, g->x, &kind));
    tries k = {.factorisations = g->stats.factorisations, .rejected = g->stats.rejected};
    const bool jumps = kind > GOS_STOP_KINK;
    if (jumps) {
        GOS_TRY(restart(g, kind, t_end));
    }
    swap_states(g->x0, g->x);
    g->is_kept = false;
    const double stop = gos__breaks_before(&g->breaks, g->x0, t_end);
    double h = choose_step(g, g->x0, stop);
    const bool whole = fixed && !jumps && !starting(g);
    for (;;) {
        const bool last = h >= stop - g->x0->t;
        const double t1 = last ? stop : g->x0->t + h;
        const double t_eval = gos__breaks_left(&g->breaks, t1);
        const double tol = newton_allowed(g, h, span);
        gos_sums sums = {0};
        const gos_status status = gos__alpha_attempt(g, h, t1, t_eval, tol, whole, &sums);
        if (status < 0) {
            gos_state_copy(g->x, g->x0);
            return status;
        }
        const double error = status == GOS_OK && !fixed ? gos__alpha_error(g, h, allowed_rate) : 0;
        if (status == GOS_OK && (fixed || accurate(g->x, error, h / span, k.inaccurate))) {
            const double land = gos__breaks_inside(&g->breaks, g->ctx, g->w, g->x0, g->x);
            if (land != t1) {
                h = land - g->x0->t;
                g->stats.rejected++;
                continue;
            }
            finish(g, h, error, t_eval, &sums, &k);
            break;
        }
        g->stats.rejected++;
        if (whole) {
            return gos__alpha_not_kept(g, h, t_eval);
        }
        const double part = fixed && h > 0.5 * g->opt.step ? FIRST_PART : 0.25;
        h = gos__alpha_rounded(h * (status == GOS_OK ? fmax(0.2, 0.85 / sqrt(error)) : part));
        k.inaccurate += status == GOS_OK;
        if (!(h > g->opt.min_step)) {
            return gos__alpha_give_up(g, h, t_eval);
        }
    }
    g->stats.steps++;
    const gos_monitored watched = gos__alpha_monitored(g);
    gos__step_monitor_step(&g->watch, &watched, &g->stats, gos__breaks_last(&g->breaks, g->x));
    g->stats.time_total += gos__now() - began;
    return GOS_OK;
}
