#include "control/sampled.h"

#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/expm.h"

/* *E (all, all): the exponential of period [A B 0; 0 0 I / period; 0 0 0] with `blocks` blocks of
   inputs, 1 or 2. Its upper rows are the states after one period: of x, of constant inputs, and of
   a ramp from 0 to 1. Free *E. */
static gos_status exponential(gos_ctx *ctx, const gos_plant *p, double period, int blocks,
                              double **E) {
    const long n = p->n, nu = p->nu, all = n + blocks * nu;
    *E = gos__zalloc(ctx, (size_t)all * all + gos__expm_work((int)all) + 1, sizeof **E);
    int *pivot = gos__alloc(ctx, (size_t)all + 1, sizeof *pivot);
    gos_status status = *E && pivot ? GOS_OK : GOS_E_MEMORY;
    for (long j = 0; j < n + nu && status == GOS_OK; j++) {
        const double *from = j < n ? p->A + j * n : p->B + (j - n) * n;
        for (long i = 0; i < n; i++) {
            (*E)[j * all + i] = period * from[i];
        }
    }
    for (long j = n + nu; j < all && status == GOS_OK; j++) {
        (*E)[j * all + j - nu] = 1;
    }
    if (status == GOS_OK && n > 0 && gos__expm((int)all, *E, *E + (size_t)all * all, pivot)) {
        status = gos__fail(ctx, GOS_E_NONFINITE,
                           "the plant is too fast for a sampling period of %g s; use a shorter "
                           "period",
                           period);
    }
    gos__free(ctx, pivot);
    return status;
}

static void copy_outputs(const gos_plant *p, gos_plant *held) {
    memcpy(held->C, p->C, (size_t)p->ny * p->n * sizeof *p->C);
    memcpy(held->D, p->D, (size_t)p->ny * p->nu * sizeof *p->D);
}

gos_status gos__plant_hold(gos_ctx *ctx, const gos_plant *p, double period, gos_plant *held) {
    const long n = p->n, all = n + p->nu;
    double *E = NULL;
    *held = (gos_plant){0};
    gos_status status = exponential(ctx, p, period, 1, &E);
    status = status == GOS_OK ? gos__plant_create(ctx, p->n, p->nu, p->ny, held) : status;
    if (status == GOS_OK) {
        for (long j = 0; j < all; j++) {
            memcpy(j < n ? held->A + j * n : held->B + (j - n) * n, E + j * all, n * sizeof *E);
        }
        copy_outputs(p, held);
    }
    gos__free(ctx, E);
    return status;
}

/* x(k+1) = A x + (F - G) u(k) + G u(k+1), with z = x - G u (Franklin, Powell, Workman, "triangle
   hold") */
gos_status gos__plant_ramp(gos_ctx *ctx, const gos_plant *p, double period, gos_plant *held) {
    const long n = p->n, nu = p->nu, all = n + 2 * nu;
    double *E = NULL;
    *held = (gos_plant){0};
    gos_status status = exponential(ctx, p, period, 2, &E);
    status = status == GOS_OK ? gos__plant_create(ctx, p->n, p->nu, p->ny, held) : status;
    if (status == GOS_OK) {
        copy_outputs(p, held);
        for (long j = 0; j < n; j++) {
            memcpy(held->A + j * n, E + j * all, n * sizeof *E);
        }
        for (long j = 0; j < nu && n > 0; j++) {
            const double *F = E + (n + j) * all, *G = E + (n + nu + j) * all;
            double *b = held->B + j * n;
            for (long i = 0; i < n; i++) {
                b[i] = F[i] - G[i];
            }
            cblas_dgemv(CblasColMajor, CblasNoTrans, p->n, p->n, 1, held->A, p->n, G, 1, 1, b, 1);
            if (p->ny > 0) {
                cblas_dgemv(CblasColMajor, CblasNoTrans, p->ny, p->n, 1, p->C, p->ny, G, 1, 1,
                            held->D + j * p->ny, 1);
            }
        }
    }
    gos__free(ctx, E);
    return status;
}

/* S = (A + I)^-1: A' = S (A - I), B' = sqrt 2 S B, C' = sqrt 2 C S, D' = D - C S B */
gos_status gos__plant_bilinear(gos_ctx *ctx, const gos_plant *p, gos_plant *to) {
    const long n = p->n, nu = p->nu;
    GOS_TRY(gos__plant_create(ctx, p->n, p->nu, p->ny, to));
    memcpy(to->D, p->D, (size_t)p->ny * nu * sizeof *to->D);
    double *M = gos__alloc(ctx, (size_t)n * n + 1, sizeof *M);
    double *S = gos__zalloc(ctx, (size_t)n * n + 1, sizeof *S);
    lapack_int *pivot = gos__alloc(ctx, (size_t)n + 1, sizeof *pivot);
    gos_status status = M && S && pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && n > 0) {
        memcpy(M, p->A, (size_t)n * n * sizeof *M);
        memcpy(to->A, p->A, (size_t)n * n * sizeof *M);
        memcpy(to->B, p->B, (size_t)n * nu * sizeof *M);
        for (long i = 0; i < n; i++) {
            M[i * n + i] += 1;
            to->A[i * n + i] -= 1;
            S[i * n + i] = 1;
        }
        const int N = p->n, U = p->nu, Y = p->ny;
        if (LAPACKE_dgesv(LAPACK_COL_MAJOR, N, N, M, N, pivot, S, N) != 0) {
            status = gos__fail(ctx, GOS_E_SINGULAR, "a sampled plant has a pole at -1");
        } else {
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', N, N, M, N, pivot, to->A, N);
            if (U > 0) {
                LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', N, U, M, N, pivot, to->B, N);
            }
            if (U > 0 && Y > 0) {
                cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, Y, U, N, -1, p->C, Y, to->B,
                            N, 1, to->D, Y);
            }
            if (Y > 0) {
                cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, Y, N, N, sqrt(2), p->C, Y, S,
                            N, 0, to->C, Y);
            }
            cblas_dscal(N * U, sqrt(2), to->B, 1);
        }
    }
    gos__free(ctx, M);
    gos__free(ctx, S);
    gos__free(ctx, pivot);
    return status;
}

void gos__bilinear_pole(double period, double *re, double *im) {
    double complex s = *re;
    ((double *)&s)[1] = *im;
    const double complex z = (1 + s) / (1 - s);
    const double size = cabs(z);
    const double angle =
        *im == 0 ? fabs(carg(z)) : carg(z); // negative real poles have no separate conjugate
    *re = size > 0 ? log(size) / period : -HUGE_VAL;
    *im = size > 0 ? angle / period : 0;
}
