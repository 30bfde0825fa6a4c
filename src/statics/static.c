/* Static equilibrium with steady temperatures, at a load factor (on gravity, loads and sources) or
   time. With spin, in rotating axes with centrifugal loads (turning.h). */
#include "statics/static.h"

#include <math.h>

#include "solve/consistent.h"
#include "solve/section_frames.h"
#include "solve/step_failure.h"
#include "statics/static_heat.h"
#include "system/constants.h"
#include "constraints/dropped_rows.h"
#include "signals/loops.h"
#include "math/vec3.h"

/* Statics in rotating axes (turning.h): start and final checks. */

// negligible acceleration of a free motion, relative to that of the rotation
#define MIN_ACCELERATION 1e-6
#define FORCE_ROUNDING 1e-14 // rounding, relative to the terms of a force

static gos_status static_begin_rotation(gos_statics *k, gos_state *state) {
    double spin[3], pivot[3];
    if (!gos__rotating_given(k->opt, spin, pivot)) {
        return GOS_OK;
    }
    GOS_TRY(gos__check_missing(k->ctx, k->sys, "rotating equilibria"));
    GOS_TRY(gos__rotating_create(k->ctx, k->sys, spin, pivot, &k->turning));
    GOS_TRY(gos__rotating_check(k->turning, k->w, state));
    const gos_point_of at = gos__static_point(k, state, NULL, 1);
    GOS_TRY(gos__rotating_find_free(k->turning, k->w, &at));
    k->v = gos__zalloc(k->ctx, (size_t)k->sys->nq + 1, sizeof *k->v);
    GOS_TRY(k->v ? GOS_OK : GOS_E_MEMORY);
    // rigid bodies get stiffness only from joint forces, so Newton needs initial values
    GOS_TRY(gos_state_copy(k->x, state));
    gos__rotating_rates(k->turning, 1, state->q, k->x->v);
    GOS_TRY(gos__consistent(k->ctx, k->w, k->x, state->t));
    memcpy(state->lam, k->x->lam, k->sys->nc * sizeof *state->lam);
    return GOS_OK;
}

/* rounding level of the force along u at q */
static double rounding(const gos_rotating *t, const double *u, const double *q) {
    double sum = 0;
    for (int j = 0; j < t->sys->nq; j++) {
        for (int e = t->A.p[j]; e < t->A.p[j + 1]; e++) {
            const int i = t->A.i[e];
            sum += i < t->sys->nq ? fabs(u[i] * t->A.x[e] * q[j]) : 0;
        }
    }
    return FORCE_ROUNDING * sum;
}

/* A load along a free motion would accelerate it: the border's multipliers, the last unknowns, are
   this acceleration. */
static gos_status check_pushes(const gos_statics *k) {
    const gos_rotating *t = k->turning;
    const gos_system *s = k->sys;
    const double rate2 = gos__dot3(t->spin, t->spin);
    for (long f = 0; f < t->nfree; f++) {
        const double *u = t->motion + f * (size_t)s->nq;
        const double *Mu = t->held + f * (size_t)s->nq;
        double mass = 0;
        for (int i = 0; i < s->nq; i++) {
            mass += u[i] * Mu[i];
        }
        const double push = fabs(mass * k->r[s->n + f]);
        const double allowed = MIN_ACCELERATION * rate2 * mass * (t->along[f] ? s->extent : 1);
        if (!(push <= allowed + rounding(t, u, k->x->q))) {
            return gos__fail(k->ctx, GOS_E_INPUT,
                             "no steady rotation: the system is free to move %s the axis, but is "
                             "loaded by %.4g %s in that direction; remove this load or add a joint",
                             t->along[f] ? "along" : "about", push, t->along[f] ? "N" : "N m");
        }
    }
    return GOS_OK;
}

