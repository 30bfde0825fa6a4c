/* Damped modes, (s^2 M + s D + K) x = 0 on C x = 0, by projection on low undamped modes (exact
   for proportional damping). Residuals, preconditioned by tau^2 M + tau D + K (symmetric parts,
   tau near |s|), extend the basis (Davidson's method; the ratio to s^2 M + s D + K is bounded).
   Tisseur and Meerbergen, The quadratic eigenvalue problem, SIAM Review 43 (2001). */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linear/block_correction.h"
#include "linear/complex_shifts.h"

#define EXTRA_MODES 8         // additional undamped modes in the initial basis
#define ROUNDS 40             // most rounds
#define MAX_STAGNANT_ROUNDS 8 // rounds without improvement before failure
#define ROUNDED 1e3           // acceptable residual at round-off level, relative to the accuracy
#define SLOW 3                // rounds without improvement before single-root corrections
// offset factor of a shift: at the exact root inverse iteration stagnates
#define SHIFT_OFFSET 1.02
#define SHIFT_REACH 1.0 // relative distance of roots that share a shift
#define SETTLED 1e-9    // relative change of a settled root
#define NO_FORCE 1e-9   // relative threshold of a zero force
#define GROWTH_TOLERANCE                                                                           \
    1e-6            // significant real part relative to |s|; double roots are less accurate
#define SPLITS 30.0 // the same for double roots in rotating axes, in square roots of round-off
#define STATIC 1e-2 // relative to the lowest frequency: nearly static motions
#define NOISE 30.0  // multiple of the round-off of K, see eigen.c

static double mass_norm(gos_quadratic *q, const double *x, double *Mx) {
    gos__sparse_apply(&q->l->M, 1, x, Mx);
    return sqrt(fabs(gos__dense_dot(q->n, x, Mx)));
}

/* ---- rigid modes ----------------------------------------------------------------------------- */

static bool idle(const gos_quadratic *q, const gos_sparse *A, const double *x) {
    double *y = q->work, *z = y + q->n, most = 0, left = 0;
    if (!A || A->nnz == 0) {
        return true;
    }
    gos__sparse_apply(A, 1, x, y);
    memset(z, 0, q->n * sizeof *z);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            z[A->i[k]] += fabs(A->x[k] * x[j]);
        }
    }
    for (int i = 0; i < q->n; i++) {
        left += y[i] * y[i];
        most += z[i] * z[i];
    }
    return left <= NO_FORCE * NO_FORCE * most;
}

/* x^T D x is negligible against omega. Zero-frequency vectors contain traces of damped modes,
   larger than round-off of D x. */
static bool undamped(const gos_quadratic *q, const double *x, double omega) {
    if (!q->D || q->l->gyroscopic) {
        return !q->D;
    }
    gos__sparse_apply(q->D, 1, x, q->work);
    return fabs(gos__dense_dot(q->n, x, q->work)) <= NO_FORCE * omega;
}

/* |x^T G|, thermal force along x */
static double heated(const gos_quadratic *q, const double *x) {
    const gos_sparse *G = &q->l->block[GOS_BLOCK_G];
    double square = 0;
    for (int j = 0; j < G->n && q->heat; j++) {
        double sum = 0;
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            sum += G->x[k] * x[G->i[k]];
        }
        square += sum * sum;
    }
    return sqrt(square);
}

/* rotate the first nr columns so that D acts as little as possible */
static gos_status separate(gos_quadratic *q, int nr) {
    if (nr == 0 || !q->D || q->D->nnz == 0) {
        return GOS_OK;
    }
    const size_t n = q->n, r = nr;
    double *DR = gos__alloc(q->ctx, 2 * n * r + r * r + r, sizeof *DR);
    if (!DR) {
        return GOS_E_MEMORY;
    }
    double *turned = DR + n * r, *S = turned + n * r, *w = S + r * r;
    gos__sparse_apply(q->D, nr, q->V, DR);
    // a skew D does no work, hence (D R)^T (D R)
    gos__dense_product(nr, nr, q->n, q->l->gyroscopic ? DR : q->V, DR, S);
    const gos_status status = gos__dense_symmetric(q->ctx, nr, S, w);
    if (status == GOS_OK) {
        gos__dense_combine(q->n, nr, nr, q->V, S, turned);
        memcpy(q->V, turned, n * r * sizeof *turned);
    }
    gos__free(q->ctx, DR);
    return status;
}

