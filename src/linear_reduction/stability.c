/* Stability of models. With H_v = -T0 G^T a thermoelastic model has the energy E = q'^T M q' / 2
   + q^T K q / 2 + theta^T C_T theta / (2 T0), dE/dt = -q'^T D q' - theta^T K_T theta / T0.
   Galerkin projection preserves it for any bases; two-sided projection does not, so roots are
   checked. */
#include "linear_reduction/stability.h"

#include <lapacke.h>
#include <math.h>

#include "linear/condensed.h"
#include "linear/state_space.h"
#include "math/random.h"

#define PROPORTIONAL_REMAINDER 1e-8 // relative remainder of H_v + T0 G^T
#define NEGATIVE_EIGENVALUE 1e-12 // round-off of eigenvalues relative to the largest diagonal ratio
#define POSITIVE_MASS 1e-13       // smallest eigenvalue of a positive mass relative to its diagonal
#define ENTRY_ROUNDING 1e-13      // relative round-off of an entry: an unstable root
#define STIFFNESS_ROUNDING 1e-15  // the same for stiffness, relative to its largest ratio to a mass
#define MAX_ROOT_SHIFT 0.3        // must move by less than this part of its real part,
#define ROOT_TRIALS 2             // in so many trials
#define MIN_REAL_RATIO 1e-8       // smallest significant ratio of real part to magnitude
#define MIN_CONDITION 1e-12       // smallest reciprocal condition for inverting E
#define ROOT_ROUNDING 1e-8        // below which unstable roots may be round-off
// most states for the generalised eigenproblem, ten times as expensive
#define MAX_PENCIL_STATES 500
#define HUGE_ROOT 1e150 // infinite root

/* ---- energy ---------------------------------------------------------------------------------- */

static gos_status add_skew(gos_ctx *ctx, const gos_sparse *A, bool *symmetric) {
    gos_sparse S = {0};
    double skew = 0;
    const gos_status status = gos__sparse_symmetric_part(ctx, A, &S, &skew);
    gos__sparse_free(ctx, &S);
    *symmetric = *symmetric && skew <= GOS_SYMMETRIC;
    return status;
}

static bool is_zero(const gos_sparse *A) {
    return !(gos__sparse_largest(A) > 0);
}

/* true if H_v = -T0 G^T with T0 > 0 */
static gos_status proportional(gos_ctx *ctx, const gos_sparse *G, const gos_sparse *H, bool *good) {
    gos_sparse GT = {0}, rest = {0};
    gos_status status = gos__sparse_transpose(ctx, G, &GT);
    const double gg = status == GOS_OK ? gos__sparse_dot(&GT, &GT) : 0;
    const double T0 = gg > 0 ? -gos__sparse_dot(&GT, H) / gg : 0;
    status = status == GOS_OK ? gos__sparse_sum(ctx, 1, H, T0, &GT, &rest) : status;
    *good = status == GOS_OK && T0 > 0 &&
            gos__sparse_dot(&rest, &rest) <=
                PROPORTIONAL_REMAINDER * PROPORTIONAL_REMAINDER * gos__sparse_dot(H, H);
    gos__sparse_free(ctx, &GT);
    gos__sparse_free(ctx, &rest);
    return status;
}

gos_status gos__energy_form(gos_ctx *ctx, const gos_linear *l, gos_energy_form *form) {
    static const gos_block symmetric[] = {GOS_BLOCK_M, GOS_BLOCK_K, GOS_BLOCK_C_T, GOS_BLOCK_K_T};
    const gos_sparse *b = l->block;
    bool good = l->nphi == 0;
    *form = GOS_ENERGY_NONE;
    for (int i = 0; i < GOS_COUNT(symmetric) && good; i++) {
        GOS_TRY(add_skew(ctx, &b[symmetric[i]], &good));
    }
    const bool displacement_free = is_zero(&b[GOS_BLOCK_H_q]),
               back = !displacement_free || !is_zero(&b[GOS_BLOCK_H_v]);
    if (good && back && !is_zero(&b[GOS_BLOCK_G])) { // two-way coupling
        GOS_TRY(proportional(ctx, &b[GOS_BLOCK_G], &b[GOS_BLOCK_H_v], &good));
        *form = !good ? GOS_ENERGY_NONE : displacement_free ? GOS_ENERGY_KEPT : GOS_ENERGY_NEARLY;
    } else if (good) {
        *form = GOS_ENERGY_KEPT;
    }
    return GOS_OK;
}

