/* Damped modes: (s^2 M + s D + K) x = 0 on C x = 0. Few of the lowest undamped modes already span the
   damped ones (exactly so when damping is proportional), so the problem is projected on them, solved
   whole, and its residuals tell whether more directions are needed: each residual, put through
   the factorised tau^2 M + tau D + K with a real tau near |s|, is the next direction (Davidson's
   method; the ratio to s^2 M + s D + K is bounded for every mode). The projected problem is scaled to
   y' = w v, v' = -(lambda/w) y - D v, whose entries are frequencies, not their squares: LAPACK's error
   is then small against the slow modes too.
   Tisseur and Meerbergen, The quadratic eigenvalue problem, SIAM Review 43 (2001). */
#include <float.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linear/linear.h"

#define SPARE 8         // undamped modes beyond those wanted, to begin with
#define WHOLE 120       // free directions up to which all undamped modes are taken at once
#define ROUNDS 40       // of new directions
#define STUCK 8         // rounds without a smaller residual
#define ACCURATE 1e-8   // relative residual of a mode
#define NOTHING 1e-9    // relative force that counts as none
#define GROWS 1e-6      // real part relative to |s| that is more than rounding of double roots
#define REAL 1e-9       // imaginary part relative to the real one that is rounding
#define NOISE 30.0      // times the rounding of K, see eigen.c
#define DEPENDENT 1e-8  // what is left of a direction when it adds nothing

/* One mode of the damped problem: a conjugate pair, or the two real roots of an overdamped mode. */
typedef struct unit {
    double key;         // order: omega, negative when unstable without oscillation
    double re[2], im;   // im > 0: a pair re[0] +- i im
    int root[2];        // columns of the vectors
    bool rigid;
} unit;

typedef struct quadratic {
    gos_ctx *ctx;
    const gos_linear *l;
    const gos_sparse *D, *K; // D NULL: without
    int n, nz;               // order, free directions
    int nidle;               // rigid modes that D leaves alone: s = 0 twice, kept out
    int nfree;               // rigid modes that D slows down: s = 0 once each
    int m, cap, m0;          // directions, room for them, those that are undamped modes
    double *V;               // (n, nidle + cap), M-orthonormal: idle ones first
    double *lambda0;         // of the undamped modes (m0)
    gos_saddle *saddle;      // made when directions are missing
    double least;            // smallest tau
    double *work;            // (n, 9)
    double *small;           // matrices of the projected problem
    double *lambda, *W;      // undamped modes of the projection (m), (m, m)
    double *w;               // scales (m)
    double *re, *im, *Y;     // roots and vectors (2m), (2m, 2m)
    unit *unit;
    int nunit;
} quadratic;

static double *column(const double *A, int n, int j) {
    return (double *)(uintptr_t)(A + (size_t)j * (size_t)n);
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static double mass_norm(quadratic *q, const double *x, double *Mx) {
    gos__sparse_apply(&q->l->M, 1, x, Mx);
    return sqrt(fabs(dot(q->n, x, Mx)));
}

/* ---- rigid modes -------------------------------------------------------------------------------- */

/* does A do nothing to x, beyond rounding and constraint forces that x does not work against? */
static bool idle(const quadratic *q, const gos_sparse *A, const double *x) {
    double *y = q->work, *z = y + q->n, most = 0, left = 0;
    if (!A || A->nnz == 0) {
        return true;
    }
    gos__sparse_apply(A, 1, x, y);
    memset(z, 0, (size_t)q->n * sizeof *z);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            z[A->i[k]] += fabs(A->x[k] * x[j]);
        }
    }
    for (int i = 0; i < q->n; i++) {
        left += y[i] * y[i];
        most += z[i] * z[i];
    }
    return left <= NOTHING * NOTHING * most;
}

/* turn the first nr columns so that each is either slowed down by D or not at all */
static gos_status separate(quadratic *q, int nr) {
    if (nr == 0 || !q->D || q->D->nnz == 0) {
        return GOS_OK;
    }
    const size_t n = (size_t)q->n, r = (size_t)nr;
    double *DR = gos__alloc(q->ctx, 2 * n * r + r * r + r, sizeof *DR);
    if (!DR) {
        return GOS_E_MEMORY;
    }
    double *turned = DR + n * r, *S = turned + n * r, *w = S + r * r;
    gos__sparse_apply(q->D, nr, q->V, DR);
    gos__dense_product(nr, nr, q->n, q->V, DR, S);
    const gos_status status = gos__dense_symmetric(q->ctx, nr, S, w);
    if (status == GOS_OK) {
        gos__dense_combine(q->n, nr, nr, q->V, S, turned);
        memcpy(q->V, turned, n * r * sizeof *turned);
    }
    gos__free(q->ctx, DR);
    return status;
}

