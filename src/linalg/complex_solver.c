/* KLU's complex half, and LAPACK's for matrices that are as good as dense (reduced models). Pivots of
   the last value of s serve the next one while they are good: along a frequency axis that is most
   of the time. */
#include "linalg/complex_solver.h"

#include <complex.h>
#include <klu.h>
#include <lapacke.h>
#include <math.h>

#define DENSE_FROM 0.25      // share of stored entries
#define REUSE 1e-10          // smallest over largest pivot below which pivots are chosen anew
#define SINGULAR 4e-16       // the same, below which the matrix counts as singular
#define SINGULAR_DENSE 1e-17 // reciprocal condition: LAPACK's estimate knows no scaling

struct gos_complex_solver {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    bool dense;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    gos_complex *lu; // dense: factors (n, n)
    lapack_int *pivot;
};

gos_status gos__complex_solver_create(gos_ctx *ctx, const gos_pattern *pattern,
                                      gos_complex_solver **solver) {
    gos_complex_solver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = pattern;
    const double n = pattern->n;
    s->dense = n > 0 && pattern->nnz > DENSE_FROM * n * n;
    klu_defaults(&s->common);
    gos_status status = GOS_OK;
    if (s->dense) {
        s->lu = gos__alloc(ctx, (size_t)pattern->n * (size_t)pattern->n, sizeof *s->lu);
        s->pivot = gos__alloc(ctx, (size_t)pattern->n, sizeof *s->pivot);
        status = s->lu && s->pivot ? GOS_OK : GOS_E_MEMORY;
    } else if (pattern->n > 0) {
        s->symbolic = klu_analyze(pattern->n, pattern->p, pattern->i, &s->common);
        status = s->symbolic ? GOS_OK
                 : s->common.status == KLU_OUT_OF_MEMORY
                     ? gos__fail(ctx, GOS_E_MEMORY, "out of memory while ordering")
                     : GOS_E_SINGULAR;
    }
    if (status != GOS_OK) {
        gos__complex_solver_destroy(s);
        return status;
    }
    *solver = s;
    return GOS_OK;
}

void gos__complex_solver_destroy(gos_complex_solver *s) {
    if (s) {
        klu_z_free_numeric(&s->numeric, &s->common);
        klu_free_symbolic(&s->symbolic, &s->common);
        gos__free(s->ctx, s->lu);
        gos__free(s->ctx, s->pivot);
        gos__free(s->ctx, s);
    }
}

static gos_status factor_dense(gos_complex_solver *s, const gos_complex *values) {
    const gos_pattern *a = s->pattern;
    const size_t n = (size_t)a->n;
    memset(s->lu, 0, n * n * sizeof *s->lu);
    double norm = 0;
    for (size_t j = 0; j < n; j++) {
        double column = 0;
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            s->lu[j * n + (size_t)a->i[k]] = values[k];
            column += cabs(values[k]);
        }
        norm = fmax(norm, column);
    }
    if (LAPACKE_zgetrf(LAPACK_COL_MAJOR, a->n, a->n, s->lu, a->n, s->pivot) != 0) {
        return GOS_E_SINGULAR;
    }
    double rcond = 0;
    LAPACKE_zgecon(LAPACK_COL_MAJOR, '1', a->n, s->lu, a->n, norm, &rcond);
    return rcond > SINGULAR_DENSE ? GOS_OK : GOS_E_SINGULAR;
}

static bool pivots_above(gos_complex_solver *s, double least) {
    return klu_z_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > least;
}

gos_status gos__complex_solver_factor(gos_complex_solver *s, const gos_complex *values) {
    if (s->pattern->n == 0) {
        return GOS_OK;
    }
    if (s->dense) {
        return factor_dense(s, values);
    }
    double *x = (double *)(uintptr_t)values; // KLU does not change them
    const gos_pattern *a = s->pattern;
    if (s->numeric && klu_z_refactor(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK && pivots_above(s, REUSE)) {
        return GOS_OK;
    }
    klu_z_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_z_factor(a->p, a->i, x, s->symbolic, &s->common);
    if (!s->numeric && s->common.status == KLU_OUT_OF_MEMORY) {
        return gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns", a->n);
    }
    return s->numeric && s->common.status == KLU_OK && pivots_above(s, SINGULAR) ? GOS_OK
                                                                                 : GOS_E_SINGULAR;
}

void gos__complex_solver_solve(gos_complex_solver *s, bool transposed, int nrhs, gos_complex *X) {
    const int n = s->pattern->n;
    if (n == 0 || nrhs == 0) {
        return;
    }
    if (s->dense) {
        LAPACKE_zgetrs(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', n, nrhs, s->lu, n, s->pivot, X, n);
    } else if (transposed) {
        klu_z_tsolve(s->symbolic, s->numeric, n, nrhs, (double *)X, 0, &s->common);
    } else {
        klu_z_solve(s->symbolic, s->numeric, n, nrhs, (double *)X, &s->common);
    }
}
