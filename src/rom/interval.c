/* Time stepping inside an interval. The rate of eta follows from that of eta', which leaves one
   system of m + mt unknowns, factorised once. */
#include "rom/interval.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/expm.h"

gos_status gos__interval_create(gos_ctx *ctx, int cap, int tcap, gos_interval **interval) {
    gos_interval *i = gos__zalloc(ctx, 1, sizeof *i);
    if (!i) {
        return GOS_E_MEMORY;
    }
    i->ctx = ctx;
    i->cap = cap;
    i->tcap = tcap;
    const size_t m = cap, mt = tcap, n = 2 * m + mt, ne = n + 2;
    struct {
        double **to;
        size_t n;
    } const arrays[] = {{&i->K, m * m},       {&i->D, m * m},
                        {&i->G, m * mt},      {&i->Hq, mt * m},
                        {&i->Hv, mt * m},     {&i->L, mt * mt},
                        {&i->f0, m},          {&i->f1, m},
                        {&i->r0, mt},         {&i->r1, mt},
                        {&i->start, n},       {&i->g, n},
                        {&i->gd, n},          {&i->lu, (m + mt) * (m + mt)},
                        {&i->z, n},           {&i->y, n},
                        {&i->g0, n},          {&i->gd0, n},
                        {&i->exact, ne * ne}, {&i->work, gos__expm_work((int)ne)}};
    gos_status status = GOS_OK;
    for (int k = 0; k < GOS_COUNT(arrays); k++) {
        *arrays[k].to = gos__zalloc(ctx, arrays[k].n + 1, sizeof(double));
        status = *arrays[k].to ? status : GOS_E_MEMORY;
    }
    i->pivot = gos__zalloc(ctx, ne + 1, sizeof *i->pivot);
    if (status != GOS_OK || !i->pivot) {
        gos__interval_destroy(i);
        return GOS_E_MEMORY;
    }
    *interval = i;
    return GOS_OK;
}

void gos__interval_destroy(gos_interval *i) {
    if (i) {
        void *const blocks[] = {i->K,  i->D,  i->G,  i->Hq,  i->Hv,    i->L,    i->f0,
                                i->f1, i->r0, i->r1, i->g,   i->start, i->gd,   i->lu,
                                i->z,  i->y,  i->g0, i->gd0, i->exact, i->work, i->pivot};
        for (int k = 0; k < GOS_COUNT(blocks); k++) {
            gos__free(i->ctx, blocks[k]);
        }
        gos__free(i->ctx, i);
    }
}

/* y += a A x, A (m, n) row-major */
static void add_product(int m, int n, double a, const double *A, const double *x, double *y) {
    if (m > 0 && n > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, a, A, n, x, 1, 1, y, 1);
    }
}

/* y (2 m + mt) := A g + a f0 + b f1 for g' = A g + f0 + f1 t */
static void apply(const gos_interval *i, const double *g, double a, double b, double *y) {
    const int m = i->m, mt = i->mt;
    const double *eta = g, *v = g + m, *p = v + m;
    double *vd = y + m, *pd = vd + m;
    memcpy(y, v, m * sizeof *y);
    for (int k = 0; k < m; k++) {
        vd[k] = a * i->f0[k] + b * i->f1[k];
    }
    for (int k = 0; k < mt; k++) {
        pd[k] = a * i->r0[k] + b * i->r1[k];
    }
    add_product(m, m, -1, i->K, eta, vd);
    add_product(m, m, -1, i->D, v, vd);
    add_product(m, mt, -1, i->G, p, vd);
    add_product(mt, m, -1, i->Hq, eta, pd);
    add_product(mt, m, -1, i->Hv, v, pd);
    add_product(mt, mt, -1, i->L, p, pd);
}

static void rates(const gos_interval *i, const double *g, double t, double *y) {
    apply(i, g, 1, t, y);
}

void gos__interval_begin(gos_interval *i) {
    i->t = 0;
    i->lag = 0;
    i->factored = 0;
    memcpy(i->g, i->start, (2 * i->m + i->mt) * sizeof *i->g);
    rates(i, i->g, 0, i->gd);
}

