/* Selection of the order: models of increasing order are compared with a richer one of a tenth
   of the tolerance, verified by residuals or from method auto. Comparing successive orders would
   underestimate errors of slowly converging methods. */
#include <float.h>
#include <math.h>

#include "linear_reduction/estimator.h"
#include "linear_reduction/stability.h"

#define ORDER_RATIO 1.2
#define RICHER_TOLERANCE 0.1 // tolerance of the richer model, relative
#define MAX_ATTEMPTS 60      // orders tried

typedef struct search {
    gos_linear_reduction_options opt;
    gos_estimator *estimator;     // if available,
    gos_linear_reduction *richer; // else this
    double tolerance, predicted, reference_error;
    int n, step; // most vectors, smallest increment
} search;

static gos_status make_estimator(gos_ctx *ctx, const gos_linear *l, search *s) {
    gos_estimate v;
    bool settled = false;
    const double required = RICHER_TOLERANCE * s->tolerance;
    GOS_TRY(gos__estimator_create(ctx, l, s->opt.band, NULL, &s->estimator));
    if (s->estimator &&
        gos__estimator_bound(s->estimator, NULL, 1, required, &v, &settled) == GOS_OK && settled) {
        s->reference_error = v.reference_error;
        return GOS_OK;
    }
    gos__estimator_destroy(s->estimator);
    s->estimator = NULL;
    const gos_linear_reduction_options opt = {
        .method = "auto", .band = {s->opt.band[0], s->opt.band[1]}, .tolerance = required};
    return gos__reduce_at_order(ctx, l, &opt, &s->richer);
}

static gos_status estimate(gos_ctx *ctx, const gos_linear *l, const search *s,
                           gos_linear_reduction *r, bool *good) {
    gos_estimate v = {0};
    gos_status status = s->estimator
                            ? gos__estimator_difference(s->estimator, r->model, &v.error)
                            : gos_linear_band_error(ctx, s->richer->model, r->model, s->opt.band[0],
                                                    s->opt.band[1], &v.error);
    *good = status == GOS_OK && v.error.relative + s->reference_error <= s->tolerance;
    if (*good && s->estimator) {
        status = gos__estimator_compare(s->estimator, r->model, &v);
    }
    if (status != GOS_OK && s->estimator) { // its message went to its own context
        return gos__fail(ctx, status, "errors of reduced models could not be estimated");
    }
    r->report.predicted = fmax(v.error.relative, DBL_EPSILON);
    r->report.band_bound = v.bound;
    if (status == GOS_OK && *good) {
        gos_growth growth;
        status = gos__reduced_stable(ctx, l, r->model, good, &growth);
    }
    return status;
}

static gos_status climb(gos_ctx *ctx, const gos_linear *l, search *s,
                        gos_linear_reduction **found) {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        gos_linear_reduction *r;
        bool good = false;
        GOS_TRY(gos__progress(ctx, 0, "reduction: an order that meets the tolerance"));
        GOS_TRY(gos__reduce_at_order(ctx, l, &s->opt, &r));
        const gos_status status = estimate(ctx, l, s, r, &good);
        if (status == GOS_OK && good) {
            r->report.iterations = attempt;
            *found = r;
            return GOS_OK;
        }
        s->predicted = r->report.predicted;
        const bool last = s->opt.order == s->n || attempt == MAX_ATTEMPTS;
        if (status == GOS_OK && last && s->opt.accept) {
            *found = r; // the caller warns about the error
            return GOS_OK;
        }
        gos_linear_reduction_destroy(r);
        GOS_TRY(status);
        if (last) {
            break;
        }
        const int next = (int)(ORDER_RATIO * s->opt.order) + s->step;
        s->opt.order = next < s->n ? next : s->n;
    }
    return gos__fail(ctx, GOS_E_DIVERGED,
                     "no order up to %d meets the tolerance %g; the predicted error is %g",
                     s->opt.order, s->tolerance, s->predicted);
}

gos_status gos__reduce_by_tolerance(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *options, int max,
                                    gos_linear_reduction **reduction) {
    search s = {.opt = *options,
                .n = max,
                .step = l->nu > 1 ? l->nu : 1,
                .tolerance = options->tolerance > 0 ? options->tolerance : 1e-3};
    if (!(options->band[1] > 0)) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "specify an order, or a frequency band on which the tolerance must be met");
    }
    GOS_TRY(make_estimator(ctx, l, &s));
    const int first = 2 * l->nu + 2 > options->ninterface ? 2 * l->nu + 2 : options->ninterface;
    s.opt.order = first < max ? first : max;
    const gos_status status = climb(ctx, l, &s, reduction);
    gos__estimator_destroy(s.estimator);
    gos_linear_reduction_destroy(s.richer);
    return status;
}
