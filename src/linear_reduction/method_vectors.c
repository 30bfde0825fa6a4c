/* Bases of responses: static, at frequencies, POD of snapshots. */
#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "linear_reduction/reduce.h"

static gos_status add_response(gos_reduce_task *t, gos_complex s, gos_complex *X) {
    gos_reduce_pencil *p = t->pencil;
    GOS_TRY(gos__reduce_pencil_factor(p, s));
    gos__reduce_pencil_rhs(p, false, s, 0, X);
    GOS_TRY(gos__reduce_pencil_solve(p, false, p->nu, X));
    for (long j = 0; j < p->nu; j++) {
        GOS_TRY(gos__space_split(&t->out->V, X + j * p->n, NULL));
    }
    return GOS_OK;
}

static gos_status need_inputs(const gos_reduce_task *t) {
    return t->pencil->nu > 0 ? GOS_OK
                             : gos__fail(t->ctx, GOS_E_INPUT,
                                         "this method requires inputs, but the model has "
                                         "none; add loads");
}

static gos_status static_vectors(gos_reduce_task *t) {
    GOS_TRY(need_inputs(t));
    gos_complex *X = gos__alloc(t->ctx, (size_t)t->pencil->n * t->pencil->nu, sizeof *X);
    const gos_status status = X ? add_response(t, 0, X) : GOS_E_MEMORY;
    gos__free(t->ctx, X);
    static const gos_point origin = {0, 0};
    GOS_TRY(status);
    const bool same = t->pencil->symmetric && gos__reduce_collocated(t->pencil);
    return gos__reduce_points(t->out, 1, &origin, same ? 2 : 1);
}

static const gos_param static_vectors_params[] = {
    GOS_ROW_BAND(0, 0), GOS_ROW_TOLERANCE(0), GOS_ROW_CORRECTION(0, 0), {0}};

static const gos_reduce_method static_vectors_method = {
    .potentials = true,
    .own_order = true,
    .reduce = static_vectors,
};

const gos_type gos__reduction_static_vectors =
    GOS_LINEAR_METHOD("static_vectors", "static response to each input, for any order", "",
                      static_vectors_params, &static_vectors_method);

static gos_status need_band(const gos_reduce_task *t) {
    return t->opt->band[1] > 0
               ? GOS_OK
               : gos__fail(t->ctx, GOS_E_INPUT,
                           "responses at frequencies require a frequency band; specify `band`");
}

/* equidistant on the closed band */
static double frequency(const gos_reduce_task *t, int k, int n) {
    const double *band = t->opt->band;
    return n > 1 ? band[0] + (band[1] - band[0]) * k / (n - 1) : (band[0] + band[1]) / 2;
}

static gos_status frequency_vectors(gos_reduce_task *t) {
    GOS_TRY(need_inputs(t));
    GOS_TRY(need_band(t));
    gos_reduce_pencil *p = t->pencil;
    const int per = 2 * p->nu; // real and imaginary parts
    const int n = (t->order + per - 1) / per;
    gos_complex *X = gos__alloc(t->ctx, (size_t)p->n * p->nu, sizeof *X);
    gos_point *points = gos__alloc(t->ctx, n + 1L, sizeof *points);
    gos_status status = X && points ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        points[k] = (gos_point){0, frequency(t, k, n)};
        status = add_response(t, gos__complex(0, points[k].im), X);
    }
    const bool same = p->symmetric && gos__reduce_collocated(p);
    status = status == GOS_OK ? gos__reduce_points(t->out, n, points, same ? 2 : 1) : status;
    gos__free(t->ctx, X);
    gos__free(t->ctx, points);
    return status;
}

static const gos_param frequency_vectors_params[] = {
    GOS_ROW_ORDER(0, 0), GOS_ROW_BAND(0, 0), GOS_ROW_TOLERANCE(0), GOS_ROW_CORRECTION(0, 0), {0}};

static const gos_reduce_method frequency_vectors_method = {
    .potentials = true,
    .reduce = frequency_vectors,
};

const gos_type gos__reduction_frequency_vectors = GOS_LINEAR_METHOD(
    "frequency_vectors", "responses to each input at frequencies evenly spaced on the band",
    ", order: 8, band: [1, 100]", frequency_vectors_params, &frequency_vectors_method);

/* ---- proper orthogonal decomposition --------------------------------------------------------- */