/* number of eigenvalues of (K, M) on the constraints below `limit` times the largest diagonal
   ratio; -1: unknown */
static gos_status count_below(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M,
                              const gos_sparse *C, int ncomp, double limit, int *count) {
    const gos_pencil p = {.K = K, .M = M, .C = C, .ncomp = ncomp};
    const double scale = gos__pencil_scale(&p);
    gos_saddle *s = NULL;
    *count = is_zero(K) ? 0 : -1;
    if (!(scale > 0) || !isfinite(scale)) {
        return GOS_OK;
    }
    gos_status status = gos__saddle_create(ctx, &p, &s);
    status = status == GOS_OK ? gos__saddle_count(s, limit * scale, count) : status;
    gos__saddle_destroy(s);
    if (status != GOS_OK) {
        *count = -1;
    }
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

/* where C x = 0, relative to its diagonal (unit-independent) */
static gos_status is_positive(gos_ctx *ctx, const gos_sparse *M, const gos_sparse *C, int ncomp,
                              bool *good) {
    gos_sparse diagonal = {0};
    int count = -1;
    GOS_TRY(gos__sparse_alloc(ctx, M->n, M->n, M->n, &diagonal));
    *good = true;
    for (int j = 0; j < M->n; j++) {
        diagonal.i[j] = j;
        diagonal.p[j + 1] = j + 1;
        diagonal.x[j] = 0;
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            diagonal.x[j] = M->i[k] == j ? M->x[k] : diagonal.x[j];
        }
        *good = *good && diagonal.x[j] > 0;
    }
    gos_status status =
        *good ? count_below(ctx, M, &diagonal, C, ncomp, POSITIVE_MASS, &count) : GOS_OK;
    *good = *good && status == GOS_OK && count == 0;
    gos__sparse_free(ctx, &diagonal);
    return status;
}

/* numbers of negative eigenvalues, -1: unknown */
typedef struct negatives {
    int stiffness, damping, conduction;
} negatives;

static gos_status count_pair(gos_ctx *ctx, const gos_sparse *A, const gos_sparse *M,
                             const gos_sparse *C, int ncomp, int *count) {
    gos_sparse S = {0}, N = {0};
    bool positive = false;
    gos_status status = gos__sparse_symmetric_part(ctx, A, &S, NULL);
    status = status == GOS_OK ? gos__sparse_symmetric_part(ctx, M, &N, NULL) : status;
    status = status == GOS_OK ? is_positive(ctx, &N, C, ncomp, &positive) : status;
    *count = -1;
    if (status == GOS_OK && positive) {
        status = count_below(ctx, &S, &N, C, ncomp, -NEGATIVE_EIGENVALUE, count);
    }
    gos__sparse_free(ctx, &S);
    gos__sparse_free(ctx, &N);
    return status;
}

static gos_status count_all(gos_ctx *ctx, const gos_linear *l, negatives *n) {
    const gos_sparse *b = l->block, *M = &b[GOS_BLOCK_M], *C = &b[GOS_BLOCK_C];
    *n = (negatives){0};
    if (l->nq > 0) {
        GOS_TRY(count_pair(ctx, &b[GOS_BLOCK_K], M, C, l->ncomp, &n->stiffness));
    }
    if (l->nq > 0 && !is_zero(&b[GOS_BLOCK_D])) {
        GOS_TRY(count_pair(ctx, &b[GOS_BLOCK_D], M, C, l->ncomp, &n->damping));
    }
    return l->nt > 0 ? count_pair(ctx, &b[GOS_BLOCK_K_T], &b[GOS_BLOCK_C_T], &b[GOS_BLOCK_H], 1,
                                  &n->conduction)
                     : GOS_OK;
}

gos_status gos__growth_by_energy(gos_ctx *ctx, const gos_linear *l, gos_growth *growth) {
    gos_energy_form form;
    negatives n;
    *growth = (gos_growth){0};
    GOS_TRY(gos__energy_form(ctx, l, &form));
    if (form != GOS_ENERGY_KEPT) {
        return GOS_OK;
    }
    gos_ctx *quiet = gos__ctx_quiet(ctx); // failed factorisations mean unknown
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    const gos_status status = count_all(quiet, l, &n);
    gos_ctx_destroy(quiet);
    if (status != GOS_OK) {
        return gos__fail(ctx, status, "the stability could not be checked");
    }
    const bool known = n.stiffness >= 0 && n.conduction >= 0;
    if (known && n.stiffness + n.conduction == 0 && n.damping == 0) {
        growth->what = GOS_STABLE_BY_ENERGY;
    } else if (known && n.stiffness + n.conduction > 0 && !l->gyroscopic) {
        // symmetric for real s, negative at s = 0 and positive for large s, hence singular in
        // between
        growth->what = GOS_UNSTABLE;
    }
    return GOS_OK;
}

