/* See constrained.h. */
#include "solve/constrained.h"

#include <float.h>
#include <math.h>

#include "solve/consistent.h"
#include "solve/newton_solver.h"
#include "solve/shared_factors.h"
#include "statics/static_heat.h"

#define CORRECTIONS 4
#define FALLS 0.1    // required reduction of the residual by each
#define ENOUGH 4e-15 // relative to the terms of an equation: rounding
#define SERVES 1e-13 // ... acceptable residual when it no longer decreases

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
        if (left <= ENOUGH || (left <= SERVES && !(left < FALLS * before))) {
            memcpy(rhs, x, n * sizeof *x);
            return true;
        }
        if (!(left < FALLS * before)) {
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
    gos__solver_solve_many(k->solver, many - done, rhs + (size_t)done * n);
    return GOS_OK;
}