void gos__interval_walk(gos_interval *i, gos_walk *w) {
    gos__walk_int(w, &i->m, i->cap);
    const size_t m = w->bad ? 0 : i->m, mt = i->mt, n = 2 * m + mt;
    struct {
        double *of;
        size_t n;
    } const arrays[] = {{i->K, m * m},    {i->D, m * m},
                        {i->G, m * mt},   {i->Hq, mt * m},
                        {i->Hv, mt * m},  {i->L, mt * mt},
                        {i->f0, m},       {i->f1, m},
                        {i->r0, mt},      {i->r1, mt},
                        {i->start, n},    {i->g, n},
                        {i->gd, n},       {i->lu, (m + mt) * (m + mt)},
                        {&i->t, 1},       {&i->lag, 1},
                        {&i->factored, 1}};
    for (int k = 0; k < GOS_COUNT(arrays); k++) {
        gos__walk(w, arrays[k].of, arrays[k].n);
    }
    for (size_t k = 0; k < m + mt; k++) {
        gos__walk_int(w, &i->pivot[k], (int)(m + mt));
        w->bad = w->bad || (i->factored > 0 && i->pivot[k] < 1);
    }
}

/* ---- generalised-alpha ----------------------------------------------------------------------- */

/* rows of eta' and p, with the rate of eta eliminated; c = alpha_f gamma h */
static gos_status factor(gos_interval *i, double h, double am, double c) {
    const int m = i->m, mt = i->mt, n = m + mt;
    const double cc = c * c / am;
    for (long r = 0; r < m; r++) {
        double *row = i->lu + r * n;
        for (int k = 0; k < m; k++) {
            row[k] = c * i->D[r * m + k] + cc * i->K[r * m + k];
        }
        for (int k = 0; k < mt; k++) {
            row[m + k] = c * i->G[r * mt + k];
        }
        row[r] += am;
    }
    for (long r = 0; r < mt; r++) {
        double *row = i->lu + (m + r) * n;
        for (int k = 0; k < m; k++) {
            row[k] = c * i->Hv[r * m + k] + cc * i->Hq[r * m + k];
        }
        for (int k = 0; k < mt; k++) {
            row[m + k] = c * i->L[r * mt + k];
        }
        row[m + r] += am;
    }
    // column-major getrf sees the transpose; solved with 'T'
    const lapack_int info =
        n > 0 ? LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, i->lu, n, i->pivot) : 0;
    i->factored = info == 0 ? h : 0;
    i->factorisations++;
    return info == 0 ? GOS_OK : GOS_RETRY;
}

/* F := (am - c A)^-1 F, using the factors */
static void solve(gos_interval *i, double am, double c, double *F) {
    const int m = i->m, mt = i->mt;
    double *b = F + m;
    add_product(m, m, -c / am, i->K, F, b);
    add_product(mt, m, -c / am, i->Hq, F, b + m);
    if (m + mt > 0) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', m + mt, 1, i->lu, m + mt, i->pivot, b, m + mt);
    }
    for (int k = 0; k < m; k++) {
        F[k] = (F[k] + c * b[k]) / am;
    }
}

/* Generalised-alpha carries the rates at t - (am - af) h. At the start and when the step
   changes, they are shifted there along g''. Modes faster than the step would be amplified; (1 -
   c/am A)^-2 g'' applies the scheme's own damping twice. Any sequence of such starts is as
   stable as the scheme. */
static void move_rates(gos_interval *i, double h, double am, double af, double c) {
    const int n = 2 * i->m + i->mt;
    rates(i, i->g, i->t, i->z);
    apply(i, i->z, 0, 1, i->y);
    solve(i, am, c, i->y);
    solve(i, am, c, i->y);
    cblas_daxpy(n, -am * am * (am - af) * (h - i->lag), i->y, 1, i->gd, 1);
    i->lag = h;
}

