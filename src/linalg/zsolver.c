/* KLU with complex numbers. */
#include "linalg/zsolver.h"

#include <klu.h>

#define RCOND_KEPT 1e-10     // smallest over largest pivot below which pivots are chosen anew
#define RCOND_SINGULAR 1e-15 // ... below which the matrix is singular

struct gos_zsolver {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

gos_status gos__zsolver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_zsolver **solver) {
    gos_zsolver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->pattern = pattern;
    klu_defaults(&s->common);
    if (pattern->n > 0) {
        s->symbolic = klu_analyze(pattern->n, pattern->p, pattern->i, &s->common);
        if (!s->symbolic) {
            const bool memory = s->common.status == KLU_OUT_OF_MEMORY;
            gos__zsolver_destroy(s);
            return memory ? gos__fail(ctx, GOS_E_MEMORY, "out of memory while ordering %d unknowns",
                                      pattern->n)
                          : GOS_E_SINGULAR;
        }
    }
    *solver = s;
    return GOS_OK;
}

void gos__zsolver_destroy(gos_zsolver *s) {
    if (s) {
        klu_z_free_numeric(&s->numeric, &s->common);
        klu_free_symbolic(&s->symbolic, &s->common);
        gos__free(s->ctx, s);
    }
}

gos_status gos__zsolver_factor(gos_zsolver *s, const double *values) {
    const gos_pattern *a = s->pattern;
    double *x = (double *)(uintptr_t)values; // KLU reads only, its interface lacks the const
    if (a->n == 0) {
        return GOS_OK;
    }
    if (s->numeric && klu_z_refactor(a->p, a->i, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK && klu_z_rcond(s->symbolic, s->numeric, &s->common) &&
        s->common.rcond > RCOND_KEPT) {
        return GOS_OK;
    }
    klu_z_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_z_factor(a->p, a->i, x, s->symbolic, &s->common);
    if (s->numeric && s->common.status == KLU_OK &&
        klu_z_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > RCOND_SINGULAR) {
        return GOS_OK;
    }
    const bool memory = s->common.status == KLU_OUT_OF_MEMORY;
    klu_z_free_numeric(&s->numeric, &s->common);
    return memory ? gos__fail(s->ctx, GOS_E_MEMORY, "out of memory while factorising %d unknowns",
                              a->n)
                  : GOS_E_SINGULAR;
}

void gos__zsolver_solve(gos_zsolver *s, int nrhs, double *x) {
    if (s->pattern->n > 0) {
        klu_z_solve(s->symbolic, s->numeric, s->pattern->n, nrhs, x, &s->common);
    }
}