static gos_status report_stability(const gos_statics *k) {
    int n = 0;
    const gos_status status = gos__rotating_count(k->turning, k->w, k->x->q, &n);
    if (status == GOS_OK && n > 0) {
        gos__warn(k->ctx, (gos_loc){0}, "steady rotation",
                  "its potential energy in rotating axes decreases in %d direction%s: it is "
                  "unstable, unless gyroscopic forces stabilise it (damping prevents this); check "
                  "with gossamer modes --damped and this spin",
                  n, n == 1 ? "" : "s");
    }
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

static gos_status static_end_rotation(gos_statics *k, gos_state *state) {
    const gos_rotating *t = k->turning;
    GOS_TRY(check_pushes(k));
    GOS_TRY(gos__rotating_check(t, k->w, state));
    GOS_TRY(report_stability(k));
    gos__rotating_rates(t, 1, state->q, state->v);
    for (int i = 0; i < k->sys->nv; i++) {
        gos__cross3(t->spin, state->v + 3 * i, state->a + 3 * i);
    }
    return GOS_OK;
}

#define MIN_LOAD_STEP 1e-6
// smallest step if the path can continue from end or turning points
#define MIN_LOAD_STEP_STABLE 1e-4

gos_status gos__static_refuse(gos_statics *k, gos_status status, double done) {
    char name[128], where[48];
    if (status == GOS_E_SINGULAR) {
        gos__name_unknown(k->sys, k->bad_column, name, sizeof name);
        if (k->turning && k->bad_column >= 0 && k->bad_column < k->sys->nq) {
            return gos__fail(k->ctx, GOS_E_SINGULAR,
                             "the stiffness in rotating axes is singular at %s: the rate is a "
                             "critical speed, or the body is not supported; use another rate, or "
                             "add joints or springs",
                             name);
        }
        if (k->bad_column >= 0 && k->bad_column < k->sys->nq) {
            return gos__fail(
                k->ctx, GOS_E_SINGULAR,
                "the stiffness is singular at %s: it is not fully supported and would move under "
                "load; add joints or springs, start from its equilibrium position (a pendulum: "
                "hanging), or run it dynamically with damping until it is at rest and linearise "
                "there (modes --at T); for plates use full quadrature",
                name);
        }
        return gos__fail(
            k->ctx, GOS_E_SINGULAR,
            "the stiffness is singular at %s: displacement or temperature is undetermined there; "
            "constrain it by joints (or prescribed temperatures), or run it dynamically",
            name);
    }
    const gos_point_of tried = gos__static_point(k, k->x, NULL, k->place);
    GOS_TRY(gos__nonfinite(k->ctx, k->w, &tried));
    if (k->mechanism && !k->timed) {
        return gos__fail(k->ctx, GOS_E_DIVERGED,
                         "no equilibrium found beyond %s: without load the model moves freely, and "
                         "all loads grow together, so no small motion leads there. Let the other "
                         "loads grow with time beside gravity (`end: 1`, a load as F*t), start "
                         "near the equilibrium, or run it dynamically with damping",
                         gos__static_position(k, done, where));
    }
    return gos__fail(k->ctx, GOS_E_DIVERGED,
                     "no equilibrium found beyond %s; the state is the last equilibrium. The load "
                     "may exceed a limit point: use more load_steps, `branch: stable` or "
                     "`arc_length: true`, or run it dynamically",
                     gos__static_position(k, done, where));
}

/* structurally singular matrix */
static gos_status refuse_pattern(gos_statics *k, const gos_state *state) {
    const gos_point_of at = gos__static_point(k, state, NULL, 1);
    gos__jacobian(k->w, &at, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    GOS_TRY(k->held_heat ? GOS_OK : gos__static_heat(k->ctx, k->w));
    return gos__static_refuse(k, GOS_E_SINGULAR, 0);
}

void gos__static_take(gos_statics *k, gos_state *state, double s, const gos_sums *sums) {
    const gos_point_of at = gos__static_point(k, k->x, k->v, s);
    k->x->energy.strain = sums->strain;
    k->x->t = at.t;
    k->x->load = at.scale;
    k->old.at_start = true;
    (void)gos__accept(k->w, &at, k->x->mem);
    gos__section_frames_check(k->ctx, k->sys, k->x);
    (void)gos_state_copy(state, k->x);
}

/* Stability data. Steady rotations are handled separately: gyroscopic forces may stabilise an
   energy maximum. */
static gos_status prepare_stability(gos_statics *k) {
    const size_t n = k->sys->n + 1L;
    if (k->turning || k->sys->nq == 0) {
        return GOS_OK;
    }
    k->scratch = gos__alloc(k->ctx, 5 * n, sizeof *k->scratch);
    GOS_TRY(k->scratch ? GOS_OK : GOS_E_MEMORY);
    k->push = k->scratch + 3 * n;
    k->step = k->scratch + 4 * n;
    GOS_TRY(gos__stability_create(k->ctx, k->sys, &k->st));
    k->curved = gos__constraints_curved(k->sys);
    return gos_state_create(k->ctx, k->sys, &k->last);
}

static gos_status prepare(gos_statics *k, gos_state *state) {
    GOS_TRY(gos__work_create(k->ctx, k->sys, &k->w));
    gos__work_hold(k->w, state);
    GOS_TRY(gos_state_create(k->ctx, k->sys, &k->x));
    k->r = gos__zalloc(k->ctx, (size_t)k->sys->n + GOS_TURNING_FREE + 1, sizeof *k->r);
    GOS_TRY(k->r ? GOS_OK : GOS_E_MEMORY);
    gos_status status = static_begin_rotation(k, state);
    if (status == GOS_OK && !k->turning) {
        status = gos__solver_create(k->ctx, &k->sys->pattern, &k->solver);
    }
    if (status == GOS_E_SINGULAR) {
        return refuse_pattern(k, state);
    }
    GOS_TRY(status);
    GOS_TRY(prepare_stability(k));
    GOS_TRY(gos__static_reuse(k));
    k->shortest =
        k->st && k->opt->branch == GOS_BRANCH_STABLE ? MIN_LOAD_STEP_STABLE : MIN_LOAD_STEP;
    return GOS_OK;
}

static void release(gos_statics *k) {
    gos_state_destroy(k->x);
    gos_state_destroy(k->last);
    gos__stability_destroy(k->st);
    gos__rotating_destroy(k->turning);
    gos__work_destroy(k->ctx, k->w);
    gos__solver_destroy(k->solver);
    gos__anderson_destroy(k->old.mix);
    gos__free(k->ctx, k->old.weight);
    gos__free(k->ctx, k->v);
    gos__free(k->ctx, k->r);
    gos__free(k->ctx, k->scratch);
}

/* controllers are frozen */
static gos_status check_loops(gos_ctx *ctx, const gos_system *sys, bool turns) {
    const gos_control_loop *continuous = gos__loops_first(sys, false),
                           *sampled = gos__loops_first(sys, true);
    if (turns && continuous) {
        return gos__fail_at(ctx, GOS_E_INPUT, continuous->law->loc, continuous->law->object,
                            "a steady rotation (spin) does not support controllers, whose signals "
                            "are not steady in rotating axes; remove spin, or the controller");
    }
    if (sampled) {
        gos__warn(ctx, sampled->law->loc, sampled->law->object,
                  "sampled controllers are not evaluated in static analyses: they hold their "
                  "previous outputs, initially u0");
    }
    return GOS_OK;
}

static gos_status check_options(gos_ctx *ctx, const gos_system *sys, const gos_options *o) {
    double spin[3], pivot[3];
    const bool turns = gos__rotating_given(o, spin, pivot), in_time = o->end > 0;
    GOS_TRY(check_loops(ctx, sys, turns));
    if (o->arc_length && (turns || in_time)) {
        return gos__fail(ctx, GOS_E_INPUT, "analysis: arc_length requires a load factor; remove %s",
                         turns ? "the spin" : "end, since time cannot decrease");
    }
    return turns && in_time && o->analysis == GOS_STATIC
               ? gos__fail(
                     ctx, GOS_E_INPUT,
                     "analysis: a steady rotation is independent of time; remove end, or spin")
               : GOS_OK;
}

static gos_status solve(gos_statics *k, gos_state *state, double end) {
    memset(state->v, 0, k->sys->nq * sizeof(double));
    memset(state->a, 0, k->sys->nq * sizeof(double));
    memset(state->thd, 0, k->sys->nt * sizeof(double));
    k->max_step = 1;
    GOS_TRY(k->opt->arc_length ? gos__static_arc(k, state) : gos__static_advance(k, state));
    GOS_TRY(k->turning ? static_end_rotation(k, state) : GOS_OK);
    if (!(end > state->t)) {
        return k->store && !k->opt->arc_length ? k->store(k->user, state, state->t) : GOS_OK;
    }
    const gos_options *o = k->opt;
    k->timed = true;
    k->begin = state->t;
    k->length = end - state->t;
    const double every = o->step > 0 ? o->step : o->max_step > 0 ? o->max_step : k->length;
    k->max_step = fmin(every, o->output_every > 0 ? o->output_every : k->length / 100) / k->length;
    return gos__static_advance(k, state);
}

static gos_status solve_path(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                             bool held_heat, double end, gos_state *state, gos_path_fn store,
                             void *user, gos_statistics *stats) {
    gos_statistics own = {0};
    const double t0 = gos__now();
    gos_statics k = {.ctx = ctx,
                     .sys = sys,
                     .opt = options,
                     .stats = stats ? stats : &own,
                     .held_heat = held_heat,
                     .unique_heat = held_heat,
                     .store = store,
                     .user = user};
    *k.stats = (gos_statistics){0};
    GOS_TRY(check_options(ctx, sys, options));
    gos_state *before = NULL; // restores the state on failure
    gos_status status = gos_state_create(ctx, sys, &before);
    status = status == GOS_OK ? gos_state_copy(before, state) : status;
    status = status == GOS_OK ? prepare(&k, state) : status;
    k.stats->time_setup = gos__now() - t0;
    const double t1 = gos__now();
    if (status == GOS_OK) {
        gos__progress_start(ctx);
        status = solve(&k, state, end);
    }
    if (k.w) {
        k.stats->residuals = k.w->nresidual;
        k.stats->jacobians = k.w->njacobian;
        k.stats->time_residual = k.w->time_residual;
        k.stats->time_jacobian = k.w->time_jacobian;
    }
    if (status == GOS_OK) {
        gos_dropped_reported reported = {0};
        status = gos__dropped_check(ctx, sys, state, &reported);
    }
    k.stats->time_total = gos__now() - t1;
    if (before && status != GOS_OK && status != GOS_E_DIVERGED && status != GOS_E_INTERRUPTED) {
        (void)gos_state_copy(state, before);
    }
    gos_state_destroy(before);
    release(&k);
    return status;
}

gos_status gos_solve_static(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats) {
    return solve_path(ctx, sys, options, false, 0, state, NULL, NULL, stats);
}

gos_status gos_solve_path(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                          gos_state *state, gos_path_fn store, void *user, gos_statistics *stats) {
    return solve_path(ctx, sys, options, false, options->end, state, store, user, stats);
}

gos_status gos__static_hold(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats) {
    gos_options o = *options;
    o.end = 0;
    o.arc_length = false;
    o.spin_x = o.spin_y = o.spin_z = 0;
    return solve_path(ctx, sys, &o, true, 0, state, NULL, NULL, stats);
}
