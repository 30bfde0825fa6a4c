/* Consistent initial values, also for restarts at switching times. */
#include "solve/consistent.h"

#include <math.h>
#include <float.h>

#include "solve/step_failure.h"
#include "system/assemble.h"
#include "system/constants.h"
#include "solve/newton_solver.h"
#include "solve/shared_factors.h"
#include "statics/static_heat.h"

#define CORRECTIONS 4
#define REQUIRED_REDUCTION 0.1
#define ROUNDING 4e-15            // relative to the terms of an equation: rounding
#define ACCEPTABLE_RESIDUAL 1e-13 // ... acceptable residual when it no longer decreases

gos_status gos__constrained_make(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                 gos_constrained *k) {
    const double steady = w->sys->steady_heat ? 1 : 0; // conduction replaces the capacity
    const gos_newton_factors f = {.m = 1, .cm = 1, .ck = steady, .lam = 1, .lamT = 1};
    k->w = w;
    gos__jacobian(w, x, &f);
    if (w->sys->steady_heat) {
        GOS_TRY(gos__static_heat(ctx, w));
    }
    if (w->parts) {
        k->room = gos__alloc(ctx, 3 * (size_t)w->sys->n + 1, sizeof *k->room);
    }
    return w->parts && !k->room ? GOS_E_MEMORY : GOS_OK;
}

void gos__constrained_free(gos_ctx *ctx, gos_constrained *k) {
    gos__solver_destroy(k->own);
    gos__sparse_free(ctx, &k->A);
    gos__free(ctx, k->room);
}

/* r (n) := b - A x.
 * @return its largest entry relative to the terms of its equation, or of all if those are
 * rounding. size: scratch (n) */
static double left_over(const gos_work *w, const double *b, const double *x, double *r,
                        double *size) {
    const gos_pattern *a = &w->sys->pattern;
    double most = 0, largest = 0;
    for (int i = 0; i < a->n; i++) {
        r[i] = b[i];
        size[i] = fabs(b[i]);
    }
    for (int j = 0; j < a->n; j++) {
        for (int p = a->p[j]; p < a->p[j + 1]; p++) {
            const double term = w->values[p] * x[j];
            r[a->i[p]] -= term;
            size[a->i[p]] += fabs(term);
        }
    }
    for (int i = 0; i < a->n; i++) {
        largest = fmax(largest, size[i]);
    }
    for (int i = 0; i < a->n; i++) {
        const double part = fabs(r[i]) / (size[i] + DBL_EPSILON * largest + DBL_MIN);
        if (!(part <= DBL_MAX)) {
            return HUGE_VAL;
        }
        most = fmax(most, part);
    }
    return most;
}

/* Iterative refinement with existing, possibly outdated factors. Returns false, with rhs
 * unchanged, if it does not converge. */
static bool correct(gos_constrained *k, double *rhs) {
    const size_t n = k->w->sys->n;
    double *x = k->room, *r = x + n, *size = r + n, before = HUGE_VAL;
    memset(x, 0, n * sizeof *x);
    memcpy(r, rhs, n * sizeof *r);
    for (int pass = 0; pass <= CORRECTIONS; pass++) {
        gos__newton_solver_solve(k->w->parts, r);
        for (size_t i = 0; i < n; i++) {
            x[i] += r[i];
        }
        const double left = left_over(k->w, rhs, x, r, size);
        if (left <= ROUNDING ||
            (left <= ACCEPTABLE_RESIDUAL && !(left < REQUIRED_REDUCTION * before))) {
            memcpy(rhs, x, n * sizeof *x);
            return true;
        }
        if (!(left < REQUIRED_REDUCTION * before)) {
            return false;
        }
        before = left;
    }
    return false;
}

