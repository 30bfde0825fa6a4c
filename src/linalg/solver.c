/* KLU for sparse Newton matrices, LAPACK's LU for dense ones. KLU analyses once; later factorisations
   keep the pivot order (klu_refactor) as long as its pivots stay well away from zero: an order chosen
   for one configuration may be poor for another. The callers of factorisations that are re-used check
   the contraction of their iteration, and ask for new pivots (gos__solver_repivot) when it fails. */
#include "linalg/solver.h"

#include <klu.h>
#include <lapacke.h>

#define RCOND_MIN 1e-13 // smallest over largest pivot below which pivots are chosen anew

struct gos_solver {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *lu; // dense: factors (n, n)
    int *pivot; // dense: (n)
};

static gos_status analyse(gos_solver *s) {
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(s->pattern->n, s->pattern->p, s->pattern->i, &s->common);
    if (s->symbolic) {
        return GOS_OK;
    }
    if (s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while ordering %d unknowns",
                         s->pattern->n);
    }
    return GOS_E_SINGULAR;
}

gos_status gos__solver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_solver **solver) {
    gos_solver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = pattern;
    gos_status status = GOS_OK;
    if (pattern->dense) {
        s->lu = gos__alloc(ctx, (size_t)pattern->n * (size_t)pattern->n + 1, sizeof *s->lu);
        s->pivot = gos__alloc(ctx, (size_t)pattern->n + 1, sizeof *s->pivot);
        status = s->lu && s->pivot ? GOS_OK : GOS_E_MEMORY;
    } else if (pattern->n > 0) {
        status = analyse(s);
    }
    if (status != GOS_OK) {
        gos__solver_destroy(s);
        return status;
    }
    *solver = s;
    return GOS_OK;
}

void gos__solver_destroy(gos_solver *s) {
    if (!s) {
        return;
    }
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    gos__free(s->ctx, s->lu);
    gos__free(s->ctx, s->pivot);
    gos__free(s->ctx, s);
}

static gos_status factor_dense(gos_solver *s, const double *values, int *column) {
    const int n = s->pattern->n;
    memcpy(s->lu, values, (size_t)n * (size_t)n * sizeof *values);
    const int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, s->lu, n, s->pivot);
    if (info == 0) {
        return GOS_OK;
    }
    if (column) {
        *column = info > 0 ? info - 1 : -1;
    }
    return GOS_E_SINGULAR;
}

static gos_status factor_sparse(gos_solver *s, const double *values, int *column) {
    const gos_pattern *a = s->pattern;
    double *x = (double *)(uintptr_t)values; // KLU reads only, its interface lacks the const
    if (s->numeric && klu_refactor(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > RCOND_MIN) {
        return GOS_OK;
    }
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(a->p, a->i, x, s->symbolic, &s->common);
    if (s->numeric && s->common.status == KLU_OK) {
        return GOS_OK;
    }
    if (s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns", a->n);
    }
    if (column) {
        *column = s->common.singular_col;
    }
    klu_free_numeric(&s->numeric, &s->common);
    return GOS_E_SINGULAR;
}

gos_status gos__solver_factor(gos_solver *s, const double *values, int *column) {
    if (column) {
        *column = -1;
    }
    if (s->pattern->n == 0) {
        return GOS_OK;
    }
    return s->pattern->dense ? factor_dense(s, values, column) : factor_sparse(s, values, column);
}

void gos__solver_repivot(gos_solver *s) {
    klu_free_numeric(&s->numeric, &s->common);
}

void gos__solver_solve(gos_solver *s, double *x) {
    gos__solver_solve_many(s, 1, x);
}

void gos__solver_solve_many(gos_solver *s, int nrhs, double *x) {
    const int n = s->pattern->n;
    if (n == 0) {
        return;
    }
    if (s->pattern->dense) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, nrhs, s->lu, n, s->pivot, x, n);
    } else {
        klu_solve(s->symbolic, s->numeric, n, nrhs, x, &s->common);
    }
}