static void swap_columns(gos_quadratic *q, int a, int b) {
    double *x = gos__dense_column(q->V, q->n, a), *y = gos__dense_column(q->V, q->n, b);
    for (int i = 0; i < q->n && a != b; i++) {
        const double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* Move idle rigid modes in V to the front, out of the problem. */
static gos_status set_rigid_aside(gos_quadratic *q, const double *lambda, int count) {
    int first = 0, last = 0;
    for (int k = 0; k < count; k++) {
        first += lambda[k] < 0;
        last += lambda[k] <= 0;
    }
    // reversal moves unstable modes behind them
    for (int k = 0; first > 0 && k < last / 2; k++) {
        swap_columns(q, k, last - 1 - k);
    }
    const int nr = last - first;
    double most = 0;
    for (int k = nr; k < count; k++) {
        most = fmax(most, heated(q, gos__dense_column(q->V, q->n, k)));
    }
    GOS_TRY(separate(q, nr));
    const double slowest = last < count ? sqrt(lambda[last]) : 0;
    bool pushed = false;
    for (int k = 0; k < nr; k++) {
        const double *x = gos__dense_column(q->V, q->n, k);
        if ((idle(q, q->D, x) || undamped(q, x, slowest)) &&
            (q->l->symmetric_K || idle(q, q->K, x)) && heated(q, x) <= GOS_WEAK * most) {
            // heat due to such a motion has no effect: its double root 0 remains
            swap_columns(q, k, q->nidle++);
        } else {
            pushed = pushed || heated(q, x) > GOS_WEAK * most;
        }
    }
    q->nrigid = nr - q->nidle;
    // thermal forces along it depend on its position: no root 0
    q->nfree = q->l->symmetric_K && !pushed ? q->nrigid : 0;
    q->m = q->m0 = count - q->nidle;
    for (int k = 0; k < q->m0; k++) {
        const int from = q->nidle + k;
        q->lambda0[k] = from < nr ? 0 : from < last ? lambda[last - 1 - from] : lambda[from];
    }
    return GOS_OK;
}

/* ---- additional directions ------------------------------------------------------------------- */

static gos_pencil pencil_of(const gos_quadratic *q) {
    return (gos_pencil){.K = &q->l->K,
                        .M = &q->l->M,
                        .D = q->D ? &q->S : NULL,
                        .C = &q->l->block[GOS_BLOCK_C],
                        .ncomp = q->l->ncomp};
}

/* tau near |s| in steps of sqrt(10), to share factorisations */
static double step_of(const gos_quadratic *q, double re, double im) {
    const double least = q->heat ? q->heat->least : q->least;
    return pow(10, 0.5 * round(2 * log10(fmax(hypot(re, im), least))));
}

/* returns the norm of z, with Mz */
static double orthogonalise(gos_quadratic *q, double *z, double *Mz) {
    mass_norm(q, z, Mz);
    for (int k = 0; k < q->nidle + q->m; k++) {
        const double *v = gos__dense_column(q->V, q->n, k);
        const double along = gos__dense_dot(q->n, v, Mz);
        for (int i = 0; i < q->n; i++) {
            z[i] -= along * v[i];
        }
    }
    return mass_norm(q, z, Mz);
}

/* Add a direction unless dependent; overwrites z. Constraints are restored after round-off. */
gos_status gos__quadratic_add(gos_quadratic *q, double *z, double *scratch, int *added) {
    const double before = mass_norm(q, z, scratch);
    if (q->m >= q->cap || q->m + q->nidle >= q->nz || !(before > 0)) {
        return GOS_OK;
    }
    double after = orthogonalise(q, z, scratch);
    if (!(after > GOS_DEPENDENT * before)) {
        return GOS_OK;
    }
    GOS_TRY(gos__saddle_project(q->saddle, z));
    orthogonalise(q, z, scratch);
    after = orthogonalise(q, z, scratch);
    double *v = gos__dense_column(q->V, q->n, q->nidle + q->m++);
    for (int i = 0; i < q->n; i++) {
        v[i] = z[i] / after;
    }
    ++*added;
    return GOS_OK;
}

/* small (2 solved): scratch */
static void expand(const gos_quadratic *q, int col, double *small, double *x) {
    const double *v = gos__dense_column(q->Y, q->nroots, col);
    const int m = q->solved;
    for (int i = 0; i < m; i++) {
        small[i] = v[2 * (m - 1 - i)] / q->w[i];
    }
    gos__dense_combine(m, 1, m, q->W, small, small + m);
    gos__dense_combine(q->n, 1, m, gos__dense_column(q->V, q->n, q->nidle), small + m, x);
}

/* z[0], z[1]: real and imaginary part of P^-1 ((s^2 M + s D + K) x + G theta), P = tau^2 M + tau
   D + K. *relative: norm over that of its terms, less round-off of K. theta NULL: none. */
static gos_status residual(gos_quadratic *q, double re, double im, double tau, double *x[2],
                           double *theta[2], double *z[2], double *relative) {
    enum { TERMS = 4, PARTS = 2 };
    const size_t n = q->n;
    const gos_pencil p = pencil_of(q);
    double *Y = q->work + 4 * n, *t = Y + TERMS * PARTS * n, sum = 0, noise = 0, size = 0;
    const double p_re[TERMS] = {1, re, re * re - im * im, 1};
    const double p_im[TERMS] = {0, im, 2 * re * im, 0};
    const gos_sparse *A[TERMS] = {q->K, q->D, &q->l->block[GOS_BLOCK_M],
                                  theta ? &q->l->block[GOS_BLOCK_G] : NULL};
    const int nterms = theta ? TERMS : TERMS - 1;
    for (int part = 0; part < PARTS; part++) {
        memset(z[part], 0, n * sizeof(double));
        noise += gos__pencil_rounding(&p, x[part], t);
        size = hypot(size, mass_norm(q, x[part], t));
    }
    for (int k = 0; k < nterms * PARTS; k++) {
        double *y = Y + k * n, *const *from = k / PARTS < TERMS - 1 ? x : theta;
        if (A[k / PARTS]) {
            gos__sparse_apply(A[k / PARTS], 1, from[k % PARTS], y);
        } else {
            memset(y, 0, n * sizeof *y);
        }
    }
    // one block of right-hand sides
    GOS_TRY(gos__saddle_solve(q->saddle, nterms * PARTS, Y, Y));
    for (int k = 0; k < nterms * PARTS; k++) {
        const double *y = Y + k * n, pr = p_re[k / PARTS], pi = p_im[k / PARTS];
        const double r = k % PARTS ? -pi : pr, i = k % PARTS ? pr : pi;
        sum += hypot(pr, pi) * mass_norm(q, y, t);
        for (size_t e = 0; e < n; e++) {
            z[0][e] += r * y[e];
            z[1][e] += i * y[e];
        }
    }
    const double left = hypot(mass_norm(q, z[0], t), mass_norm(q, z[1], t));
    noise = size > 0 ? noise * NOISE / (size * tau * tau) : 0;
    // for nearly static displacements, relative to the unit energy norm
    sum = q->heat ? fmax(sum, GOS_WEAK / fmax(hypot(re, im), q->slowest)) : sum;
    *relative = sum > 0 ? fmax(0, left - noise) / sum : 0;
    return GOS_OK;
}

/* real and imaginary parts of a root's vector; small (2 solved): scratch */
static void expand_root(const gos_quadratic *q, const gos_target *r, double *small, double *x[2],
                        double *theta[2]) {
    memset(x[1], 0, q->n * sizeof(double));
    if (q->heat) {
        memset(theta[1], 0, q->heat->n * sizeof(double));
    }
    for (int part = 0; part < (r->im > 0 ? 2 : 1); part++) {
        expand(q, r->column[part], small, x[part]);
        if (q->heat) {
            gos__thermal_expand(q, r->column[part], theta[part]);
        }
    }
}

/* residual and directions of one root; requires factorised saddles */
static gos_status improve(gos_quadratic *q, const gos_target *r, double *small, double *worst,
                          int *added) {
    const size_t n = q->n, nt = q->heat ? q->heat->n : 0;
    double *x[2] = {q->work, q->work + n}, *z[2] = {q->work + 2 * n, q->work + 3 * n};
    double *theta[2] = {q->work + (GOS_QUADRATIC_WORK * n), NULL}, error = 0;
    theta[1] = theta[0] + nt;
    expand_root(q, r, small, x, theta);
    if (q->heat) {
        GOS_TRY(gos__thermal_improve(q, r->re, r->im, 1, x, theta, worst, added));
    }
    if (q->m + q->nidle >= q->nz) {
        return GOS_OK;
    }
    GOS_TRY(
        residual(q, r->re, r->im, fmax(r->tau, q->least), x, q->heat ? theta : NULL, z, &error));
    *worst = fmax(*worst, error);
    for (int part = 0; part < (r->im > 0 ? 2 : 1) && error > GOS_ACCURATE; part++) {
        GOS_TRY(gos__quadratic_add(q, z[part], q->work + 4 * n, added));
    }
    return GOS_OK;
}

static int compare_targets(const void *a, const void *b) {
    const gos_target *x = a, *y = b;
    return x->tau != y->tau ? (x->tau < y->tau ? -1 : 1) : x->column[0] - y->column[0];
}

/* modes within n entries and requested thermal roots, sorted by tau */
static int choose_targets(const gos_quadratic *q, int n, gos_target *list) {
    int entries = q->nidle, count = 0;
    for (int k = 0; k < q->nunit && entries < n; k++) {
        const gos_unit *u = &q->unit[k];
        entries += u->im > 0 ? 1 : 2;
        for (int r = 0; r < (u->im > 0 ? 1 : 2); r++) {
            list[count++] = (gos_target){.re = u->re[r],
                                         .im = u->im,
                                         .tau = step_of(q, u->re[r], u->im),
                                         .column = {u->root[r], u->root[1]}};
        }
    }
    for (int k = 0; q->heat && k < q->heat->nroot && k < q->heat->wanted; k++) {
        const gos_root *s = &q->heat->root[k];
        const int column = q->heat->column[k];
        list[count++] = (gos_target){.re = s->re,
                                     .im = s->im,
                                     .tau = step_of(q, s->re, s->im),
                                     .column = {column, column + 1},
                                     .thermal = true};
    }
    qsort(list, count, sizeof *list, compare_targets);
    return count;
}

static gos_status factorise(gos_quadratic *q, double tau, double *last) {
    const double own = fmax(tau, q->least);
    if (q->m + q->nidle < q->nz && own != *last) {
        GOS_TRY(gos__saddle_factor(q->saddle, own, own * own));
        *last = own;
    }
    return q->heat && q->heat->saddle && q->heat->m < q->heat->nz
               ? gos__saddle_factor(q->heat->saddle, 0, tau)
               : GOS_OK;
}

static bool is_settled(const gos_quadratic *q, const gos_target *r) {
    for (int k = 0; k < q->nsettled; k++) {
        const gos_root *s = &q->settled[k];
        if (hypot(s->re - r->re, s->im - r->im) <= SETTLED * hypot(r->re, r->im)) {
            return true;
        }
    }
    return false;
}

static gos_status correct_all(gos_quadratic *q, gos_target *list, int count, double *small,
                              double *worst, int *added);

/* *worst: largest residual, *added: number of added directions. Equal tau share a factorisation. */
static gos_status check(gos_quadratic *q, int n, double *worst, int *added) {
    double *small = gos__alloc(q->ctx, 2L * q->solved + 1, sizeof *small);
    gos_target *list = gos__alloc(q->ctx, q->nroots + 1L, sizeof *list);
    gos_status status = small && list ? GOS_OK : GOS_E_MEMORY;
    const int count = status == GOS_OK ? choose_targets(q, n, list) : 0;
    double last = 0, tau = 0;
    *worst = *added = 0;
    if (q->shifts && status == GOS_OK) {
        status = correct_all(q, list, count, small, worst, added);
    }
    for (int k = 0; k < count && status == GOS_OK; k++) {
        if (list[k].done || hypot(list[k].re, list[k].im) == 0 ||
            (q->shifts && is_settled(q, &list[k]))) {
            continue; // zero roots are exact
        }
        if (list[k].tau != tau) {
            status = factorise(q, tau = list[k].tau, &last);
        }
        double error = 0;
        status = status == GOS_OK ? improve(q, &list[k], small, &error, added) : status;
        *worst = fmax(*worst, error);
        if (q->shifts && status == GOS_OK && error <= GOS_ACCURATE) {
            q->settled[q->nsettled++] = (gos_root){list[k].re, list[k].im};
        }
    }
    gos__free(q->ctx, small);
    gos__free(q->ctx, list);
    return status;
}

/* ---- directions at complex shifts ------------------------------------------------------------ */

static gos_status make_settled(gos_quadratic *q) {
    if (!q->settled) {
        const long cap = q->cap + (q->heat ? q->heat->cap : 0);
        q->settled = gos__alloc(q->ctx, 4 * cap + 1, sizeof *q->settled);
    }
    return q->settled ? GOS_OK : GOS_E_MEMORY;
}

static void give_up_blocks(gos_quadratic *q) {
    gos__block_correction_free(q);
    q->one_by_one = true;
    q->nsettled = 0;
}

/* Real shifts suffice for symmetric damping. With two-way heat coupling, unsymmetric matrices,
   or after failure T(s) is factorised near the roots. */
gos_status gos__quadratic_begin_shifts(gos_quadratic *q) {
    const gos_pencil p = pencil_of(q);
    GOS_TRY(q->saddle ? GOS_OK : gos__saddle_create(q->ctx, &p, &q->saddle));
    const double tau = fmax(q->slowest, q->least); // for projection on the constraints
    GOS_TRY(gos__saddle_factor(q->saddle, tau, tau * tau));
    if (q->heat && q->heat->saddle) {
        GOS_TRY(gos__saddle_factor(q->heat->saddle, 0, q->heat->fastest));
    }
    give_up_blocks(q);
    GOS_TRY(make_settled(q));
    return gos__complex_shifts_begin(q);
}

/* norm of a vector: kinetic energy and thermal part */
static double size_of(gos_quadratic *q, double rate, double *const x[2], double *const theta[2]) {
    double *t = q->work + 4L * q->n, sum = 0;
    for (int part = 0; part < 2; part++) {
        sum = hypot(sum, rate * mass_norm(q, x[part], t));
        if (q->heat) {
            sum = hypot(sum, gos__thermal_norm(q, theta[part]) / q->heat->scale);
        }
    }
    return sum;
}

/* error and directions of one root at the factorised shift */
static gos_status correct(gos_quadratic *q, const gos_target *r, double *small, double *worst,
                          int *added) {
    const size_t n = q->n, nt = q->heat ? q->heat->n : 0;
    double *x[2] = {q->work, q->work + n}, *dx[2] = {q->work + 2 * n, q->work + 3 * n};
    double *theta[2] = {q->work + GOS_QUADRATIC_WORK * n, NULL}, *dtheta[2];
    theta[1] = theta[0] + nt;
    dtheta[0] = theta[1] + nt;
    dtheta[1] = dtheta[0] + nt;
    expand_root(q, r, small, x, theta);
    const double rate = fmax(hypot(r->re, r->im), q->least);
    const double size = size_of(q, rate, x, theta);
    GOS_TRY(gos__complex_shifts_correct(q, r->re, r->im, x, theta, dx, dtheta));
    // parts in the basis are round-off: the residual is orthogonal to it
    for (int part = 0; part < 2; part++) {
        orthogonalise(q, dx[part], q->work + 4 * n);
        if (q->heat) {
            gos__thermal_orthogonalise(q, dtheta[part], q->work + 4 * n);
        }
    }
    const double error = size > 0 ? size_of(q, rate, dx, dtheta) / size : 0;
    *worst = fmax(*worst, error);
    if (!(error > GOS_ACCURATE)) {
        q->settled[q->nsettled++] = (gos_root){r->re, r->im};
        return GOS_OK;
    }
    for (int part = 0; part < (r->im > 0 ? 2 : 1); part++) {
        GOS_TRY(gos__quadratic_add(q, dx[part], q->work + 4 * n, added));
        if (q->heat && q->heat->m < q->heat->nz) {
            GOS_TRY(gos__thermal_add(q, dtheta[part], q->work + 4 * n, added));
        }
    }
    return GOS_OK;
}

/* Real roots close to oscillating ones have nearly equal vectors, so the error measure fails. */
static bool swings(const gos_target *r) {
    return r->im > GOS_SWINGS * fabs(r->re);
}

static bool near_shift(const gos_target *of, const gos_target *r) {
    return swings(r) &&
           hypot(of->re - r->re, of->im - r->im) <= SHIFT_REACH * hypot(of->re, of->im);
}

static gos_status correct_all(gos_quadratic *q, gos_target *list, int count, double *small,
                              double *worst, int *added) {
    for (int k = 0; k < count; k++) {
        bool factored = false;
        for (int j = k; j < count && swings(&list[k]) && !list[k].done; j++) {
            if (list[j].done || is_settled(q, &list[j]) || !near_shift(&list[k], &list[j])) {
                continue;
            }
            if (!factored) {
                GOS_TRY(gos__complex_shifts_factor(q, SHIFT_OFFSET * list[k].re,
                                                   SHIFT_OFFSET * list[k].im));
                factored = true;
            }
            GOS_TRY(correct(q, &list[j], small, worst, added));
            list[j].done = j > k;
        }
        list[k].done = list[k].done || swings(&list[k]);
    }
    return GOS_OK;
}

/* ---- iteration ------------------------------------------------------------------------------- */

/* *apply false: not applicable */
static gos_status check_blocks(gos_quadratic *q, int n, bool *apply, double *worst, int *added) {
    gos_target *list = gos__alloc(q->ctx, q->nroots + 1L, sizeof *list);
    if (!list) {
        return GOS_E_MEMORY;
    }
    const int count = choose_targets(q, n, list);
    gos_status status = GOS_OK;
    *worst = *added = 0;
    *apply = q->blocks || gos__block_correction_applies(q, count, list);
    if (*apply && !q->blocks) {
        status = gos__block_correction_begin(q);
        status = status == GOS_OK ? make_settled(q) : status;
    }
    for (int k = 0; k < count && *apply && status == GOS_OK; k++) {
        list[k].done = is_settled(q, &list[k]);
    }
    if (*apply && status == GOS_OK) {
        status = gos__block_correction_run(q, count, list, worst, added);
    }
    for (int k = 0; k < count && *apply && status == GOS_OK; k++) {
        if (list[k].done && !is_settled(q, &list[k])) {
            q->settled[q->nsettled++] = (gos_root){list[k].re, list[k].im};
        }
    }
    gos__free(q->ctx, list);
    return status;
}

static gos_status check_one_by_one(gos_quadratic *q, int n, bool complete, double *worst,
                                   int *added) {
    if (!q->shifts && (q->heat || q->l->gyroscopic || !q->l->symmetric_K)) {
        GOS_TRY(gos__quadratic_begin_shifts(q));
    }
    if (!complete && !q->saddle) {
        const gos_pencil p = pencil_of(q);
        GOS_TRY(gos__saddle_create(q->ctx, &p, &q->saddle));
    }
    return check(q, n, worst, added);
}

static gos_status check_round(gos_quadratic *q, int n, bool complete, double *worst, int *added) {
    if (!q->one_by_one && !q->shifts && !complete && (!q->heat || q->heat->m < q->heat->nz)) {
        bool apply;
        GOS_TRY(check_blocks(q, n, &apply, worst, added));
        if (apply) {
            return GOS_OK;
        }
        give_up_blocks(q);
    }
    return check_one_by_one(q, n, complete, worst, added);
}

gos_status gos__quadratic_iterate(gos_quadratic *q, int n) {
    double worst = HUGE_VAL, least = HUGE_VAL;
    int added = 0, stuck = 0;
    for (int round = 0; round < ROUNDS; round++) {
        GOS_TRY(gos__quadratic_solve(q));
        GOS_TRY(gos__quadratic_units(q));
        const bool complete = q->m + q->nidle >= q->nz;
        if (q->heat) {
            GOS_TRY(gos__thermal_roots(q));
        }
        if (complete && (!q->heat || q->heat->m >= q->heat->nz)) {
            return GOS_OK; // complete space
        }
        GOS_TRY(gos__progress(q->ctx, 0, "damped modes"));
        GOS_TRY(check_round(q, n, complete, &worst, &added));
        // round-off of D may limit the residual
        stuck = worst < 0.5 * least ? 0 : stuck + 1;
        least = fmin(least, worst);
        if (worst <= GOS_ACCURATE ||
            (worst < ROUNDED * GOS_ACCURATE && (stuck >= 2 || added == 0))) {
            return GOS_OK;
        }
        if (q->blocks && (stuck >= SLOW || added == 0)) {
            give_up_blocks(q);
            least = HUGE_VAL;
            stuck = 0;
            continue;
        }
        if (added == 0 || stuck >= MAX_STAGNANT_ROUNDS) {
            break;
        }
    }
    return gos__fail(q->ctx, GOS_E_DIVERGED,
                     "the damped modes did not converge (residual %.1e); request fewer modes: "
                     "eigenvalues of high-frequency modes in damped material are clustered",
                     worst);
}

/* ---- results --------------------------------------------------------------------------------- */

/* rigid: kinds of the idle modes */
static void report(const gos_quadratic *q, int n, const gos_mode *rigid, gos_mode *modes,
                   int *found) {
    int at = 0, grow = 0, k = 0;
    for (; k < q->nunit && q->unit[k].key < 0 && at < n;
         k++) { // unstable modes come before rigid ones
        for (int r = 0; r < 2 && at < n; r++) {
            modes[at++] = (gos_mode){.re = q->unit[k].re[r]};
        }
    }
    for (int i = 0; i < q->nidle && at < n; i++) {
        modes[at++] = rigid[i];
    }
    for (; k < q->nunit && at < n; k++) {
        const gos_unit *u = &q->unit[k];
        const double damping = u->key > 0 ? 0 - 0.5 * (u->re[0] + u->re[1]) / u->key : 0;
        const bool one = u->im > 0 || (u->rigid && u->re[1] == 0);
        for (int r = 0; r < (one ? 1 : 2) && at < n; r++) {
            modes[at++] = (gos_mode){.omega = u->key,
                                     .frequency = u->key / (2 * M_PI),
                                     .damping = damping,
                                     .re = u->re[r],
                                     .im = u->im,
                                     .rigid = u->rigid,
                                     .kind = u->rigid ? GOS_MODE_RIGID : GOS_MODE_ELASTIC,
                                     .whirl = u->whirl};
        }
    }
    double fastest = 0;
    for (int i = 0; i < q->m && q->gyration; i++) {
        fastest = fmax(fastest, q->w[i]);
    }
    for (int i = 0; i < at; i++) {
        const double size = hypot(modes[i].re, modes[i].im);
        grow += modes[i].re >
                fmax(GROWTH_TOLERANCE * size, SPLITS * sqrt(DBL_EPSILON * fastest * size));
    }
    if (grow) {
        gos__warn(q->ctx, (gos_loc){0}, NULL,
                  "the configuration is unstable: %d modes grow (real part > 0)", grow);
    }
    *found = at;
}

static gos_status name_and_report(gos_quadratic *q, int n, gos_mode *modes, int *found) {
    gos_mode *rigid = gos__zalloc(q->ctx, q->nidle + 1L, sizeof *rigid);
    gos_status status = rigid ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < q->nidle && rigid; i++) {
        rigid[i] = (gos_mode){.rigid = true, .kind = GOS_MODE_RIGID};
    }
    // otherwise the set may be incomplete
    if (status == GOS_OK && q->nidle > 0 && (q->m > 0 || q->nidle >= q->nz)) {
        status = gos__rigid_name(q->ctx, q->l, q->nidle, q->V, rigid);
    }
    status = status == GOS_OK ? gos__quadratic_whirls(q) : status;
    if (status == GOS_OK) {
        report(q, n, rigid, modes, found);
    }
    gos__free(q->ctx, rigid);
    return status;
}

static gos_status begin(gos_quadratic *q, int n) {
    const gos_pencil p = pencil_of(q);
    const int some = n + EXTRA_MODES < q->n ? n + EXTRA_MODES : q->n;
    const int free_heat = q->heat ? q->l->nt - q->l->nh : 0;
    q->whole = 2L * q->nz + free_heat <= q->most_whole;
    const int want = q->whole ? q->n : some;
    int count = 0;
    const int room = 4 * (want + (q->heat ? q->heat->wanted : 0)) + 40;
    q->cap = room < q->n ? room : q->n;
    q->V = gos__alloc(q->ctx, (size_t)q->n * (q->cap + want) + 1, sizeof *q->V);
    q->lambda0 = gos__alloc(q->ctx, 2L * want + 1, sizeof *q->lambda0);
    q->work =
        gos__alloc(q->ctx, GOS_QUADRATIC_WORK * (size_t)q->n + 4L * q->l->nt + 1, sizeof *q->work);
    if (!q->V || !q->lambda0 || !q->work) {
        return GOS_E_MEMORY;
    }
    q->least = fmax(1e-6 * sqrt(gos__pencil_scale(&p)), DBL_MIN);
    double *lambda = q->lambda0 + want;
    GOS_TRY(gos__eigen_lowest(q->ctx, &p, want, lambda, q->V, &count));
    gos__linear_zeros(gos__linear_rounding(gos__linear_drift(q->l), count, lambda), count, lambda);
    if (count < want) {
        q->nz = count; // all modes
    }
    GOS_TRY(set_rigid_aside(q, lambda, count));
    q->slowest = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        q->slowest = lambda[k] > 0 ? fmin(q->slowest, sqrt(lambda[k])) : q->slowest;
    }
    q->slowest = q->slowest < HUGE_VAL ? q->slowest : q->least;
    if (q->heat) { // slow temperatures deform statically; rigid modes must not hide that
        q->least = fmax(q->least, STATIC * q->slowest);
    }
    return q->heat ? gos__thermal_begin(q) : GOS_OK;
}

