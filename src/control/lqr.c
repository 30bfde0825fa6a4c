#include "control/lqr.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

/* C (m, n) = alpha op(A) op(B) + beta C */
static void product(int m, int n, int k, double alpha, bool ta, const double *A, bool tb,
                    const double *B, double beta, double *C) {
    if (m > 0 && n > 0) {
        const int one = 1, lda = ta ? k : m, ldb = tb ? n : k;
        cblas_dgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans,
                    m, n, k, alpha, A, lda > 0 ? lda : one, B, ldb > 0 ? ldb : one, beta, C, m);
    }
}

static gos_status factor(gos_ctx *ctx, int n, double *R, const char *what) {
    gos__symmetrise(n, R);
    const lapack_int info = n > 0 ? LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, R, n) : 0;
    return info == 0 ? GOS_OK
                     : gos__fail(ctx, info < 0 ? GOS_E_NONFINITE : GOS_E_INPUT,
                                 "%s is not positive definite", what);
}

/* Workspace of an optimal feedback */
typedef struct quadratic {
    int n, nu;
    double *A, *G, *Q, *P; // (n, n)
    double *R;             // factor (nu, nu)
    double *T;             // R^-1 (B^T), then K (nu, n)
    double *S;             // R^-1 N^T (nu, n)
} quadratic;

static gos_status optimal(gos_ctx *ctx, const double *A, const double *B, const gos_weights *w,
                          const char *what, quadratic *q, double *K, gos_riccati *info) {
    const int n = q->n, nu = q->nu;
    const size_t nn = (size_t)n * n;
    memcpy(q->A, A, nn * sizeof *A);
    memcpy(q->Q, w->Q, nn * sizeof *A);
    memcpy(q->R, w->R, (size_t)nu * nu * sizeof *A);
    GOS_TRY(factor(ctx, nu, q->R, what));
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < nu; i++) {
            q->T[j * nu + i] = B[i * n + j];
            q->S[j * nu + i] = w->N ? w->N[i * n + j] : 0;
        }
    }
    if (nu > 0) {
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', nu, n, q->R, nu, q->T, nu);
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', nu, n, q->R, nu, q->S, nu);
    }
    product(n, n, nu, 1, false, B, false, q->T, 0, q->G);
    if (w->N) {
        product(n, n, nu, -1, false, B, false, q->S, 1, q->A);
        product(n, n, nu, -1, false, w->N, false, q->S, 1, q->Q);
    }
    GOS_TRY(gos__riccati(ctx, n, q->A, q->G, q->Q, q->P, info));
    memcpy(K, q->S, (size_t)nu * n * sizeof *K);
    product(nu, n, n, 1, false, q->T, false, q->P, 1, K);
    return GOS_OK;
}

static gos_status solve(gos_ctx *ctx, int n, int nu, const double *A, const double *B,
                        const gos_weights *w, const char *what, double *K, double *P,
                        gos_riccati *info) {
    const size_t nn = (size_t)n * n;
    quadratic q = {.n = n, .nu = nu};
    q.A = gos__alloc(ctx, 4 * nn + (size_t)nu * nu + 2 * (size_t)nu * n + 1, sizeof *q.A);
    if (!q.A) {
        return GOS_E_MEMORY;
    }
    q.G = q.A + nn;
    q.Q = q.G + nn;
    q.P = q.Q + nn;
    q.R = q.P + nn;
    q.T = q.R + (size_t)nu * nu;
    q.S = q.T + (size_t)nu * n;
    const gos_status status = optimal(ctx, A, B, w, what, &q, K, info);
    if (status == GOS_OK && P) {
        memcpy(P, q.P, nn * sizeof *P);
    }
    gos__free(ctx, q.A);
    return status;
}

gos_status gos__lqr(gos_ctx *ctx, const gos_plant *p, const gos_weights *w, double *K, double *P,
                    gos_riccati *info) {
    return solve(ctx, p->n, p->nu, p->A, p->B, w, "the weight R of the inputs", K, P, info);
}

gos_status gos__output_weights(gos_ctx *ctx, const gos_plant *p, const double *Y, double *Q,
                               double *N, double *R) {
    double *YC = gos__alloc(ctx, (size_t)p->ny * (p->n + p->nu) + 1, sizeof *YC);
    if (!YC) {
        return GOS_E_MEMORY;
    }
    double *YD = YC + (size_t)p->ny * p->n;
    product(p->ny, p->n, p->ny, 1, false, Y, false, p->C, 0, YC);
    product(p->ny, p->nu, p->ny, 1, false, Y, false, p->D, 0, YD);
    product(p->n, p->n, p->ny, 1, true, p->C, false, YC, 0, Q);
    product(p->n, p->nu, p->ny, 1, true, p->C, false, YD, 0, N);
    product(p->nu, p->nu, p->ny, 1, true, p->D, false, YD, 1, R);
    gos__free(ctx, YC);
    return GOS_OK;
}

