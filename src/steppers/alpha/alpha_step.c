/* Step loop of generalised-alpha: error control, switching times, retries. The error estimate is
 * the change of accelerations and temperature rates. `tolerance` is distributed over the run
 * (error per unit step) to control the global error. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/step_failure.h"
#include "steppers/alpha/generalised_alpha.h"

/* Start and restart of generalised-alpha: consistent accelerations and their derivatives, which
 * predict the first step and its size. */

#define STIFF 10 // lengthening of the first step that justifies the filter
// ... with fixed steps, which need unfiltered derivatives for second order
#define MIN_UNFILTERED_RATIO 1e4
#define CARRIED 100   // ... for accelerations at the start of a run, whose effect lasts longer
#define SHARPENINGS 3 // filters of the rates at the start of a run
#define MIN_UNRESOLVED_RATIO 5e3 // by which a filter reduces modes that no step resolves
#define PASSES 12
#define FIRST_MOTION 0.01 // largest motion in the first step, relative to the extent
#define FILTER_LOSS 2     // error of resolved modes by filtering (step_error.c), relative
#define RESOLVED 10       // multiple of rounding that a first step may use

static void set_jerk(const gos_state *now, const gos_state *then, double dt, gos_state *x) {
    const gos_system *s = x->sys;
    for (int i = 0; i < s->nq; i++) {
        x->jerk[i] = (then->a[i] - now->a[i]) / dt;
    }
    for (int i = 0; i < s->nt; i++) {
        if (s->steady_heat) {
            x->thd[i] = (then->th[i] - now->th[i]) / dt;
        }
        x->thdd[i] = s->steady_heat ? 0 : (then->thd[i] - now->thd[i]) / dt;
    }
    for (int i = 0; i < s->nc; i++) {
        x->lamd[i] = (then->lam[i] - now->lam[i]) / dt;
    }
}

static double longest(const gos_alpha *g) {
    return g->opt.step > 0 ? g->opt.step : 0.01 * (g->opt.end - g->t_start);
}

static double step_of(gos_alpha *g, double jerk, double heat) {
    const gos_system *s = g->sys;
    double allowed = g->opt.tolerance / (g->opt.end - g->t_start);
    if (s->nc >= s->nq) { // all motion is prescribed
        allowed = fmax(allowed, gos__alpha_across(g));
    }
    double h = HUGE_VAL;
    if (jerk > 0) {
        h = fmin(h, sqrt(allowed / (g->k.error * jerk)));
    }
    if (heat > 0) {
        h = fmin(h, allowed / heat);
    }
    return h;
}

/* Norm of the second derivatives of temperatures, or (states) of other first-order states, such as
 * controllers. */
static double curvature(gos_alpha *g, bool states) {
    const gos_system *s = g->sys;
    double *heat = g->r + s->at.th;
    for (int i = 0; i < s->nt; i++) {
        heat[i] = (gos__single_part(s, i) > 0) == states ? g->x->thdd[i] : 0;
    }
    return gos__heat_norm(g, heat);
}

/* First step under error control. The distance moved is limited too, since odd derivatives vanish
 * after release from rest. For first-order states the second derivative may contribute the whole
 * tolerance: a stricter limit makes steps so short that rounding spoils the accelerations.
 * Temperatures are limited more strictly, since they strain stiff bodies. */
double gos__alpha_first_step(gos_alpha *g) {
    const double v = gos__motion_norm(g, g->x->v), a = gos__motion_norm(g, g->x->a);
    const double moved =
        2 * FIRST_MOTION / (v + sqrt(v * v + 2 * FIRST_MOTION * a)); // v h + a h^2/2 = FIRST_MOTION
    const double heats = curvature(g, false), states = curvature(g, true);
    const double longest_of_states = states > 0 ? sqrt(2 * g->opt.tolerance / states) : HUGE_VAL;
    double h = step_of(g, gos__motion_norm(g, g->x->jerk), heats);
    const double span = g->opt.end - g->t_start;
    const double resolved = RESOLVED * GOS_ALPHA_ROUNDING * span / g->opt.tolerance;
    h = fmax(h, fmin(resolved, g->unresolved));
    return fmin(fmin(longest(g), moved), fmin(h, longest_of_states));
}

