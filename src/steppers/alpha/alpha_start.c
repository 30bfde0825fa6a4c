/* Where integration starts, or starts anew after a switch: consistent accelerations, and their
   derivatives, which predict the first step and choose its size.

   Stiff modes of a fine mesh answer a sudden load with derivatives that are true for nanoseconds
   only: Kelvin-Voigt damping alone makes them grow with the fourth power of the mesh. A step that
   will not resolve them must not be predicted by them. So where they dominate, the derivative j is
   filtered by one implicit step h, (M + c_d D + c_k K) j_h = M j with the constraints, where h is
   the largest step that its own filtered derivative allows. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "system/assemble.h"

#define STIFF 10 // a first step that filtering makes this much longer is worth it
#define SPOILT                                                                                     \
    1e4 // fixed steps keep derivatives as they are, which second order asks for, up to here
#define CARRIED 100 // ... and accelerations at the start of a run, which carry further
#define PASSES 12
#define MOVES 0.01 // of the extent, in a first step
#define LOST 2     // of the error of resolved modes, by filtering (step_error.c)
#define SEEN 10    // times rounding, that a first step may spend

static void set_jerk(const gos_state *now, const gos_state *then, double dt, gos_state *x) {
    const gos_system *s = x->sys;
    for (int i = 0; i < s->nq; i++) {
        x->jerk[i] = (then->a[i] - now->a[i]) / dt;
    }
    for (int i = 0; i < s->nt; i++) {
        if (s->steady_heat) { // in balance now and then
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

/* step that derivatives of these sizes allow */
static double step_of(gos_alpha *g, double jerk, double heat) {
    const gos_system *s = g->sys;
    double allowed = g->opt.tolerance / (g->opt.end - g->t_start);
    if (s->nc >= s->nq) { // all that moves is driven
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

/* size of the second derivatives of temperatures, or (states) of what is no temperature: momenta of
 * wheels, states of controllers */
static double curvature(gos_alpha *g, bool states) {
    const gos_system *s = g->sys;
    double *heat = g->r + s->at.th;
    for (int i = 0; i < s->nt; i++) {
        heat[i] = (gos__single_part(s, i) > 0) == states ? g->x->thdd[i] : 0;
    }
    return gos__heat_norm(g, heat);
}

/* Where a body is let go its derivatives of odd order vanish: what it moves counts too. The error
   of states comes of their third derivative, which is not known: a step in which the second makes
   no more than the whole tolerance is tried, and found too long where they change faster still.
   What the second would allow alone is so short for small tolerances that rounding of positions
   makes accelerations of any size in it; temperatures, whose changes strain stiff bodies, begin so
   all the same. */
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

/* g->r := motion (nq) and heat (nt) filtered with the matrix of the last factorisation; the rates
   of constraints remain those of the motion */
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

/* g->r := motion (nq) and heat (nt) filtered by a step h from g->x */
static gos_status filter(gos_alpha *g, double t, double h, const double *motion,
                         const double *heat) {
    const gos_point_of at = gos__state_point(g->x, t);
    gos__newton_solver_repivot(g->solver); // the last one may be far from it
    GOS_TRY(gos__alpha_factor(g, &at, h));
    apply_filter(g, t, motion, heat);
    return GOS_OK;
}

/* the jump of the accelerations since `before` (nq; NULL: all new) filtered too: of the errors that
   Newton's iteration left in the positions stiff modes make large accelerations */
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

/* Fixed steps: the filtered derivatives of motion, and of heat, take the place of those that are
   spoilt; each by itself, as sudden heat is slow beside what it does to stiff modes. */
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

/* Fixed steps at the start of a run: a body that is suddenly warm, or let go under load, has
   accelerations of modes that no step resolves, which would carry it away by (w h)^2 times what it
   is to be moved. The filtered ones, with the rates of constraints, are as good for what the step
   resolves. */
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

/* g->unresolved := h, if vibration that the filter of a step h leaves out is below the tolerance
   as step_error.c measures it, and heat allows h. The filtered derivatives are in g->r. */
static void leave_unresolved(gos_alpha *g, double h, double jerk) {
    const double filtered = gos__motion_norm(g, g->r),
                 heat = gos__heat_norm(g, g->r + g->sys->at.th);
    const double error = g->k.error * h * h * h * sqrt(LOST * jerk * filtered);
    if (gos__elastic(g->sys) && error <= g->opt.tolerance && step_of(g, 0, heat) >= h) {
        g->unresolved = fmax(g->unresolved, h);
    }
}

/* from the longest step down to the first that its own filtered derivatives allow */
static gos_status smooth(gos_alpha *g, double t, double *before) {
    const gos_system *s = g->sys;
    const double jerk = gos__motion_norm(g, g->x->jerk);
    const double plain = step_of(g, jerk, gos__heat_norm(g, g->x->thdd));
    double h = longest(g), allowed = 0;
    g->unresolved = 0;
    for (int pass = 0; pass < PASSES && h > STIFF * plain; pass++) {
        const gos_status status = filter(g, t, h, g->x->jerk, g->x->thdd);
        if (status == GOS_RETRY) { // unstable or singular at this size
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

/* Derivatives by a small explicit step, of first order: what the accelerations do to the positions
   in it is below their rounding, of which stiff bodies would make derivatives. */
gos_status gos__alpha_start(gos_alpha *g, double t) {
    gos_state *x = g->x, *then = g->at;
    double *before = x->h > 0 ? g->steps : NULL; // a restart; the iteration's memory is free now
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
    x->h = 0; // algorithmic accelerations follow when the step is known
    g->have_factor = false;
    gos__responses_forget(g->answers);
    gos__newton_solver_repivot(g->solver); // nothing of the time before is remembered
    gos__newton_solver_forget(g->own);
    return GOS_OK;
}

/* rows of the iteration's memory, free at restarts; gos__alpha_start uses the first */
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
