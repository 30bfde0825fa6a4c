/* Weight of a regulator that uses exactly the limit of a voltage. */
#include <math.h>

#include "control/saturated.h"

enum { FACTORS = 20, INNER = 5, ROUNDS = 60 };

typedef struct search {
    gos_ctx *ctx;
    gos_status (*make)(void *user, gos_ctx *ctx, double weight, gos_loop *loop);
    void *user;
    gos_saturated_options options;
    double limit;
} search;

/* log of (largest command / limit) over log of weight */
static gos_status excess(const search *s, double log_weight, double *e) {
    gos_loop loop = {0};
    gos_saturated_response response;
    gos_status status = s->make(s->user, s->ctx, exp(log_weight), &loop);
    status = status == GOS_OK ? gos__saturated_run(s->ctx, &loop, &s->options, &response) : status;
    gos__loop_free(s->ctx, &loop);
    if (status == GOS_OK && !(response.command > 0)) {
        return gos__fail(s->ctx, GOS_E_INPUT,
                         "the weight cannot be determined from a run without commands; add a "
                         "disturbance, and evaluate the run after it");
    }
    if (status == GOS_OK) {
        *e = log(response.command / s->limit);
    }
    return status;
}

/* first part of a bracket with a change of sign */
static gos_status narrow(const search *s, double x[2], double e[2]) {
    const double from = x[0], width = x[1] - x[0];
    for (int k = 1; k <= INNER; k++) {
        const double at = from + width * k / (INNER + 1);
        double here;
        GOS_TRY(excess(s, at, &here));
        if (here >= 0) {
            x[1] = at;
            e[1] = here;
            return GOS_OK;
        }
        x[0] = at;
        e[0] = here;
    }
    return GOS_OK;
}

/* false position, Illinois variant */
static gos_status close_in(const search *s, double x[2], double e[2]) {
    int stayed = -1;
    for (int round = 0; round < ROUNDS && x[1] - x[0] > 1e-7 && e[1] > 0; round++) {
        double at = x[0] - e[0] * (x[1] - x[0]) / (e[1] - e[0]), here;
        at = fmin(fmax(at, x[0] + 2e-8), x[1] - 2e-8);
        GOS_TRY(excess(s, at, &here));
        const int end = here >= 0;
        x[end] = at;
        e[end] = here;
        if (fabs(here) < 1e-9) {
            x[1] = at;
            return GOS_OK;
        }
        if (stayed == 1 - end) {
            e[1 - end] /= 2;
        }
        stayed = 1 - end;
    }
    return GOS_OK;
}

gos_status gos__saturated_weight(
    gos_ctx *ctx, gos_status (*make)(void *user, gos_ctx *ctx, double weight, gos_loop *loop),
    void *user, const gos_saturated_options *options, double limit, double start, double *weight) {
    search s = {.ctx = ctx, .make = make, .user = user, .options = *options, .limit = limit};
    s.options.limit = HUGE_VAL;
    s.options.sample = NULL;
    if (!(start > 0) || !(limit > 0) || !isfinite(limit)) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "cannot search for a weight starting from %g with limit %g; both must be positive",
            start, limit);
    }
    double x[2] = {log(start), log(start)}, e[2];
    GOS_TRY(excess(&s, x[0], &e[0]));
    e[1] = e[0];
    for (int k = 0; k < FACTORS && e[1] < 0; k++) { // increase
        x[0] = x[1];
        e[0] = e[1];
        x[1] += log(4);
        GOS_TRY(excess(&s, x[1], &e[1]));
    }
    for (int k = 0; k < FACTORS && e[0] >= 0; k++) { // decrease
        x[1] = x[0];
        e[1] = e[0];
        x[0] -= log(4);
        GOS_TRY(excess(&s, x[0], &e[0]));
    }
    if (!(e[0] < 0 && e[1] >= 0)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "no weight from %.3g to %.3g has commands of at most %g: the largest ones "
                         "are %.4g and %.4g",
                         exp(x[0]), exp(x[1]), limit, limit * exp(e[0]), limit * exp(e[1]));
    }
    GOS_TRY(narrow(&s, x, e));
    GOS_TRY(close_in(&s, x, e));
    *weight = exp(x[1]);
    return GOS_OK;
}
