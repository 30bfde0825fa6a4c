/* Undamped modes with effective masses and names, and thermal modes. */
#include <math.h>
#include <float.h>

#include "linalg/align.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linear/condensed.h"
#include "linear/linear.h"

/* Default frequency band of a linear model: around its lowest modes. */

#define MODES 10

static void widen(double band[2], double frequency) {
    if (frequency > 0 && isfinite(frequency)) {
        band[0] = band[0] > 0 ? fmin(band[0], frequency / 10) : frequency / 10;
        band[1] = fmax(band[1], 2 * frequency);
    }
}

gos_status gos_linear_band(gos_ctx *ctx, const gos_linear *linear, double band[2]) {
    gos_mode mode[MODES];
    double rate[MODES], found[2] = {0, 0};
    int n = 0;
    if (linear->nq > 0) {
        GOS_TRY(gos__linear_frequencies(ctx, linear, MODES, mode, &n));
    } else {
        GOS_TRY(gos_linear_thermal_modes(ctx, linear, MODES, rate, NULL, &n));
    }
    for (int i = 0; i < n; i++) {
        widen(found, linear->nq > 0 ? mode[i].frequency : rate[i] / (2 * M_PI));
    }
    if (!(found[0] > 0)) {
        return gos__fail(ctx, GOS_E_USE,
                         "no modes were found from which to derive a frequency band; specify one");
    }
    memcpy(band, found, sizeof found);
    return GOS_OK;
}

/* Detection of zero eigenvalues. */

#define GAP 1e10                 // smallest ratio of significant to round-off eigenvalues
#define ROUNDING_OPERATIONS 1000 // factor on the round-off of one operation

static double diagonal(const gos_sparse *A, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == j) {
            return A->x[k];
        }
    }
    return 0;
}

double gos__linear_drift(const gos_linear *l) {
    double most = 0;
    for (int j = 0; j < l->nq; j++) {
        const double m = fabs(diagonal(&l->M, j));
        most = m > 0 ? fmax(most, fabs(diagonal(&l->K, j)) / m) : most;
    }
    return DBL_EPSILON * most;
}

/* Vectors contain about eps lambda_max / lambda_j of other modes, which changes a zero
   eigenvalue by (eps lambda_max)^2 / lambda_j. Smaller values with a gap of GAP are zero;
   coordinates of floating frames have no stiffness that would reveal it. */
double gos__linear_rounding(double drift, int count, const double *lambda) {
    double level = 0;
    for (int k = 0; k + 1 < count; k++) {
        const double size = fabs(lambda[k]), next = lambda[k + 1];
        const bool gap =
            next > 0 && size * GAP < next && size * next < ROUNDING_OPERATIONS * drift * drift;
        level = gap ? fmax(level, size) : level;
    }
    return level;
}

void gos__linear_zeros(double level, int count, double *lambda) {
    for (int k = 0; k < count; k++) {
        lambda[k] = fabs(lambda[k]) <= level ? 0 : lambda[k];
    }
}

#define SPARE 6     // modes equal to the last one that its search may add
#define MIN_MODES 8 // more than the six rigid motions of a free body

static gos_mode mode_of(double lambda) {
    const double omega = lambda > 0 ? sqrt(lambda) : 0;
    return (gos_mode){.omega = omega,
                      .frequency = omega / (2 * M_PI),
                      .re = lambda < 0 ? sqrt(-lambda) : 0,
                      .im = omega,
                      .rigid = lambda == 0,
                      .kind = lambda == 0 ? GOS_MODE_RIGID : GOS_MODE_ELASTIC};
}

/* m = (x^T M t)^2 for unit translations and rotations t; sums over all modes are the movable
   mass and moments of inertia */
static gos_status effective_masses(gos_ctx *ctx, const gos_linear *l, int n, const double *shapes,
                                   gos_mode *modes) {
    const size_t nq = l->nq;
    double *Mt = gos__alloc(ctx, nq + 1, sizeof *Mt);
    if (!Mt) {
        return GOS_E_MEMORY;
    }
    for (int c = 0; c < 6; c++) {
        gos__sparse_apply(&l->M, 1, l->rigid + c * nq, Mt);
        for (int k = 0; k < n; k++) {
            const double part = gos__dense_dot(l->nq, shapes + k * nq, Mt);
            *(c < 3 ? &modes[k].mass[c] : &modes[k].inertia[c - 3]) = part * part;
        }
    }
    gos__free(ctx, Mt);
    return GOS_OK;
}