static void swap_columns(quadratic *q, int a, int b) {
    double *x = column(q->V, q->n, a), *y = column(q->V, q->n, b);
    for (int i = 0; i < q->n && a != b; i++) {
        const double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* undamped modes, ascending, are in V: idle rigid ones to the front and out of the problem */
static gos_status set_rigid_aside(quadratic *q, const double *lambda, int count) {
    int first = 0, last = 0;
    for (int k = 0; k < count; k++) {
        first += lambda[k] < 0;
        last += lambda[k] <= 0;
    }
    // unstable ones stand before them: turned round, they stand behind (the order of V is free)
    for (int k = 0; first > 0 && k < last / 2; k++) {
        swap_columns(q, k, last - 1 - k);
    }
    const int nr = last - first;
    GOS_TRY(separate(q, nr));
    for (int k = 0; k < nr; k++) {
        const double *x = column(q->V, q->n, k);
        if (idle(q, q->D, x) && (q->l->symmetric_K || idle(q, q->K, x))) {
            swap_columns(q, k, q->nidle++);
        }
    }
    q->nfree = q->l->symmetric_K ? nr - q->nidle : 0;
    q->m = q->m0 = count - q->nidle;
    for (int k = 0; k < q->m0; k++) {
        const int from = q->nidle + k;
        q->lambda0[k] = from < nr     ? 0
                        : from < last ? lambda[last - 1 - from]
                                      : lambda[from];
    }
    return GOS_OK;
}

/* ---- the projected problem ------------------------------------------------------------------------ */

/* room for everything of size m */
static gos_status make_room(quadratic *q) {
    const size_t m = (size_t)q->m, mm = m * m;
    gos__free(q->ctx, q->small);
    gos__free(q->ctx, q->unit);
    q->small = gos__alloc(q->ctx, 12 * mm + 6 * m + (size_t)q->n * m + 1, sizeof *q->small);
    q->unit = gos__zalloc(q->ctx, 2 * m + 1, sizeof *q->unit);
    return q->small && q->unit ? GOS_OK : GOS_E_MEMORY;
}

/* P (m, m) = V^T A V */
static void project(const quadratic *q, const gos_sparse *A, double *AV, double *P) {
    const double *V = column(q->V, q->n, q->nidle);
    gos__sparse_apply(A, q->m, V, AV);
    gos__dense_product(q->m, q->m, q->n, V, AV, P);
}

/* A := W^T A W with T as scratch */
static void turn(int m, const double *W, double *A, double *T) {
    gos__dense_combine(m, m, m, A, W, T);
    gos__dense_product(m, m, m, W, T, A);
}

/* [0 w; -K/w -D] with pairs (y, v) of a mode side by side, stiffest first: graded for LAPACK */
static void companion(int m, const double *lambda, const double *w, const double *Ka,
                      const double *D, double *A) {
    const int N = 2 * m;
    memset(A, 0, (size_t)N * (size_t)N * sizeof *A);
    for (int j = 0; j < m; j++) {
        const int jy = 2 * (m - 1 - j), jv = jy + 1;
        double *y = column(A, N, jy), *v = column(A, N, jv);
        v[jy] = w[j];
        for (int i = 0; i < m; i++) {
            const int iv = 2 * (m - 1 - i) + 1;
            const size_t ij = (size_t)j * (size_t)m + (size_t)i;
            y[iv] = -((i == j ? lambda[i] : 0) + (Ka ? Ka[ij] : 0)) / w[j];
            v[iv] -= D ? D[ij] : 0;
        }
    }
}

/* split P into its symmetric part S and skew part A */
static void split(int m, const double *P, double *S, double *A) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            const double a = P[(size_t)j * (size_t)m + (size_t)i];
            const double b = P[(size_t)i * (size_t)m + (size_t)j];
            S[(size_t)j * (size_t)m + (size_t)i] = 0.5 * (a + b);
            A[(size_t)j * (size_t)m + (size_t)i] = 0.5 * (a - b);
        }
    }
}