gos_status gos__kalman(gos_ctx *ctx, const gos_plant *p, const double *W, const double *V,
                       double *L, gos_riccati *info) {
    const int n = p->n, ny = p->ny;
    double *At = gos__alloc(ctx, (size_t)n * n + 2 * (size_t)n * ny + 1, sizeof *At);
    if (!At) {
        return GOS_E_MEMORY;
    }
    double *Ct = At + (size_t)n * n, *Lt = Ct + (size_t)n * ny;
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            At[j * n + i] = p->A[i * n + j];
        }
        for (long i = 0; i < ny; i++) {
            Ct[i * n + j] = p->C[j * ny + i];
        }
    }
    const gos_weights dual = {.Q = W, .R = V};
    const gos_status status =
        solve(ctx, n, ny, At, Ct, &dual, "the noise V of the outputs", Lt, NULL, info);
    for (long j = 0; j < n && status == GOS_OK; j++) {
        for (long i = 0; i < ny; i++) {
            L[i * n + j] = Lt[j * ny + i];
        }
    }
    gos__free(ctx, At);
    return status;
}

gos_status gos__lqg(gos_ctx *ctx, const gos_plant *m, const double *K, const double *L,
                    gos_plant *c) {
    const int n = m->n, nu = m->nu, ny = m->ny;
    GOS_TRY(gos__plant_create(ctx, n, ny, nu, c));
    double *BLD = gos__alloc(ctx, (size_t)n * nu + 1, sizeof *BLD); // B - L D
    if (!BLD) {
        return GOS_E_MEMORY;
    }
    memcpy(c->A, m->A, (size_t)n * n * sizeof *c->A);
    memcpy(BLD, m->B, (size_t)n * nu * sizeof *BLD);
    product(n, nu, ny, -1, false, L, false, m->D, 1, BLD);
    product(n, n, ny, -1, false, L, false, m->C, 1, c->A);
    product(n, n, nu, -1, false, BLD, false, K, 1, c->A);
    memcpy(c->B, L, (size_t)n * ny * sizeof *c->B);
    for (long k = 0; k < (long)n * nu; k++) {
        c->C[k] = -K[k];
    }
    gos__free(ctx, BLD);
    return GOS_OK;
}

gos_status gos__closed_loop(gos_ctx *ctx, const gos_plant *p, const gos_plant *c,
                            gos_plant *closed) {
    if (c->nu != p->ny || c->ny != p->nu) {
        return gos__fail(
            ctx, GOS_E_USE,
            "a controller with %d inputs and %d outputs does not fit a plant with %d and %d", c->nu,
            c->ny, p->nu, p->ny);
    }
    // r to (y, u) with u = r + w, w = controller(y): feedback of the second output of the series
    gos_plant series = {0}, closed_u = {0};
    gos_status status = gos__plant_series(ctx, p, c, &series); // r to w
    double *F = gos__zalloc(ctx, (size_t)p->nu * p->nu + 1, sizeof *F);
    if (status == GOS_OK) {
        status = F ? GOS_OK : GOS_E_MEMORY;
    }
    for (long i = 0; i < p->nu && status == GOS_OK; i++) {
        F[i * p->nu + i] = 1;
    }
    status = status == GOS_OK ? gos__plant_feedback(ctx, &series, F, &closed_u) : status;
    if (status == GOS_OK) {
        status = gos__plant_create(ctx, series.n, p->nu, p->ny, closed);
    }
    if (status == GOS_OK) { // y = C x + D (r + w), w: output of closed_u
        memcpy(closed->A, closed_u.A, (size_t)series.n * series.n * sizeof *F);
        memcpy(closed->B, closed_u.B, (size_t)series.n * p->nu * sizeof *F);
        memcpy(closed->C, p->C, (size_t)p->n * p->ny * sizeof *F);
        memcpy(closed->D, p->D, (size_t)p->nu * p->ny * sizeof *F);
        product(p->ny, series.n, p->nu, 1, false, p->D, false, closed_u.C, 1, closed->C);
        product(p->ny, p->nu, p->nu, 1, false, p->D, false, closed_u.D, 1, closed->D);
    }
    gos__plant_free(ctx, &series);
    gos__plant_free(ctx, &closed_u);
    gos__free(ctx, F);
    return status;
}
