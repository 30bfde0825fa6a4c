/* Lyapunov and Riccati equations by Schur forms. Modal models are badly scaled, so the Hamiltonian
   matrix is balanced by powers of 2 that keep it Hamiltonian (Benner, Symplectic balancing of
   Hamiltonian matrices, 2001). */
#include "control/riccati.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define BALANCING_SWEEPS 20
#define MAX_EXPONENT 60 // largest exponent of a scale
#define NEWTON_STEPS 4
#define MAX_RESIDUAL 1e-9 // largest relative residual
#define SAME_ABSCISSA 0.1 // relative difference of the two computed abscissas
#define INDEPENDENT 1e-14 // reciprocal condition of the subspace's state part

static gos_status lapack(gos_ctx *ctx, lapack_int info, const char *what) {
    if (info == 0) {
        return GOS_OK;
    }
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory in %s", what);
    }
    return info < 0 ? gos__fail(ctx, GOS_E_NONFINITE, "%s: a matrix entry is not finite", what)
                    : gos__fail(ctx, GOS_E_DIVERGED, "%s did not converge", what);
}

void gos__symmetrise(int n, double *A) {
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < j; i++) {
            A[j * n + i] = A[i * n + j] = (A[j * n + i] + A[i * n + j]) / 2;
        }
    }
}

gos_status gos__eigenvalues(gos_ctx *ctx, int n, const double *A, double *re, double *im) {
    if (n == 0) {
        return GOS_OK;
    }
    double *T = gos__alloc(ctx, (size_t)n * n, sizeof *T);
    if (!T) {
        return GOS_E_MEMORY;
    }
    memcpy(T, A, (size_t)n * n * sizeof *T);
    const lapack_int info =
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, T, n, re, im, NULL, 1, NULL, 1);
    gos__free(ctx, T);
    return lapack(ctx, info, "eigenvalues");
}

/* C (n, n) = op(A) op(B) */
static void product(int n, bool ta, const double *A, bool tb, const double *B, double *C) {
    cblas_dgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, n, n,
                n, 1, A, n, B, n, 0, C, n);
}

/* ---- Lyapunov -------------------------------------------------------------------------------- */

/* X contains -W on entry; T, U, Y: workspace (n, n), w (2 n) */
static gos_status lyapunov(gos_ctx *ctx, int n, const double *A, bool transposed, double *X,
                           double *T, double *U, double *Y, double *w) {
    memcpy(T, A, (size_t)n * n * sizeof *T);
    lapack_int sdim = 0;
    GOS_TRY(lapack(ctx,
                   LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, T, n, &sdim, w, w + n, U, n),
                   "the Schur form"));
    product(n, true, U, false, X, Y);
    product(n, false, Y, false, U, X);
    double scale = 1;
    const lapack_int info =
        LAPACKE_dtrsyl(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', transposed ? 'N' : 'T', 1, n, n, T,
                       n, T, n, X, n, &scale);
    if (info == 1 || scale == 0) {
        return gos__fail(ctx, GOS_E_SINGULAR,
                         "a Lyapunov equation has no unique solution: two poles are opposite, as "
                         "on the imaginary axis");
    }
    GOS_TRY(lapack(ctx, info, "a Lyapunov equation"));
    product(n, false, U, false, X, Y);
    product(n, false, Y, true, U, X);
    cblas_dscal(n * n, 1 / scale, X, 1);
    gos__symmetrise(n, X);
    return GOS_OK;
}

gos_status gos__lyapunov(gos_ctx *ctx, int n, const double *A, bool transposed, const double *W,
                         double *X) {
    if (n == 0) {
        return GOS_OK;
    }
    const size_t nn = (size_t)n * n;
    double *T = gos__alloc(ctx, 3 * nn + 2 * (size_t)n, sizeof *T);
    if (!T) {
        return GOS_E_MEMORY;
    }
    for (size_t k = 0; k < nn; k++) {
        X[k] = -W[k];
    }
    const gos_status status = lyapunov(ctx, n, A, transposed, X, T, T + nn, T + 2 * nn, T + 3 * nn);
    gos__free(ctx, T);
    return status;
}

/* ---- Riccati --------------------------------------------------------------------------------- */

typedef struct riccati {
    gos_ctx *ctx;
    int n;
    double *A, *G, *Q; // balanced (n, n)
    double *X;         // solution, balanced (n, n)
    double *T;         // scales of the states (n)
    double *H, *U;     // (2 n, 2 n)
    double *w;         // eigenvalues: real, imaginary parts (4 n)
    double *R;         // residual (n, n)
    lapack_int *pivot; // (n)
} riccati;

