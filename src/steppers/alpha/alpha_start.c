/* Start and restart of generalised-alpha: consistent accelerations and their derivatives, which
 * predict the first step and its size. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "system/assemble.h"

#define STIFF 10 // lengthening of the first step that justifies the filter
// ... with fixed steps, which need unfiltered derivatives for second order
#define SPOILT 1e4
#define CARRIED 100 // ... for accelerations at the start of a run, whose effect lasts longer
#define PASSES 12
#define MOVES 0.01 // largest motion in the first step, relative to the extent
#define LOST 2     // error of resolved modes by filtering (step_error.c), relative
#define SEEN 10    // multiple of rounding that a first step may use

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
    const double moved = 2 * MOVES / (v + sqrt(v * v + 2 * MOVES * a)); // v h + a h^2/2 = MOVES
    const double heats = curvature(g, false), states = curvature(g, true);
    const double longest_of_states = states > 0 ? sqrt(2 * g->opt.tolerance / states) : HUGE_VAL;
    double h = step_of(g, gos__motion_norm(g, g->x->jerk), heats);
    const double span = g->opt.end - g->t_start;
    const double seen = SEEN * GOS_ALPHA_ROUNDING * span / g->opt.tolerance;
    h = fmax(h, fmin(seen, g->unresolved));
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
        heat_plain * sqrt(SPOILT) <= step_of(g, 0, gos__heat_norm(g, heat))) {
        memcpy(g->x->thdd, heat, s->nt * sizeof *heat);
    }
    if (motion_plain < HUGE_VAL && motion_plain * sqrt(SPOILT) <= motion) {
        memcpy(g->x->jerk, g->r, s->nq * sizeof *g->r);
        smooth_jump(g, t, before);
    }
}

/* Fixed steps at the start of a run: a sudden load excites unresolved modes, whose accelerations
 * would overshoot by (w h)^2. Filtered accelerations with exact constraint rates are as accurate
 * for resolved modes. */
static gos_status smooth_first(gos_alpha *g, double t) {
    gos_state *x = g->x;
    const gos_status status = filter(g, t, longest(g), x->a, x->thd);
    if (status == GOS_RETRY) {
        return GOS_OK;
    }
    GOS_TRY(status);
    if (gos__motion_norm(g, x->a) > CARRIED * gos__motion_norm(g, g->r)) {
        memcpy(x->a, g->r, g->sys->nq * sizeof *x->a);
    }
    return GOS_OK;
}

/* g->unresolved := h if the vibration removed by the filter of a step h is below the tolerance
   as step_error.c measures it, and heat allows h. The filtered derivatives are in g->r. */
static void leave_unresolved(gos_alpha *g, double h, double jerk) {
    const double filtered = gos__motion_norm(g, g->r),
                 heat = gos__heat_norm(g, g->r + g->sys->at.th);
    const double error = g->k.error * h * h * h * sqrt(LOST * jerk * filtered);
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