/* g->r := motion (nq) and heat (nt) filtered with the last factors; constraint rates are kept. */
static void apply_filter(gos_alpha *g, double t, const double *motion, const double *heat) {
    const gos_system *s = g->sys;
    double *r = g->r;
    gos__inertia_apply(g->w, g->x->q, motion, r);
    gos__storage_apply(s, heat, r + s->at.th);
    memset(r + s->at.lamT, 0, s->nh * sizeof *r);
    const gos_point_of at = gos__state_point(g->x, t);
    gos__constraint_apply(g->w, &at, motion, r + s->at.lam);
    gos__newton_solver_solve(g->solver, r);
}

/* ... filtered by a step h from g->x. */
static gos_status filter(gos_alpha *g, double t, double h, const double *motion,
                         const double *heat) {
    const gos_point_of at = gos__state_point(g->x, t);
    gos__newton_solver_repivot(g->solver); // pivots of the last matrix may be unsuitable
    GOS_TRY(gos__alpha_factor(g, &at, h));
    apply_filter(g, t, motion, heat);
    return GOS_OK;
}

/* Also filters the jump of accelerations since `before` (nq; NULL: no filter), because stiff modes
 * amplify Newton errors of positions. */
static void smooth_jump(gos_alpha *g, double t, double *before) {
    gos_state *x = g->x;
    const int nq = g->sys->nq;
    if (!before) {
        return;
    }
    for (int i = 0; i < nq; i++) {
        x->a[i] -= before[i];
    }
    apply_filter(g, t, x->a, x->thd); // the heat part is not used
    for (int i = 0; i < nq; i++) {
        x->a[i] = before[i] + g->r[i];
    }
}

/* Fixed steps: filters spoilt derivatives of motion and heat, separately, since sudden heat is
 * slow compared with its effect on stiff modes. */
static void smooth_fixed(gos_alpha *g, double t, double *before) {
    const gos_system *s = g->sys;
    const double *heat = g->r + s->at.th;
    const double motion_plain = step_of(g, gos__motion_norm(g, g->x->jerk), 0);
    const double motion = step_of(g, gos__motion_norm(g, g->r), 0);
    const double heat_plain = step_of(g, 0, gos__heat_norm(g, g->x->thdd));
    if (heat_plain < HUGE_VAL &&
        heat_plain * sqrt(MIN_UNFILTERED_RATIO) <= step_of(g, 0, gos__heat_norm(g, heat))) {
        memcpy(g->x->thdd, heat, s->nt * sizeof *heat);
    }
    if (motion_plain < HUGE_VAL && motion_plain * sqrt(MIN_UNFILTERED_RATIO) <= motion) {
        memcpy(g->x->jerk, g->r, s->nq * sizeof *g->r);
        smooth_jump(g, t, before);
    }
}

/* Does damping stop the motion x (nq) within a fixed step? Overwrites the Newton matrix. */
static bool decays(gos_alpha *g, double t, const double *x) {
    const gos_system *s = g->sys;
    const gos_pattern *p = &s->pattern;
    const gos_point_of at = gos__state_point(g->x, t);
    gos__jacobian(g->w, &at, &(gos_newton_factors){.d = 1});
    double power = 0, inertia = 0;
    for (int col = 0; col < s->nq; col++) {
        const size_t stride = p->n;
        const size_t from = p->dense ? (size_t)col * stride : (size_t)p->p[col];
        const size_t to = p->dense ? from + stride : (size_t)p->p[col + 1];
        for (size_t e = from; e < to; e++) {
            const int row = p->dense ? (int)(e - from) : p->i[e];
            power += row < s->nq ? x[row] * g->w->values[e] * x[col] : 0;
        }
    }
    gos__inertia_apply(g->w, g->x->q, x, g->r);
    for (int i = 0; i < s->nq; i++) {
        inertia += x[i] * g->r[i];
    }
    return power * g->opt.step > inertia;
}

/* Omits from motion (nq) the part that all SHARPENINGS filters with the last factors remove, if its
 * modes are far from being resolved and decay within the step: of resolved modes it is of order
 * (w h)^(2 SHARPENINGS). Rates of constraints are kept. */
