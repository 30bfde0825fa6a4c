/* H(s) = Y_u + sum (y0 + s y1)_j b_j / (lambda_j + s d_j + s^2). The normal form (normal_form.c) has the digits of the lowest mode
   beside the highest one, which neither a factorisation of P(s) nor a general eigenproblem has: those leave of a slender
   solid's resonances three or four. */
#include "linear_reduction/uncoupled.h"

#include <complex.h>
#include <math.h>

#include "linear_reduction/reduce.h"

#define LARGE 800    // coordinates from which modes cost more than they save
#define COUPLED 1e-8 // damping between two modes, relative to that of each, that is none

struct gos_uncoupled {
    gos_ctx *ctx;
    gos_reduce_pencil *p; // of the normal form
    double *lambda, *d;   // (n)
};

static bool is_diagonal(const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        if (A->p[j + 1] - A->p[j] != 1 || A->i[A->p[j]] != j) {
            return false;
        }
    }
    return true;
}

/* diagonal (n) of A; false where an entry beside it counts */
static bool take_diagonal(const gos_sparse *A, double *diagonal) {
    for (int j = 0; j < A->n; j++) {
        diagonal[j] = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            diagonal[j] += A->i[k] == j ? A->x[k] : 0;
        }
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const double size = sqrt(fabs(diagonal[j] * diagonal[A->i[k]]));
            if (A->i[k] != j && fabs(A->x[k]) > COUPLED * size) {
                return false;
            }
        }
    }
    return true;
}

/* *r: the whole model in its modes, or where its mass is none, as it is */
static gos_status turn(gos_ctx *ctx, const gos_linear *l, gos_linear_reduction **r) {
    int start[GOS_NFIELDS + 1], most[GOS_NFIELDS];
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    double *x = gos__zalloc(ctx, (size_t)l->nq, sizeof *x);
    gos_status status = out && x ? GOS_OK : GOS_E_MEMORY;
    if (out) {
        out->ctx = ctx;
        gos__reduce_fields(l, start, most);
        gos__space_begin(ctx, start, most, &out->V);
    }
    for (int j = 0; j < l->nq && status == GOS_OK; j++) {
        x[j] = 1;
        status = gos__space_put(&out->V, GOS_FIELD_Q, x);
        x[j] = 0;
    }
    status = status == GOS_OK ? gos__reduce_project(ctx, l, out) : status;
    gos__free(ctx, x);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *r = out;
    return GOS_OK;
}

/* *u, if the modes of l, in which it is diagonal, are uncoupled */
static gos_status take(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u) {
    const size_t n = (size_t)l->nq;
    gos_uncoupled *out = gos__zalloc(ctx, 1, sizeof *out);
    GOS_TRY(out ? GOS_OK : GOS_E_MEMORY);
    out->ctx = ctx;
    out->lambda = gos__alloc(ctx, 2 * n + 1, sizeof *out->lambda);
    out->d = out->lambda ? out->lambda + n : NULL;
    const gos_status status =
        out->lambda ? gos__reduce_pencil_create(ctx, l, NULL, &out->p) : GOS_E_MEMORY;
    const bool good = status == GOS_OK && take_diagonal(&out->p->A[0], out->lambda) &&
                      take_diagonal(&out->p->A[1], out->d);
    for (size_t j = 0; j < n && good; j++) {
        const double m = l->block[GOS_BLOCK_M].x[j];
        out->lambda[j] /= m;
        out->d[j] /= m;
        for (size_t i = 0; i < (size_t)out->p->nu; i++) {
            out->p->B[i * n + j] /= m;
        }
    }
    if (good) {
        *u = out;
    } else {
        gos__uncoupled_destroy(out);
    }
    return status;
}

gos_status gos__uncoupled_create(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u) {
    gos_linear_reduction *r = NULL;
    *u = NULL;
    if (!l->symmetric || l->nq == 0 || l->nq > LARGE || l->nt + l->nphi + l->nc + l->nh > 0) {
        return GOS_OK;
    }
    if (is_diagonal(&l->block[GOS_BLOCK_M]) && is_diagonal(&l->block[GOS_BLOCK_K])) {
        return take(ctx, l, u);
    }
    gos_status status = turn(ctx, l, &r);
    if (status == GOS_OK && is_diagonal(&r->model->block[GOS_BLOCK_M]) &&
        is_diagonal(&r->model->block[GOS_BLOCK_K])) {
        status = take(ctx, r->model, u);
    }
    gos_linear_reduction_destroy(r);
    return status;
}

void gos__uncoupled_destroy(gos_uncoupled *u) {
    if (u) {
        gos__reduce_pencil_destroy(u->p);
        gos__free(u->ctx, u->lambda);
        gos__free(u->ctx, u);
    }
}

gos_status gos__uncoupled_at(const gos_uncoupled *u, double omega, gos_complex *H) {
    const gos_reduce_pencil *p = u->p;
    const size_t n = (size_t)p->n, nu = (size_t)p->nu, ny = (size_t)p->ny;
    for (size_t k = 0; k < ny * nu; k++) {
        H[k] = p->Yu[k];
    }
    for (size_t j = 0; j < n; j++) {
        const gos_complex at = gos__complex(u->lambda[j] - omega * omega, omega * u->d[j]);
        if (at == 0) {
            return GOS_E_SINGULAR;
        }
        for (size_t k = 0; k < nu; k++) {
            const gos_complex x = p->B[k * n + j] / at;
            for (size_t i = 0; i < ny && x != 0; i++) {
                H[k * ny + i] += gos__complex(p->Y[0][i * n + j], omega * p->Y[1][i * n + j]) * x;
            }
        }
    }
    return GOS_OK;
}

gos_status gos__uncoupled_poles(const gos_uncoupled *u, gos_poles *poles) {
    const int n = u->p->n;
    *poles = (gos_poles){.n = n, .nu = u->p->nu, .ny = u->p->ny};
    poles->re = gos__alloc(u->ctx, 2 * (size_t)n + 1, sizeof *poles->re);
    GOS_TRY(poles->re ? GOS_OK : GOS_E_MEMORY);
    poles->im = poles->re + n;
    for (int j = 0; j < n; j++) {
        poles->re[j] = -u->d[j] / 2;
        poles->im[j] = sqrt(fmax(0, u->lambda[j] - u->d[j] * u->d[j] / 4));
    }
    return GOS_OK;
}
