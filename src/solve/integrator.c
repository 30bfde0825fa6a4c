/* Integration in time: error control, switching times, retries, output inside a step. What one step
   does is in generalised_alpha.c. The error of a step is estimated from the change of accelerations
   and temperature rates; `tolerance` is spent evenly over the run (error per unit step), so that the
   error of the whole run follows it. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/frames.h"
#include "solve/generalised_alpha.h"
#include "system/assemble.h"

#define STEP_GROWS 1.25 // smallest gain in the step that is worth a factorisation
#define FACTOR_WORTH                                                                               \
    8 // iterations that a factorisation costs (from 2 of tiny to 20 of sparse ones)
#define REDUCED_WORTH 20 // ... and of a reduced system, whose tangent is dense
#define SPENDS 0.01      // of the tolerance left, for one step
#define SAVED 0.05       // of the tolerance, at the start of a run
#define OFF_GRID 1e-6    // of a fixed step
#define FIRST_PART                                                                                 \
    0.03125 // of one that has no solution where the motion starts: what is fast begins there
#define STEP_SHRINKS 0.8 // least change when the step has to shrink

/* Exchange the arrays of two states: the new start of a step without copying. */
static void swap_states(gos_state *x, gos_state *y) {
    const gos_state z = *x;
    *x = *y;
    *y = z;
}

/* where the next step may end: the next switching time, narrow part of a function, or t_end */
static double next_stop(gos_integrator *g, double t_end) {
    while (g->ibreak < g->nbreaks && g->breaks[g->ibreak] <= g->x0->t * (1 + 1e-14)) {
        g->ibreak++;
    }
    const double stop = g->ibreak < g->nbreaks ? fmin(t_end, g->breaks[g->ibreak]) : t_end;
    return g->narrow.n > 0 ? gos__narrow_stop(&g->narrow, g->x0->t, stop) : stop;
}

/* h with 16 bits: the ends of steps are then exact numbers, and drives, whose places are differentiated
   twice, do not see the rounding of the time */
static double rounded(double h) {
    int exponent;
    const double part = frexp(h, &exponent);
    return ldexp(floor(ldexp(part, 16)), exponent - 16);
}

/* step to take next, never leaving a sliver before the stop */
static double choose_step(const gos_integrator *g, double stop) {
    const double left = stop - g->x0->t;
    double h = g->x0->h_next;
    if (g->opt.step > 0) { // to the next point of the fixed grid
        const double n = floor((g->x0->t - g->t_start) / g->opt.step * (1 + 1e-12) + 1e-9) + 1;
        const double grid = g->t_start + n * g->opt.step - g->x0->t;
        h = h < (1 - OFF_GRID) * fmin(grid, g->opt.step)
                ? fmin(h, 0.5 * grid)
                : grid; // does not drift off it by rounding
    }
    if (g->narrow.n > 0) {
        const double most = gos__narrow_step(&g->narrow, g->x0->t, h);
        h = most < h ? rounded(most) : h;
    }
    if (h >=
        left * (1 - 1e-6)) { // a step of the size of round-off would leave no digit in the rates
        return left;
    }
    return g->opt.step > 0 || h <= 0.5 * left ? h : rounded(fmin(h, 0.5001 * left));
}

/* between the points that fixed steps lead to */
static bool off_grid(const gos_integrator *g, double t) {
    const double n = (t - g->t_start) / g->opt.step;
    return fabs(n - round(n)) > OFF_GRID;
}

/* Fixed steps may be taken in parts from where the motion starts, or starts anew at a switch or an event, to
   the next point of the grid: what begins there may be much faster than the step. */
static bool starting(const gos_integrator *g) {
    return !(g->x0->h > 0) || off_grid(g, g->x0->t);
}