static void sharpen(gos_alpha *g, double t, double *motion) {
    const int nq = g->sys->nq;
    double *rest = g->steps; // the Broyden storage is free at the start of a run
    memcpy(rest, motion, nq * sizeof *rest);
    for (int pass = 0; pass < SHARPENINGS; pass++) {
        apply_filter(g, t, rest, g->x->thd); // the heat part is not used
        for (int i = 0; i < nq; i++) {
            rest[i] -= g->r[i];
        }
    }
    apply_filter(g, t, rest, g->x->thd);
    const bool far = gos__motion_norm(g, g->r) * MIN_UNRESOLVED_RATIO < gos__motion_norm(g, rest);
    if (far && decays(g, t, rest)) {
        for (int i = 0; i < nq; i++) {
            motion[i] -= rest[i];
        }
    }
}

/* Fixed steps at the start of a run: a sudden load excites unresolved modes. The first step would
 * integrate their accelerations to velocities that overshoot by (w h)^2, and that viscous damping
 * turns into energy which no load supplied. */
static gos_status smooth_first(gos_alpha *g, double t) {
    gos_state *x = g->x;
    const gos_status status = filter(g, t, longest(g), x->a, x->thd);
    if (status == GOS_RETRY) {
        return GOS_OK;
    }
    GOS_TRY(status);
    if (gos__motion_norm(g, x->a) > CARRIED * gos__motion_norm(g, g->r)) {
        memcpy(x->a, g->r, g->sys->nq * sizeof *x->a);
    } else {
        sharpen(g, t, x->a);
    }
    sharpen(g, t, x->jerk);
    return GOS_OK;
}

/* g->unresolved := h if the vibration removed by the filter of a step h is below the tolerance
   as step_error.c measures it, and heat allows h. The filtered derivatives are in g->r. */
static void leave_unresolved(gos_alpha *g, double h, double jerk) {
    const double filtered = gos__motion_norm(g, g->r),
                 heat = gos__heat_norm(g, g->r + g->sys->at.th);
    const double error = g->k.error * h * h * h * sqrt(FILTER_LOSS * jerk * filtered);
    if (gos__elastic(g->sys) && error <= g->opt.tolerance && step_of(g, 0, heat) >= h) {
        g->unresolved = fmax(g->unresolved, h);
    }
}

/* Search from the longest step down to the first one allowed by its own filtered derivatives. */
static gos_status smooth(gos_alpha *g, double t, double *before) {
    const gos_system *s = g->sys;
    const double jerk = gos__motion_norm(g, g->x->jerk);
    const double plain = step_of(g, jerk, gos__heat_norm(g, g->x->thdd));
    double h = longest(g), allowed = 0;
    g->unresolved = 0;
    for (int pass = 0; pass < PASSES && h > STIFF * plain; pass++) {
        const gos_status status = filter(g, t, h, g->x->jerk, g->x->thdd);
        if (status == GOS_RETRY) { // unstable or singular for this step
            h *= 0.25;
            continue;
        }
        GOS_TRY(status);
        allowed = step_of(g, gos__motion_norm(g, g->r), gos__heat_norm(g, g->r + s->at.th));
        if (g->opt.step > 0) {
            smooth_fixed(g, t, before);
            return GOS_OK;
        }
        if (allowed >= 0.5 * h) {
            memcpy(g->x->jerk, g->r, s->nq * sizeof *g->r);
            memcpy(g->x->thdd, g->r + s->at.th, s->nt * sizeof *g->r);
            smooth_jump(g, t, before);
            return GOS_OK;
        }
        leave_unresolved(g, h, jerk);
        h = fmin(0.5 * h, 2 * allowed);
    }
    return GOS_OK;
}

/* Derivatives from a small explicit step, of first order: the effect of accelerations on positions
 * would be below rounding. */
gos_status gos__alpha_start(gos_alpha *g, double t) {
    gos_state *x = g->x, *then = g->at;
    double *before = x->h > 0 ? g->steps : NULL; // a restart; the Broyden storage is free
    if (before) {
        memcpy(before, x->a, x->sys->nq * sizeof *before);
    }
    GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    const double dt = 1e-7 * (g->opt.end - g->t_start);
    gos_state_copy(then, x);
    for (int i = 0; i < x->sys->nq; i++) {
        then->q[i] += dt * x->v[i];
        then->v[i] += dt * x->a[i];
    }
    for (int i = 0; i < x->sys->nt; i++) {
        then->th[i] += dt * x->thd[i];
    }
    GOS_TRY(gos__consistent(g->ctx, g->w, then, t + dt));
    set_jerk(x, then, dt, x);
    GOS_TRY(smooth(g, t, before));
    if (g->opt.step > 0 && !before && x->sys->nq > 0) {
        GOS_TRY(smooth_first(g, t));
    }
    x->h = 0; // set_algorithmic follows when the step is known
    g->have_factor = false;
    gos__responses_forget(g->answers);
    gos__newton_solver_repivot(g->solver); // make the start independent of the history
    gos__newton_solver_forget(g->own);
    return GOS_OK;
}

