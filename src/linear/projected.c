/* Projected damped problem and its modes (real roots: pairs.c). Scaling y' = w v, v' =
   -(lambda/w) y - D v makes entries frequencies instead of squares, so that LAPACK is accurate
   for slow modes, too. */
#include <float.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear/quadratic.h"

#define REAL 1e-9   // relative imaginary part at round-off level
#define NEARLY 2e-3 // the same for strongly damped roots
#define ROUNDED (30 * DBL_EPSILON)
// splitting of double roots 0, relative to the gyroscopic terms: square root of round-off
#define DOUBLE 1e-6
#define DOUBLE_HEATED 3e-8
#define WHIRLS 1e-2 // smallest whirl measure relative to the gyroscopic terms

/* ---- projection ------------------------------------------------------------------------------ */

static gos_status make_room(gos_quadratic *q) {
    q->solved = q->m;
    q->nroots = 2 * q->m;
    if (q->heat) {
        q->heat->solved = q->heat->m;
        q->nroots += q->heat->m;
    }
    const size_t m = q->m, mm = m * m, N = q->nroots;
    gos__free(q->ctx, q->small);
    gos__free(q->ctx, q->unit);
    gos__free(q->ctx, q->thermal);
    const size_t left = q->heat ? N * N : 0;
    q->small = gos__alloc(q->ctx, 4 * mm + 2 * N * N + 2 * m + 2 * N + q->n * m + left + 1,
                          sizeof *q->small);
    q->unit = gos__zalloc(q->ctx, N + 1, sizeof *q->unit);
    q->thermal = gos__zalloc(q->ctx, N + 1, sizeof *q->thermal);
    return q->small && q->unit && q->thermal ? GOS_OK : GOS_E_MEMORY;
}

/* P (m, m) = V^T A V */
static void project(const gos_quadratic *q, const gos_sparse *A, double *AV, double *P) {
    const double *V = gos__dense_column(q->V, q->n, q->nidle);
    gos__sparse_apply(A, q->m, V, AV);
    gos__dense_product(q->m, q->m, q->n, V, AV, P);
}

/* A := W^T A W; T: scratch */
static void turn(int m, const double *W, double *A, double *T) {
    gos__dense_combine(m, m, m, A, W, T);
    gos__dense_product(m, m, m, W, T, A);
}

/* [0 w; -K/w -D], pairs (y, v) of a mode adjacent, stiffest first: graded for LAPACK */
static void companion(int N, int m, const double *lambda, const double *w, const double *Ka,
                      const double *D, double *A) {
    memset(A, 0, (size_t)N * N * sizeof *A);
    for (int j = 0; j < m; j++) {
        const int jy = 2 * (m - 1 - j), jv = jy + 1;
        double *y = gos__dense_column(A, N, jy), *v = gos__dense_column(A, N, jv);
        v[jy] = w[j];
        for (int i = 0; i < m; i++) {
            const int iv = 2 * (m - 1 - i) + 1;
            const size_t ij = (size_t)j * m + i;
            y[iv] = -((i == j ? lambda[i] : 0) + (Ka ? Ka[ij] : 0)) / w[j];
            v[iv] -= D ? D[ij] : 0;
        }
    }
}

static void split(int m, const double *P, double *S, double *A) {
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < m; j++) {
            const double a = P[j * m + i];
            const double b = P[i * m + j];
            S[j * m + i] = 0.5 * (a + b);
            A[j * m + i] = 0.5 * (a - b);
        }
    }
}

gos_status gos__quadratic_solve(gos_quadratic *q) {
    GOS_TRY(make_room(q));
    const int m = q->m;
    const size_t mm = (size_t)m * m, N = q->nroots;
    double *K = q->small, *skew = K + mm, *D = skew + mm, *A = D + mm, *AV;
    q->W = A + N * N;
    q->Y = q->W + mm;
    q->lambda = q->Y + N * N;
    q->w = q->lambda + m;
    q->re = q->w + m;
    q->im = q->re + N;
    AV = q->im + N;
    q->left = q->heat ? AV + (size_t)q->n * m : NULL;
    project(q, q->K, AV, K);
    split(m, K, q->W, skew);
    for (long j = 0; j < q->m0; j++) { // known exactly
        for (int i = 0; i < q->m0; i++) {
            q->W[j * m + i] = i == j ? q->lambda0[i] : 0;
        }
    }
    GOS_TRY(gos__dense_symmetric(q->ctx, m, q->W, q->lambda));
    turn(m, q->W, skew, A);
    if (q->D) {
        project(q, q->D, AV, D);
        turn(m, q->W, D, A);
    }
    const double top = fmax(fabs(q->lambda[0]), fabs(q->lambda[m - 1]));
    for (int i = 0; i < m; i++) {
        q->w[i] = top > 0 ? sqrt(fmax(fabs(q->lambda[i]), 1e-12 * top)) : 1;
    }
    q->gyration = NULL;
    if (q->D && q->l->gyroscopic) { // reuse AV
        q->gyration = AV;
        split(m, D, A, q->gyration);
    }
    companion(q->nroots, m, q->lambda, q->w, q->l->symmetric_K ? NULL : skew, q->D ? D : NULL, A);
    if (q->heat) {
        GOS_TRY(gos__thermal_project(q, A));
    }
    return gos__dense_general_both(q->ctx, q->nroots, A, q->re, q->im, q->left, q->Y);
}

/* ---- modes from roots ------------------------------------------------------------------------ */

/* Equal real roots may appear as a pair with round-off imaginary parts: make them real.
   Conserved temperatures have roots 0. */
