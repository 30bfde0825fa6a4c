/* Static equilibrium with steady temperatures: full Newton under a growing load factor that multiplies
   gravity, loads and sources. A load step that fails is halved, one that converges fast is followed by
   a larger one. With a spin the centrifugal forces belong to the loads, and the equilibrium is one in
   axes that turn (turning.h). */
#include <math.h>

#include "parts/vec3.h"
#include "solve/consistent.h"
#include "solve/frames.h"
#include "solve/nonfinite.h"
#include "solve/solve.h"
#include "solve/static_heat.h"
#include "solve/turning.h"
#include "system/constants.h"

#define STATIC_TOLERANCE 1e-10 // last correction, relative to the extent (temperatures: to 1 K)
#define PUSHED 1e-6   // acceleration of a free motion that counts as none, of that of the rotation
#define ROUNDED 1e-14 // part of the terms of a force that is rounding

typedef struct statics {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *opt;
    gos_work *w;
    gos_solver *solver;
    gos_state *x; // being tried
    double *r;
    gos_statistics *stats;
    int bad_column;       // of the last singular factorisation
    double scale;         // load factor that was tried last
    gos_turning *turning; // NULL: at rest
    double *v;            // rates of the rotation (nq); NULL: at rest
    bool warm;            // temperatures have been found to be unique
} statics;

/* largest corrections: positions over the extent, vectors; temperatures in K, or over the reference
   temperature while they are far away (the first step of radiation may well be a thousand kelvin) */
static double correction_size(const statics *k) {
    const gos_system *s = k->sys;
    double size = 0;
    for (int i = 0; i < s->nq; i++) {
        if (s->constants && s->constants->scale[i] > 0) {
            // linear: one step goes all the way, however far
            size = fmax(size, fmin(1, fabs(k->r[i]) / s->constants->scale[i]));
            continue;
        }
        const double scale = s->trans[i / 3] != 0 ? s->extent : 1;
        size = fmax(size, fabs(k->r[i]) / scale);
    }
    for (int i = 0; i < s->nt; i++) {
        const double dT = fabs(k->r[s->nq + i]), T = fmax(1, fabs(k->x->th[i]));
        size = fmax(size, fmin(dT / T, 1 + dT / s->T_ref));
    }
    return size;
}

/* factorise the Newton matrix in the work and correct k->r by it */
static gos_status solve(statics *k, double scale) {
    const double t0 = gos__now();
    k->stats->factorisations++;
    k->stats->iterations++;
    if (k->turning) {
        const gos_status status = gos__turning_solve(k->turning, k->w, scale, k->r, &k->bad_column);
        k->stats->time_factor += gos__now() - t0;
        return status;
    }
    const gos_status status = gos__solver_factor(k->solver, k->w->values, &k->bad_column);
    const double t1 = gos__now();
    k->stats->time_factor += t1 - t0;
    GOS_TRY(status);
    gos__solver_solve(k->solver, k->r);
    k->stats->time_solve += gos__now() - t1;
    return GOS_OK;
}

/* v: rates, or NULL */
static gos_point_of point(const gos_state *x, const double *v, double scale) {
    return (gos_point_of){.t = x->t,
                          .scale = scale,
                          .q = x->q,
                          .v = v,
                          .th = x->th,
                          .lam = x->lam,
                          .lamT = x->lamT,
                          .mem = x->mem};
}

static gos_status iterate(statics *k, double scale, double *size, gos_sums *sums) {
    const gos_system *s = k->sys;
    gos_state *x = k->x;
    const gos_point_of at = point(x, k->v, scale), still = point(x, NULL, scale);
    const gos_residual r = {.q = k->r,
                            .th = k->r + s->nq,
                            .c = k->r + s->nq + s->nt,
                            .h = k->r + s->nq + s->nt + s->nc};
    const gos_newton_factors f = {.k = 1, .ck = 1, .lam = 1, .lamT = 1};
    k->scale = scale;
    if (k->turning) {
        gos__turning_rates(k->turning, sqrt(scale), x->q, k->v);
    }
    GOS_TRY(gos__residual(k->w, &at, &r, sums));
    if (k->turning) {
        gos__turning_add_force(k->turning, scale, x->q, k->r);
        memset(k->r + s->n, 0, GOS_TURNING_FREE * sizeof *k->r);
    }
    gos__jacobian(k->w, &still, &f); // dQ/dq + dQ/dv [w] is what it is at rest
    if (!k->warm) {
        GOS_TRY(gos__static_heat(k->ctx, k->w));
        k->warm = true;
    }
    for (int i = 0; i < s->n; i++) {
        k->r[i] = -k->r[i];
    }
    GOS_TRY(solve(k, scale));
    *size = correction_size(k);
    if (!isfinite(*size)) {
        return GOS_RETRY;
    }
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += k->r[i];
    }
    for (int i = 0; i < s->nt; i++) {
        x->th[i] += k->r[s->nq + i];
    }
    for (int i = 0; i < s->nc; i++) {
        x->lam[i] += k->r[s->nq + s->nt + i];
    }
    for (int i = 0; i < s->nh; i++) {
        x->lamT[i] += k->r[s->nq + s->nt + s->nc + i];
    }
    return GOS_OK;
}