static void adapt(gos_integrator *g, double h, double error, bool cut) {
    gos_state *x = g->x;
    if (g->opt.step > 0) {
        const bool parts = (cut || x->h_next < (1 - OFF_GRID) * g->opt.step) && off_grid(g, x->t);
        x->h_next = parts ? fmin(2 * h, g->opt.step) : g->opt.step;
        return;
    }
    const double best = error > 1 ? 1 : 0.85 / sqrt(fmax(error, 1e-8));
    /* a changed step costs a factorisation: change it seldom, and then by enough. Rigid mechanisms settle
       for two steps before the next change. */
    const bool settled = x->same >= 2 || g->sys->npoints > 0;
    const double factor = best < 1                       ? fmin(best, STEP_SHRINKS)
                          : best > STEP_GROWS && settled ? fmin(best, 2)
                                                         : 1;
    x->same = factor == 1 ? x->same + 1 : 0;
    x->h_next = rounded(fmin(h * factor, g->opt.max_step));
}

/* What Newton may leave behind in one step: its error enters the velocity as error / h and acts for the
   rest of the run, so it must fall with (h / span)^2 to stay below the tolerance of the run; a fixed
   step has no tolerance of its own and gets 1e-7 of the extent. */
static double newton_allowed(const gos_integrator *g, double h, double span) {
    const double part = h / span;
    const double allowed = g->opt.step > 0 ? 1e-7 * part : 10 * g->opt.tolerance * part * part;
    return g->opt.newton_tolerance * allowed;
}

/* Start anew at g->x, which stands at a switching time: positions and velocities that fit the joints, and
   accelerations that fit both. Where heat alone switches, or with fixed steps forces too, the motion goes on: started anew, stiff
   modes would answer to what Newton has left open. */
static gos_status restart(gos_integrator *g) {
    const double span = g->opt.end - g->t_start, t = g->x->t + 1e-12 * span;
    bool jumps = true;
    double unused;
    if (g->at_break == GOS_AT_SWITCH && g->x->h > 0) {
        GOS_TRY(gos__alpha_jumps(g, g->x->t - 1e-12 * span, t, newton_allowed(g, g->x->h, span),
                                 &jumps));
    }
    if (jumps) {
        GOS_TRY(gos__consistent_position(g->ctx, g->w, g->x, t));
        GOS_TRY(gos__consistent_velocity(g->ctx, g->w, g->x, t, &unused));
        GOS_TRY(gos__alpha_start(g, t));
    } else {
        GOS_TRY(gos__alpha_go_on(g, t));
    }
    g->stats.restarts++;
    g->x->h_next =
        g->opt.step > 0 ? g->opt.step : rounded(fmin(gos__alpha_first_step(g), g->x->h_next));
    return GOS_OK;
}

/* A factorisation has had its day when the iterations that a new one would have saved are worth it. */
static bool outlived(gos_state *x, bool made) {
    x->fresh = made ? x->iterations : x->fresh;
    x->excess = made ? 0 : x->excess + fmax(0, x->iterations - x->fresh);
    return x->excess > (x->sys->reduced ? REDUCED_WORTH : FACTOR_WORTH);
}

/* May a step make this error (relative to its share of the tolerance)? Where a derivative jumps the error
   falls with the square of the step only, and its share with the step: a step that has been shortened
   for it may spend some of what the steps before have left. part: of the run. */
static bool accurate(gos_state *x, double error, double part, int inaccurate) {
    const bool spends = inaccurate > 0 && (error - 1) * part <= SPENDS * x->saved;
    x->saved += (1 - error) * part;
    return error <= 1 || spends;
}