static gos_status solve_projected(quadratic *q) {
    GOS_TRY(make_room(q));
    const int m = q->m;
    const size_t mm = (size_t)m * (size_t)m;
    double *K = q->small, *skew = K + mm, *D = skew + mm, *A = D + mm, *AV;
    q->W = A + 4 * mm;
    q->Y = q->W + mm;
    q->lambda = q->Y + 4 * mm;
    q->w = q->lambda + m;
    q->re = q->w + m;
    q->im = q->re + 2 * m;
    AV = q->im + 2 * m;
    project(q, q->K, AV, K);
    split(m, K, q->W, skew);
    for (int j = 0; j < q->m0; j++) { // known exactly
        for (int i = 0; i < q->m0; i++) {
            q->W[(size_t)j * (size_t)m + (size_t)i] = i == j ? q->lambda0[i] : 0;
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
    companion(m, q->lambda, q->w, q->l->symmetric_K ? NULL : skew, q->D ? D : NULL, A);
    return gos__dense_general(q->ctx, 2 * m, A, q->re, q->im, q->Y);
}

/* ---- roots to modes ---------------------------------------------------------------------------------- */

/* Equal real roots come out as a pair whose imaginary part is rounding: they are real, and the two
   parts of the vector are vectors of both. */
static void clean_pairs(quadratic *q) {
    for (int i = 0; i < 2 * q->m; i++) {
        q->im[i] = fabs(q->im[i]) <= REAL * fabs(q->re[i]) ? 0 : q->im[i];
    }
}

/* the smallest roots are the zeros of slowed rigid modes */
static void clean_zeros(quadratic *q) {
    int zeros = 0;
    for (int i = 0; i < 2 * q->m; i++) {
        zeros += q->re[i] == 0 && q->im[i] == 0;
    }
    for (; zeros < q->nfree; zeros++) {
        int best = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < 2 * q->m; i++) {
            const double s = hypot(q->re[i], q->im[i]);
            if (s > 0 && s < least) {
                best = i;
                least = s;
            }
        }
        if (best >= 0) {
            q->re[best] = q->im[best] = 0;
        }
    }
}

/* displacement part of a root's vector, in undamped modes, of length 1; returns its y^T K y */
static double displacement(const quadratic *q, int root, double *y) {
    const double *v = column(q->Y, 2 * q->m, root);
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

static void add_pair(quadratic *q, int a, int b) {
    unit *u = &q->unit[q->nunit++];
    if (fabs(q->re[a]) > fabs(q->re[b])) {
        const int t = a;
        a = b;
        b = t;
    }
    const double product = q->re[a] * q->re[b];
    *u = (unit){.re = {q->re[a], q->re[b]}, .root = {a, b}, .rigid = q->re[a] == 0};
    u->key = u->rigid ? 0 : product > 0 ? sqrt(product) : -sqrt(-product);
}

/* How badly two real roots go together. Roots of one overdamped mode share its displacement y, and
   their product is its stiffness: s^2 + s (y^T D y) + y^T K y = 0. Displacements alone do not tell
   when modes come in equal pairs, whose vectors mix. */
static double mismatch(const quadratic *q, int a, int b, double ka, double kb, double overlap) {
    const double product = q->re[a] * q->re[b];
    const double off_a = fabs(product - ka) / fmax(fmax(fabs(product), fabs(ka)), DBL_MIN);
    const double off_b = fabs(product - kb) / fmax(fmax(fabs(product), fabs(kb)), DBL_MIN);
    return off_a + off_b + (fabs(overlap) < 0.3 ? 4 : 1e-6 * (1 - fabs(overlap)));
}

/* Real roots in twos, best partners of each. */
static gos_status pair_real_roots(quadratic *q) {
    int nreal = 0;
    const int m = q->m;
    const size_t room = 2 * (size_t)m;
    int *real = gos__alloc(q->ctx, room + 1, sizeof *real);
    double *y = gos__alloc(q->ctx, room * (size_t)m + room + 1, sizeof *y), *k = y + room * (size_t)m;
    if (!real || !y) {
        gos__free(q->ctx, real);
        gos__free(q->ctx, y);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < 2 * m; i++) {
        if (q->im[i] == 0) {
            k[nreal] = displacement(q, i, column(y, m, nreal));
            real[nreal++] = i;
        }
    }
    for (int a = 0; a < nreal; a++) {
        int best = -1;
        double least = HUGE_VAL;
        for (int b = a + 1; b < nreal && real[a] >= 0; b++) {
            const double overlap = dot(m, column(y, m, a), column(y, m, b));
            const double bad =
                real[b] < 0 ? HUGE_VAL : mismatch(q, real[a], real[b], k[a], k[b], overlap);
            if (bad < least) {
                best = b;
                least = bad;
            }
        }
        if (best >= 0) {
            add_pair(q, real[a], real[best]);
            real[best] = -1;
        }
    }
    gos__free(q->ctx, real);
    gos__free(q->ctx, y);
    return GOS_OK;
}

static int compare_units(const void *a, const void *b) {
    const unit *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->root[0] > y->root[0]) - (x->root[0] < y->root[0]);
}

static gos_status make_units(quadratic *q) {
    q->nunit = 0;
    clean_pairs(q);
    clean_zeros(q);
    for (int i = 0; i < 2 * q->m; i++) {
        if (q->im[i] > 0) {
            q->unit[q->nunit++] = (unit){.key = hypot(q->re[i], q->im[i]),
                                         .re = {q->re[i], q->re[i]},
                                         .im = q->im[i],
                                         .root = {i, i + 1}};
        }
    }
    GOS_TRY(pair_real_roots(q));
    qsort(q->unit, (size_t)q->nunit, sizeof *q->unit, compare_units);
    return GOS_OK;
}

/* ---- more directions ----------------------------------------------------------------------------------- */

static gos_pencil pencil_of(const quadratic *q) {
    return (gos_pencil){.K = &q->l->K,
                        .M = &q->l->M,
                        .D = q->D,
                        .C = &q->l->block[GOS_BLOCK_C],
                        .ncomp = q->l->ncomp};
}

/* tau near |s|, in steps of sqrt(10) so that few factorisations serve all modes */
static double step_of(const quadratic *q, double re, double im) {
    return pow(10, 0.5 * round(2 * log10(fmax(hypot(re, im), q->least))));
}

/* z := z - V V^T M z; returns what is left, Mz belongs to it */
static double orthogonalise(quadratic *q, double *z, double *Mz) {
    mass_norm(q, z, Mz);
    for (int k = 0; k < q->nidle + q->m; k++) {
        const double *v = column(q->V, q->n, k);
        const double along = dot(q->n, v, Mz);
        for (int i = 0; i < q->n; i++) {
            z[i] -= along * v[i];
        }
    }
    return mass_norm(q, z, Mz);
}

/* Add a direction unless it lies in V already; z is changed. What is left of z may be small, and then
   rounding has lifted it off the constraints: it is put back on them. */
static bool add_direction(quadratic *q, double *z, double *scratch) {
    const double before = mass_norm(q, z, scratch);
    if (q->m >= q->cap || q->m + q->nidle >= q->nz || !(before > 0)) {
        return false;
    }
    double after = orthogonalise(q, z, scratch);
    if (!(after > DEPENDENT * before)) {
        return false;
    }
    gos__saddle_project(q->saddle, z);
    orthogonalise(q, z, scratch);
    after = orthogonalise(q, z, scratch);
    double *v = column(q->V, q->n, q->nidle + q->m++);
    for (int i = 0; i < q->n; i++) {
        v[i] = z[i] / after;
    }
    return true;
}

/* x := V W y of a root vector's column */
static void expand(const quadratic *q, int m, int col, double *small, double *x) {
    const double *v = column(q->Y, 2 * m, col);
    for (int i = 0; i < m; i++) {
        small[i] = v[2 * (m - 1 - i)] / q->w[i];
    }
    gos__dense_combine(m, 1, m, q->W, small, small + m);
    gos__dense_combine(q->n, 1, m, column(q->V, q->n, q->nidle), small + m, x);
}

/* Real and imaginary part of P^-1 (s^2 M + s D + K) x go to z[0], z[1], P = tau^2 M + tau D + K; returns
   its size relative to that of its terms, less what rounding of K makes. */
static double residual(quadratic *q, double re, double im, double tau, double *x[2], double *z[2]) {
    const size_t n = (size_t)q->n;
    const gos_pencil p = pencil_of(q);
    double *y = q->work + 4 * n, *t = y + n, sum = 0, noise = 0, size = 0;
    const double p_re[3] = {1, re, re * re - im * im}, p_im[3] = {0, im, 2 * re * im};
    const gos_sparse *A[3] = {q->K, q->D, &q->l->block[GOS_BLOCK_M]};
    for (int part = 0; part < 2; part++) {
        memset(z[part], 0, n * sizeof(double));
        noise += gos__pencil_rounding(&p, x[part], t);
        size = hypot(size, mass_norm(q, x[part], t));
    }
    for (int term = 0; term < 3; term++) {
        for (int part = 0; part < 2 && A[term]; part++) {
            gos__sparse_apply(A[term], 1, x[part], y);
            gos__saddle_solve(q->saddle, 1, y, y);
            sum += hypot(p_re[term], p_im[term]) * mass_norm(q, y, t);
            const double r = part ? -p_im[term] : p_re[term], i = part ? p_re[term] : p_im[term];
            for (size_t k = 0; k < n; k++) {
                z[0][k] += r * y[k];
                z[1][k] += i * y[k];
            }
        }
    }
    const double left = hypot(mass_norm(q, z[0], t), mass_norm(q, z[1], t));
    noise *= NOISE / (size * tau * tau);
    return sum > 0 ? fmax(0, left - noise) / sum : 0;
}

/* one root: its residual, and its direction when it is needed */
static void improve(quadratic *q, int m, const unit *u, int r, double *small, double *worst,
                    int *added) {
    const size_t n = (size_t)q->n;
    double *x[2] = {q->work, q->work + n}, *z[2] = {q->work + 2 * n, q->work + 3 * n};
    expand(q, m, u->root[r], small, x[0]);
    memset(x[1], 0, n * sizeof(double));
    if (u->im > 0) {
        expand(q, m, u->root[1], small, x[1]);
    }
    const double error = residual(q, u->re[r], u->im, step_of(q, u->re[r], u->im), x, z);
    *worst = fmax(*worst, error);
    if (error > ACCURATE) {
        *added += add_direction(q, z[0], q->work + 4 * n);
        *added += u->im > 0 && add_direction(q, z[1], q->work + 4 * n);
    }
}

/* Check the modes that fill n entries; *worst is the largest residual, *added directions were added.
   Roots of one tau share a factorisation. */
static gos_status check(quadratic *q, int n, double *worst, int *added) {
    const int m = q->m; // of the solved problem: directions come on top
    int entries = q->nidle, nunit = 0;
    while (nunit < q->nunit && entries < n) {
        entries += q->unit[nunit++].im > 0 ? 1 : 2;
    }
    double *small = gos__alloc(q->ctx, 2 * (size_t)m + 1, sizeof *small);
    gos_status status = small ? GOS_OK : GOS_E_MEMORY;
    *worst = *added = 0;
    for (double tau = 0, next = 0; status == GOS_OK && next < HUGE_VAL; tau = next) {
        // the next larger tau that a root has
        next = HUGE_VAL;
        for (int k = 0; k < 2 * nunit; k++) {
            const unit *u = &q->unit[k / 2];
            const double own = step_of(q, u->re[k % 2], u->im);
            next = own > tau ? fmin(next, own) : next;
        }
        status = next < HUGE_VAL ? gos__saddle_factor(q->saddle, next, next * next) : GOS_OK;
        for (int k = 0; k < 2 * nunit && status == GOS_OK; k++) {
            const unit *u = &q->unit[k / 2];
            if (step_of(q, u->re[k % 2], u->im) == next && (u->im == 0 || k % 2 == 0)) {
                improve(q, m, u, k % 2, small, worst, added);
            }
        }
    }
    gos__free(q->ctx, small);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static gos_status iterate(quadratic *q, int n) {
    double worst = HUGE_VAL, least = HUGE_VAL;
    int added = 0, stuck = 0;
    for (int round = 0; round < ROUNDS; round++) {
        GOS_TRY(solve_projected(q));
        GOS_TRY(make_units(q));
        if (q->m + q->nidle >= q->nz) {
            return GOS_OK; // the whole space
        }
        if (!q->saddle) {
            const gos_pencil p = pencil_of(q);
            GOS_TRY(gos__saddle_create(q->ctx, &p, &q->saddle));
        }
        GOS_TRY(gos__progress(q->ctx, 0, "damped modes"));
        GOS_TRY(check(q, n, &worst, &added));
        // rounding of D may stop the residual short of its goal
        stuck = worst < 0.5 * least ? 0 : stuck + 1;
        least = fmin(least, worst);
        if (worst <= ACCURATE || (worst < 1e3 * ACCURATE && (stuck >= 2 || added == 0))) {
            return GOS_OK;
        }
        if (added == 0 || stuck >= STUCK) {
            break;
        }
    }
    return gos__fail(q->ctx, GOS_E_DIVERGED,
                     "the damped modes did not converge (residual %.1e); ask for fewer modes: those of "
                     "high frequency in damped material have roots that pile up",
                     worst);
}

static void report(const quadratic *q, int n, gos_mode *modes, int *found) {
    int at = 0, grow = 0, k = 0;
    for (; k < q->nunit && q->unit[k].key < 0 && at < n; k++) { // unstable, before the rigid ones
        for (int r = 0; r < 2 && at < n; r++) {
            modes[at++] = (gos_mode){.re = q->unit[k].re[r]};
        }
    }
    for (int i = 0; i < q->nidle && at < n; i++) {
        modes[at++] = (gos_mode){.rigid = true};
    }
    for (; k < q->nunit && at < n; k++) {
        const unit *u = &q->unit[k];
        const double damping = u->key > 0 ? 0 - 0.5 * (u->re[0] + u->re[1]) / u->key : 0;
        for (int r = 0; r < (u->im > 0 ? 1 : 2) && at < n; r++) {
            modes[at++] = (gos_mode){.omega = u->key,
                                     .frequency = u->key / (2 * M_PI),
                                     .damping = damping,
                                     .re = u->re[r],
                                     .im = u->im,
                                     .rigid = u->rigid};
        }
    }
    for (int i = 0; i < at; i++) {
        grow += modes[i].re > GROWS * hypot(modes[i].re, modes[i].im);
    }
    if (grow) {
        gos__warn(q->ctx, (gos_loc){0}, NULL,
                  "the configuration is unstable: small motions grow in %d modes (real part > 0)",
                  grow);
    }
    *found = at;
}

static gos_status begin(quadratic *q, int n) {
    const gos_pencil p = pencil_of(q);
    const int some = n + SPARE < q->n ? n + SPARE : q->n;
    const int want = q->nz <= WHOLE ? q->nz : some;
    int count = 0;
    q->cap = 4 * want + 40 < q->n ? 4 * want + 40 : q->n;
    q->V = gos__alloc(q->ctx, (size_t)q->n * (size_t)(q->cap + want) + 1, sizeof *q->V);
    q->lambda0 = gos__alloc(q->ctx, 2 * (size_t)want + 1, sizeof *q->lambda0);
    q->work = gos__alloc(q->ctx, 9 * (size_t)q->n + 1, sizeof *q->work);
    if (!q->V || !q->lambda0 || !q->work) {
        return GOS_E_MEMORY;
    }
    q->least = fmax(1e-6 * sqrt(gos__pencil_scale(&p)), DBL_MIN);
    double *lambda = q->lambda0 + want;
    GOS_TRY(gos__eigen_lowest(q->ctx, &p, want, lambda, q->V, &count));
    if (count < want) {
        q->nz = count; // there are no more
    }
    return set_rigid_aside(q, lambda, count);
}

gos_status gos__linear_damped(gos_ctx *ctx, const gos_linear *linear, int n, bool with_D,
                              gos_mode *modes, int *found) {
    quadratic q = {.ctx = ctx,
                   .l = linear,
                   .D = with_D ? &linear->block[GOS_BLOCK_D] : NULL,
                   .K = &linear->block[GOS_BLOCK_K],
                   .n = linear->nq,
                   .nz = linear->nq - linear->nc};
    gos__progress_start(ctx);
    gos_status status = begin(&q, n);
    status = status == GOS_OK && q.m > 0 ? iterate(&q, n) : status;
    if (status == GOS_OK) {
        report(&q, n, modes, found);
    }
    gos__saddle_destroy(q.saddle);
    gos__free(ctx, q.V);
    gos__free(ctx, q.lambda0);
    gos__free(ctx, q.work);
    gos__free(ctx, q.small);
    gos__free(ctx, q.unit);
    return status;
}
