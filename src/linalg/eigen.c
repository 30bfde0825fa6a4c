/* The lowest modes of K x = lambda M x, C x = 0. Small problems go to LAPACK on an orthonormal
   null space of C. Large ones: ARPACK's Lanczos on the shifted and inverted saddle-point
   matrix. A single Lanczos vector may miss a copy of a double eigenvalue (the bending pairs of
   a square or round cable), so eigenvalues are counted by inertia: before, to place the shift,
   and after, as proof. Whatever solver, vectors end in the same place: a Rayleigh quotient, and
   zero where K cannot tell. Lehoucq, Sorensen, Yang, ARPACK Users' Guide (1998); Ericsson and
   Ruhe, Math. Comp. 35 (1980). */
#include "linalg/eigen.h"

#include <arpack/arpack.h>
#include <float.h>
#include <math.h>
#include <pthread.h>

#include "linalg/dense.h"

#define NOISE 6.0     // times the rounding of x^T K x: what counts as zero
#define UNSURE 100.0  // times the rounding: what is reported with a warning
#define EXTRA 6       // eigenvalues found beyond those wanted, to end in a gap
#define GAP 1e-5      // relative distance of neighbours that a count may lie between
#define ACCURATE 1e-6 // error of a vector (mass norm) that is accepted; that of omega is its square
#define ATTEMPTS 4    // each with a larger space
#define RESTARTS 300  // of Lanczos
#define TOLERANCE 1e-13 // of Lanczos, relative

/* ARPACK keeps state between its calls, so one search runs at a time in a process. */
static pthread_mutex_t arpack_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- what both ways end with ----------------------------------------------------------------- */

/* insertion sort: nearly sorted, and vectors move along */
static void sort_modes(int n, int count, double *lambda, double *X, double *spare) {
    const size_t bytes = (size_t)n * sizeof *X, ld = (size_t)n;
    for (int k = 1; k < count; k++) {
        const double value = lambda[k];
        int to = k;
        memcpy(spare, X + (size_t)k * ld, bytes);
        for (; to > 0 && lambda[to - 1] > value; to--) {
            lambda[to] = lambda[to - 1];
            memcpy(X + (size_t)to * ld, X + (size_t)(to - 1) * ld, bytes);
        }
        lambda[to] = value;
        memcpy(X + (size_t)to * ld, spare, bytes);
    }
}

/* mass-normalise, Rayleigh quotients, zeros, order; work (n) */
static void finish(const gos_pencil *p, int count, double *lambda, double *X, double *work) {
    const int n = p->K->n;
    for (int k = 0; k < count; k++) {
        double *x = X + (size_t)k * (size_t)n;
        gos__sparse_apply(p->M, 1, x, work);
        const double norm = sqrt(gos__dense_dot(n, x, work));
        for (int i = 0; i < n; i++) {
            x[i] /= norm;
        }
        gos__sparse_apply(p->K, 1, x, work);
        const double value = gos__dense_dot(n, x, work);
        lambda[k] = fabs(value) <= NOISE * gos__pencil_rounding(p, x, work) ? 0 : value;
    }
    sort_modes(n, count, lambda, X, work);
}

/* ---- LAPACK ---------------------------------------------------------------------------------- */

/* S (nz, nz) = Z^T A Z */
static gos_status project(gos_ctx *ctx, const gos_sparse *A, const double *Z, int nz, double *S) {
    double *AZ = gos__alloc(ctx, (size_t)A->n * (size_t)nz + 1, sizeof *AZ);
    if (!AZ) {
        return GOS_E_MEMORY;
    }
    gos__sparse_apply(A, nz, Z, AZ);
    gos__dense_product(nz, nz, A->n, Z, AZ, S);
    gos__free(ctx, AZ);
    return GOS_OK;
}