static void clean_pairs(gos_quadratic *q) {
    double fastest = 0;
    for (int i = 0; i < q->nroots; i++) {
        fastest = fmax(fastest, hypot(q->re[i], q->im[i]));
    }
    for (int i = 0; i < q->nroots; i++) {
        const double re = fabs(q->re[i]), im = fabs(q->im[i]);
        if (im <= REAL * re || (im <= NEARLY * re && im <= ROUNDED * fastest)) {
            q->im[i] = 0;
        }
        if (q->heat && hypot(re, im) <= q->heat->rounding) {
            q->re[i] = q->im[i] = 0;
        }
    }
}

/* Participation factors of root i: products of left and right vectors over displacements with
   velocities, and over temperatures; independent of units, unlike energies (Perez-Arriaga,
   Verghese and Schweppe, IEEE Trans. PAS 101, 1982). */
static void participation(const gos_quadratic *q, int i, double p[2]) {
    const double *v = gos__dense_column(q->Y, q->nroots, i);
    const double *u = gos__dense_column(q->left, q->nroots, i);
    const bool pair = q->im[i] != 0;
    double re[2] = {0}, im[2] = {0};
    for (int k = 0; k < q->nroots; k++) {
        const int field = k >= 2 * q->m;
        const double vi = pair ? v[q->nroots + k] : 0, ui = pair ? u[q->nroots + k] : 0;
        re[field] += u[k] * v[k] + ui * vi;
        im[field] += u[k] * vi - ui * v[k];
    }
    p[0] = hypot(re[0], im[0]);
    p[1] = hypot(re[1], im[1]);
}

/* Thermal roots: real or weakly oscillating, with dominant temperatures. Other pairs are
   oscillations. An even number of real roots remains. */
static void tell_thermal(gos_quadratic *q) {
    int real = 0, doubtful = -1;
    const double nearly = q->whole ? NEARLY : GOS_SWINGS;
    double most = -1;
    for (int i = 0; i < q->nroots && q->heat; i++) {
        double p[2];
        if (q->im[i] < 0) {
            q->thermal[i] = q->thermal[i - 1];
            continue;
        }
        participation(q, i, p);
        q->thermal[i] = p[1] > p[0] && q->im[i] <= nearly * fabs(q->re[i]);
        real += q->im[i] == 0 && !q->thermal[i];
        if (q->im[i] == 0 && !q->thermal[i] && p[1] > most * p[0]) {
            most = p[1] / p[0];
            doubtful = i;
        }
    }
    if (real % 2 == 1) {
        q->thermal[doubtful] = true;
    }
}

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* The smallest roots are the zeros of rigid modes; gyroscopic terms make them double. */
static void clean_zeros(gos_quadratic *q) {
    int zeros = 0;
    // heat may slightly move one of the two
    const double split = q->heat ? DOUBLE_HEATED : DOUBLE;
    const double least =
        q->gyration && q->nrigid > 0 ? split * largest(q->m * q->m, q->gyration) : 0;
    for (int i = 0; i < q->nroots; i++) {
        if (!q->thermal[i] && hypot(q->re[i], q->im[i]) <= least) {
            q->re[i] = q->im[i] = 0;
        }
    }
    for (int i = 0; i < q->nroots; i++) {
        zeros += !q->thermal[i] && q->re[i] == 0 && q->im[i] == 0;
    }
    for (; zeros < q->nfree; zeros++) {
        int best = -1;
        double smallest = HUGE_VAL;
        for (int i = 0; i < q->nroots; i++) {
            const double s = hypot(q->re[i], q->im[i]);
            if (!q->thermal[i] && s > 0 && s < smallest) {
                best = i;
                smallest = s;
            }
        }
        if (best >= 0) {
            q->re[best] = q->im[best] = 0;
        }
    }
}

static int compare_units(const void *a, const void *b) {
    const gos_unit *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->root[0] > y->root[0]) - (x->root[0] < y->root[0]);
}

gos_status gos__quadratic_units(gos_quadratic *q) {
    q->nunit = 0;
    clean_pairs(q);
    tell_thermal(q);
    clean_zeros(q);
    for (int i = 0; i < q->nroots; i++) {
        if (q->im[i] > 0 && !q->thermal[i]) {
            q->unit[q->nunit++] = (gos_unit){.key = hypot(q->re[i], q->im[i]),
                                             .re = {q->re[i], q->re[i]},
                                             .im = q->im[i],
                                             .root = {i, i + 1}};
        }
    }
    GOS_TRY(gos__quadratic_pair(q));
    qsort(q->unit, q->nunit, sizeof *q->unit, compare_units);
    return GOS_OK;
}

int gos__quadratic_whirl(const gos_quadratic *q, const gos_unit *u) {
    const int m = q->m;
    if (!q->gyration || !(u->im > 0)) {
        return 0;
    }
    // e^(s t) (x + i y) rotates from x to -y: forward whirl if ([w] x).(-y) = x.[w] y > 0
    const double *re = gos__dense_column(q->Y, q->nroots, u->root[0]);
    const double *im = gos__dense_column(q->Y, q->nroots, u->root[1]);
    double sum = 0, size = 0;
    for (int i = 0; i < m; i++) {
        const double x = re[2 * (m - 1 - i)] / q->w[i], y = im[2 * (m - 1 - i)] / q->w[i];
        size += x * x + y * y;
        for (long j = 0; j < m; j++) {
            sum += x * q->gyration[j * m + i] * im[2 * (m - 1 - j)] / q->w[j];
        }
    }
    const double least = WHIRLS * largest(m * m, q->gyration) * size;
    return sum > least ? 1 : sum < -least ? -1 : 0;
}
