#include "control/hinf.h"

#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "control/riccati.h"

#define MAX_ITERATIONS 40
#define ON_AXIS 1e-8 // relative tolerance of imaginary eigenvalues

typedef struct search {
    gos_ctx *ctx;
    const gos_plant *p;
    double *H;       // frequency response (2 ny nu)
    double *M;       // Hamiltonian matrix (2 n, 2 n)
    double *R, *X;   // gamma^2 I - D^T D (nu, nu), workspace (nu, 2 n + nu)
    double *re, *im; // (2 n)
    double *w;       // candidates (2 n)
    double norm, omega;
} search;

static gos_status largest(gos_ctx *ctx, int m, int n, double *H, double *value) {
    const int min = m < n ? m : n;
    double *s = gos__alloc(ctx, 2L * min + 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const lapack_int info =
        LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, (lapack_complex_double *)(void *)H, m, s,
                       NULL, 1, NULL, 1, s + min);
    *value = s[0];
    gos__free(ctx, s);
    return info == 0 ? GOS_OK
                     : gos__fail(ctx, info < 0 ? GOS_E_NONFINITE : GOS_E_DIVERGED,
                                 "the singular values of a frequency response could not be "
                                 "computed");
}

static gos_status evaluate(search *s, double omega) {
    double value = 0;
    GOS_TRY(gos__plant_response(s->ctx, s->p, omega, s->H));
    GOS_TRY(largest(s->ctx, s->p->ny, s->p->nu, s->H, &value));
    if (value > s->norm) {
        s->norm = value;
        s->omega = omega;
    }
    return GOS_OK;
}

/* start at the poles; rejects unstable plants */
static gos_status begin(search *s) {
    const gos_plant *p = s->p;
    for (long k = 0; k < (long)p->ny * p->nu; k++) {
        s->H[2 * k] = p->D[k];
        s->H[2 * k + 1] = 0;
    }
    GOS_TRY(largest(s->ctx, p->ny, p->nu, s->H, &s->norm));
    s->omega = HUGE_VAL;
    GOS_TRY(gos__eigenvalues(s->ctx, p->n, p->A, s->re, s->im));
    for (int i = 0; i < p->n; i++) {
        if (!(s->re[i] < 0)) {
            return gos__fail(s->ctx, GOS_E_INPUT,
                             "a norm over all frequencies needs a stable system, but there is a "
                             "pole at %.4g%+.4gi 1/s",
                             s->re[i], s->im[i]);
        }
    }
    GOS_TRY(evaluate(s, 0));
    for (int i = 0; i < p->n; i++) {
        if (s->im[i] >= 0) {
            const double size = hypot(s->re[i], s->im[i]);
            const double peak = s->im[i] * s->im[i] - s->re[i] * s->re[i];
            GOS_TRY(evaluate(s, peak > 0 ? sqrt(peak) : size));
        }
    }
    return GOS_OK;
}

/* has imaginary eigenvalues i omega where a singular value equals gamma */
static gos_status hamiltonian(search *s, double gamma) {
    const gos_plant *p = s->p;
    const int n = p->n, nu = p->nu, ny = p->ny, n2 = 2 * n;
    double *DtC = s->X, *Bt = s->X + (size_t)nu * n;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nu, nu, ny, -1, p->D, ny, p->D, ny, 0,
                s->R, nu);
    for (long i = 0; i < nu; i++) {
        s->R[i * nu + i] += gamma * gamma;
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nu, n, ny, 1, p->D, ny, p->C, ny, 0, DtC,
                nu);
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < nu; i++) {
            Bt[j * nu + i] = p->B[i * n + j];
        }
    }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', nu, s->R, nu) != 0) {
        return gos__fail(s->ctx, GOS_E_INTERNAL, "the bound is below the feedthrough");
    }
    // L^-1 D^T C and L^-1 B^T with R = L L^T
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, nu, n2, 1, s->R,
                nu, s->X, nu);
    double *A = s->M, *G = s->M + (size_t)n * n2, *Q = s->M + n, *At = G + n;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, nu, 1, Bt, nu, Bt, nu, 0, G, n2);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, nu, -1, DtC, nu, DtC, nu, 0, Q, n2);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, ny, -1, p->C, ny, p->C, ny, 1, Q,
                n2);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, nu, 1, Bt, nu, DtC, nu, 0, A, n2);
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            A[j * n2 + i] += p->A[j * n + i];
        }
    }
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            At[j * n2 + i] = -A[i * n2 + j];
        }
    }
    return GOS_OK;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* between frequencies at which a singular value is gamma; *none: no such frequencies */