static gos_status step(gos_integrator *g, double t_end) {
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the present %g s",
                         t_end, g->x->t);
    }
    const double began = gos__now();
    const bool fixed = g->opt.step > 0;
    const double span = g->opt.end - g->t_start;
    const double allowed_rate = g->opt.tolerance / span;
    if (g->at_break) {
        GOS_TRY(restart(g));
        g->at_break = 0;
    }
    swap_states(g->x0, g->x);
    g->is_kept = false;
    const double stop = next_stop(g, t_end);
    double h = choose_step(g, stop);
    const bool whole = fixed && !starting(g);
    const long factorisations = g->stats.factorisations, rejected = g->stats.rejected;
    for (int inaccurate = 0;;) {
        const bool last = h >= stop - g->x0->t;
        const double t1 = last ? stop : g->x0->t + h;
        const bool is_break = last && g->ibreak < g->nbreaks && stop == g->breaks[g->ibreak];
        // what holds before the switch: also where a function switches just when the run ends
        const bool ends = t1 >= g->opt.end && g->break_at_end;
        const double t_eval = is_break || ends ? t1 - 1e-12 * span : t1;
        const double tol = newton_allowed(g, h, span);
        gos_sums sums = {0};
        const gos_status status = gos__alpha_attempt(g, h, t1, t_eval, tol, whole, &sums);
        if (status < 0) {
            gos_state_copy(g->x, g->x0);
            return status;
        }
        const double error = status == GOS_OK && !fixed ? gos__alpha_error(g, h, allowed_rate) : 0;
        if (status == GOS_OK && (fixed || accurate(g->x, error, h / span, inaccurate))) {
            gos__alpha_accept(g, h, &sums);
            if (g->told) {
                gos__told_step(g, h);
            }
            adapt(g, h, error, g->stats.rejected > rejected);
            const gos_point_of end = gos__state_point(g->x, t_eval);
            g->at_break = gos__accept(g->w, &end, g->x->mem) ? GOS_AT_EVENT
                          : is_break                         ? GOS_AT_SWITCH
                                                             : 0;
            g->stale = outlived(g->x, g->stats.factorisations > factorisations);
            gos__frames_watch(g->ctx, g->sys, g->x);
            break;
        }
        g->stats.rejected++;
        if (whole) {
            return gos__alpha_not_kept(g, h, t_eval);
        }
        const double part = fixed && h > 0.5 * g->opt.step ? FIRST_PART : 0.25;
        h = rounded(h * (status == GOS_OK ? fmax(0.2, 0.85 / sqrt(error)) : part));
        inaccurate += status == GOS_OK;
        if (!(h > g->opt.min_step)) {
            return gos__alpha_give_up(g, h, t_eval);
        }
    }
    g->stats.steps++;
    gos__watch_step(g);
    g->stats.time_total += gos__now() - began;
    return GOS_OK;
}

gos_status gos_integrator_step(gos_integrator *g, double t_end) {
    GOS_TRY(gos__pace_check(&g->pace, g->ctx, &g->opt, g->t_start, g->x));
    GOS_TRY(g->stepper ? g->stepper->step(g->other, t_end) : step(g, t_end));
    gos__pace_note(&g->pace, g->x->t);
    return GOS_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------- */

static int compare_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gos_status collect_breaks(gos_integrator *g) {
    g->breaks = gos__alloc(g->ctx, GOS_LIMIT_SWITCHES, sizeof *g->breaks);
    if (!g->breaks) {
        return GOS_E_MEMORY;
    }
    const double span = g->opt.end - g->t_start, near_end = 1e-9 * span;
    int at_end = 0; // what switches right at the end
    for (int i = 0; i < g->sys->nfn && at_end == 0; i++) {
        GOS_TRY(gos__timefn_breaks(g->ctx, g->sys->fn[i], g->opt.end - near_end,
                                   g->opt.end + near_end, g->breaks, &at_end, GOS_LIMIT_SWITCHES));
    }
    g->break_at_end = at_end > 0;
    for (int i = 0; i < g->sys->nfn; i++) {
        GOS_TRY(gos__timefn_breaks(g->ctx, g->sys->fn[i], g->t_start, g->opt.end, g->breaks,
                                   &g->nbreaks, GOS_LIMIT_SWITCHES));
    }
    qsort(g->breaks, (size_t)g->nbreaks, sizeof *g->breaks, compare_double);
    const double last = g->opt.end - 1e-12 * span;
    int n = 0;
    for (int i = 0; i < g->nbreaks && g->breaks[i] < last; i++) { // one of those that coincide
        if (n == 0 || g->breaks[i] - g->breaks[n - 1] > 1e-11 * span) {
            g->breaks[n++] = g->breaks[i];
        }
    }
    g->nbreaks = n;
    return gos__narrow_find(g->ctx, g->sys, g->t_start, g->opt.end, g->breaks, n, g->opt.max_step,
                            g->opt.step, &g->narrow);
}

static gos_status check_options(gos_ctx *ctx, const gos_options *o, double t) {
    if (!(o->end > t) || !(o->step >= 0) || !(o->rho_infinity >= 0 && o->rho_infinity <= 1) ||
        !(o->tolerance > 0) || !(o->newton_tolerance > 0) || !(o->max_iterations > 0)) {
        return gos__fail(ctx, GOS_E_USE,
                         "options of the integration are out of range: end %g s, step %g s, "
                         "rho_infinity %g, tolerance %g",
                         o->end, o->step, o->rho_infinity, o->tolerance);
    }
    return GOS_OK;
}

/* joints that move on curves, rigid bodies */
static bool has_curved_constraints(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0 && !s->item[i]->linear) {
            return true;
        }
    }
    return false;
}