gos_status gos__eigen_dense(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                            int *found) {
    double *Z, *K = NULL, *work = NULL;
    int nz;
    *found = 0;
    GOS_TRY(gos__null_space(ctx, p->C, &Z, &nz));
    const int count = n < nz ? n : nz;
    const size_t nn = (size_t)nz * (size_t)nz;
    gos_status status = count > 0 ? GOS_E_MEMORY : GOS_OK;
    if (count > 0) {
        K = gos__alloc(ctx, 3 * nn + 1, sizeof *K);
        work = gos__alloc(ctx, (size_t)p->K->n + 1, sizeof *work);
    }
    if (K && work) {
        double *M = K + nn, *Y = M + nn;
        status = project(ctx, p->K, Z, nz, K);
        status = status == GOS_OK ? project(ctx, p->M, Z, nz, M) : status;
        status = status == GOS_OK ? gos__dense_pencil(ctx, nz, K, M, count, lambda, Y) : status;
        if (status == GOS_OK) {
            gos__dense_combine(p->K->n, count, nz, Z, Y, X);
            finish(p, count, lambda, X, work);
            *found = count;
        }
    }
    gos__free(ctx, Z);
    gos__free(ctx, K);
    gos__free(ctx, work);
    return status;
}

/* ---- Lanczos --------------------------------------------------------------------------------- */

typedef struct search {
    gos_ctx *ctx;
    const gos_pencil *p;
    gos_saddle *saddle;
    int n, nz;     // order, dimension of the null space
    double shift;  // negative
    int want, cap; // eigenvalues asked of ARPACK, room for them
    int got;
    double *lambda, *X; // (cap), (n, cap)
    double *work;       // (n, 3)
} search;

/* A value with at least `want` eigenvalues below it and not many more, by bisection of its
   logarithm. */