/* ---- roots ----------------------------------------------------------------------------------- */

typedef struct spectrum {
    int n;
    double *E, *A;            // (n, n)
    double *T, *S;            // scratch copies (n, n)
    double *re, *im;          // roots (n)
    double *re_now, *im_now;  // roots of perturbed matrices (n)
    double *beta, *low, *sep; // scratch (n)
    lapack_int *pivot;        // (n)
    bool regular;             // E is invertible
    int first, count;         // K: rows (first, count), columns (0, count)
    double rounding;          // round-off of K for unit masses
} spectrum;

static gos_status make_room(gos_ctx *ctx, int n, spectrum *s) {
    const size_t m = n, mm = m * m;
    *s = (spectrum){.n = n, .E = gos__zalloc(ctx, 4 * mm + 7 * m + 1, sizeof *s->E)};
    s->pivot = gos__alloc(ctx, m + 1, sizeof *s->pivot);
    if (!s->E || !s->pivot) {
        return GOS_E_MEMORY;
    }
    s->A = s->E + mm;
    s->T = s->A + mm;
    s->S = s->T + mm;
    double **const line[] = {&s->re, &s->im, &s->re_now, &s->im_now, &s->beta, &s->low, &s->sep};
    for (int i = 0; i < GOS_COUNT(line); i++) {
        *line[i] = s->S + mm + i * m;
    }
    return GOS_OK;
}

/* reciprocal condition with equilibrated rows and columns, independent of units */
static double condition_of(spectrum *s) {
    const size_t n = s->n;
    double condition = 0;
    memcpy(s->T, s->E, n * n * sizeof(double));
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++) {
            const size_t first = side ? i * n : i, step = side ? 1 : n;
            double max = 0;
            for (size_t j = 0; j < n; j++) {
                max = fmax(max, fabs(s->T[first + j * step]));
            }
            for (size_t j = 0; j < n && max > 0; j++) {
                s->T[first + j * step] /= max;
            }
        }
    }
    const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', s->n, s->n, s->T, s->n);
    return LAPACKE_dgetrf(LAPACK_COL_MAJOR, s->n, s->n, s->T, s->n, s->pivot) == 0 &&
                   LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', s->n, s->T, s->n, norm, &condition) == 0
               ? condition
               : 0;
}

/* eigenvalues of T^-1 S, or of the pencil; overwrites both */
static bool solve(spectrum *s, double *re, double *im) {
    const int n = s->n;
    lapack_int low, high;
    double norm;
    if (s->regular) {
        return LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, s->T, n, s->pivot) == 0 &&
               LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, s->T, n, s->pivot, s->S, n) == 0 &&
               LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'N', 'N', 'N', n, s->S, n, re, im, NULL, 1,
                              NULL, 1, &low, &high, s->low, &norm, s->beta, s->sep) == 0;
    }
    if (n > MAX_PENCIL_STATES || LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', n, s->S, n, s->T, n, re,
                                               im, s->beta, NULL, 1, NULL, 1) != 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const double b = fmax(fabs(s->beta[i]), 1e-300);
        re[i] = copysign(fmin(fabs(re[i]) / b, HUGE_ROOT), re[i] * s->beta[i]);
        im[i] = fmin(fabs(im[i]) / b, HUGE_ROOT);
    }
    return true;
}

/* in [-1, 1] */
static double draw(uint64_t *random) {
    return 2 * gos__xorshift_unit(random);
}

/* Random perturbations at round-off level; rigid motions have that of the full stiffness. */
static bool solve_perturbed(spectrum *s, uint64_t *random) {
    const size_t n = s->n, count = s->count, first = s->first;
    for (size_t k = 0; k < n * n; k++) {
        s->T[k] = s->E[k] * (1 + ENTRY_ROUNDING * draw(random));
        s->S[k] = s->A[k] * (1 + ENTRY_ROUNDING * draw(random));
    }
    for (size_t j = 0; j < count; j++) {
        const double mj = fabs(s->E[(first + j) * (n + 1)]);
        for (size_t i = 0; i < count; i++) {
            const double mi = fabs(s->E[(first + i) * (n + 1)]);
            s->S[j * n + first + i] += s->rounding * sqrt(mi * mj) * draw(random);
        }
    }
    return solve(s, s->re_now, s->im_now);
}

