/* The order from a tolerance: models of growing order, each the judge of the one before. On a beam the
   ratio of such a difference to the true error is 0.8 to 1 (theory 3.4). */
#include "reduce/reduce.h"

#define GROWTH 1.25 // of the order
#define ATTEMPTS 40

gos_status gos__reduce_by_tolerance(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *options,
                                    gos_linear_reduction **reduction) {
    gos_linear_reduction_options opt = *options;
    const int n = l->nq + l->nt + l->nphi;
    const double tolerance = opt.tolerance > 0 ? opt.tolerance : 1e-3;
    if (!(opt.band[1] > 0)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "give an order, or a band of frequencies on which the "
                         "tolerance is to be kept");
    }
    gos_linear_reduction *last = NULL, *now = NULL;
    gos_status status = GOS_OK;
    double predicted = 0;
    opt.order = 2 * l->nu + 2 < n ? 2 * l->nu + 2 : n;
    opt.order = opt.order < opt.ninterface ? opt.ninterface : opt.order;
    int attempt = 0;
    bool done = false;
    for (; attempt < ATTEMPTS && status == GOS_OK && !done; attempt++) {
        status = gos__reduce_at_order(ctx, l, &opt, &now);
        if (status == GOS_OK && last) {
            gos_band_error e;
            status =
                gos_linear_band_error(ctx, now->model, last->model, opt.band[0], opt.band[1], &e);
            predicted = e.relative;
            done = status == GOS_OK && predicted <= tolerance;
        }
        if (status == GOS_OK && !done) {
            gos_linear_reduction_destroy(last);
            last = now;
            now = NULL;
            if (opt.order == n) { // nothing richer: this is the model itself
                predicted = 0;
                done = true;
            }
        }
        const int next = (int)(GROWTH * opt.order) + l->nu;
        opt.order = next < n ? next : n;
    }
    gos_linear_reduction_destroy(now);
    if (status != GOS_OK || !done) {
        gos_linear_reduction_destroy(last);
        return status != GOS_OK
                   ? status
                   : gos__fail(ctx, GOS_E_DIVERGED,
                               "no order up to %d meets the tolerance %g; predicted error %g",
                               opt.order, tolerance, predicted);
    }
    last->report.predicted = predicted;
    last->report.iterations = attempt;
    *reduction = last;
    return GOS_OK;
}