/* *served false: KLU is needed */
static gos_status solve_parts(gos_constrained *k, double *rhs, bool *served) {
    gos_newton_solver *s = k->w->parts;
    *served = gos__newton_solver_in_parts(s) && correct(k, rhs);
    if (*served) {
        return GOS_OK;
    }
    const gos_status status = gos__newton_solver_parts(s, k->w->values);
    *served = status == GOS_OK && correct(k, rhs);
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

/* The Newton pattern would cause fill by its zeros: a sparse matrix gets its own pattern. */
static gos_status factor(gos_ctx *ctx, gos_constrained *k) {
    gos_work *w = k->w;
    const gos_pattern *full = &w->sys->pattern;
    const double *values = w->values;
    k->pattern = *full;
    if (!full->dense) {
        GOS_TRY(gos__sparse_block(ctx, full, values, 0, full->n, 0, full->n, &k->A));
        k->pattern = (gos_pattern){.n = full->n, .nnz = k->A.nnz, .p = k->A.p, .i = k->A.i};
        values = k->A.x;
    }
    if (w->sys->shared) {
        GOS_TRY(gos__shared_factors_begin(w->sys->shared, full, values, &k->solver));
    }
    if (k->solver) {
        return GOS_OK;
    }
    int column = -1;
    gos_status s = gos__solver_create(ctx, &k->pattern, &k->own);
    k->solver = k->own;
    s = s == GOS_OK ? gos__solver_factor(k->solver, values, &column) : s;
    if (s == GOS_E_SINGULAR) {
        char name[128];
        gos__name_unknown(w->sys, column, name, sizeof name);
        return gos__fail(
            ctx, s,
            "the accelerations are not unique: the mass matrix is singular at %s; give it mass, "
            "or remove a constraint",
            name);
    }
    return s;
}

gos_status gos__constrained_solve(gos_ctx *ctx, gos_constrained *k, int many, double *rhs) {
    const size_t n = k->w->sys->n;
    int done = 0;
    while (!k->tried && k->w->parts && done < many) {
        bool served;
        GOS_TRY(solve_parts(k, rhs + (size_t)done * n, &served));
        k->tried = !served;
        done += served;
    }
    if (done == many) {
        return GOS_OK;
    }
    GOS_TRY(k->solver ? GOS_OK : factor(ctx, k));
    gos__solver_solve_columns(k->solver, many - done, rhs + (size_t)done * n);
    return GOS_OK;
}

void gos__name_unknown(const gos_system *s, int i, char *buf, size_t size) {
    if (i < 0 || i >= s->nstate) {
        snprintf(buf, size, "a constraint");
        return;
    }
    for (int k = 0; k < s->nbody && !s->reduced; k++) {
        const gos_body *b = s->body[k];
        const bool mech = i < s->nq;
        const int c = mech ? i / 3 : i - s->nq;
        const int from = mech ? b->v0 : b->t0, n = mech ? b->nv : b->nt;
        if (c >= from && c < from + n) {
            const int *of = mech ? b->node_v : b->node_t;
            if (b->nnode == 0 || !of) {
                snprintf(buf, size, "body '%s', coordinate %d", b->name,
                         mech ? i - 3 * from + 1 : c - from + 1);
                return;
            }
            int node = 0;
            for (int j = 0; j < b->nnode; j++) {
                node = of[j] <= c ? j : node;
            }
            snprintf(buf, size, "body '%s', node %d (%s)", b->name, node,
                     mech ? "motion" : "temperature");
            return;
        }
    }
    snprintf(buf, size, "coordinate %d", i);
}

bool gos__constraints_curved(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0 && !s->item[i]->linear) {
            return true;
        }
    }
    return false;
}

bool gos__elastic(const gos_system *s) {
    return s->npoints > 0 || (s->constants && s->constants->A[GOS_CONSTANT_K].nnz > 0);
}

gos_point_of gos__state_point(const gos_state *x, double t) {
    return (gos_point_of){.t = t,
                          .scale = 1,
                          .q = x->q,
                          .v = x->v,
                          .a = x->a,
                          .th = x->th,
                          .thd = x->thd,
                          .lam = x->lam,
                          .lamT = x->lamT,
                          .mem = x->mem};
}

static gos_point_of point(const gos_state *x, double t) {
    return (gos_point_of){.t = t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .mem = x->mem};
}