/* add the `count` dominant left singular vectors of S (n, m), which is overwritten */
static gos_status dominant(gos_reduce_task *t, int field, int n, int m, double *S, int count) {
    const long k = n < m ? n : m;
    double *work = gos__alloc(t->ctx, n * k + 2L * k + m, sizeof *work);
    if (!work) {
        return GOS_E_MEMORY;
    }
    double *U = work, *sigma = U + n * k, *rest = sigma + k, dummy;
    const lapack_int info =
        LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'N', n, m, S, n, sigma, U, n, &dummy, 1, rest);
    gos_status status =
        info == 0 ? GOS_OK
                  : gos__fail(t->ctx, GOS_E_DIVERGED,
                              "the singular value decomposition of the snapshots did not converge");
    for (long j = 0; j < count && j < k && status == GOS_OK && sigma[j] > 1e-14 * sigma[0]; j++) {
        status = gos__space_add(&t->out->V, field, U + j * n, 1);
    }
    gos__free(t->ctx, work);
    return status;
}

/* responses on the band: real and imaginary parts, (n, 2 nu count) */
static gos_status take_snapshots(gos_reduce_task *t, int count, double *S) {
    gos_reduce_pencil *p = t->pencil;
    const size_t n = p->n, nu = p->nu;
    gos_complex *X = gos__alloc(t->ctx, n * nu, sizeof *X);
    gos_status status = X ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < count && status == GOS_OK; k++) {
        const gos_complex s = gos__complex(0, frequency(t, k, count));
        status = gos__reduce_pencil_factor(p, s);
        gos__reduce_pencil_rhs(p, false, s, 0, X);
        if (status == GOS_OK) {
            status = gos__reduce_pencil_solve(p, false, p->nu, X);
        }
        double *column = S + 2 * nu * n * k;
        for (size_t i = 0; i < n * nu && status == GOS_OK; i++) {
            column[i] = creal(X[i]);
            column[n * nu + i] = cimag(X[i]);
        }
    }
    gos__free(t->ctx, X);
    return status;
}

static gos_status pod(gos_reduce_task *t) {
    const gos_reduce_pencil *p = t->pencil;
    const bool given = t->opt->data != NULL;
    const int count = t->opt->snapshots > 0 ? t->opt->snapshots : 100;
    if (!given) {
        GOS_TRY(need_inputs(t));
        GOS_TRY(need_band(t));
    }
    const size_t n = p->n;
    const bool transient = !given && t->opt->transient;
    const int m = given       ? t->opt->snapshots
                  : transient ? p->nu * gos__reduce_transient_count(t->opt, count)
                              : 2 * p->nu * count;
    double *S = gos__alloc(t->ctx, 2 * n * m + 1, sizeof *S);
    gos_status status = S ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && given) {
        memcpy(S, t->opt->data, n * m * sizeof *S);
    } else if (status == GOS_OK) {
        status =
            transient ? gos__reduce_transient_snapshots(t, count, S) : take_snapshots(t, count, S);
    }
    double *part = S ? S + n * m : NULL;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        const int rows = p->start[f + 1] - p->start[f];
        for (long j = 0; j < m; j++) {
            memcpy(part + j * rows, S + j * n + p->start[f], rows * sizeof *part);
        }
        status = rows > 0 && m > 0 ? dominant(t, f, rows, m, part, t->order) : status;
    }
    gos__free(t->ctx, S);
    return status;
}

static const gos_param pod_params[] = {
    GOS_ROW_ORDER(0, 0),
    GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),
    GOS_ROW_COUNT(0, 0, snapshots, "number of responses; 0: 100"),
    GOS_ROW_FLAG(
        0, 0, transient,
        "responses over time, from rest to a pulse on each input in turn, instead of responses at "
        "frequencies; the spectrum exp(-(f / F)^2 / 2) falls to 61 % at the upper end F of `band`"),
    GOS_ROW_CORRECTION(0, 0),
    {0}};

static const gos_reduce_method pod_method = {
    .potentials = true,
    .reduce = pod,
};

const gos_type gos__reduction_pod = GOS_LINEAR_METHOD(
    "pod",
    "proper orthogonal decomposition of given snapshots, of responses on the band or over time",
    ", order: 6, band: [1, 100]", pod_params, &pod_method);