/* A dense Newton matrix is factorised in two blocks, heat before motion: what the motion of one
   iteration does to the heat is small and left to the next iteration. */
static gos_status make_pattern(gos_integrator *g) {
    const gos_system *s = g->sys;
    g->pattern = s->pattern;
    if (!s->pattern.dense || s->nt == 0) {
        return GOS_OK;
    }
    g->group = gos__zalloc(g->ctx, (size_t)s->n, sizeof *g->group);
    if (!g->group) {
        return GOS_E_MEMORY;
    }
    memset(g->group + s->nq, 1, (size_t)s->nt);
    memset(g->group + s->nq + s->nt + s->nc, 1, (size_t)s->nh);
    g->pattern.group = g->group;
    return GOS_OK;
}

static gos_status allocate(gos_integrator *g) {
    const gos_system *s = g->sys;
    const size_t nplace = gos__history_point(s);
    GOS_TRY(gos_state_create(g->ctx, s, &g->x0));
    GOS_TRY(gos_state_create(g->ctx, s, &g->at));
    GOS_TRY(gos__work_create(g->ctx, s, &g->w));
    g->r = gos__zalloc(g->ctx, (size_t)s->n + 1, sizeof *g->r);
    g->mv = gos__zalloc(g->ctx, (size_t)(s->nq + s->nt) + 1, sizeof *g->mv);
    g->normal = gos__zalloc(g->ctx, 5 * (size_t)s->nc + 1, sizeof *g->normal);
    g->kept = gos__zalloc(g->ctx, 3 * (size_t)s->nq + (size_t)s->nt + 1, sizeof *g->kept);
    g->made_at = gos__zalloc(g->ctx, nplace, sizeof *g->made_at);
    g->pivots_at = gos__zalloc(g->ctx, nplace, sizeof *g->pivots_at);
    g->steps = gos__zalloc(g->ctx, GOS_ALPHA_STEPS * (size_t)s->n + 1, sizeof *g->steps);
    g->steps_mass = gos__zalloc(g->ctx, GOS_ALPHA_STEPS * (size_t)s->nq + 1, sizeof *g->steps);
    if (!g->r || !g->mv || !g->steps || !g->steps_mass || !g->normal || !g->kept || !g->made_at ||
        !g->pivots_at) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(collect_breaks(g));
    GOS_TRY(make_pattern(g));
    GOS_TRY(gos__solver_create(g->ctx, &g->pattern, &g->solver));
    return gos__corotation_create(g->ctx, s, &g->turned);
}

static gos_status start(gos_integrator *g) {
    const gos_system *s = g->sys;
    if (g->opt.rho_infinity > 0.95 && has_curved_constraints(s)) {
        gos__warn(
            g->ctx, (gos_loc){0}, "analysis",
            "rho_infinity %g damps nothing, and with joints or rigid bodies that move on curves "
            "the multipliers may then grow without bound; take at most 0.9",
            g->opt.rho_infinity);
    }
    const double off = gos__temperature_fit(g->w, g->x->t, g->x->th);
    if (off > 1e-9) {
        gos__warn(g->ctx, (gos_loc){0}, "initial",
                  "initial temperatures did not fit the prescribed ones and were changed by up to "
                  "%.3g K there",
                  off);
    }
    double change = 0;
    GOS_TRY(gos__consistent_velocity(g->ctx, g->w, g->x, g->x->t, &change));
    if (change > 1e-6) {
        gos__warn(
            g->ctx, (gos_loc){0}, "initial",
            "initial velocities did not fit the joints and were changed by %.3g of their size",
            change);
    }
    GOS_TRY(gos__alpha_start(g, g->x->t));
    gos__alpha_range(g);
    g->x->h_next = g->opt.step > 0 ? g->opt.step
                   : g->opt.initial_step > 0
                       ? g->opt.initial_step
                       : rounded(fmin(gos__alpha_first_step(g), g->opt.max_step));
    g->x->saved = SAVED;
    gos_energy e;
    g->x->energy0 = 0;
    gos_system_energy(s, g->x, &e);
    g->x->energy0 = e.balance;
    return GOS_OK;
}