/* no smaller step can be tried here */
static gos_status refuse_nonfinite(gos_ctx *ctx, gos_status status, gos_work *w,
                                   const gos_point_of *x) {
    if (status != GOS_RETRY) {
        return status;
    }
    GOS_TRY(gos__nonfinite(ctx, w, x));
    return gos__fail(ctx, GOS_E_NONFINITE,
                     "forces are not finite at t = %g s; check loads and time functions", x->t);
}

gos_status gos__consistent_solve(gos_ctx *ctx, gos_work *w, const gos_point_of *x, int many,
                                 double *rhs) {
    gos_constrained k = {0};
    gos_status status = gos__constrained_make(ctx, w, x, &k);
    status = status == GOS_OK ? gos__constrained_solve(ctx, &k, many, rhs) : status;
    gos__constrained_free(ctx, &k);
    return status;
}

gos_status gos__consistent_position(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    enum { PASSES = 4 }; // Newton iterations from a nearby point
    const gos_system *s = w->sys;
    double *r = gos__zalloc(ctx, (size_t)s->n + 1, sizeof *r);
    gos_status status = r ? GOS_OK : GOS_E_MEMORY;
    for (int pass = 0; pass < PASSES && status == GOS_OK && s->nc > 0; pass++) {
        gos_constrained k = {0};
        const gos_point_of at = point(x, t);
        const gos_residual out = gos__residual_of(s, r);
        status = refuse_nonfinite(ctx, gos__residual(w, &at, &out, NULL), w, &at);
        double open = 0;
        for (int i = 0; i < s->nc; i++) {
            open = fmax(open, fabs(out.c[i]));
            out.c[i] *= -1;
        }
        if (status != GOS_OK || open <= 1e-15 * s->extent) {
            break;
        }
        memset(r, 0, s->nstate * sizeof *r);
        memset(out.h, 0, s->nh * sizeof *r);
        status = gos__constrained_make(ctx, w, &at, &k);
        status = status == GOS_OK ? gos__constrained_solve(ctx, &k, 1, r) : status;
        for (int i = 0; i < s->nq && status == GOS_OK; i++) {
            x->q[i] += r[i];
        }
        gos__constrained_free(ctx, &k);
    }
    gos__free(ctx, r);
    return status;
}

gos_status gos__consistent_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                    double *change) {
    const gos_system *s = w->sys;
    *change = 0;
    if (s->nc == 0) {
        return GOS_OK;
    }
    gos_constrained k = {0};
    const gos_point_of at = point(x, t);
    double *rhs = gos__zalloc(ctx, (size_t)s->n + 3L * s->nc + 1, sizeof *rhs);
    gos_status status = rhs ? gos__constrained_make(ctx, w, &at, &k) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *cv = rhs + s->n, *ct = cv + s->nc, *unused = ct + s->nc;
        gos__constraint_apply(w, &at, x->v, cv);
        gos__constraint_rates(w, &at, ct, unused);
        for (int i = 0; i < s->nc; i++) {
            rhs[s->at.lam + i] = -cv[i] - ct[i];
        }
        status = gos__constrained_solve(ctx, &k, 1, rhs);
    }
    if (status == GOS_OK) {
        double dv = 0, v = 0;
        for (int i = 0; i < s->nq; i++) {
            dv += rhs[i] * rhs[i];
            v += x->v[i] * x->v[i];
            x->v[i] += rhs[i];
        }
        *change = v > 0 ? sqrt(dv / v) : sqrt(dv);
    }
    gos__constrained_free(ctx, &k);
    gos__free(ctx, rhs);
    return status;
}

/* Steady temperatures and their multipliers at time t (gos_system.steady_heat).
 * @return GOS_E_SINGULAR, recorded, if the temperature of a body is undetermined;
 * GOS_E_DIVERGED */
