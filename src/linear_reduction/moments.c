/* Verification of moment matching (theory 3.2): moments of both models are computed and
   compared. */
#include <complex.h>
#include <math.h>

#include "linear_reduction/reduce.h"

#define MAX_MOMENTS 64      // largest number of moments compared per point
#define MAX_MOMENTS_LARGE 4 // the same for large models, where each costs as much as three blocks

gos_status gos__reduce_points(gos_linear_reduction *out, int n, const gos_point *points,
                              int moments) {
    gos__free(out->ctx, out->point);
    out->point = gos__alloc(out->ctx, n + 1L, sizeof *out->point);
    if (!out->point) {
        return GOS_E_MEMORY;
    }
    memcpy(out->point, points, n * sizeof *points);
    out->npoints = n;
    out->moments = moments;
    return GOS_OK;
}

static bool parallel(const double *y, const double *b, int n) {
    double bb = 0, yb = 0, yy = 0, rest = 0;
    for (int i = 0; i < n; i++) {
        bb += b[i] * b[i];
        yb += y[i] * b[i];
        yy += y[i] * y[i];
    }
    const double factor = bb > 0 ? yb / bb : 0;
    for (int i = 0; i < n; i++) {
        rest += (y[i] - factor * b[i]) * (y[i] - factor * b[i]);
    }
    return rest <= 1e-24 * yy;
}

static bool all_zero(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (x[i] != 0) {
            return false;
        }
    }
    return true;
}

bool gos__reduce_collocated(const gos_reduce_pencil *p) {
    const size_t size = (size_t)p->n * p->ny;
    const double *Y = all_zero(p->Y[1], size) ? p->Y[0] : all_zero(p->Y[0], size) ? p->Y[1] : NULL;
    bool good = Y && p->nu == p->ny;
    for (long j = 0; j < p->nu && good; j++) {
        const size_t at = j * p->n;
        good = parallel(Y + at, p->B + at, p->n);
    }
    return good;
}

static double length_of(size_t block, const gos_complex *m) {
    double sum = 0;
    for (size_t e = 0; e < block; e++) {
        sum += creal(m[e]) * creal(m[e]) + cimag(m[e]) * cimag(m[e]);
    }
    return sqrt(sum);
}

/* |m| of moment i, or the geometric mean of its neighbours if it is accidentally small: moments
   oscillate if the nearest pole is complex */
static double amplitude(int i, int k, size_t block, const gos_complex *m) {
    const double own = length_of(block, m + i * block);
    if (i == 0 || i + 1 == k) {
        return own;
    }
    return fmax(
        own, sqrt(length_of(block, m + (i - 1) * block) * length_of(block, m + (i + 1) * block)));
}

/* largest |m - m_r| relative to |m|; vanishing moments (odd ones without damping) are skipped */
static double compare(int k, size_t block, const gos_complex *m, const gos_complex *mr) {
    double worst = 0;
    for (int i = 0; i < k; i++) {
        double difference = 0;
        const double size = amplitude(i, k, block, m);
        for (size_t e = 0; e < block; e++) {
            const gos_complex d = m[i * block + e] - mr[i * block + e];
            difference += creal(d) * creal(d) + cimag(d) * cimag(d);
        }
        worst = size > 0 ? fmax(worst, sqrt(difference) / size) : worst;
    }
    return worst;
}

gos_status gos__reduce_check_moments(gos_ctx *ctx, gos_reduce_pencil *full,
                                     gos_linear_reduction *out) {
    const int max = full->n < GOS_SYMMETRIC_LARGE ? MAX_MOMENTS : MAX_MOMENTS_LARGE;
    const int k = out->moments < max ? out->moments : max;
    out->report.points = out->npoints;
    out->report.moments = out->moments;
    out->report.moments_checked = k;
    if (k == 0 || full->nu == 0 || full->ny == 0) {
        return GOS_OK;
    }
    const size_t block = (size_t)full->nu * full->ny, size = block * k;
    gos_complex *m = gos__alloc(ctx, 2 * size, sizeof *m);
    gos_reduce_pencil *reduced = NULL;
    gos_status status = m ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, out->model, NULL, &reduced) : status;
    for (int i = 0; i < out->npoints && status == GOS_OK; i++) {
        const gos_complex s0 = gos__complex(out->point[i].re, out->point[i].im);
        status = gos__reduce_pencil_moments(full, s0, k, m);
        if (status == GOS_OK && gos__reduce_pencil_try(reduced, s0) == GOS_E_SINGULAR) {
            status = gos__fail(ctx, GOS_E_SINGULAR,
                               "the reduced model is singular at its expansion point, because "
                               "some outputs do not respond to any input; use a one-sided "
                               "reduction (two_sided: false), or remove these outputs");
        }
        status = status == GOS_OK ? gos__reduce_pencil_moments(reduced, s0, k, m + size) : status;
        if (status == GOS_OK) {
            out->report.moment_error =
                fmax(out->report.moment_error, compare(k, block, m, m + size));
        }
    }
    gos__reduce_pencil_destroy(reduced);
    gos__free(ctx, m);
    return status;
}
