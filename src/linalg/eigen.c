/* Lowest modes of K x = lambda M x, C x = 0. Small problems: LAPACK on an orthonormal null space
 * of C. Large ones: block Lanczos with the shifted and inverted saddle-point matrix, continued
 * until a count by inertia in a gap above the last wanted eigenvalue finds none missing. Ericsson
 * and Ruhe, Math. Comp. 35 (1980); Grimes, Lewis, Simon, SIAM J. Matrix Anal. Appl. 15 (1994). */
#include "linalg/eigen.h"

#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen_search.h"

#define BASIS_MARGIN (2 * GOS_LANCZOS_BLOCK) // basis vectors that cannot converge
#define WARNING_RATIO 100.0                  // rounding times this triggers a warning
#define EXTRA_EIGENVALUES 6                  // additional eigenvalues, to end in a gap
#define MIN_GAP 1e-5                         // smallest relative gap for a count
#define MAX_ATTEMPTS 8
#define FIRST_SHIFT 1e-8 // first shift relative to the largest eigenvalue
#define SHIFT_RATIO 0.1  // shift relative to the last wanted eigenvalue
#define MIN_SHIFT 1e-16  // smallest shift relative to the largest eigenvalue
#define MAX_LOWERINGS 30 // attempts to lower the shift by 4 below unstable modes
// memory of Lanczos vectors [bytes]; beyond, restarts are cheaper
#define BASIS_BYTES ((size_t)4 << 30)

/* Insertion sort of nearly sorted modes, with the numbers in `along` unless NULL. */
static void sort_modes(int n, int count, double *lambda, double *X, double *const along[2],
                       double *spare) {
    const size_t bytes = n * sizeof *X, ld = n;
    for (int k = 1; k < count; k++) {
        const double value = lambda[k];
        int to = k;
        while (to > 0 && lambda[to - 1] > value) {
            to--;
        }
        double *const list[] = {lambda, along ? along[0] : NULL, along ? along[1] : NULL};
        for (int i = 0; i < GOS_COUNT(list) && to < k; i++) {
            if (list[i]) {
                const double its = list[i][k];
                memmove(list[i] + to + 1, list[i] + to, (k - to) * sizeof its);
                list[i][to] = its;
            }
        }
        if (to < k) {
            memcpy(spare, X + k * ld, bytes);
            memmove(X + (to + 1) * ld, X + to * ld, (k - to) * bytes);
            memcpy(X + to * ld, spare, bytes);
        }
    }
}

/* Normalises to unit mass, computes Rayleigh quotients, sets zeros, sorts; work (n). */
static void finish(const gos_pencil *p, int count, double *lambda, double *X, double *work) {
    const int n = p->K->n;
    for (long k = 0; k < count; k++) {
        double *x = X + k * n;
        gos__sparse_apply(p->M, 1, x, work);
        const double norm = sqrt(gos__dense_dot(n, x, work));
        for (int i = 0; i < n; i++) {
            x[i] /= norm;
        }
        gos__sparse_apply(p->K, 1, x, work);
        const double value = gos__dense_dot(n, x, work);
        lambda[k] = fabs(value) <= GOS_EIGEN_NOISE * gos__pencil_rounding(p, x, work) ? 0 : value;
    }
    sort_modes(n, count, lambda, X, NULL, work);
}

