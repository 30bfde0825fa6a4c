/* A posteriori error of a reduced model (theory 3.4): difference from a richer model at least
   ten times more accurate. If residuals prove that, the sum of both is a bound. */
#include <float.h>
#include <math.h>

#include "linear_reduction/estimator.h"

#define RICHER_ERROR 0.1 // largest error of the richer model, relative to the difference

/* Use the error estimator if available; *done: its reference is accurate enough. */
static gos_status estimate_by_residuals(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                        const gos_space *seed, gos_linear_reduction *out,
                                        bool *done) {
    gos_estimator *estimator;
    gos_estimate v = {0};
    *done = false;
    GOS_TRY(gos__estimator_create(ctx, l, band, seed, &estimator));
    if (!estimator) {
        return GOS_OK;
    }
    const gos_status status =
        gos__estimator_bound(estimator, out->model, RICHER_ERROR, 0, &v, done);
    gos__estimator_destroy(estimator);
    if (status != GOS_OK) { // another method may need less memory
        *done = false;
        return GOS_OK;
    }
    out->report.predicted = fmax(v.error.relative, DBL_EPSILON); // 0 means not estimated
    out->report.band_bound = v.bound;
    return GOS_OK;
}

gos_status gos__reduce_estimate(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                bool first_order, gos_linear_reduction *out) {
    const double begin = gos__now();
    bool done;
    double difference = 0;
    gos_status status =
        estimate_by_residuals(ctx, l, band, first_order ? NULL : &out->V, out, &done);
    if (status == GOS_OK && !done) {
        status = gos__reduce_grown_difference(ctx, l, band, first_order, out, &difference);
        if (difference > out->report.predicted) {
            out->report.predicted = difference;
        }
    }
    out->report.time_check += gos__now() - begin;
    return status;
}
