/* The order from a tolerance: models of growing order against a judge. The judge is the model of method
   auto for a tenth of the tolerance: a method that converges slowly changes little from order to
   order, and would believe itself (mode shapes do). */
#include "reduce/reduce.h"

#define GROWTH 1.2   // of the order
#define STRICTER 0.1 // tolerance of the judge over the wanted one
#define ATTEMPTS 60

typedef struct search {
    gos_linear_reduction_options opt;
    const gos_linear *judge;
    double tolerance, predicted;
    int n, step; // most vectors, fewest to add
} search;

static gos_status make_judge(gos_ctx *ctx, const gos_linear *l, const search *s,
                             gos_linear_reduction **judge) {
    const gos_linear_reduction_options opt = {.method = "auto",
                                              .band = {s->opt.band[0], s->opt.band[1]},
                                              .tolerance = STRICTER * s->tolerance};
    return gos__reduce_at_order(ctx, l, &opt, judge);
}

/* one order after the other until the difference is within the tolerance */
static gos_status climb(gos_ctx *ctx, const gos_linear *l, search *s,
                        gos_linear_reduction **found) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        gos_linear_reduction *r;
        gos_band_error e;
        GOS_TRY(gos__reduce_at_order(ctx, l, &s->opt, &r));
        const gos_status status =
            gos_linear_band_error(ctx, s->judge, r->model, s->opt.band[0], s->opt.band[1], &e);
        if (status == GOS_OK && e.relative <= s->tolerance) {
            r->report.predicted = e.relative;
            r->report.iterations = attempt;
            *found = r;
            return GOS_OK;
        }
        gos_linear_reduction_destroy(r);
        GOS_TRY(status);
        s->predicted = e.relative;
        if (s->opt.order == s->n) {
            break;
        }
        const int next = (int)(GROWTH * s->opt.order) + s->step;
        s->opt.order = next < s->n ? next : s->n;
    }
    return gos__fail(ctx, GOS_E_DIVERGED,
                     "no order up to %d meets the tolerance %g; the predicted error is %g",
                     s->opt.order, s->tolerance, s->predicted);
}

gos_status gos__reduce_by_tolerance(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *options, int most,
                                    gos_linear_reduction **reduction) {
    search s = {.opt = *options,
                .n = most,
                .step = l->nu > 1 ? l->nu : 1,
                .tolerance = options->tolerance > 0 ? options->tolerance : 1e-3};
    if (!(options->band[1] > 0)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "give an order, or a band of frequencies on which the "
                         "tolerance is to be kept");
    }
    gos_linear_reduction *judge;
    GOS_TRY(make_judge(ctx, l, &s, &judge));
    s.judge = judge->model;
    const int first = 2 * l->nu + 2 > options->ninterface ? 2 * l->nu + 2 : options->ninterface;
    s.opt.order = first < most ? first : most;
    const gos_status status = climb(ctx, l, &s, reduction);
    gos_linear_reduction_destroy(judge);
    return status;
}
