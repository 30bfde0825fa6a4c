/* Projected damped problem and its modes. Scaling y' = w v, v' = -(lambda/w) y - D v makes entries
   frequencies instead of squares, so that LAPACK is accurate for slow modes, too. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "linalg/dense.h"
#include "linear/quadratic.h"

/* Pairing of real roots into overdamped modes. Equal roots have arbitrary vectors, so vectors
   are compared by the spaces that equal roots span. */

#define EQUAL 1e-7           // relative distance of equal roots
#define MIN_COMMON_SHARE 0.3 // smallest common part of partners' displacements
#define DEPENDENT 1e-6       // relative norm of a dependent displacement

/* real roots, ascending */
typedef struct reals {
    int n;
    int *root;       // columns of the vectors (n)
    int *from, *to;  // range of roots equal to each (n)
    double *k;       // stiffness of the displacements (n)
    double *y;       // normalised displacements (m, n)
    double *space;   // orthonormal per range, or zero (m, n)
    double *overlap; // space^T y (n, n)
} reals;

typedef struct couple {
    double bad;
    int a, b;
} couple;

static bool is_real(const gos_quadratic *q, int i) {
    return q->im[i] == 0 && !(q->heat && q->thermal[i]);
}

/* normalised displacement part in undamped modes; returns y^T K y */
static double displacement(const gos_quadratic *q, int root, double *y) {
    const double *v = gos__dense_column(q->Y, q->nroots, root);
    double norm = 0, stiffness = 0;
    for (int i = 0; i < q->m; i++) {
        y[i] = v[2 * (q->m - 1 - i)] / q->w[i];
        norm += y[i] * y[i];
    }
    for (int i = 0; i < q->m; i++) {
        y[i] /= norm > 0 ? sqrt(norm) : 1;
        stiffness += q->lambda[i] * y[i] * y[i];
    }
    return stiffness;
}

static void add_pair(gos_quadratic *q, int a, int b) {
    gos_unit *u = &q->unit[q->nunit++];
    const bool opposite = q->re[a] * q->re[b] < 0; // unstable one first, else slower first
    if (opposite ? q->re[a] < q->re[b] : fabs(q->re[a]) > fabs(q->re[b])) {
        const int t = a;
        a = b;
        b = t;
    }
    const double product = q->re[a] * q->re[b];
    *u = (gos_unit){.re = {q->re[a], q->re[b]}, .root = {a, b}, .rigid = q->re[a] == 0};
    u->key = u->rigid ? 0 : product > 0 ? sqrt(product) : -sqrt(-product);
}

/* insertion sort is stable */
static void gather(const gos_quadratic *q, reals *r) {
    for (int i = 0; i < q->nroots; i++) {
        int to = r->n;
        if (!is_real(q, i)) {
            continue;
        }
        for (; to > 0 && q->re[r->root[to - 1]] > q->re[i]; to--) {
            r->root[to] = r->root[to - 1];
        }
        r->root[to] = i;
        r->n++;
    }
    for (int i = 0; i < r->n; i++) {
        r->k[i] = displacement(q, r->root[i], gos__dense_column(r->y, q->m, i));
        const double s = q->re[r->root[i]];
        const bool same = i > 0 && s - q->re[r->root[i - 1]] <= EQUAL * fabs(q->re[r->root[i - 1]]);
        r->from[i] = same ? r->from[i - 1] : i;
    }
    for (int i = r->n - 1; i >= 0; i--) {
        r->to[i] = i + 1 < r->n && r->from[i + 1] == r->from[i] ? r->to[i + 1] : i + 1;
    }
}

/* orthonormalise each range, twice */
static void span(int m, reals *r) {
    memcpy(r->space, r->y, (size_t)m * r->n * sizeof *r->y);
    for (int i = 0; i < r->n; i++) {
        double *x = gos__dense_column(r->space, m, i);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = r->from[i]; j < i; j++) {
                const double *other = gos__dense_column(r->space, m, j);
                const double along = gos__dense_dot(m, x, other);
                for (int k = 0; k < m; k++) {
                    x[k] -= along * other[k];
                }
            }
        }
        const double left = sqrt(gos__dense_dot(m, x, x));
        for (int k = 0; k < m; k++) {
            x[k] = left > DEPENDENT ? x[k] / left : 0;
        }
    }
    gos__dense_product(r->n, r->n, m, r->space, r->y, r->overlap);
}