/* S (nz, nz) = Z^T A Z */
static gos_status project(gos_ctx *ctx, const gos_sparse *A, const double *Z, int nz, double *S) {
    double *AZ = gos__alloc(ctx, (size_t)A->n * nz + 1, sizeof *AZ);
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
    const size_t nn = (size_t)nz * nz;
    gos_status status = count > 0 ? GOS_E_MEMORY : GOS_OK;
    if (count > 0) {
        K = gos__alloc(ctx, 3 * nn + 1, sizeof *K);
        work = gos__alloc(ctx, p->K->n + 1L, sizeof *work);
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

/* Rayleigh quotients of the Lanczos vectors; sets zeros, sorts. */
static gos_status conclude(gos_eigen_search *s) {
    const size_t n = s->n;
    s->got = s->lanczos.got;
    GOS_TRY(gos__eigen_roundings(s));
    for (int from = 0; from < s->got; from += GOS_SADDLE_BLOCK) {
        const int count = s->got - from < GOS_SADDLE_BLOCK ? s->got - from : GOS_SADDLE_BLOCK;
        double *X = s->X + from * n, *KX = s->work;
        gos__sparse_apply_symmetric(s->p->K, count, X, KX, s->panel);
        for (int k = 0; k < count; k++) {
            s->lambda[from + k] = gos__dense_dot(s->n, X + k * n, KX + k * n);
        }
    }
    for (int k = 0; k < s->got; k++) {
        s->lambda[k] = fabs(s->lambda[k]) <= GOS_EIGEN_NOISE * s->noise[k] ? 0 : s->lambda[k];
    }
    sort_modes(s->n, s->got, s->lambda, s->X, (double *const[]){s->error, s->noise}, s->work);
    return GOS_OK;
}

/* Factorises at a shift below all eigenvalues. */
static gos_status factorise(gos_eigen_search *s) {
    int below = 1;
    for (int i = 0; i < MAX_LOWERINGS && below > 0; i++) {
        GOS_TRY(gos__saddle_shift(s->saddle, s->shift, &below));
        if (below > 0) { // unstable configuration
            s->min_shift = -4 * s->shift;
            s->shift = -s->min_shift;
        }
    }
    return below > 0 ? gos__fail(s->ctx, GOS_E_DIVERGED, "found no shift below all modes") : GOS_OK;
}

/* Negative shift, harmless for rigid-body modes, of the order of the wanted eigenvalues, which the
 * first vectors estimate. */
static gos_status place_shift(gos_eigen_search *s, double reach) {
    const double near = fmax(SHIFT_RATIO * reach, MIN_SHIFT * s->top);
    s->shift = -fmax(near < HUGE_VAL ? near : 0, s->min_shift);
    return factorise(s);
}

static gos_status iterate(gos_eigen_search *s) {
    gos_lanczos *l = &s->lanczos;
    gos_status status = gos__lanczos_run(l, s->shift, s->exact, s->requested, false);
    for (int i = 0; status == GOS_OK && l->shift_too_low; i++) {
        const double before = s->shift;
        GOS_TRY(place_shift(s, l->reach));
        // the shift may be bounded
        status = gos__lanczos_run(l, s->shift, s->exact, s->requested,
                                  i == MAX_ATTEMPTS || !(s->shift > 0.5 * before));
    }
    return status;
}

/* Uncertainty of an eigenvalue by rounding and lack of convergence. */
static double doubt(const gos_eigen_search *s, long k) {
    const double open = s->error ? s->error[k] * fabs(s->lambda[k] - s->shift) : 0;
    return fmax(GOS_EIGEN_NOISE * s->noise[k], 2 * open);
}

/* Widest certain relative gap above the first n eigenvalues: the number below it, 0: none. */
static int find_gap(const gos_eigen_search *s, int n) {
    int best = 0;
    double widest = MIN_GAP;
    for (int k = n; k < s->got; k++) {
        const double below = s->lambda[k - 1], above = s->lambda[k];
        if (above > 0 && above - below > widest * above && above - below > doubt(s, k)) {
            widest = (above - below) / above;
            best = k;
        }
    }
    return best;
}

/* Are the lowest n complete? *missing: number missing below the gap, -1: no gap. */
static gos_status prove(gos_eigen_search *s, int n, int *missing) {
    int count = 0;
    const int k = find_gap(s, n);
    if (k > 0) {
        const double at = 0.5 * (s->lambda[k - 1] + s->lambda[k]);
        GOS_TRY(gos__saddle_count(s->saddle, at, &count));
        s->info.proof = at;
        s->info.counted = count;
        s->info.below = k;
        // fewer means an error of the count, since every vector found exists
        *missing = count > k ? count - k : 0;
    } else if (s->lambda[0] == 0 && s->lambda[s->got - 1] == 0) {
        *missing = 0; // only zero eigenvalues; factorise() has found none below
    } else {
        *missing = -1;
    }
    return GOS_OK;
}

/* Warns when the mesh is so fine that rounding hides the lowest eigenvalues. */
static void warn_rounding(const gos_eigen_search *s) {
    double worst = 0;
    bool elastic = false;
    for (long k = 0; k < s->got; k++) {
        elastic = elastic || s->lambda[k] != 0;
        worst = s->lambda[k] != 0 ? fmax(worst, s->noise[k] / fabs(s->lambda[k])) : worst;
    }
    if (worst * WARNING_RATIO > 1) {
        gos__warn(s->ctx, (gos_loc){0}, NULL,
                  "the mesh is too fine for its stiffness: rounding changes omega^2 of the lowest "
                  "modes by a relative error of up to %.1g, and zero frequencies may be inexact; "
                  "use fewer elements",
                  worst);
    } else if (!elastic) {
        gos__warn(s->ctx, (gos_loc){0}, NULL,
                  "the %d lowest modes have no restoring force; request more modes to obtain "
                  "elastic ones",
                  s->got);
    }
}

static void attach(gos_eigen_search *s) {
    s->capacity = s->lanczos.def.max_vectors;
    s->lambda = s->lanczos.lambda;
    s->error = s->lanczos.error;
    s->X = s->lanczos.V;
}

static gos_status make_lanczos(gos_eigen_search *s) {
    const int all = s->nz - BASIS_MARGIN, most = s->requested + EXTRA_EIGENVALUES * MAX_ATTEMPTS;
    const gos_lanczos_def def = {.pencil = s->p,
                                 .saddle = s->saddle,
                                 .free = s->nz,
                                 .max_vectors = most < all ? most : all,
                                 .memory = BASIS_BYTES};
    GOS_TRY(gos__lanczos_create(s->ctx, &def, &s->lanczos));
    attach(s);
    return GOS_OK;
}

/* The next search keeps accurate vectors and adds a random block, which finds GOS_SADDLE_BLOCK
 * more copies of each eigenvalue; `missing` lie below the gap (-1: unknown). *further: progress
 * was made. */
static gos_status continue_with(gos_eigen_search *s, int missing, bool *further) {
    const int all = s->nz - BASIS_MARGIN, kept = gos__lanczos_keep(&s->lanczos);
    s->requested = kept + GOS_LANCZOS_BLOCK < all ? kept + GOS_LANCZOS_BLOCK : all;
    s->exact = missing > 0 && kept + missing < s->requested ? kept + missing : s->requested;
    *further = kept > s->kept;
    s->kept = kept > s->kept ? kept : s->kept;
    if (s->requested > s->capacity) {
        const int most = 2 * s->requested < all ? 2 * s->requested : all;
        GOS_TRY(gos__lanczos_grow(&s->lanczos, most));
        attach(s);
    }
    return GOS_OK;
}

/* Number of counted eigenvalues still missing; -1: no count, or an eigenvalue lies in the gap. */
static int count_missing(gos_eigen_search *s) {
    const double at = s->info.proof;
    int below = 0;
    if (!(at > 0)) {
        return -1;
    }
    for (int k = 0; k < s->got; k++) {
        const double distance = 2 * fabs(s->lambda[k] - at);
        if (!(distance > 0.5 * MIN_GAP * at) || !(distance > doubt(s, k))) {
            return -1;
        }
        below += s->lambda[k] < at;
    }
    s->info.below = below;
    return s->info.counted > below ? s->info.counted - below : 0;
}

static void count_cluster(gos_eigen_search *s, int n) {
    s->info.cluster = 0;
    const double last = s->lambda[n - 1];
    for (int k = n; k < s->got && s->lambda[k] - last <= GOS_EIGEN_CLUSTER * fabs(s->lambda[k]);
         k++) {
        s->info.cluster++;
    }
}

/* One search: *enough if the lowest n are proved, otherwise prepares the next one; *further:
 * progress was made. */
static gos_status attempt(gos_eigen_search *s, int n, bool *enough, bool *further) {
    bool accurate = true;
    *further = false;
    GOS_TRY(iterate(s));
    GOS_TRY(conclude(s));
    count_cluster(s, n);
    n += s->info.cluster < s->spare ? s->info.cluster : s->spare;
    s->wanted = n;
    s->exact = s->exact > n ? s->exact : n;
    GOS_TRY(gos__eigen_check(s, n, &accurate));
    if (!accurate && s->given) {
        return gos__fail(s->ctx, GOS_E_DIVERGED, "the lowest modes are not accurate");
    }
    if (!accurate) { // restart with a better shift
        s->lanczos.got = 0;
        s->kept = 0;
        return place_shift(s, s->lambda[s->got - 1]);
    }
    if (s->given) {
        *enough = true;
        return GOS_OK;
    }
    int missing = count_missing(s);
    const bool counted = missing >= 0;
    if (!counted) {
        GOS_TRY(prove(s, n, &missing));
    }
    *enough = missing == 0;
    if (*enough) {
        return GOS_OK;
    }
    GOS_TRY(continue_with(s, missing, further));
    return counted || missing < 0 ? GOS_OK : factorise(s); // the count has replaced the factors
}

static void report(gos_eigen_search *s, int n) {
    s->info.shift = s->shift;
    count_cluster(s, n);
    s->info.restarts = s->lanczos.restarts;
    s->info.orthogonal = s->lanczos.t_orthogonal;
    s->info.product = s->lanczos.t_product;
    s->info.ritz = s->lanczos.t_ritz;
    s->info.factors = *gos__saddle_info(s->saddle);
}

static void hand_out(const gos_eigen_search *s, int n, gos_eigen_info *info, double *residual) {
    if (info) {
        *info = s->info;
    }
    if (residual && n > 0) {
        memcpy(residual, s->residual, n * sizeof *residual);
    }
}

static gos_status run(gos_eigen_search *s, int n) {
    bool enough = false, further = false;
    GOS_TRY(s->given ? GOS_OK : place_shift(s, FIRST_SHIFT / SHIFT_RATIO * s->top));
    for (int i = 0; i < MAX_ATTEMPTS && !enough; i += !further) {
        GOS_TRY(attempt(s, n, &enough, &further));
    }
    if (!enough) {
        return gos__fail(s->ctx, GOS_E_DIVERGED,
                         "cannot prove that the %d lowest modes are complete (%d converged); "
                         "request a different number of modes",
                         n, s->got);
    }
    warn_rounding(s);
    report(s, s->wanted);
    return GOS_OK;
}

static gos_status begin(gos_eigen_search *s, int n) {
    const size_t order = s->n;
    s->work = gos__alloc(s->ctx, 3 * GOS_SADDLE_BLOCK * order + 1, sizeof *s->work);
    s->panel = gos__alloc(s->ctx, 8 * order + 1, sizeof *s->panel);
    s->residual = gos__alloc(s->ctx, n + s->spare + 1L, sizeof *s->residual);
    if (!s->work || !s->panel || !s->residual) {
        return GOS_E_MEMORY;
    }
    s->top = 4 * gos__pencil_scale(s->p);
    s->top = s->top > 0 ? s->top : 1;
    return s->given ? GOS_OK : gos__saddle_create(s->ctx, s->p, &s->saddle);
}

static void end(gos_eigen_search *s) {
    if (!s->given) {
        gos__saddle_destroy(s->saddle);
    }
    gos__lanczos_destroy(&s->lanczos);
    gos__free(s->ctx, s->work);
    gos__free(s->ctx, s->panel);
    gos__free(s->ctx, s->noise);
    gos__free(s->ctx, s->residual);
}

static gos_eigen_search search_of(gos_ctx *ctx, const gos_pencil *p, bool each) {
    return (gos_eigen_search){
        .ctx = ctx, .p = p, .n = p->K->n, .nz = p->K->n - p->C->m, .each = each};
}

static gos_status by_lanczos(gos_eigen_search *s, int n, double *lambda, double *X, int *found,
                             gos_eigen_info *info, double *residual) {
    const int most = s->nz - BASIS_MARGIN;
    *found = 0;
    if (n > most) {
        return gos__fail(s->ctx, GOS_E_USE, "cannot compute %d of %d modes by Lanczos", n, s->nz);
    }
    s->exact = n;
    s->requested = n + EXTRA_EIGENVALUES < most ? n + EXTRA_EIGENVALUES : most;
    gos__progress_start(s->ctx);
    gos_status status = begin(s, n);
    status = status == GOS_OK ? make_lanczos(s) : status;
    status = status == GOS_OK ? run(s, n) : status;
    if (status == GOS_OK) {
        memcpy(lambda, s->lambda, s->wanted * sizeof *lambda);
        memcpy(X, s->X, (size_t)s->n * s->wanted * sizeof *X);
        hand_out(s, s->wanted, info, residual);
        *found = s->wanted;
    }
    end(s);
    return status;
}

gos_status gos__eigen_lanczos(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                              int *found) {
    gos_eigen_search s = search_of(ctx, p, false);
    return by_lanczos(&s, n, lambda, X, found, NULL, NULL);
}

/* Proof for modes found by LAPACK: s->X, s->lambda, s->got. */
static gos_status prove_dense(gos_eigen_search *s, int n) {
    bool accurate;
    int missing = 0;
    GOS_TRY(begin(s, n));
    GOS_TRY(gos__eigen_roundings(s));
    GOS_TRY(place_shift(s, s->lambda[s->got - 1]));
    GOS_TRY(gos__eigen_check(s, n, &accurate));
    if (s->got < s->nz) {
        GOS_TRY(prove(s, n, &missing));
    }
    if (missing > 0) {
        return gos__fail(s->ctx, GOS_E_DIVERGED,
                         "%d modes were counted below omega^2 = %g, but %d were found",
                         s->info.counted, s->info.proof, s->info.below);
    }
    report(s, n);
    return GOS_OK;
}

/* Computes additional modes, for a count in a gap. */
static gos_status by_lapack(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                            int *found, gos_eigen_info *info, double *residual) {
    gos_eigen_search s = search_of(ctx, p, residual != NULL);
    const size_t order = s.n, most = (size_t)n + EXTRA_EIGENVALUES;
    *found = 0;
    s.X = gos__alloc(ctx, (order + 1) * most, sizeof *s.X);
    if (!s.X) {
        return GOS_E_MEMORY;
    }
    s.lambda = s.X + order * most;
    gos_status status = gos__eigen_dense(ctx, p, (int)most, s.lambda, s.X, &s.got);
    const int count = s.got < n ? s.got : n;
    if (status == GOS_OK && count > 0 && residual) {
        status = prove_dense(&s, count);
    } else if (status == GOS_OK && count > 0) {
        count_cluster(&s, count);
    }
    if (status == GOS_OK) {
        memcpy(lambda, s.lambda, count * sizeof *lambda);
        memcpy(X, s.X, order * count * sizeof *X);
        hand_out(&s, count, info, residual);
        *found = count;
    }
    gos__free(ctx, s.X);
    end(&s);
    return status;
}

int gos__eigen_max_modes(int nz) {
    return nz <= GOS_EIGEN_DENSE_MAX ? nz : nz / 4;
}

gos_status gos__eigen_sets(gos_ctx *ctx, const gos_pencil *p, int n, int spare, double *lambda,
                           double *X, int *found, gos_eigen_info *info, double *residual) {
    const int nz = p->K->n - p->C->m;
    *found = 0;
    if (nz <= GOS_EIGEN_DENSE || (n > nz / 4 && nz <= GOS_EIGEN_DENSE_MAX)) {
        return info || residual ? by_lapack(ctx, p, n, lambda, X, found, info, residual)
                                : gos__eigen_dense(ctx, p, n, lambda, X, found);
    }
    if (n > nz / 4) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "%d modes of a model with %d unknowns are too many; "
                         "request at most %d",
                         n, nz, nz / 4);
    }
    gos_eigen_search s = search_of(ctx, p, false);
    s.spare = spare;
    return by_lanczos(&s, n, lambda, X, found, info, residual);
}

gos_status gos__eigen_find(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                           int *found, gos_eigen_info *info, double *residual) {
    return gos__eigen_sets(ctx, p, n, 0, lambda, X, found, info, residual);
}

gos_status gos__eigen_about(gos_ctx *ctx, const gos_pencil *p, gos_saddle *saddle, int n,
                            double *lambda, double *X, int *found, gos_eigen_info *info) {
    gos_eigen_search s = search_of(ctx, p, false);
    s.saddle = saddle;
    s.given = true;
    return s.nz > GOS_EIGEN_DENSE_MAX && n <= gos__eigen_max_modes(s.nz)
               ? by_lanczos(&s, n, lambda, X, found, info, NULL)
               : gos__eigen_find(ctx, p, n, lambda, X, found, info, NULL);
}

gos_status gos__eigen_lowest(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                             int *found) {
    return gos__eigen_find(ctx, p, n, lambda, X, found, NULL, NULL);
}