/* Row i of the Broyden storage, unused at restarts; gos__alpha_start uses the first. */
static double *row(const gos_alpha *g, long i) {
    return g->steps + i * g->sys->n;
}

gos_status gos__alpha_heat(gos_alpha *g, double t) {
    gos_state *x = g->x;
    const size_t nq = x->sys->nq, nc = x->sys->nc;
    memcpy(row(g, 1), x->a, nq * sizeof(double));
    memcpy(row(g, 2), x->jerk, nq * sizeof(double));
    memcpy(row(g, 3), x->lam, nc * sizeof(double));
    gos__newton_solver_forget(g->own);
    GOS_TRY(gos__alpha_start(g, t));
    memcpy(x->a, row(g, 1), nq * sizeof(double));
    memcpy(x->jerk, row(g, 2), nq * sizeof(double));
    memcpy(x->lam, row(g, 3), nc * sizeof(double));
    return GOS_OK;
}

#define STEP_GROWS 1.25 // smallest increase of the step worth a factorisation
// cost of a factorisation in iterations (2 for tiny to 20 for sparse matrices)
#define MIN_GROWTH 8
#define MIN_GROWTH_PARTS 5    // ... of one in parts
#define MIN_GROWTH_REDUCED 20 // ... and for a reduced system, with a dense tangent
#define SAVED_SHARE 0.01      // fraction of the saved tolerance for one step
#define OFF_GRID 1e-6         // relative to a fixed step
// first part of a divided fixed step at a start or restart, where fast transients begin
#define FIRST_PART 0.03125
#define SHORT_STEP 0.5   // of a fixed step: it may cross a steep ramp
#define DECAYED 0.75     // unresolved modes after equal steps and the growth of the next
#define MOST_SETTLING 8  // equal steps, for rho of about 1
#define STEP_SHRINKS 0.8 // largest factor when the step must shrink

double gos__alpha_rounded(double h) {
    int exponent;
    const double part = frexp(h, &exponent);
    return ldexp(floor(ldexp(part, 16)), exponent - 16);
}

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

/* Largest factor on the next step. Rigid mechanisms need two equal steps to settle. Modes far above
 * 1/h change by f rho^n in n equal steps and a longer one, and must decay. Starts with shunts need
 * steps so short that slower growth loses their digits. */
static double most_growth(const gos_alpha *g) {
    const double n = g->x->same + 1;
    if (!gos__elastic(g->sys)) {
        return n >= 3 ? 2 : 1;
    }
    const bool free = n >= MOST_SETTLING || gos__alpha_drives_states(g->sys);
    return free ? 2 : fmin(2, DECAYED / pow(g->opt.rho_infinity, n));
}