static gos_status find_scale(search *s, double *scale) {
    double hi = 4 * gos__pencil_scale(s->p);
    int below = 0;
    hi = hi > 0 ? hi : 1;
    GOS_TRY(gos__saddle_count(s->saddle, hi, &below));
    for (int i = 0; below < s->want && i < 20; i++) {
        hi *= 16;
        GOS_TRY(gos__saddle_count(s->saddle, hi, &below));
    }
    double lo = 1e-16 * hi; // lower, and the matrix would be as good as unshifted
    while (hi > 4 * lo) {
        const double middle = sqrt(hi * lo);
        GOS_TRY(gos__saddle_count(s->saddle, middle, &below));
        if (below >= s->want) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    *scale = hi;
    return GOS_OK;
}

/* One product that ARPACK asks for: x at `from`, result to `to`, M x at `mass` when it is known. */
static void serve(const search *s, int ido, double *from, double *to, double *mass) {
    if (ido == 2) {
        gos__sparse_apply(s->p->M, 1, from, to);
        return;
    }
    if (ido == -1) {
        gos__sparse_apply(s->p->M, 1, from, s->work);
        mass = s->work;
    }
    gos__saddle_solve(s->saddle, 1, mass, to);
}

/* the same start on every machine and in every run */
static void start_vector(int n, double *x) {
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
}

/* eigenvalues nearest the shift: the lowest, when none lies far below it */
static gos_status arpack(search *s, int ncv) {
    const int n = s->n, nev = s->want, lwork = ncv * (ncv + 8);
    double *resid =
        gos__alloc(s->ctx, (size_t)n * ((size_t)ncv + 4) + (size_t)lwork, sizeof *resid);
    a_int *select = gos__alloc(s->ctx, (size_t)ncv, sizeof *select);
    if (!resid || !select) {
        gos__free(s->ctx, resid);
        gos__free(s->ctx, select);
        return GOS_E_MEMORY;
    }
    double *V = resid + n, *workd = V + (size_t)n * (size_t)ncv, *workl = workd + 3 * (size_t)n;
    a_int param[11] = {1, 0, RESTARTS, 1, 0, 0, 3}, at[14] = {0}, ido = 0, info = 1;
    gos_status status = GOS_OK;
    start_vector(n, resid);
    do {
        dsaupd_c(&ido, "G", n, "LM", nev, TOLERANCE, resid, ncv, V, n, param, at, workd, workl,
                 lwork, &info);
        if (ido == -1 || ido == 1 || ido == 2) {
            serve(s, ido, workd + at[0] - 1, workd + at[1] - 1, workd + at[2] - 1);
            status = gos__progress(s->ctx, 0, "modes");
        }
    } while (ido != 99 && status == GOS_OK);
    s->got = status == GOS_OK && info >= 0 ? param[4] : 0;
    if (s->got > 0) {
        // the converged ones first in X; ARPACK may count one more than was asked for
        dseupd_c(1, "A", select, s->lambda, s->X, n, s->shift, "G", n, "LM", nev, TOLERANCE, resid,
                 ncv, V, n, param, at, workd, workl, lwork, &info);
        s->got = info == 0 ? param[4] : 0;
        s->got = s->got < nev ? s->got : nev;
    }
    gos__free(s->ctx, resid);
    gos__free(s->ctx, select);
    return status;
}

/* Are the vectors what they should be? (K - s M)^-1 (K x - lambda M x) weighs the components of
   their error by at most about 1, and leaves out what constraint forces balance. */
static bool accurate(const search *s) {
    const size_t n = (size_t)s->n;
    double *Kx = s->work, *Mx = Kx + n, *z = Mx + n;
    for (int k = 0; k < s->got; k++) {
        const double *x = s->X + (size_t)k * n;
        // rounding of K x goes into all low modes, and is weighed by 1 / shift there
        const double noise = 4 * NOISE * gos__pencil_rounding(s->p, x, Kx) / -s->shift;
        gos__sparse_apply(s->p->K, 1, x, Kx);
        gos__sparse_apply(s->p->M, 1, x, Mx);
        for (size_t i = 0; i < n; i++) {
            Kx[i] -= s->lambda[k] * Mx[i];
        }
        gos__saddle_solve(s->saddle, 1, Kx, z);
        gos__sparse_apply(s->p->M, 1, z, Mx);
        if (!(sqrt(fabs(gos__dense_dot(s->n, z, Mx))) <= ACCURATE + noise)) {
            return false;
        }
    }
    return true;
}

/* The widest relative gap above the first n eigenvalues that rounding does not fill: the number of
   eigenvalues below it, or 0 when there is none. */
static int find_gap(const search *s, int n) {
    int best = 0;
    double widest = GAP;
    for (int k = n; k < s->got; k++) {
        const double below = s->lambda[k - 1], above = s->lambda[k];
        const double noise =
            NOISE * gos__pencil_rounding(s->p, s->X + (size_t)k * (size_t)s->n, s->work);
        if (above > 0 && above - below > widest * above && above - below > noise) {
            widest = (above - below) / above;
            best = k;
        }
    }
    return best;
}

/* Are the lowest n complete? Not *enough: the search must go on with a larger space. */
static gos_status prove(search *s, int n, bool *enough) {
    int count = 0;
    const int k = find_gap(s, n);
    if (k > 0) {
        GOS_TRY(gos__saddle_count(s->saddle, 0.5 * (s->lambda[k - 1] + s->lambda[k]), &count));
        // fewer: the factorisation without pivoting has erred, for each vector found is one
        *enough = count <= k;
    } else if (s->lambda[0] == 0 && s->lambda[s->got - 1] == 0) {
        // nothing but free motions: enough when nothing lies below them
        GOS_TRY(gos__saddle_count(s->saddle, s->shift, &count));
        *enough = count <= 0;
    }
    return GOS_OK;
}

static gos_status attempt(search *s, int n, bool *enough) {
    const int ncv = 2 * s->want + 20 < s->nz ? 2 * s->want + 20 : s->nz;
    double scale;
    *enough = false;
    GOS_TRY(find_scale(s, &scale));
    s->shift = -0.1 * scale;
    GOS_TRY(gos__saddle_factor(s->saddle, 0, -s->shift));
    (void)pthread_mutex_lock(&arpack_lock);
    const gos_status status = arpack(s, ncv);
    (void)pthread_mutex_unlock(&arpack_lock);
    GOS_TRY(status);
    finish(s->p, s->got, s->lambda, s->X, s->work);
    return s->got >= n && accurate(s) ? prove(s, n, enough) : GOS_OK;
}

/* Too fine a mesh: the lowest eigenvalues drown, and zeros cannot be told from them. */
static void warn_rounding(const search *s) {
    double worst = 0;
    bool elastic = false;
    for (int k = 0; k < s->got; k++) {
        const double *x = s->X + (size_t)k * (size_t)s->n;
        const double noise = gos__pencil_rounding(s->p, x, s->work);
        elastic = elastic || s->lambda[k] != 0;
        worst = s->lambda[k] != 0 ? fmax(worst, noise / fabs(s->lambda[k])) : worst;
    }
    if (worst * UNSURE > 1) {
        gos__warn(s->ctx, (gos_loc){0}, NULL,
                  "the mesh is too fine for its stiffness: rounding changes omega^2 of the lowest "
                  "modes by up to %.1g of itself, and modes without force may not be; use fewer "
                  "elements",
                  worst);
    } else if (!elastic) {
        gos__warn(s->ctx, (gos_loc){0}, NULL,
                  "the %d lowest modes have no restoring force; ask for more to see others",
                  s->got);
    }
}

static gos_status run(search *s, int n, double *lambda, double *X) {
    bool enough = false;
    for (int i = 0; i < ATTEMPTS && !enough; i++) {
        s->want = n + EXTRA * (1 + 2 * i) < s->cap ? n + EXTRA * (1 + 2 * i) : s->cap;
        GOS_TRY(attempt(s, n, &enough));
    }
    if (!enough) {
        return gos__fail(s->ctx, GOS_E_DIVERGED,
                         "the %d lowest modes were not found for certain (%d converged); ask for "
                         "another number of modes",
                         n, s->got);
    }
    warn_rounding(s);
    memcpy(lambda, s->lambda, (size_t)n * sizeof *lambda);
    memcpy(X, s->X, (size_t)s->n * (size_t)n * sizeof *X);
    return GOS_OK;
}

gos_status gos__eigen_lanczos(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                              int *found) {
    search s = {.ctx = ctx, .p = p, .n = p->K->n, .nz = p->K->n - p->C->m};
    *found = 0;
    s.cap = n + EXTRA * 2 * ATTEMPTS < s.nz ? n + EXTRA * 2 * ATTEMPTS : s.nz - 1;
    if (n > s.cap) {
        return gos__fail(ctx, GOS_E_USE, "%d modes of %d cannot be found by Lanczos", n, s.nz);
    }
    s.lambda = gos__alloc(ctx, (size_t)s.cap + 1, sizeof *s.lambda);
    s.X = gos__alloc(ctx, (size_t)s.cap * (size_t)s.n + 1, sizeof *s.X);
    s.work = gos__alloc(ctx, 3 * (size_t)s.n + 1, sizeof *s.work);
    gos_status status = s.lambda && s.X && s.work ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__saddle_create(ctx, p, &s.saddle) : status;
    if (status == GOS_OK) {
        gos__progress_start(ctx);
        status = run(&s, n, lambda, X);
        *found = status == GOS_OK ? n : 0;
    }
    gos__saddle_destroy(s.saddle);
    gos__free(ctx, s.lambda);
    gos__free(ctx, s.X);
    gos__free(ctx, s.work);
    return status;
}

gos_status gos__eigen_lowest(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                             int *found) {
    const int nz = p->K->n - p->C->m;
    if (nz <= GOS_EIGEN_DENSE || (n > nz / 4 && nz <= GOS_EIGEN_DENSE_MOST)) {
        return gos__eigen_dense(ctx, p, n, lambda, X, found);
    }
    if (n > nz / 4) {
        return gos__fail(ctx, GOS_E_LIMIT, "%d modes of %d are too many; ask for at most %d", n, nz,
                         nz / 4);
    }
    return gos__eigen_lanczos(ctx, p, n, lambda, X, found);
}