/* Set re = 0 for unstable roots that do not persist under perturbation. Rigid motions are double
   roots 0, which move by the square root of round-off. */
static void drop_rounding(spectrum *s) {
    for (int i = 0; i < s->n; i++) {
        double min_distance = HUGE_VAL;
        for (int j = 0; j < s->n; j++) {
            min_distance = fmin(
                min_distance, hypot(s->re_now[j] - s->re[i], fabs(s->im_now[j]) - fabs(s->im[i])));
        }
        s->re[i] = s->re[i] > 0 && min_distance > MAX_ROOT_SHIFT * s->re[i] ? 0 : s->re[i];
    }
}

static bool any_grows(spectrum *s) {
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        s->re[i] = s->re[i] > MIN_REAL_RATIO * hypot(s->re[i], s->im[i]) ? s->re[i] : 0;
        any = any || s->re[i] > 0;
    }
    return any;
}

static void classify(spectrum *s, gos_growth *growth) {
    const size_t nn = (size_t)s->n * s->n;
    uint64_t random = GOS_XORSHIFT_START;
    const double condition = condition_of(s);
    s->regular = condition > MIN_CONDITION;
    memcpy(s->T, s->E, nn * sizeof(double));
    memcpy(s->S, s->A, nn * sizeof(double));
    growth->singular = !s->regular;
    if (!solve(s, s->re, s->im)) {
        return; // unknown
    }
    const bool doubtful = any_grows(s) && condition < ROOT_ROUNDING;
    for (int trial = 0; trial < ROOT_TRIALS && any_grows(s); trial++) {
        if (solve_perturbed(s, &random)) {
            drop_rounding(s);
        }
    }
    growth->what = any_grows(s) ? GOS_UNSTABLE : GOS_STABLE_BY_ROOTS;
    growth->singular = growth->singular || (doubtful && growth->what != GOS_UNSTABLE);
    for (int i = 0; i < s->n; i++) {
        if (s->re[i] > growth->re) {
            growth->re = s->re[i];
            growth->im = fabs(s->im[i]);
        }
    }
}

/* round-off of K for unit masses */
static double rounding_of(const gos_linear *l) {
    const gos_pencil p = {.K = &l->block[GOS_BLOCK_K], .M = &l->block[GOS_BLOCK_M]};
    const double scale = l->nq > 0 ? gos__pencil_scale(&p) : 0;
    return isfinite(scale) ? STIFFNESS_ROUNDING * scale : 0;
}

static gos_status by_roots(gos_ctx *ctx, const gos_linear *l, double rounding, gos_growth *growth) {
    gos_state_space from;
    spectrum s = {0};
    gos_status status = gos__state_space_make(ctx, l, &from);
    if (status == GOS_OK && from.n > 0) {
        status = make_room(ctx, from.n, &s);
    }
    if (status == GOS_OK && s.n > 0) {
        const size_t nn = (size_t)s.n * (size_t)s.n;
        memcpy(s.E, from.E, nn * sizeof *s.E);
        memcpy(s.A, from.A, nn * sizeof *s.A);
        s.count = (from.n - (l->nt - l->nh)) / 2;
        s.first = s.count;
        s.rounding = rounding;
        classify(&s, growth);
    }
    gos__free(ctx, s.E);
    gos__free(ctx, s.pivot);
    gos__state_space_free(ctx, &from);
    return status;
}

static gos_status find_roots(gos_ctx *ctx, const gos_linear *l, int max, double rounding,
                             gos_growth *growth) {
    GOS_TRY(gos__growth_by_energy(ctx, l, growth));
    const long states = 2L * l->nq + l->nt;
    if ((growth->what == GOS_STABILITY_UNKNOWN || growth->what == GOS_UNSTABLE) && states <= max &&
        states <= GOS_STATE_SPACE_MAX) {
        gos_growth roots = {0};
        GOS_TRY(by_roots(ctx, l, rounding, &roots));
        roots.what = roots.what == GOS_STABILITY_UNKNOWN ? growth->what : roots.what;
        *growth = roots;
    }
    return GOS_OK;
}