static void warn_unstable(gos_ctx *ctx, int n, const double *lambda) {
    int unstable = 0;
    for (int k = 0; k < n; k++) {
        unstable += lambda[k] < 0;
    }
    if (unstable) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the configuration is unstable: %d modes have negative stiffness (listed with "
                  "frequency 0)",
                  unstable);
    }
}

static gos_status check_count(gos_ctx *ctx, int n) {
    return n > 0 ? GOS_OK
                 : gos__fail(ctx, GOS_E_USE, "%d modes were requested; request at least one", n);
}

static gos_mode_proof proof_of(const gos_eigen_info *info) {
    return (gos_mode_proof){.computed = true,
                            .frequency = sqrt(fmax(0, info->proof)) / (2 * M_PI),
                            .found = info->below,
                            .counted = info->counted,
                            .cluster = info->cluster};
}

static void warn_cut(gos_ctx *ctx, int n, int cluster) {
    if (cluster > 0) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "mode %d has the same frequency as the following %d modes, which were not "
                  "requested; shapes of modes with equal frequency are meaningful only together: "
                  "request %d modes",
                  n, cluster, n + cluster);
    }
}

typedef struct answer {
    gos_saddle *about; // factorised positive definite K, or NULL
    int spare;         // further modes equal to the last one that it may have
    int count;
    double *lambda, *residual, *X; // (requested + spare), the same, (nq, requested + spare)
    gos_eigen_info info;
} answer;

static void forget(gos_ctx *ctx, answer *a) {
    gos__free(ctx, a->lambda);
    gos__free(ctx, a->X);
    *a = (answer){.about = a->about, .spare = a->spare};
}

static gos_status find(gos_ctx *ctx, const gos_linear *l, int n, bool proof, answer *a) {
    const gos_pencil p = {.K = &l->K, .M = &l->M, .C = &l->block[GOS_BLOCK_C], .ncomp = l->ncomp};
    const int room = n + a->spare;
    a->lambda = gos__zalloc(ctx, 2L * room + 1, sizeof *a->lambda);
    a->X = gos__alloc(ctx, (size_t)room * l->nq + 1, sizeof *a->X);
    if (!a->lambda || !a->X) {
        return GOS_E_MEMORY;
    }
    a->residual = a->lambda + room;
    if (a->about) {
        return gos__eigen_about(ctx, &p, a->about, n, a->lambda, a->X, &a->count, &a->info);
    }
    return gos__eigen_sets(ctx, &p, n, a->spare, a->lambda, a->X, &a->count, &a->info,
                           proof ? a->residual : NULL);
}

static gos_status ask(gos_ctx *ctx, const gos_linear *l, int n, bool proof, answer *a) {
    const int most = gos__eigen_max_modes(l->nq - l->nc);
    const double drift = gos__linear_drift(l);
    GOS_TRY(find(ctx, l, n, proof, a));
    double level = gos__linear_rounding(drift, a->count, a->lambda);
    if (level == 0 && a->count >= n && n < MIN_MODES && n < most &&
        fabs(a->lambda[n - 1]) < drift) {
        answer more = {.about = a->about}; // the zeros may extend beyond the last one
        const gos_status status = find(ctx, l, MIN_MODES < most ? MIN_MODES : most, false, &more);
        level = status == GOS_OK ? gos__linear_rounding(drift, more.count, more.lambda) : 0;
        forget(ctx, &more);
        GOS_TRY(status);
    }
    gos__linear_zeros(level, a->count, a->lambda);
    return GOS_OK;
}

static int zeros_of(const answer *a, int *first) {
    int count = 0;
    *first = 0;
    while (*first < a->count && a->lambda[*first] < 0) {
        ++*first;
    }
    while (*first + count < a->count && a->lambda[*first + count] == 0) {
        count++;
    }
    return count;
}

/* Complete the set of zero-frequency modes, which are classified together. complete: there are
   no others. */
static gos_status ask_all(gos_ctx *ctx, const gos_linear *l, int n, bool proof, answer *a,
                          bool *complete) {
    const int free = l->nq - l->nc, most = gos__eigen_max_modes(free);
    GOS_TRY(ask(ctx, l, n, proof, a));
    for (int asked = n;;) {
        *complete = a->count < asked || a->count >= free || a->lambda[a->count - 1] != 0;
        const int more = 2 * asked + 6 < most ? 2 * asked + 6 : most;
        if (*complete || more <= asked) {
            return GOS_OK;
        }
        forget(ctx, a);
        GOS_TRY(ask(ctx, l, asked = more, proof, a));
    }
}

