/* Static equilibrium with steady temperatures: full Newton under a growing load factor that multiplies
   gravity, loads and sources. A load step that fails is halved, one that converges fast is followed by
   a larger one. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/nonfinite.h"
#include "solve/solve.h"
#include "system/constants.h"

#define STATIC_TOLERANCE 1e-10 // last correction, relative to the extent (temperatures: to 1 K)

typedef struct statics {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *opt;
    gos_work *w;
    gos_solver *solver;
    gos_state *x; // being tried
    double *r;
    gos_statistics *stats;
    int bad_column; // of the last singular factorisation
    double scale;   // load factor that was tried last
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

static gos_point_of point(const gos_state *x, double scale) {
    return (gos_point_of){.t = x->t,
                          .scale = scale,
                          .q = x->q,
                          .th = x->th,
                          .lam = x->lam,
                          .lamT = x->lamT,
                          .mem = x->mem};
}

static gos_status iterate(statics *k, double scale, double *size, gos_sums *sums) {
    const gos_system *s = k->sys;
    gos_state *x = k->x;
    const gos_point_of at = point(x, scale);
    const gos_residual r = {.q = k->r,
                            .th = k->r + s->nq,
                            .c = k->r + s->nq + s->nt,
                            .h = k->r + s->nq + s->nt + s->nc};
    const gos_newton_factors f = {.k = 1, .ck = 1, .lam = 1, .lamT = 1};
    k->scale = scale;
    GOS_TRY(gos__residual(k->w, &at, &r, sums));
    gos__jacobian(k->w, &at, &f);
    const double t0 = gos__now();
    const gos_status status = gos__solver_factor(k->solver, k->w->values, &k->bad_column);
    k->stats->time_factor += gos__now() - t0;
    k->stats->factorisations++;
    k->stats->iterations++;
    GOS_TRY(status);
    for (int i = 0; i < s->n; i++) {
        k->r[i] = -k->r[i];
    }
    const double t1 = gos__now();
    gos__solver_solve(k->solver, k->r);
    k->stats->time_solve += gos__now() - t1;
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
    const gos_state *x = k->x;
    const gos_point_of tried = point(x, k->scale);
    GOS_TRY(gos__nonfinite(k->ctx, k->w, &tried));
    return gos__fail(
        k->ctx, GOS_E_DIVERGED,
        "no equilibrium found beyond %.4g of the load; the state holds the last one. The "
        "load may exceed a limit point: use more load_steps or run it dynamically",
        done);
}

static gos_status advance(statics *k, gos_state *state) {
    double done = 0, step = 1.0 / k->opt->load_steps;
    while (done < 1) {
        const double next = done + step >= 1 - 1e-12 ? 1 : done + step;
        gos_state_copy(k->x, state);
        int count = 0;
        gos_sums sums = {0};
        const gos_status status = balance(k, next, &count, &sums);
        if (status == GOS_OK) {
            const gos_point_of at = point(k->x, next);
            k->x->energy.strain = sums.strain;
            (void)gos__accept(k->w, &at, k->x->mem);
            gos_state_copy(state, k->x);
            done = next;
            k->stats->steps++;
            step = count <= 6 ? 1.6 * step : step;
            GOS_TRY(gos__progress(k->ctx, done, "load"));
            continue;
        }
        if (status < 0 && status != GOS_E_SINGULAR) {
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

gos_status gos_solve_static(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats) {
    gos_statistics own = {0};
    const double t0 = gos__now();
    statics k = {.ctx = ctx, .sys = sys, .opt = options, .stats = stats ? stats : &own};
    *k.stats = (gos_statistics){0};
    gos_status status = gos__work_create(ctx, sys, &k.w);
    status = status == GOS_OK ? gos_state_create(ctx, sys, &k.x) : status;
    k.r = gos__zalloc(ctx, (size_t)sys->n + 1, sizeof *k.r);
    status = status == GOS_OK && !k.r ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? gos__solver_create(ctx, &sys->pattern, &k.solver) : status;
    k.stats->time_setup = gos__now() - t0;
    const double t1 = gos__now();
    if (status == GOS_OK) {
        gos__progress_start(ctx);
        memset(state->v, 0, (size_t)sys->nq * sizeof(double));
        memset(state->a, 0, (size_t)sys->nq * sizeof(double));
        memset(state->thd, 0, (size_t)sys->nt * sizeof(double));
        status = advance(&k, state);
    } else if (status == GOS_E_SINGULAR) {
        status = refuse(&k, status, 0);
    }
    if (k.w) {
        k.stats->residuals = k.w->nresidual;
        k.stats->jacobians = k.w->njacobian;
        k.stats->time_residual = k.w->time_residual;
        k.stats->time_jacobian = k.w->time_jacobian;
    }
    k.stats->time_total = gos__now() - t1;
    gos_state_destroy(k.x);
    gos__work_destroy(ctx, k.w);
    gos__solver_destroy(k.solver);
    gos__free(ctx, k.r);
    return status;
}