/* Newton at one load factor; *count: iterations used */
static gos_status balance(statics *k, double scale, int *count, gos_sums *sums) {
    double size = 0, last = HUGE_VAL;
    for (*count = 1; *count <= 2 * k->opt->max_iterations; ++*count) {
        GOS_TRY(iterate(k, scale, &size, sums));
        if (size <= STATIC_TOLERANCE || (size < 1e-7 && size >= 0.5 * last)) {
            return GOS_OK; // converged, or as far as round-off of a thin section allows
        }
        if (size > 1e3) {
            return GOS_RETRY;
        }
        last = size;
    }
    return GOS_RETRY;
}

static gos_status refuse(statics *k, gos_status status, double done) {
    char name[128];
    if (status == GOS_E_SINGULAR) {
        gos__name_unknown(k->sys, k->bad_column, name, sizeof name);
        return gos__fail(
            k->ctx, GOS_E_SINGULAR,
            "the stiffness is singular at %s: the model can move or take any temperature "
            "there; hold it with joints (or prescribed temperatures), use full "
            "quadrature, or run it dynamically",
            name);
    }
    const gos_point_of tried = point(k->x, NULL, k->scale);
    GOS_TRY(gos__nonfinite(k->ctx, k->w, &tried));
    return gos__fail(
        k->ctx, GOS_E_DIVERGED,
        "no equilibrium found beyond %.4g of the load; the state holds the last one. The "
        "load may exceed a limit point: use more load_steps or run it dynamically",
        done);
}

