/* Basis vectors by residual inverse iteration (Neumaier, SIAM J. Numer. Anal. 22, 1985; rational
   Krylov spaces, Ruhe, BIT 34, 1994). T(s) = A0 + s A1 + s^2 A2 of all fields is factorised at a
   complex shift sigma near some roots. T(sigma)^-1 T(s) z vanishes for an exact pair (s, z);
   otherwise it estimates the error of z and is added to the basis. */
#include "linear/complex_shifts.h"

#include <math.h>

#include "math/random.h"

#define SHIFT_PERTURBATION 1e-3
#define MAX_ATTEMPTS 3

/* model without heat: M, K, C, and D if damped */
static gos_status motion_alone(gos_quadratic *q, gos_linear **own) {
    const gos_linear *l = q->l;
    const gos_linear_size size = {.nq = l->nq, .nc = l->nc};
    GOS_TRY(gos__linear_create(q->ctx, &size, own));
    (*own)->ncomp = l->ncomp;
    GOS_TRY(gos__linear_put(*own, GOS_BLOCK_M, &l->block[GOS_BLOCK_M]));
    GOS_TRY(gos__linear_put(*own, GOS_BLOCK_K, &l->block[GOS_BLOCK_K]));
    GOS_TRY(gos__linear_put(*own, GOS_BLOCK_C, &l->block[GOS_BLOCK_C]));
    if (q->D) {
        GOS_TRY(gos__linear_put(*own, GOS_BLOCK_D, q->D));
    }
    return gos__linear_close(*own);
}

static gos_status begin(gos_quadratic *q, gos_complex_shifts *c) {
    if (!q->heat) {
        GOS_TRY(motion_alone(q, &c->own));
    }
    GOS_TRY(gos__merged_create(q->ctx, c->own ? c->own : q->l, &c->all));
    gos_merged *w = c->all;
    bool symmetric;
    GOS_TRY(gos__merged_symmetric(w, &symmetric));
    c->value = gos__alloc(q->ctx, w->pattern.nnz + 1L, sizeof *c->value);
    c->z = gos__alloc(q->ctx, 2L * w->n + 1, sizeof *c->z);
    if (!c->value || !c->z) {
        return GOS_E_MEMORY;
    }
    c->r = c->z + w->n;
    const gos_complex_def def = {.pattern = &w->pattern,
                                 .symmetric = symmetric,
                                 .ncomp = w->ncomp,
                                 .nlast = w->n - w->at[3],
                                 .saddle = w->n > w->at[3]};
    const gos_status status = gos__complex_solver_create(q->ctx, &def, NULL, &c->solver);
    return status == GOS_E_SINGULAR
               ? gos__fail(q->ctx, GOS_E_SINGULAR, "the equations of the model are singular")
               : status;
}

gos_status gos__complex_shifts_begin(gos_quadratic *q) {
    q->shifts = gos__zalloc(q->ctx, 1, sizeof *q->shifts);
    return q->shifts ? begin(q, q->shifts) : GOS_E_MEMORY;
}

void gos__complex_shifts_free(gos_quadratic *q) {
    gos_complex_shifts *c = q->shifts;
    if (c) {
        gos__complex_solver_destroy(c->solver);
        gos__merged_destroy(c->all);
        gos_linear_destroy(c->own);
        gos__free(q->ctx, c->value);
        gos__free(q->ctx, c->z);
        gos__free(q->ctx, c);
    }
    q->shifts = NULL;
}

static gos_status factor_at(gos_quadratic *q, gos_complex s) {
    gos_complex_shifts *c = q->shifts;
    const gos_merged *w = c->all;
    const gos_complex ss = s * s;
    for (int k = 0; k < w->pattern.nnz; k++) {
        c->value[k] = w->A[0][k] + s * w->A[1][k] + ss * w->A[2][k];
    }
    return gos__complex_solver_factor(c->solver, c->value);
}

