#include <math.h>

#include "linear/linear.h"
#include "linear_reduction/reduce.h"

/* y (n, outputs) of both models by the same scheme */
static gos_status both(gos_ctx *ctx, const gos_linear *const l[2], gos_transient scheme, double h,
                       int n, const double *u, double *const y[2]) {
    gos_transient first, second;
    GOS_TRY(gos__linear_transient(ctx, l[0], scheme, h, n, 1, u, y[0], &first));
    const gos_transient next = first == GOS_TRANSIENT_IMPLICIT ? first : scheme;
    GOS_TRY(gos__linear_transient(ctx, l[1], next, h, n, 1, u, y[1], &second));
    return first == second ? GOS_OK
                           : gos__linear_transient(ctx, l[0], second, h, n, 1, u, y[0], &first);
}

static double ratio(double difference, double size) {
    return size > 0 ? difference / size : difference > 0 ? HUGE_VAL : 0;
}

/* one output with `stride` */
static gos_time_error summarise(const double *y, const double *r, int n, long stride, double h) {
    gos_time_error e = {0};
    double size = 0;
    for (int k = 0; k < n; k++) {
        const double v = y[k * stride], d = fabs(v - r[k * stride]);
        e.worst = d > e.max ? h * k : e.worst;
        e.max = fmax(e.max, d);
        e.largest = fmax(e.largest, fabs(v));
        e.rms += d * d / n;
        size += v * v / n;
    }
    e.rms = sqrt(e.rms);
    e.relative = ratio(e.max, e.largest);
    e.relative_rms = ratio(e.rms, sqrt(size));
    return e;
}

static gos_status check_finite(gos_ctx *ctx, const double *y, size_t n, const char *which) {
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(y[k])) {
            return gos__fail(ctx, GOS_E_NONFINITE,
                             "the response of the %s model is not finite: it is unstable, or the "
                             "inputs are not finite; use a shorter time",
                             which);
        }
    }
    return GOS_OK;
}

gos_status gos_linear_time_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                 gos_transient scheme, double h, int n, const double *u,
                                 gos_time_error *error) {
    if (full->nu != reduced->nu || full->ny != reduced->ny || full->nu == 0 || full->ny == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "models with %d inputs and %d outputs, and %d and %d, cannot be compared",
                         full->nu, full->ny, reduced->nu, reduced->ny);
    }
    const size_t size = n > 0 ? (size_t)n * full->ny : 0; // n = 0 is rejected below
    double *y = gos__alloc(ctx, 2 * size + 1, sizeof *y);
    if (!y) {
        return GOS_E_MEMORY;
    }
    const gos_linear *const l[2] = {full, reduced};
    double *const of[2] = {y, y + size};
    gos_status status = both(ctx, l, scheme, h, n, u, of);
    status = status == GOS_OK ? check_finite(ctx, of[0], size, "full") : status;
    status = status == GOS_OK ? check_finite(ctx, of[1], size, "reduced") : status;
    for (int j = 0; j < full->ny && status == GOS_OK; j++) {
        error[j] = summarise(of[0] + j, of[1] + j, n, full->ny, h);
    }
    gos__free(ctx, y);
    return status;
}