/* norm of the part of displacement b in the space of a */
static double part(const reals *r, int a, long b) {
    const double *o = r->overlap + b * r->n;
    double sum = 0;
    for (int j = r->from[a]; j < r->to[a]; j++) {
        sum += o[j] * o[j];
    }
    return sqrt(sum);
}

/* Mismatch of two real roots. Roots of one overdamped mode share y, and their product is its
   stiffness: s^2 + s (y^T D y) + y^T K y = 0. Equal roots form one (critically damped) mode only
   with equal displacements. */
static double mismatch(const gos_quadratic *q, const reals *r, int a, int b) {
    const double product = q->re[r->root[a]] * q->re[r->root[b]], ka = r->k[a], kb = r->k[b];
    const double off_a = fabs(product - ka) / fmax(fmax(fabs(product), fabs(ka)), DBL_MIN);
    const double off_b = fabs(product - kb) / fmax(fmax(fabs(product), fabs(kb)), DBL_MIN);
    const double *ya = gos__dense_column(r->y, q->m, a), *yb = gos__dense_column(r->y, q->m, b);
    const double common = r->from[a] == r->from[b] ? fabs(gos__dense_dot(q->m, ya, yb))
                                                   : fmax(part(r, a, b), part(r, b, a));
    return off_a + off_b + (common < MIN_COMMON_SHARE ? 4 : 1e-6 * (1 - common));
}

static int compare_couples(const void *a, const void *b) {
    const couple *x = a, *y = b;
    if (x->bad != y->bad) {
        return x->bad < y->bad ? -1 : 1;
    }
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* greedy pairing by mismatch; list (n (n - 1) / 2) */
static void marry(gos_quadratic *q, reals *r, couple *list) {
    size_t count = 0;
    for (int a = 0; a < r->n; a++) {
        for (int b = a + 1; b < r->n; b++) {
            list[count++] = (couple){.bad = mismatch(q, r, a, b), .a = a, .b = b};
        }
    }
    qsort(list, count, sizeof *list, compare_couples);
    for (size_t i = 0; i < count; i++) {
        int *a = &r->root[list[i].a], *b = &r->root[list[i].b];
        if (*a >= 0 && *b >= 0) {
            add_pair(q, *a, *b);
            *a = *b = -1;
        }
    }
}

gos_status gos__quadratic_pair(gos_quadratic *q) {
    const size_t m = q->m;
    size_t n = 0;
    for (int i = 0; i < q->nroots; i++) {
        n += is_real(q, i);
    }
    int *ints = gos__alloc(q->ctx, 3 * n + 1, sizeof *ints);
    double *doubles = gos__alloc(q->ctx, n + 2 * m * n + n * n + 1, sizeof *doubles);
    couple *list = gos__alloc(q->ctx, n * n / 2 + 1, sizeof *list);
    const bool all = ints && doubles && list;
    if (all && n > 0) {
        reals r = {.root = ints, .from = ints + n, .to = ints + 2 * n, .k = doubles};
        r.y = r.k + n;
        r.space = r.y + m * n;
        r.overlap = r.space + m * n;
        gather(q, &r);
        span(q->m, &r);
        marry(q, &r, list);
    }
    gos__free(q->ctx, list);
    gos__free(q->ctx, doubles);
    gos__free(q->ctx, ints);
    return all ? GOS_OK : GOS_E_MEMORY;
}

#define REAL 1e-9             // relative imaginary part at round-off level
#define DAMPED_TOLERANCE 2e-3 // the same for strongly damped roots
#define ROUNDED (30 * DBL_EPSILON)
// splitting of double roots 0, relative to the gyroscopic terms: square root of round-off
#define DOUBLE 1e-6
#define DOUBLE_HEATED 3e-8

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
        if (im <= REAL * re || (im <= DAMPED_TOLERANCE * re && im <= ROUNDED * fastest)) {
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
    const double nearly = q->whole ? DAMPED_TOLERANCE : GOS_SWINGS;
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