/* row and column i of the Hamiltonian matrix, state i scaled by f */
static double weight(const double s[4], double f) {
    return s[0] * f + s[1] / f + s[2] * f * f + s[3] / (f * f);
}

static double best_scale(const riccati *r, int i) {
    const int n = r->n;
    double s[4] = {0, 0, fabs(r->Q[(size_t)i * n + i]), fabs(r->G[(size_t)i * n + i])};
    for (long j = 0; j < n; j++) {
        if (j != i) {
            s[0] += fabs(r->A[(long)i * n + j]) + fabs(r->Q[(long)i * n + j]);
            s[1] += fabs(r->A[j * n + i]) + fabs(r->G[j * n + i]);
        }
    }
    double f = 1;
    if (s[0] + s[2] == 0 || s[1] + s[3] == 0) {
        return f;
    }
    while (f < ldexp(1, MAX_EXPONENT) && weight(s, 2 * f) < 0.95 * weight(s, f)) {
        f *= 2;
    }
    while (f > ldexp(1, -MAX_EXPONENT) && weight(s, f / 2) < 0.95 * weight(s, f)) {
        f /= 2;
    }
    return f;
}

/* x = T x~: A := T^-1 A T, G := T^-1 G T^-1, Q := T Q T */
static void balance(riccati *r) {
    const int n = r->n;
    bool changed = true;
    for (int i = 0; i < n; i++) {
        r->T[i] = 1;
    }
    for (int sweep = 0; sweep < BALANCING_SWEEPS && changed; sweep++) {
        changed = false;
        for (int i = 0; i < n; i++) {
            const double f = best_scale(r, i), t = r->T[i] * f;
            if (f == 1 || fabs(log2(t)) > MAX_EXPONENT) {
                continue;
            }
            changed = true;
            r->T[i] = t;
            cblas_dscal(n, f, r->A + (size_t)i * n, 1);
            cblas_dscal(n, 1 / f, r->A + i, n);
            cblas_dscal(n, 1 / f, r->G + (size_t)i * n, 1);
            cblas_dscal(n, 1 / f, r->G + i, n);
            cblas_dscal(n, f, r->Q + (size_t)i * n, 1);
            cblas_dscal(n, f, r->Q + i, n);
        }
    }
}

static lapack_logical decays(const double *re, const double *im) {
    GOS_UNUSED(im);
    return *re < 0;
}

static gos_status none(gos_ctx *ctx, const char *why) {
    return gos__fail(ctx, GOS_E_INPUT,
                     "a Riccati equation has no stabilising solution: %s. An undamped motion is "
                     "not controllable by the inputs, or not observable in the weight (for a "
                     "filter: not excited by the noise, or not observable in the measurement)",
                     why);
}

/* *abscissa of the loop by the stable invariant subspace */
static gos_status subspace(riccati *r, double *abscissa) {
    const int n = r->n, n2 = 2 * n;
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            r->H[j * n2 + i] = r->A[j * n + i];
            r->H[(j + n) * n2 + i] = -r->G[j * n + i];
            r->H[j * n2 + i + n] = -r->Q[j * n + i];
            r->H[(j + n) * n2 + i + n] = -r->A[i * n + j];
        }
    }
    lapack_int sdim = 0;
    const lapack_int info = LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'S', decays, n2, r->H, n2, &sdim,
                                          r->w, r->w + n2, r->U, n2);
    if (info > n2 || (info == 0 && sdim != n)) { // reordering failed or moved poles across the axis
        return none(r->ctx, "poles lie on the imaginary axis");
    }
    GOS_TRY(lapack(r->ctx, info, "the ordered Schur form"));
    *abscissa = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        *abscissa = fmax(*abscissa, r->w[i]);
    }
    double norm = 0, rcond = 0; // U11^T X = U21^T
    double *U11 = r->R;
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            U11[j * n + i] = r->U[i * n2 + j];
            r->X[j * n + i] = r->U[i * n2 + j + n];
        }
    }
    norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, U11, n);
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, U11, n, r->pivot) != 0 ||
        LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, U11, n, norm, &rcond) != 0 ||
        rcond < INDEPENDENT) {
        return none(r->ctx, "the stable subspace does not determine all states");
    }
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, U11, n, r->pivot, r->X, n);
    gos__symmetrise(n, r->X);
    return GOS_OK;
}

/* R = A^T X + X A - X G X + Q; returns its norm relative to its terms; H: workspace, A - G X into
   U */