static gos_status consistent_heat(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    enum { PASSES = 50 };
    const gos_system *s = w->sys;
    double *r = gos__zalloc(ctx, (size_t)s->n + 1, sizeof *r);
    gos_status status = r ? GOS_OK : GOS_E_MEMORY;
    double last = HUGE_VAL;
    for (int pass = 0; pass < PASSES && status == GOS_OK; pass++) {
        gos_constrained k = {0};
        gos_point_of at = point(x, t);
        at.lamT = x->lamT;
        const gos_residual out = gos__residual_of(s, r);
        status = refuse_nonfinite(ctx, gos__residual(w, &at, &out, NULL), w, &at);
        memset(r, 0, s->nq * sizeof *r);
        memset(out.c, 0, s->nc * sizeof *r);
        status = status == GOS_OK ? gos__constrained_make(ctx, w, &at, &k) : status;
        status = status == GOS_OK ? gos__constrained_solve(ctx, &k, 1, r) : status;
        double change = 0, size = 1;
        if (status == GOS_OK) {
            for (int i = 0; i < s->nt; i++) {
                x->th[i] -= out.th[i];
                change = fmax(change, fabs(out.th[i]));
                size = fmax(size, fabs(x->th[i]));
            }
            for (int i = 0; i < s->nh; i++) {
                x->lamT[i] -= out.h[i];
            }
        }
        gos__constrained_free(ctx, &k);
        if (change <= 1e-15 * size || (change <= 1e-9 * size && change >= 0.5 * last)) {
            break;
        }
        last = change;
        if (status == GOS_OK && pass + 1 == PASSES) {
            status = gos__fail(ctx, GOS_E_DIVERGED,
                               "steady temperatures at t = %g s were not found: the last change is "
                               "%.3g K; apply the loads more gradually",
                               t, change);
        }
    }
    gos__free(ctx, r);
    return status;
}

gos_status gos__consistent(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    const gos_system *s = w->sys;
    const bool steady = s->steady_heat && s->nt > 0;
    GOS_TRY(steady ? consistent_heat(ctx, w, x, t) : GOS_OK);
    gos_constrained k = {0};
    const gos_point_of at = point(x, t);
    double *rhs = gos__zalloc(ctx, (size_t)s->n + (s->nc + s->nh) + 1, sizeof *rhs);
    if (!rhs) {
        return GOS_E_MEMORY;
    }
    double *c = rhs + s->n, *h = c + s->nc;
    const gos_residual r = {.q = rhs, .th = rhs + s->at.th, .c = c, .h = h};
    gos_sums sums;
    gos_status status = gos__residual(w, &at, &r, &sums);
    status = refuse_nonfinite(ctx, status, w, &at);
    status = status == GOS_OK ? gos__constrained_make(ctx, w, &at, &k) : status;
    if (status == GOS_OK) {
        for (int i = 0; i < s->nstate; i++) {
            rhs[i] = -rhs[i];
        }
        gos__constraint_rates(w, &at, NULL, rhs + s->at.lam);
        gos__temperature_rates(w, &at, rhs + s->at.lamT);
        for (int i = 0; i < s->nh; i++) {
            rhs[s->at.lamT + i] *= -1;
        }
        status = gos__constrained_solve(ctx, &k, 1, rhs);
    }
    if (status == GOS_OK) {
        memcpy(x->a, rhs, s->nq * sizeof(double));
        memcpy(x->lam, rhs + s->at.lam, s->nc * sizeof(double));
        if (!steady) { // steady rates follow from the change of temperatures
            memcpy(x->thd, rhs + s->at.th, s->nt * sizeof(double));
            memcpy(x->lamT, rhs + s->at.lamT, s->nh * sizeof(double));
        }
        /* again with multipliers and rates, on which the powers depend */
        const gos_point_of full = gos__state_point(x, t);
        const gos_residual again = {.q = rhs, .th = rhs + s->at.th, .c = c, .h = h};
        status = refuse_nonfinite(ctx, gos__residual(w, &full, &again, &sums), w, &full);
        x->energy.strain = sums.strain;
        x->power_diss = sums.dissipated;
        x->power_work = sums.work;
        x->power_thermal = sums.thermal;
        x->heat_in = sums.heat_in;
        x->heat_con = sums.heat_con;
    }
    gos__constrained_free(ctx, &k);
    gos__free(ctx, rhs);
    return status;
}
