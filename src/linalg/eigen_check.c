/* Accuracy of the vectors of a mode search. (K - s M)^-1 (K x - lambda M x) weights each component
 * of the error of x by at most about 1 and excludes constraint forces. Random sums are cheaper
 * than one solve per vector. */
#include <float.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen_search.h"
#include "math/random.h"

#define DRIFT 24.0        // acceptable multiple of the rounding of x^T K x in low modes
#define ACCURATE 1e-6     // accepted error of a vector (mass norm); omega has its square
#define SUMS 8            // random sums of all errors
#define ALL_SUMS 12       // ... and of those the recurrence takes for exact
#define EXACT 1e-10       // error by the recurrence that counts as zero
#define SAFETY_FACTOR 4.0 // safety factor of the estimate: fails once in 5000 cases

gos_status gos__eigen_roundings(gos_eigen_search *s) {
    const gos_sparse *K = s->p->K;
    const int ncomp = s->p->ncomp > 0 ? s->p->ncomp : 1;
    double sum[8];
    void *noise = s->noise;
    GOS_TRY(gos__grow(s->ctx, &noise, &s->room, s->got + 1, sizeof *s->noise));
    s->noise = noise;
    for (int from = 0; from < s->got; from += GOS_COUNT(sum)) {
        const int count = s->got - from < GOS_COUNT(sum) ? s->got - from : GOS_COUNT(sum);
        const double *X = s->X + (size_t)from * (size_t)s->n;
        gos__kernel_squares(s->n, ncomp, K->p, K->i, K->x, count, X, sum, s->panel);
        for (int k = 0; k < count; k++) {
            s->noise[from + k] = DBL_EPSILON * sqrt(sum[k]);
        }
    }
    return GOS_OK;
}

/* Smallest distance of an eigenvalue from the shift, which weights rounding of K x in low modes. */
static double smallest_stiffness(const gos_eigen_search *s) {
    return s->shift < 0 ? -s->shift : s->lambda[0];
}

static gos_status check_each(gos_eigen_search *s, int count, bool *accurate) {
    const size_t n = s->n;
    double *KX = s->work, *MX = KX + GOS_SADDLE_BLOCK * n, *Z = MX + GOS_SADDLE_BLOCK * n;
    *accurate = true;
    for (int from = 0; from < count; from += GOS_SADDLE_BLOCK) {
        const int some = count - from < GOS_SADDLE_BLOCK ? count - from : GOS_SADDLE_BLOCK;
        const double *X = s->X + from * n;
        gos__sparse_apply_symmetric(s->p->K, some, X, KX, s->panel);
        gos__sparse_apply_symmetric(s->p->M, some, X, MX, s->panel);
        for (long k = 0; k < some; k++) {
            for (size_t i = k * n; i < (k + 1) * n; i++) {
                KX[i] -= s->lambda[from + k] * MX[i];
            }
        }
        GOS_TRY(gos__saddle_solve(s->saddle, some, KX, Z));
        gos__sparse_apply_symmetric(s->p->M, some, Z, MX, s->panel);
        for (int k = 0; k < some; k++) {
            const size_t at = k * n;
            const double error = sqrt(fabs(gos__dense_dot(s->n, Z + at, MX + at)));
            s->residual[from + k] = error;
            // rounding of K x affects all low modes, weighted by 1 / shift
            if (!(error <= ACCURATE) &&
                !(error <= ACCURATE + DRIFT * s->noise[from + k] / smallest_stiffness(s))) {
                *accurate = false;
            }
        }
    }
    return GOS_OK;
}

/* Vector errors from the recurrence plus unseen rounding. unseen: measured sum of squares of
 * vectors that should have no error; all: of all vectors. If `all` far exceeds the recurrence,
 * every vector gets it. */
static void estimate_each(gos_eigen_search *s, int count, double unseen, double all) {
    double residuals = 0;
    for (int k = 0; k < count; k++) {
        s->residual[k] = hypot(s->error ? s->error[k] : 0, sqrt(unseen));
        residuals += s->residual[k] * s->residual[k];
    }
    for (int k = 0; k < count && all > SAFETY_FACTOR * residuals; k++) {
        s->residual[k] = hypot(s->residual[k], sqrt(all));
    }
}

/* Random signs of vectors k in sums j: the first SUMS contain all vectors, the others those exact
 * by the recurrence. sign, scaled (count, ALL_SUMS); scaled: times the eigenvalues. */
static void choose_signs(const gos_eigen_search *s, int count, double *sign, double *scaled) {
    uint64_t seed = GOS_XORSHIFT_START; // fixed, for reproducible results
    for (int i = 0; i < ALL_SUMS * count; i++) {
        const bool exact = s->error && s->error[i % count] < EXACT;
        const bool up = gos__xorshift(&seed) >> 63;
        sign[i] = i >= SUMS * count && !exact ? 0 : up ? 1 : -1;
        scaled[i] = s->lambda[i % count] * sign[i];
    }
}

/* Bounds all errors e_k by a few sums with random signs: the mean of |sum of +-e_k|^2 is the sum
 * of |e_k|^2. */
static gos_status check_sums(gos_eigen_search *s, int count, bool *accurate) {
    const size_t n = s->n, some = count;
    double *X = s->work, *R = X + ALL_SUMS * n, *Y = R + ALL_SUMS * n, sum[2] = {0}, noise = 0;
    double *sign = gos__alloc(s->ctx, 2 * ALL_SUMS * some + 1, sizeof *sign), *scaled;
    if (!sign) {
        return GOS_E_MEMORY;
    }
    scaled = sign + ALL_SUMS * some;
    choose_signs(s, count, sign, scaled);
    gos__dense_combine(s->n, ALL_SUMS, count, s->X, sign, X);
    gos__sparse_apply_symmetric(s->p->K, ALL_SUMS, X, R, s->panel);
    gos__dense_combine(s->n, ALL_SUMS, count, s->X, scaled, X);
    gos__sparse_apply_symmetric(s->p->M, ALL_SUMS, X, Y, s->panel);
    gos__free(s->ctx, sign);
    for (size_t i = 0; i < ALL_SUMS * n; i++) {
        R[i] -= Y[i];
    }
    GOS_TRY(gos__saddle_solve(s->saddle, ALL_SUMS, R, X));
    gos__sparse_apply_symmetric(s->p->M, ALL_SUMS, X, Y, s->panel);
    for (size_t j = 0; j < ALL_SUMS; j++) {
        const double square = fabs(gos__dense_dot(s->n, X + j * n, Y + j * n));
        sum[j >= SUMS] += square / (j >= SUMS ? ALL_SUMS - SUMS : SUMS);
    }
    for (int k = 0; k < count; k++) {
        noise = fmax(noise, s->noise[k]);
    }
    estimate_each(s, count, sum[1], sum[0]);
    s->info.error = SAFETY_FACTOR * sqrt(sum[0]);
    *accurate = s->info.error <= ACCURATE + DRIFT * noise / smallest_stiffness(s);
    return GOS_OK;
}

gos_status gos__eigen_check(gos_eigen_search *s, int count, bool *accurate) {
    GOS_TRY(check_sums(s, count, accurate));
    return s->each || !*accurate ? check_each(s, count, accurate) : GOS_OK;
}