/* history: NULL to start anew */
static gos_status create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                         gos_state *state, const gos_history *history,
                         gos_integrator **integrator) {
    const double t_start = history ? history->t_start : state->t;
    GOS_TRY(check_options(ctx, options, t_start));
    gos_integrator *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    const double t0 = gos__now();
    g->ctx = ctx;
    g->sys = sys;
    g->opt = *options;
    g->k = gos__scheme_make(options->rho_infinity);
    g->x = state;
    g->t_start = t_start;
    g->pace = (gos_pace){.mark = t_start};
    g->T_range = options->temperature_range > 0 ? options->temperature_range : 1;
    const double span = options->end - t_start;
    g->opt.max_step = options->max_step > 0 ? options->max_step : 0.1 * span;
    g->opt.min_step = options->min_step > 0 ? options->min_step : 1e-10 * span;
    gos_status status = allocate(g);
    if (status == GOS_OK) {
        status = history ? gos__history_restore(g, history) : start(g);
    }
    if (status != GOS_OK) {
        gos_integrator_destroy(g);
        return status;
    }
    gos_state_copy(g->x0, g->x);
    if (!history) {
        gos__watch_begin(g);
        g->stats = (gos_statistics){0};
        g->w->time_residual = g->w->time_jacobian = 0;
        g->w->nresidual = g->w->njacobian = 0;
    }
    g->stats.time_setup += gos__now() - t0;
    *integrator = g;
    return GOS_OK;
}

/* a system with its own way to step */
static gos_status create_other(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                               gos_state *state, gos_integrator **integrator) {
    gos_integrator *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    g->ctx = ctx;
    g->sys = sys;
    g->opt = *options;
    g->x = state;
    g->t_start = state->t;
    g->pace = (gos_pace){.mark = state->t};
    g->stepper = sys->stepper;
    const gos_status status = g->stepper->create(ctx, sys, options, state, &g->other);
    if (status != GOS_OK) {
        gos__free(ctx, g);
        return status;
    }
    *integrator = g;
    return GOS_OK;
}

gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                 gos_state *state, gos_integrator **integrator) {
    if (sys->stepper) {
        return create_other(ctx, sys, options, state, integrator);
    }
    return create(ctx, sys, options, state, NULL, integrator);
}

gos_status gos__history_resume(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                               gos_state *state, const gos_history *history,
                               gos_integrator **integrator) {
    if (sys->stepper) {
        return gos__fail(ctx, GOS_E_USE, "a run by local linearisation cannot be resumed");
    }
    return create(ctx, sys, options, state, history, integrator);
}

void gos_integrator_destroy(gos_integrator *g) {
    if (g && g->stepper) {
        g->stepper->destroy(g->other);
        gos__free(g->ctx, g);
    } else if (g) {
        gos_state_destroy(g->x0);
        gos_state_destroy(g->at);
        gos__work_destroy(g->ctx, g->w);
        gos__solver_destroy(g->solver);
        gos__corotation_destroy(g->turned);
        gos__free(g->ctx, g->r);
        gos__free(g->ctx, g->mv);
        gos__free(g->ctx, g->normal);
        gos__free(g->ctx, g->kept);
        gos__free(g->ctx, g->steps);
        gos__free(g->ctx, g->steps_mass);
        gos__free(g->ctx, g->made_at);
        gos__free(g->ctx, g->pivots_at);
        gos__free(g->ctx, g->breaks);
        gos__narrow_free(g->ctx, &g->narrow);
        gos__told_destroy(g->told);
        gos__free(g->ctx, g->group);
        gos__free(g->ctx, g);
    }
}