/* the matrix is singular by its pattern alone */
static gos_status refuse_pattern(statics *k, const gos_state *state) {
    const gos_point_of at = point(state, NULL, 1);
    gos__jacobian(k->w, &at, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    GOS_TRY(gos__static_heat(k->ctx, k->w));
    return refuse(k, GOS_E_SINGULAR, 0);
}

static gos_status advance(statics *k, gos_state *state) {
    double done = 0, step = 1.0 / k->opt->load_steps;
    while (done < 1) {
        const double next = done + step >= 1 - 1e-12 ? 1 : done + step;
        gos_state_copy(k->x, state);
        for (int i = 0; k->turning && i < k->sys->nc; i++) { // all its loads grow alike
            k->x->lam[i] *= done > 0 ? next / done : next;
        }
        int count = 0;
        gos_sums sums = {0};
        const gos_status status = balance(k, next, &count, &sums);
        if (status == GOS_OK) {
            const gos_point_of at = point(k->x, k->v, next);
            k->x->energy.strain = sums.strain;
            (void)gos__accept(k->w, &at, k->x->mem);
            gos__frames_watch(k->ctx, k->sys, k->x);
            gos_state_copy(state, k->x);
            done = next;
            k->stats->steps++;
            step = count <= 6 ? 1.6 * step : step;
            GOS_TRY(gos__progress(k->ctx, done, "load"));
            continue;
        }
        if (status < 0 && (status != GOS_E_SINGULAR || !k->warm)) {
            return status;
        }
        step *= 0.4;
        k->stats->rejected++;
        if (step < 1e-6 || (status == GOS_E_SINGULAR && done == 0 && step < 1e-3)) {
            return refuse(k, status, done);
        }
    }
    return GOS_OK;
}

/* ---- rotation ---------------------------------------------------------------------------------- */

static gos_status begin_rotation(statics *k, gos_state *state) {
    double spin[3], pivot[3];
    if (!gos__turning_given(k->opt, spin, pivot)) {
        return GOS_OK;
    }
    GOS_TRY(gos__turning_create(k->ctx, k->sys, spin, pivot, &k->turning));
    GOS_TRY(gos__turning_check(k->turning, k->w, state));
    const gos_point_of at = point(state, NULL, 1);
    GOS_TRY(gos__turning_find_free(k->turning, k->w, &at));
    k->v = gos__zalloc(k->ctx, (size_t)k->sys->nq + 1, sizeof *k->v);
    GOS_TRY(k->v ? GOS_OK : GOS_E_MEMORY);
    // rigid bodies are stiff by the forces of their joints alone: Newton needs them from the start
    GOS_TRY(gos_state_copy(k->x, state));
    gos__turning_rates(k->turning, 1, state->q, k->x->v);
    GOS_TRY(gos__consistent(k->ctx, k->w, k->x, state->t));
    memcpy(state->lam, k->x->lam, (size_t)k->sys->nc * sizeof *state->lam);
    return GOS_OK;
}

/* force in the motion u that may be rounding of the forces at q */
static double rounding(const gos_turning *t, const double *u, const double *q) {
    double sum = 0;
    for (int j = 0; j < t->sys->nq; j++) {
        for (int e = t->A.p[j]; e < t->A.p[j + 1]; e++) {
            const int i = t->A.i[e];
            sum += i < t->sys->nq ? fabs(u[i] * t->A.x[e] * q[j]) : 0;
        }
    }
    return ROUNDED * sum;
}

/* What pushes along a motion that nothing holds would speed it up: the multipliers of the border, which
   are the last unknowns, are that acceleration. */
static gos_status check_pushes(const statics *k) {
    const gos_turning *t = k->turning;
    const gos_system *s = k->sys;
    const double rate2 = gos__dot3(t->spin, t->spin);
    for (int f = 0; f < t->nfree; f++) {
        const double *u = t->motion + (size_t)f * (size_t)s->nq;
        const double *Mu = t->held + (size_t)f * (size_t)s->nq;
        double mass = 0;
        for (int i = 0; i < s->nq; i++) {
            mass += u[i] * Mu[i];
        }
        const double push = fabs(mass * k->r[s->n + f]);
        const double allowed = PUSHED * rate2 * mass * (t->along[f] ? s->extent : 1);
        if (!(push <= allowed + rounding(t, u, k->x->q))) {
            return gos__fail(
                k->ctx, GOS_E_INPUT,
                "no steady rotation: nothing holds the system %s the axis, and %.4g %s "
                "push it there; remove them or add a joint",
                t->along[f] ? "along" : "about", push, t->along[f] ? "N" : "N m");
        }
    }
    return GOS_OK;
}

/* the equilibrium in turning axes as a motion; it must be one for all time */
static gos_status end_rotation(statics *k, gos_state *state) {
    const gos_turning *t = k->turning;
    GOS_TRY(check_pushes(k));
    GOS_TRY(gos__turning_check(t, k->w, state));
    gos__turning_rates(t, 1, state->q, state->v);
    for (int i = 0; i < k->sys->nv; i++) {
        gos__cross3(t->spin, state->v + 3 * i, state->a + 3 * i);
    }
    return GOS_OK;
}

gos_status gos_solve_static(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats) {
    gos_statistics own = {0};
    const double t0 = gos__now();
    statics k = {.ctx = ctx, .sys = sys, .opt = options, .stats = stats ? stats : &own};
    *k.stats = (gos_statistics){0};
    gos_status status = gos__work_create(ctx, sys, &k.w);
    status = status == GOS_OK ? gos_state_create(ctx, sys, &k.x) : status;
    k.r = gos__zalloc(ctx, (size_t)sys->n + GOS_TURNING_FREE + 1, sizeof *k.r);
    status = status == GOS_OK && !k.r ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? begin_rotation(&k, state) : status;
    status =
        status == GOS_OK && !k.turning ? gos__solver_create(ctx, &sys->pattern, &k.solver) : status;
    k.stats->time_setup = gos__now() - t0;
    const double t1 = gos__now();
    if (status == GOS_OK) {
        gos__progress_start(ctx);
        memset(state->v, 0, (size_t)sys->nq * sizeof(double));
        memset(state->a, 0, (size_t)sys->nq * sizeof(double));
        memset(state->thd, 0, (size_t)sys->nt * sizeof(double));
        status = advance(&k, state);
        status = status == GOS_OK && k.turning ? end_rotation(&k, state) : status;
    } else if (status == GOS_E_SINGULAR) {
        status = refuse_pattern(&k, state);
    }
    if (k.w) {
        k.stats->residuals = k.w->nresidual;
        k.stats->jacobians = k.w->njacobian;
        k.stats->time_residual = k.w->time_residual;
        k.stats->time_jacobian = k.w->time_jacobian;
    }
    k.stats->time_total = gos__now() - t1;
    gos_state_destroy(k.x);
    gos__turning_destroy(k.turning);
    gos__free(ctx, k.v);
    gos__work_destroy(ctx, k.w);
    gos__solver_destroy(k.solver);
    gos__free(ctx, k.r);
    return status;
}