/* potentials are condensed; if that fails, the stability is unknown */
static gos_status find_growth(gos_ctx *ctx, const gos_linear *l, int max, double rounding,
                              gos_growth *growth) {
    gos_linear *own = NULL;
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_status status = quiet ? gos__linear_condense(quiet, l, &own, &l) : GOS_E_MEMORY;
    *growth = (gos_growth){0};
    if (status == GOS_OK) {
        status = find_roots(ctx, l, max, rounding, growth);
    } else if (status == GOS_E_SINGULAR || status == GOS_E_LIMIT) {
        status = GOS_OK;
    }
    gos_linear_destroy(own);
    gos_ctx_destroy(quiet);
    return status;
}

gos_status gos__growth(gos_ctx *ctx, const gos_linear *l, int max, gos_growth *growth) {
    return find_growth(ctx, l, max, rounding_of(l), growth);
}

/* ---- acceptance ------------------------------------------------------------------------------ */

#define MAX_GROWTH_RATIO 1.1 // allowed ratio of growth to that of the full model

gos_status gos__reduced_stable(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                               bool *stable, gos_growth *growth) {
    GOS_TRY(find_growth(ctx, reduced, GOS_STATE_SPACE_MAX, rounding_of(full), growth));
    *stable = growth->what != GOS_UNSTABLE;
    return GOS_OK;
}

static gos_status has_mass(gos_ctx *ctx, const gos_linear *l, bool *has) {
    const gos_sparse *b = l->block;
    bool symmetric = true, thermal = true;
    *has = false;
    GOS_TRY(add_skew(ctx, &b[GOS_BLOCK_M], &symmetric));
    GOS_TRY(add_skew(ctx, &b[GOS_BLOCK_C_T], &symmetric));
    if (!symmetric) {
        return GOS_OK; // unknown
    }
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_status status = quiet ? GOS_OK : GOS_E_MEMORY;
    *has = true;
    if (status == GOS_OK && l->nq > 0) {
        status = is_positive(quiet, &b[GOS_BLOCK_M], &b[GOS_BLOCK_C], l->ncomp, has);
    }
    if (status == GOS_OK && l->nt > 0) {
        status = is_positive(quiet, &b[GOS_BLOCK_C_T], &b[GOS_BLOCK_H], 1, &thermal);
    }
    *has = *has && thermal;
    gos_ctx_destroy(quiet);
    return status == GOS_OK ? GOS_OK : gos__fail(ctx, status, "the stability could not be checked");
}

gos_status gos__check_stability(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                gos_growth *growth) {
    bool stable;
    gos_growth reference;
    GOS_TRY(gos__reduced_stable(ctx, full, reduced, &stable, growth));
    if (growth->singular) { // the full model's may be singular, too
        GOS_TRY(has_mass(ctx, full, &growth->singular));
    }
    if (stable && !growth->singular) {
        return GOS_OK;
    }
    GOS_TRY(gos__growth(ctx, full, GOS_GROWTH_STATES, &reference));
    const bool known = reference.what != GOS_STABILITY_UNKNOWN;
    if (growth->singular) {
        return gos__fail(
            ctx, GOS_E_DIVERGED,
            "the mass or heat capacity matrix of the reduced model is singular, but not that of "
            "the full model: left and right vectors are almost orthogonal; use another order, or "
            "a Galerkin method (auto, modes_static, krylov without two_sided)");
    }
    if (reference.what == GOS_UNSTABLE &&
        (reference.re == 0 || growth->re <= MAX_GROWTH_RATIO * reference.re)) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the full model is unstable, and so is the reduced one (eigenvalue %.3g%+.3gi "
                  "1/s)",
                  growth->re, growth->im);
        return GOS_OK;
    }
    return gos__fail(ctx, GOS_E_DIVERGED,
                     "the reduced model is unstable: it has an eigenvalue %.3g%+.3gi 1/s, %s; use "
                     "another order, or a Galerkin method (auto, modes_static, krylov without "
                     "two_sided)",
                     growth->re, growth->im,
                     reference.what == GOS_UNSTABLE
                         ? "which grows faster than any of the full model"
                     : known ? "while the full model is stable"
                             : "and the stability of the full model is unknown");
}

gos_status gos__refuse_unstable(gos_ctx *ctx, const gos_linear *full, const char *method) {
    gos_growth growth;
    GOS_TRY(gos__growth_by_energy(ctx, full, &growth));
    return growth.what != GOS_UNSTABLE
               ? GOS_OK
               : gos__fail(ctx, GOS_E_INPUT,
                           "method %s requires an asymptotically stable model; this one is "
                           "unstable (negative stiffness or conduction): use auto, krylov or modes",
                           method);
}