void gos_integrator_statistics(const gos_integrator *g, gos_statistics *stats) {
    if (g->stepper) {
        g->stepper->statistics(g->other, stats);
        return;
    }
    *stats = g->stats;
    stats->residuals = g->w->nresidual;
    stats->time_residual = g->w->time_residual;
    stats->time_jacobian = g->w->time_jacobian;
}

/* ---- inside the last step -------------------------------------------------------------------------------------- */

/* cubic Hermite values and, where rate is not NULL, derivatives */
static void hermite(int n, double h, double s, const double *y0, const double *d0, const double *y1,
                    const double *d1, double *y, double *rate) {
    const double s2 = s * s, s3 = s2 * s;
    const double a = 1 - 3 * s2 + 2 * s3, b = h * (s - 2 * s2 + s3), c = 3 * s2 - 2 * s3;
    const double d = h * (s3 - s2), da = (6 * s2 - 6 * s) / h, db = 1 - 4 * s + 3 * s2;
    const double dd = 3 * s2 - 2 * s;
    for (int i = 0; i < n; i++) {
        y[i] = a * y0[i] + b * d0[i] + c * y1[i] + d * d1[i];
        if (rate) {
            rate[i] = da * (y0[i] - y1[i]) + db * d0[i] + dd * d1[i];
        }
    }
}

static void linear(int n, double s, const double *y0, const double *y1, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = (1 - s) * y0[i] + s * y1[i];
    }
}

const gos_state *gos_integrator_at(gos_integrator *g, double t) {
    if (g->stepper) {
        return g->stepper->at(g->other, t);
    }
    const gos_state *a = g->x0, *b = g->x;
    const gos_system *s = g->sys;
    const double h = b->t - a->t;
    if (t >= b->t || !(h > 0)) {
        gos_state_copy(g->at, b);
    } else {
        const double f = fmax(0, (t - a->t) / h);
        gos_state *y = g->at;
        gos_state_copy(y, b);
        y->t = a->t + f * h;
        hermite(s->nq, h, f, a->q, a->v, b->q, b->v, y->q, NULL);
        hermite(s->nq, h, f, a->v, a->a, b->v, b->a, y->v, NULL);
        linear(s->nq, f, a->a, b->a, y->a);
        hermite(s->nt, h, f, a->th, a->thd, b->th, b->thd, y->th, y->thd);
        linear(s->nc, f, a->lam, b->lam, y->lam);
        linear(s->nh, f, a->lamT, b->lamT, y->lamT);
        memcpy(y->mem, a->mem, s->nmem * sizeof *y->mem); // what the step was made with
        struct {
            const double *y0, *d0, *y1, *d1;
            double *y;
        } sums[] = {
            {&a->energy.dissipated, &a->power_diss, &b->energy.dissipated, &b->power_diss,
             &y->energy.dissipated},
            {&a->energy.work, &a->power_work, &b->energy.work, &b->power_work, &y->energy.work},
            {&a->energy.thermal_work, &a->power_thermal, &b->energy.thermal_work, &b->power_thermal,
             &y->energy.thermal_work}};
        for (int i = 0; i < GOS_COUNT(sums); i++) {
            hermite(1, h, f, sums[i].y0, sums[i].d0, sums[i].y1, sums[i].d1, sums[i].y, NULL);
        }
        linear(1, f, &a->heat_supplied, &b->heat_supplied, &y->heat_supplied);
        linear(1, f, &a->heat_constrained, &b->heat_constrained, &y->heat_constrained);
        double stored = 0;
        for (int i = 0; i < s->nt; i++) {
            stored += s->hw[i] * (y->th[i] - b->th[i]);
        }
        y->heat_stored = b->heat_stored + stored;
    }
    /* the strain energy is a function of the state */
    gos_sums sums;
    const gos_point_of x = gos__state_point(g->at, g->at->t);
    const gos_residual out = {.q = g->r,
                              .th = g->r + s->nq,
                              .c = g->r + s->nq + s->nt,
                              .h = g->r + s->nq + s->nt + s->nc};
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    if (gos__residual(g->w, &x, &out, &sums) == GOS_OK) {
        g->at->energy.strain = sums.strain;
    }
    g->w->nresidual = n; // output is not solving
    g->w->time_residual = time;
    return g->at;
}