/* D, its skew part, or NULL if negligible */
static gos_status choose_damping(gos_quadratic *q, bool damped) {
    const gos_sparse *D = &q->l->block[GOS_BLOCK_D];
    if (!damped && !q->l->gyroscopic) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_symmetric_part(q->ctx, D, &q->S, NULL));
    q->D = D;
    if (!damped) {
        GOS_TRY(gos__sparse_sum(q->ctx, 1, D, -1, &q->S, &q->skew));
        memset(q->S.x, 0, q->S.nnz * sizeof *q->S.x);
        q->D = &q->skew;
    }
    return GOS_OK;
}

/* omit mode and thermal field `which` (from 0) from the initial basis, for tests */
static void omit(gos_quadratic *q, int which) {
    gos_quadratic_heat *h = q->heat;
    if (which < q->m) {
        const size_t behind = q->m - which - 1;
        double *x = gos__dense_column(q->V, q->n, q->nidle + which);
        memmove(x, x + q->n, behind * q->n * sizeof *x);
        memmove(q->lambda0 + which, q->lambda0 + which + 1, behind * sizeof *q->lambda0);
        q->m0 = --q->m;
    }
    if (h && which < h->m && h->saddle) {
        double *x = gos__dense_column(h->V, h->n, which);
        memmove(x, x + h->n, (h->m - which - 1) * (size_t)h->n * sizeof *x);
        h->m--;
    }
}