gos_status gos__interval_alpha(gos_interval *i, double h, double rho) {
    const int n = 2 * i->m + i->mt;
    const double am = 0.5 * (3 - rho) / (1 + rho), af = 1 / (1 + rho), gamma = 0.5 + am - af;
    const double c = af * gamma * h;
    if (!(fabs(i->factored / h - 1) < 1e-9)) {
        GOS_TRY(factor(i, h, am, c));
    }
    memcpy(i->g0, i->g, n * sizeof *i->g);
    memcpy(i->gd0, i->gd, n * sizeof *i->gd);
    i->t0 = i->t;
    i->lag0 = i->lag;
    if (!(fabs(i->lag / h - 1) < 1e-9)) {
        move_rates(i, h, am, af, c);
    }
    /* right-hand sides F = R - S z - (1 - am) g', z = g + af (1 - gamma) h g' */
    for (int k = 0; k < n; k++) {
        i->z[k] = i->g[k] + af * (1 - gamma) * h * i->gd[k];
    }
    double *F = i->y;
    rates(i, i->z, i->t + af * h, F);
    for (int k = 0; k < n; k++) {
        F[k] -= (1 - am) * i->gd[k];
    }
    solve(i, am, c, F);
    for (int k = 0; k < n; k++) {
        i->g[k] += h * ((1 - gamma) * i->gd[k] + gamma * F[k]);
        i->gd[k] = F[k];
    }
    i->t += h;
    return GOS_OK;
}

void gos__interval_undo(gos_interval *i) {
    const size_t n = 2 * i->m + i->mt;
    memcpy(i->g, i->g0, n * sizeof *i->g);
    memcpy(i->gd, i->gd0, n * sizeof *i->gd);
    i->t = i->t0;
    i->lag = i->lag0;
}

/* ---- exact stepping -------------------------------------------------------------------------- */

/* t times the matrix of (w eta, eta', p, t, 1), row-major; w equilibrates both orders */
static void augmented(gos_interval *i, double w, double t) {
    const long m = i->m, mt = i->mt, N = 2 * m + mt + 2;
    double *A = i->exact;
    memset(A, 0, N * N * sizeof *A);
    for (int r = 0; r < m; r++) {
        double *row = A + (m + r) * N;
        A[r * N + (m + r)] = w * t;
        for (int k = 0; k < m; k++) {
            row[k] = -t / w * i->K[r * m + k];
            row[m + k] = -t * i->D[r * m + k];
        }
        for (int k = 0; k < mt; k++) {
            row[2 * m + k] = -t * i->G[r * mt + k];
        }
        row[N - 2] = t * i->f1[r];
        row[N - 1] = t * i->f0[r];
    }
    for (int r = 0; r < mt; r++) {
        double *row = A + (2 * m + r) * N;
        for (int k = 0; k < m; k++) {
            row[k] = -t / w * i->Hq[r * m + k];
            row[m + k] = -t * i->Hv[r * m + k];
        }
        for (int k = 0; k < mt; k++) {
            row[2 * m + k] = -t * i->L[r * mt + k];
        }
        row[N - 2] = t * i->r1[r];
        row[N - 1] = t * i->r0[r];
    }
    A[(N - 2) * N + (N - 1)] = t;
}

gos_status gos__interval_exact(gos_interval *i, double t) {
    const int m = i->m, mt = i->mt, n = 2 * m + mt, N = n + 2;
    double max = 0;
    for (int k = 0; k < m; k++) {
        max = fmax(max, fabs(i->K[k * m + k]));
    }
    const double w = max > 0 ? sqrt(max) : 1;
    augmented(i, w, t);
    GOS_TRY(gos__expm(N, i->exact, i->work, i->pivot));
    double *s = i->work; // (w eta, eta', p, 0, 1)
    memcpy(s, i->start, n * sizeof *s);
    cblas_dscal(m, w, s, 1);
    s[n] = 0;
    s[n + 1] = 1;
    if (n > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, n, N, 1, i->exact, N, s, 1, 0, i->g, 1);
    }
    cblas_dscal(m, 1 / w, i->g, 1);
    i->t = t;
    i->lag = 0;
    rates(i, i->g, t, i->gd);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += fabs(i->g[k]);
    }
    return isfinite(sum) ? GOS_OK : GOS_RETRY;
}