static double residual(riccati *r) {
    const int n = r->n;
    const size_t nn = (size_t)n * n;
    double *AX = r->H, *GX = r->H + nn, *XGX = r->H + 2 * nn, *Ac = r->U;
    product(n, true, r->A, false, r->X, AX);
    product(n, false, r->G, false, r->X, GX);
    product(n, false, r->X, false, GX, XGX);
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            const long k = j * n + i;
            Ac[k] = r->A[k] - GX[k];
            r->R[k] = AX[k] + AX[i * n + j] - XGX[k] + r->Q[k];
        }
    }
    const double terms = cblas_dnrm2((int)nn, r->Q, 1) + 2 * cblas_dnrm2((int)nn, AX, 1) +
                         cblas_dnrm2((int)nn, XGX, 1);
    return terms > 0 ? cblas_dnrm2((int)nn, r->R, 1) / terms : 0;
}

static gos_status loop_poles(riccati *r, gos_riccati *info) {
    const int n = r->n;
    info->residual = residual(r);
    GOS_TRY(gos__eigenvalues(r->ctx, n, r->U, r->w, r->w + n));
    info->abscissa = -HUGE_VAL;
    info->damping = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        const double size = hypot(r->w[i], r->w[n + i]);
        info->abscissa = fmax(info->abscissa, r->w[i]);
        info->damping = fmin(info->damping, size > 0 ? -r->w[i] / size : 0);
    }
    return GOS_OK;
}

/* Newton steps while they reduce the residual */
static gos_status refine(riccati *r) {
    const int n = r->n;
    const size_t nn = (size_t)n * n;
    double last = residual(r);
    for (int step = 0; step < NEWTON_STEPS && last > 0; step++) {
        double *dX = r->H + 3 * nn;
        memcpy(dX, r->R, nn * sizeof *dX);
        cblas_dscal((int)nn, -1, dX, 1);
        gos_ctx *quiet = gos__ctx_quiet(r->ctx);
        if (!quiet) {
            return GOS_E_MEMORY;
        }
        const gos_status status =
            lyapunov(quiet, n, r->U, true, dX, r->U + nn, r->U + 2 * nn, r->U + 3 * nn, r->w);
        gos_ctx_destroy(quiet);
        if (status == GOS_E_MEMORY) {
            return gos__fail(r->ctx, status, "out of memory in a Lyapunov equation");
        }
        if (status != GOS_OK) {
            return GOS_OK; // keep the current X
        }
        cblas_daxpy((int)nn, 1, dX, 1, r->X, 1);
        const double next = residual(r);
        if (!(next < last / 2)) {
            if (!(next < last)) {
                cblas_daxpy((int)nn, -1, r->H + 3 * nn, 1, r->X, 1);
            }
            break;
        }
        last = next;
    }
    return GOS_OK;
}

static gos_status solve(riccati *r, double *X, gos_riccati *info) {
    const int n = r->n;
    double abscissa = 0;
    balance(r);
    GOS_TRY(subspace(r, &abscissa));
    GOS_TRY(refine(r));
    GOS_TRY(loop_poles(r, info));
    if (!(info->residual < MAX_RESIDUAL)) {
        return none(r->ctx, "its residual is not small");
    }
    if (!(info->abscissa < 0) || fabs(info->abscissa - abscissa) > SAME_ABSCISSA * -abscissa) {
        return none(r->ctx, "poles cannot be distinguished from the imaginary axis");
    }
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            X[j * n + i] = r->X[j * n + i] / (r->T[i] * r->T[j]);
        }
    }
    return GOS_OK;
}

gos_status gos__riccati(gos_ctx *ctx, int n, const double *A, const double *G, const double *Q,
                        double *X, gos_riccati *info) {
    *info = (gos_riccati){.abscissa = -HUGE_VAL, .damping = HUGE_VAL};
    if (n == 0) {
        return GOS_OK;
    }
    const size_t nn = (size_t)n * n;
    riccati r = {.ctx = ctx, .n = n};
    r.A = gos__alloc(ctx, 13 * nn + 5 * (size_t)n, sizeof *r.A);
    r.pivot = gos__alloc(ctx, n, sizeof *r.pivot);
    gos_status status = GOS_E_MEMORY;
    if (r.A && r.pivot) {
        r.G = r.A + nn;
        r.Q = r.G + nn;
        r.X = r.Q + nn;
        r.R = r.X + nn;
        r.H = r.R + nn;
        r.U = r.H + 4 * nn;
        r.T = r.U + 4 * nn;
        r.w = r.T + n;
        memcpy(r.A, A, nn * sizeof *A);
        memcpy(r.G, G, nn * sizeof *G);
        memcpy(r.Q, Q, nn * sizeof *Q);
        gos__symmetrise(n, r.G);
        gos__symmetrise(n, r.Q);
        status = solve(&r, X, info);
    }
    gos__free(ctx, r.A);
    gos__free(ctx, r.pivot);
    return status;
}