static void adapt(gos_alpha *g, double h, double error, bool cut) {
    gos_state *x = g->x;
    if (g->opt.step > 0) {
        const bool parts = (cut || x->h_next < (1 - OFF_GRID) * g->opt.step) && off_grid(g, x->t);
        x->h_next = parts ? fmin(2 * h, g->opt.step) : g->opt.step;
        return;
    }
    const double best = error > 1 ? 1 : 0.85 / sqrt(fmax(error, 1e-8));
    const double longer = fmin(best, most_growth(g)); // each change costs a factorisation
    const double factor = best < 1 ? fmin(best, STEP_SHRINKS) : longer > STEP_GROWS ? longer : 1;
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

/* Continues with changed accelerations after a jump or event, or restarts. Fixed steps restart
 * after a shorter step: on a steep ramp its slope is not that of the following step. */
static gos_status restart(gos_alpha *g, gos_stop_kind kind, double t_end) {
    const double span = g->opt.end - g->t_start, t = gos__breaks_right(&g->breaks, g->x->t);
    const double h = choose_step(g, g->x, gos__breaks_before(&g->breaks, g->x, t_end));
    bool anew = kind == GOS_STOP_EVENT || (g->opt.step > 0 && g->x->h < SHORT_STEP * h);
    double unused;
    if (kind == GOS_STOP_KINK && !anew) {
        return GOS_OK;
    }
    if (!anew && g->x->h > 0) {
        GOS_TRY(gos__alpha_discontinuity(g, h, kind == GOS_STOP_DRIVE,
                                         newton_allowed(g, g->x->h, span), g->opt.tolerance / span,
                                         &anew));
    }
    anew = anew || !(g->x->h > 0);
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
    const double worth = x->sys->reduced ? MIN_GROWTH_REDUCED
                         : whole         ? MIN_GROWTH
                                         : MIN_GROWTH_PARTS;
    x->fresh = made ? x->iterations : x->fresh;
    x->excess = made ? 0 : x->excess + fmax(0, x->iterations - x->fresh);
    return x->excess > worth;
}

/* Is this error, relative to its share of the tolerance, acceptable? At a jump of a derivative it
 * decreases only with h^2, its share with h, so a shortened step may use tolerance saved by
 * earlier ones. part: step relative to the run. */
static bool accurate(gos_state *x, double error, double part, int inaccurate) {
    const bool spends = inaccurate > 0 && (error - 1) * part <= SAVED_SHARE * x->saved;
    x->saved += (1 - error) * part;
    return error <= 1 || spends;
}

gos_status gos__alpha_begin(void *method, gos_stop_kind kind, double t_end) {
    gos_alpha *g = method;
    g->factors = g->stats.factorisations;
    g->is_kept = false;
    return kind >= GOS_STOP_KINK ? restart(g, kind, t_end) : GOS_OK;
}

gos_status gos__alpha_plan(void *method, gos_step *k) {
    gos_alpha *g = method;
    g->whole = g->opt.step > 0 && k->began <= GOS_STOP_KINK && !starting(g);
    k->h = choose_step(g, g->x0, k->stop);
    return GOS_OK;
}

gos_status gos__alpha_step(void *method, gos_step *k) {
    gos_alpha *g = method;
    const double tol = newton_allowed(g, k->h, g->opt.end - g->t_start);
    return gos__alpha_attempt(g, k->h, k->t, k->t_eval, tol, g->whole, &k->sums);
}

gos_status gos__alpha_step_error(void *method, gos_step *k) {
    gos_alpha *g = method;
    const double span = g->opt.end - g->t_start;
    if (!(g->opt.step > 0)) {
        k->error = gos__alpha_error(g, k->h, g->opt.tolerance / span);
        k->accurate = accurate(g->x, k->error, k->h / span, k->inaccurate);
    }
    return GOS_OK;
}

double gos__alpha_shorten(void *method, const gos_step *k, gos_status status) {
    const gos_alpha *g = method;
    const double step = g->opt.step;
    const double part = step > 0 && k->h > 0.5 * step     ? FIRST_PART
                        : !(step > 0) && g->limit.applies ? 0.5
                                                          : 0.25;
    const double f = status == GOS_OK ? fmax(0.2, 0.85 / sqrt(k->error)) : part;
    return g->whole ? 0 : gos__alpha_rounded(k->h * f);
}

gos_status gos__alpha_give_up(void *method, const gos_step *k, double h, gos_status status) {
    gos_alpha *g = method;
    const gos_point_of tried = gos__state_point(g->whole ? g->x0 : g->x, k->t_eval);
    GOS_UNUSED(status);
    return gos__step_failure(
        g->ctx, g->w,
        &(gos_attempt){g->t_start, g->x0->t, g->whole ? k->h : h, g->whole, &tried, g->r});
}

gos_status gos__alpha_complete_step(void *method, gos_step *k) {
    gos_alpha *g = method;
    gos__alpha_accept(g, k->h, &k->sums);
    if (g->probe_errors) {
        gos__error_propagation_step(g, k->h);
    }
    if (!gos__breaks_landed(&g->breaks)) {
        adapt(g, k->h, k->error, k->rejected);
    } else { // shortened by an event
        g->x->h_next = g->x0->h_next;
        g->x->same = g->x0->same;
    }
    const bool whole = gos__alpha_whole(g), failed = g->whole_left > 0 && !whole;
    g->stale = outlived(g->x, g->stats.factorisations > g->factors, whole) || failed;
    return GOS_OK;
}