gos_status gos__complex_shifts_determinant(gos_quadratic *q, double re, double im,
                                           gos_complex *determinant) {
    GOS_TRY(factor_at(q, gos__complex(re, im)));
    *determinant = gos__complex_solver_log_determinant(q->shifts->solver);
    return GOS_OK;
}

gos_status gos__complex_shifts_factor(gos_quadratic *q, double re, double im) {
    gos_status status = GOS_E_SINGULAR;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && status == GOS_E_SINGULAR; attempt++) {
        status = factor_at(q, gos__complex(re, im));
        if (status == GOS_E_SINGULAR) {
            re *= 1 + SHIFT_PERTURBATION;
            im *= 1 + SHIFT_PERTURBATION;
        }
    }
    return status == GOS_E_SINGULAR
               ? gos__fail(q->ctx, GOS_E_SINGULAR,
                           "damped modes: the matrix could not be factorised near s = %.3g + %.3g "
                           "i; check for redundant joints and for zero masses or heat capacities",
                           re, im)
               : status;
}

static void take(const gos_quadratic *q, double *dx[2], double *dtheta[2]) {
    const gos_complex_shifts *c = q->shifts;
    const gos_merged *w = c->all;
    for (int i = 0; i < q->n; i++) {
        dx[0][i] = ((double *)&c->r[i])[0];
        dx[1][i] = ((double *)&c->r[i])[1];
    }
    for (int i = 0; q->heat && i < q->heat->n; i++) {
        const double *const r = (double *)&c->r[w->at[1] + i];
        dtheta[0][i] = r[0];
        dtheta[1][i] = r[1];
    }
}

gos_status gos__complex_shifts_correct(gos_quadratic *q, double re, double im, double *const x[2],
                                       double *const theta[2], double *dx[2], double *dtheta[2]) {
    gos_complex_shifts *c = q->shifts;
    const gos_merged *w = c->all;
    const int nt = q->heat ? q->heat->n : 0;
    const gos_complex s = gos__complex(re, im), ss = s * s;
    memset(c->z, 0, 2L * w->n * sizeof *c->z);
    for (int i = 0; i < q->n; i++) {
        c->z[i] = gos__complex(x[0][i], x[1][i]);
    }
    for (int i = 0; i < nt; i++) {
        c->z[w->at[1] + i] = gos__complex(theta[0][i], theta[1][i]);
    }
    for (int j = 0; j < w->at[3]; j++) {
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
            if (w->pattern.i[k] < w->at[3]) { // constraints are satisfied
                c->r[w->pattern.i[k]] += (w->A[0][k] + s * w->A[1][k] + ss * w->A[2][k]) * c->z[j];
            }
        }
    }
    GOS_TRY(gos__complex_solver_solve(c->solver, false, 1, c->r));
    take(q, dx, dtheta);
    return GOS_OK;
}

gos_status gos__complex_shifts_seek(gos_quadratic *q, double re, double im, double *dx[2],
                                    double *dtheta[2]) {
    gos_complex_shifts *c = q->shifts;
    const gos_merged *w = c->all;
    const gos_complex s = gos__complex(re, im);
    uint64_t seed = GOS_XORSHIFT_START;
    for (int i = 0; i < w->n; i++) {
        c->z[i] = i < w->at[3] ? 2 * gos__xorshift_unit(&seed) : 0;
    }
    for (int step = 0; step < 2; step++) { // T'(s) z
        memset(c->r, 0, w->n * sizeof *c->r);
        for (int j = 0; j < w->at[3]; j++) {
            for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
                if (w->pattern.i[k] < w->at[3]) {
                    c->r[w->pattern.i[k]] += (w->A[1][k] + 2 * s * w->A[2][k]) * c->z[j];
                }
            }
        }
        GOS_TRY(gos__complex_solver_solve(c->solver, false, 1, c->r));
        memcpy(c->z, c->r, w->n * sizeof *c->z);
    }
    take(q, dx, dtheta);
    return GOS_OK;
}