static gos_status solve(gos_quadratic *q, int n, bool damped, gos_mode *modes, int *found) {
    gos__progress_start(q->ctx);
    gos_status status = choose_damping(q, damped);
    status = status == GOS_OK ? begin(q, n) : status;
    if (status == GOS_OK && q->omitted > 0) {
        omit(q, q->omitted - 1);
    }
    status = status == GOS_OK && q->m > 0 ? gos__quadratic_iterate(q, n) : status;
    status = status == GOS_OK && q->m > 0 ? gos__quadratic_verify(q, n) : status;
    return status == GOS_OK ? name_and_report(q, n, modes, found) : status;
}

static void forget(gos_quadratic *q) {
    gos__saddle_destroy(q->saddle);
    gos__sparse_free(q->ctx, &q->S);
    gos__sparse_free(q->ctx, &q->skew);
    gos__free(q->ctx, q->V);
    gos__free(q->ctx, q->lambda0);
    gos__free(q->ctx, q->work);
    gos__free(q->ctx, q->small);
    gos__free(q->ctx, q->unit);
    gos__free(q->ctx, q->thermal);
    gos__free(q->ctx, q->settled);
    gos__complex_shifts_free(q);
    gos__block_correction_free(q);
    gos__thermal_free(q);
}

gos_status gos__linear_damped_part(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_damped_def *def, gos_mode *modes, int *found,
                                   gos_root *roots, int *nroots) {
    gos_quadratic_heat heat = {.wanted = def->nthermal};
    gos_quadratic q = {.ctx = ctx,
                       .l = linear,
                       .K = &linear->block[GOS_BLOCK_K],
                       .n = linear->nq,
                       .nz = linear->nq - linear->nc,
                       .heat = def->heat ? &heat : NULL,
                       .most_whole = def->whole,
                       .omitted = def->omitted};
    const gos_status status = solve(&q, def->n, def->damped, modes, found);
    *nroots = 0;
    for (int k = 0; status == GOS_OK && k < heat.nroot && k < heat.wanted; k++) {
        roots[(*nroots)++] = heat.root[k];
    }
    forget(&q);
    return status;
}

gos_status gos__linear_damped(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                              gos_mode *modes, int *found) {
    const gos_damped_def def = {.n = n, .damped = damped, .whole = GOS_WHOLE};
    int none;
    return gos__linear_damped_part(ctx, linear, &def, modes, found, NULL, &none);
}

gos_status gos__linear_damped_heat(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found, int nthermal, gos_root *roots, int *nroots) {
    const gos_damped_def def = {
        .n = n, .nthermal = nthermal, .damped = true, .heat = true, .whole = GOS_WHOLE};
    return gos__linear_damped_part(ctx, linear, &def, modes, found, roots, nroots);
}