/* The last set must be complete: part of an eigenspace would be machine-dependent. */
static gos_status ask_sets(gos_ctx *ctx, const gos_linear *l, answer *a) {
    const int most = gos__eigen_max_modes(l->nq - l->nc);
    while (a->info.cluster > 0 && a->lambda[a->count - 1] != 0 && a->count < most) {
        const int more = a->count + a->info.cluster < most ? a->count + a->info.cluster : most;
        forget(ctx, a);
        GOS_TRY(ask(ctx, l, more, false, a));
    }
    return GOS_OK;
}

/* Rotate equal modes: aligned with ports, then with translations and rotations. */
static gos_status align(gos_ctx *ctx, const gos_linear *l, int from, const answer *a) {
    const gos_sparse *B = &l->block[GOS_BLOCK_B],
                     *Y[] = {&l->block[GOS_BLOCK_Y_q], &l->block[GOS_BLOCK_Y_v]};
    const size_t nq = l->nq;
    const int count = a->count - from;
    if (!gos__align_needed(count, a->lambda + from)) {
        return GOS_OK;
    }
    gos_align turn;
    double *Mt = gos__alloc(ctx, nq + 1, sizeof *Mt);
    gos_status status =
        gos__align_begin(ctx, l->nq, count, a->X + from * nq, B->n + Y[0]->m + Y[1]->m + 6, &turn);
    status = Mt ? status : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__align_columns(&turn, B);
        gos__align_rows(&turn, Y[0]);
        gos__align_rows(&turn, Y[1]);
        for (int c = 0; c < 6; c++) {
            gos__sparse_apply(&l->M, 1, l->rigid + c * nq, Mt);
            gos__align_row(&turn, Mt);
        }
        gos__align_turn(&turn, a->lambda + from);
    }
    gos__align_end(&turn);
    gos__free(ctx, Mt);
    return status;
}

/* classify zero-frequency modes, with the error bound of any combination */
static gos_status name_zeros(gos_ctx *ctx, const gos_linear *l, int zeros, double *X,
                             gos_mode *modes) {
    double error = 0;
    for (int k = 0; k < zeros; k++) {
        error = hypot(error, modes[k].residual);
    }
    for (int k = 0; k < zeros; k++) {
        modes[k].residual = error;
    }
    return gos__rigid_name(ctx, l, zeros, X, modes);
}

static gos_status check_mass(gos_ctx *ctx, const gos_linear *l) {
    gos_sparse S = {0};
    double skew = 0;
    GOS_TRY(gos__sparse_symmetric_part(ctx, &l->block[GOS_BLOCK_M], &S, &skew));
    gos__sparse_free(ctx, &S);
    return skew <= GOS_SYMMETRIC
               ? GOS_OK
               : gos__fail(ctx, GOS_E_USE,
                           "the mass matrix is not symmetric (two-sided reduction), so undamped "
                           "modes are meaningless; request damped modes, which are eigenvalues of "
                           "the whole model");
}

/* about, modes, shapes and proof may be NULL; aligned: rotate equal modes */
static gos_status undamped(gos_ctx *ctx, const gos_linear *l, gos_saddle *about, int n,
                           bool aligned, gos_mode *modes, double *shapes, int *found,
                           gos_mode_proof *proof) {
    GOS_TRY(check_mass(ctx, l));
    n = n < l->nq ? n : l->nq;
    answer a = {.about = about, .spare = shapes ? SPARE : 0};
    bool complete = true;
    gos_mode *all = NULL;
    gos_status status = n > 0 ? ask_all(ctx, l, n, proof != NULL, &a, &complete) : GOS_OK;
    status = status == GOS_OK && shapes && a.count > 0 ? ask_sets(ctx, l, &a) : status;
    if (status == GOS_OK) {
        all = gos__zalloc(ctx, a.count + 1L, sizeof *all);
        status = all ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        int first;
        const int zeros = zeros_of(&a, &first), count = a.count < n ? a.count : n;
        warn_unstable(ctx, count, a.lambda);
        for (int k = 0; k < a.count; k++) {
            all[k] = mode_of(a.lambda[k]);
            all[k].residual = a.residual[k];
        }
        status = complete && zeros > 0
                     ? name_zeros(ctx, l, zeros, a.X + (size_t)first * l->nq, all + first)
                     : GOS_OK;
        status = status == GOS_OK && aligned ? align(ctx, l, first + zeros, &a) : status;
        status = status == GOS_OK ? effective_masses(ctx, l, count, a.X, all) : status;
        a.info.cluster = first + zeros > count ? first + zeros - count : a.info.cluster;
        if (status == GOS_OK && aligned && !shapes) { // shapes are used as a basis
            warn_cut(ctx, count, a.info.cluster);
        }
        if (status == GOS_OK && proof) {
            *proof = proof_of(&a.info);
        }
        if (status == GOS_OK && modes) {
            memcpy(modes, all, count * sizeof *modes);
        }
        if (status == GOS_OK && shapes) {
            memcpy(shapes, a.X, (size_t)count * l->nq * sizeof *shapes);
        }
        *found = status == GOS_OK ? count : 0;
    }
    gos__free(ctx, all);
    forget(ctx, &a);
    return status;
}