static gos_status between(search *s, double gamma, bool *none) {
    const int n2 = 2 * s->p->n;
    GOS_TRY(hamiltonian(s, gamma));
    GOS_TRY(gos__eigenvalues(s->ctx, n2, s->M, s->re, s->im));
    double size = 0;
    for (int i = 0; i < n2; i++) {
        size = fmax(size, hypot(s->re[i], s->im[i]));
    }
    int count = 0;
    for (int i = 0; i < n2; i++) {
        const double r = hypot(s->re[i], s->im[i]);
        if (s->im[i] >= 0 && fabs(s->re[i]) <= ON_AXIS * r + 1e-14 * size) {
            s->w[count++] = s->im[i];
        }
    }
    qsort(s->w, count, sizeof *s->w, ascending);
    const double before = s->norm;
    for (int i = 0; i < count; i++) {
        GOS_TRY(evaluate(s, s->w[i]));
        if (i + 1 < count) {
            GOS_TRY(evaluate(s, (s->w[i] + s->w[i + 1]) / 2));
        }
    }
    *none = count == 0 || s->norm <= before;
    return GOS_OK;
}

gos_status gos__hinf_norm(gos_ctx *ctx, const gos_plant *p, double tolerance, double *norm,
                          double *omega) {
    *norm = 0;
    *omega = 0;
    if (p->nu == 0 || p->ny == 0) {
        return GOS_OK;
    }
    const size_t n = p->n, nu = p->nu;
    search s = {.ctx = ctx, .p = p};
    s.H = gos__alloc(ctx, 2 * nu * p->ny + 4 * n * n + nu * nu + 2 * n * nu + 6 * n, sizeof *s.H);
    if (!s.H) {
        return GOS_E_MEMORY;
    }
    s.M = s.H + 2 * nu * p->ny;
    s.R = s.M + 4 * n * n;
    s.X = s.R + nu * nu;
    s.re = s.X + 2 * n * nu;
    s.im = s.re + 2 * n;
    s.w = s.im + 2 * n;
    gos_status status = begin(&s);
    bool none = s.norm == 0;
    for (int round = 0; round < MAX_ITERATIONS && status == GOS_OK && !none; round++) {
        status = between(&s, s.norm * (1 + tolerance), &none);
    }
    *norm = s.norm;
    *omega = s.omega;
    gos__free(ctx, s.H);
    return status;
}

gos_status gos__margins(gos_ctx *ctx, const gos_plant *loop, gos_margins *m) {
    *m = (gos_margins){0};
    const int nu = loop->nu;
    if (loop->ny != nu) {
        return gos__fail(ctx, GOS_E_USE,
                         "a loop must have as many outputs as inputs, got %d and %d", loop->ny, nu);
    }
    double *F = gos__zalloc(ctx, (size_t)nu * nu + 1, sizeof *F);
    if (!F) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < nu; i++) {
        F[i * nu + i] = -1;
    }
    gos_plant T = {0}; // r to L (r - y): complementary sensitivity
    gos_status status = gos__plant_feedback(ctx, loop, F, &T);
    double norm = 0, where = 0;
    if (status == GOS_OK) { // (S - T) / 2 = I / 2 - T
        for (long k = 0; k < (long)nu * nu; k++) {
            T.D[k] = -T.D[k] - F[k] / 2;
        }
        cblas_dscal(nu * T.n, -1, T.C, 1);
        status = gos__hinf_norm(ctx, &T, 1e-6, &norm, &m->omega);
    }
    if (status == GOS_OK) {
        m->disk = norm > 0 ? fmin(1 / norm, 2) : 2;
        m->gain = (1 + m->disk / 2) / (1 - m->disk / 2);
        m->phase = 2 * atan(m->disk / 2);
        for (long i = 0; i < nu; i++) { // S = I - T
            T.D[i * nu + i] += 0.5;
        }
        status = gos__hinf_norm(ctx, &T, 1e-6, &m->sensitivity, &where);
    }
    gos__plant_free(ctx, &T);
    gos__free(ctx, F);
    return status;
}