/* Model without potentials. Shapes always solve the symmetric problem. */
static gos_status without_damping(gos_ctx *ctx, const gos_linear *l, int n, bool aligned,
                                  gos_mode *modes, double *shapes, int *found,
                                  gos_mode_proof *proof) {
    gos_linear *own;
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    GOS_TRY(gos__linear_condense(ctx, l, &own, &l));
    const gos_status status = !shapes && (!l->symmetric_K || l->gyroscopic)
                                  ? gos__linear_damped(ctx, l, n, false, modes, found)
                                  : undamped(ctx, l, NULL, n, aligned, modes, shapes, found, proof);
    gos_linear_destroy(own);
    return status;
}

gos_status gos_linear_modes(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                            gos_mode *modes, int *found) {
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    if (damped) {
        int none;
        return gos_linear_coupled_modes(ctx, linear, n, modes, found, 0, NULL, &none);
    }
    return without_damping(ctx, linear, n, true, modes, NULL, found, NULL);
}

gos_status gos__linear_frequencies(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                   int *found) {
    return without_damping(ctx, linear, n, false, modes, NULL, found, NULL);
}

gos_status gos_linear_modes_verified(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                     int *found, gos_mode_proof *proof) {
    *proof = (gos_mode_proof){0};
    return without_damping(ctx, linear, n, true, modes, NULL, found, proof);
}

gos_status gos_linear_shapes(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                             double *shapes, int *found) {
    return without_damping(ctx, linear, n, true, modes, shapes, found, NULL);
}

gos_status gos__linear_shapes_all(gos_ctx *ctx, const gos_linear *linear, gos_mode *modes,
                                  double *shapes, int *found) {
    return without_damping(ctx, linear, linear->nq, false, modes, shapes, found, NULL);
}

gos_status gos__linear_shapes_about(gos_ctx *ctx, const gos_linear *linear, gos_saddle *saddle,
                                    int n, gos_mode *modes, double *shapes, int *found) {
    *found = 0;
    return undamped(ctx, linear, saddle, n, true, modes, shapes, found, NULL);
}

static gos_status thermal(gos_ctx *ctx, const gos_linear *linear, int n, double *rates,
                          double *shapes, int *found) {
    n = n < linear->nt ? n : linear->nt;
    if (n == 0) {
        return GOS_OK;
    }
    const gos_pencil p = {.K = &linear->K_T,
                          .M = &linear->block[GOS_BLOCK_C_T],
                          .C = &linear->block[GOS_BLOCK_H],
                          .ncomp = 1};
    double *own = NULL;
    if (!shapes) {
        own = gos__alloc(ctx, (size_t)n * linear->nt, sizeof *own);
        if (!own) {
            return GOS_E_MEMORY;
        }
    }
    const gos_status status = gos__eigen_lowest(ctx, &p, n, rates, shapes ? shapes : own, found);
    gos__free(ctx, own);
    return status;
}

gos_status gos_linear_thermal_modes(gos_ctx *ctx, const gos_linear *linear, int n, double *rates,
                                    double *shapes, int *found) {
    gos_linear *own;
    *found = 0;
    GOS_TRY(check_count(ctx, n));
    GOS_TRY(gos__linear_condense(ctx, linear, &own, &linear));
    const gos_status status = thermal(ctx, linear, n, rates, shapes, found);
    gos_linear_destroy(own);
    return status;
}
