#include "floating/floating_vectors.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "floating/floating_def.h"
#include "floating/static_error.h"

#define MODES 10      // of the default band
#define HEAT_STEP 0.1 // first step after heat sets in, over the upper band end
#define ROUNDS 5
#define ONSET 30       // over the upper band end: instantaneous
#define TOLERANCE 1e-3 // default
#define INSULATED 1e-9 // flow under uniform temperature, of the largest conduction
#define UNIFORM 1e4    // over the smallest fraction that counts as new
#define ZETA 0.01      // default, for error estimates

static gos_status put_field(gos_ctx *ctx, const gos_linear_reduction *reduction, gos_field field,
                            gos_space *space) {
    int n, columns;
    const double *V = gos_linear_reduction_basis(reduction, field, false, &n, &columns);
    double *x = gos__alloc(ctx, (size_t)n + 1, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < columns && status == GOS_OK; j++) {
        double size = 0;
        for (int k = 0; k < n; k++) {
            x[k] = V[(size_t)j * (size_t)n + (size_t)k];
            size += x[k] * x[k];
        }
        status = gos__space_add(space, (int)field, x, sqrt(size));
    }
    gos__free(ctx, x);
    return status;
}

static gos_status put(gos_ctx *ctx, const gos_linear_reduction *reduction, gos_space *space) {
    gos_linear_info info;
    gos_linear_info_get(gos_linear_reduction_model(reduction), &info);
    GOS_TRY(put_field(ctx, reduction, GOS_DISPLACEMENT, space));
    return info.temperatures > 0 ? put_field(ctx, reduction, GOS_TEMPERATURE, space) : GOS_OK;
}

gos_status gos__floating_add_vectors(gos_ctx *ctx, const gos_flex *flex,
                                     const gos_floating_loads *loads,
                                     const gos_floating_loads *outputs,
                                     const gos_linear_reduction_options *options,
                                     gos_space *space) {
    gos_linear *linear = NULL;
    gos_linear_reduction *reduction = NULL;
    gos_flex undamped = *flex;
    undamped.D = (gos_sparse){0};
    gos_status status =
        gos__flex_linear(&undamped, loads->n, loads->port, outputs->n, outputs->port, &linear);
    status = status == GOS_OK ? gos__reduce_at_order(ctx, linear, options, &reduction) : status;
    status = status == GOS_OK ? put(ctx, reduction, space) : status;
    gos_linear_reduction_destroy(reduction);
    gos_linear_destroy(linear);
    return status;
}

gos_status gos__floating_pass_on(const gos_floating_reducing *r, gos_ctx *quiet,
                                 gos_status status) {
    const gos_diag *last = NULL;
    for (int i = 0; i < gos_ctx_ndiag(quiet); i++) {
        const gos_diag *d = gos_ctx_diag(quiet, i);
        if (d->status != GOS_OK) {
            last = d;
        } else if (d->count > 0) {
            gos__warn(r->b->ctx, r->entry->loc, r->object, "%s", d->text);
        } else {
            gos__note(r->b->ctx, r->object, d->text);
        }
    }
    return status == GOS_OK ? GOS_OK
                            : gos__fail_at(r->b->ctx, status, r->entry->loc, r->object, "%s",
                                           last ? last->text : gos_status_text(status));
}

static bool heats_alone(const gos_floating_loads *loads) {
    bool alone = loads->n > 0;
    for (int i = 0; i < loads->n; i++) {
        alone = alone && loads->port[i].heat;
    }
    return alone;
}

bool gos__floating_heats_any(const gos_floating_loads *loads) {
    bool any = false;
    for (int i = 0; i < loads->n; i++) {
        any = any || loads->port[i].heat;
    }
    return any;
}

/* slower responses are their sum, faster ones negligible */
static gos_status thermal_band(gos_ctx *ctx, const gos_linear *l, double band[2]) {
    double rate[MODES];
    int found = 0;
    const int n = l->nt < MODES ? l->nt : MODES;
    GOS_TRY(gos_linear_thermal_modes(ctx, l, n, rate, NULL, &found));
    const double most = found > 0 ? rate[found - 1] : 0;
    for (int i = found - 1; i >= 0 && rate[i] > 1e-9 * most; i--) {
        band[0] = rate[i] / 10;
        band[1] = 2 * most;
    }
    return GOS_OK;
}

/* Method auto has checked the error; further vectors only reduce it. */
static bool needs_estimate(const gos_floating_reducing *r) {
    return strcmp(r->type->name, "auto") != 0 || r->options.order > 0;
}

/* Default: ten lowest modes or, with heat only, ten slowest temperature fields. */
static gos_status own_band(const gos_floating_reducing *r, gos_ctx *ctx, const gos_flex *flex,
                           double band[2]) {
    gos_mode mode[MODES];
    gos_linear *l = NULL;
    int found = 0;
    gos_status status = gos__flex_linear(flex, 0, NULL, 0, NULL, &l);
    const int n = flex->n < MODES ? flex->n : MODES;
    if (status == GOS_OK) {
        status = heats_alone(&r->inputs) ? thermal_band(ctx, l, band)
                                         : gos__linear_frequencies(ctx, l, n, mode, &found);
    }
    gos_linear_destroy(l);
    if (status == GOS_OK && found > 0) {
        band[0] = mode[0].omega / 2;
        band[1] = mode[found - 1].omega * 1.1;
    }
    return status;
}

/* Error estimates need damping: a M + b K with ratio zeta at both band ends. */
static gos_status add_damping(const gos_flex *flex, double zeta, const double band[2],
                              gos_linear *linear) {
    const double lo = fmax(band[0], 1e-3 * band[1]), hi = band[1];
    gos_sparse D = {0};
    if (flex->D.p && flex->D.nnz > 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_sum(flex->ctx, 2 * zeta * lo * hi / (lo + hi), &linear->block[GOS_BLOCK_M],
                            2 * zeta / (lo + hi), &linear->block[GOS_BLOCK_K], &D));
    const gos_status status = gos__linear_put(linear, GOS_BLOCK_D, &D);
    gos__sparse_free(flex->ctx, &D);
    return status == GOS_OK ? gos__linear_close(linear) : status;
}

gos_status gos__floating_end(const gos_floating_reducing *r, double otherwise, double *end) {
    const gos_node *analysis = gos__node_get(r->b->model->root, "analysis");
    const gos_node *c =
        analysis && analysis->kind == GOS_MAP ? gos__node_given(analysis, "end") : NULL;
    *end = otherwise;
    return c && c->kind == GOS_SCALAR ? gos__quantity(r->b->model, c->text, c->loc, "analysis",
                                                      &(gos_measure){.unit = "s"}, end)
                                      : GOS_OK;
}

/* lowers the tolerance for methods without a check in time */
static gos_status lower_tolerance(gos_ctx *ctx, const gos_linear *l,
                                  const gos_linear_reduction_options *options,
                                  const gos_step_check *steps, gos_linear_reduction **reduction) {
    gos_linear_reduction_options finer = *options;
    const double wanted = options->tolerance > 0 ? options->tolerance : TOLERANCE;
    for (int round = 0;; round++) {
        double error;
        GOS_TRY(gos__step_check_error(steps, gos_linear_reduction_model(*reduction), &error));
        double *predicted = &(*reduction)->report.predicted;
        *predicted = fmax(*predicted, error);
        if (error <= wanted || round == ROUNDS) {
            return error <= wanted || options->accept || !(options->tolerance > 0)
                       ? GOS_OK
                       : gos__fail(
                             ctx, GOS_E_DIVERGED,
                             "the predicted error shortly after heat is switched on is %.2g with "
                             "%d temperatures, above the requested tolerance of %g; specify an "
                             "order, or a larger tolerance",
                             error, (*reduction)->V.count[GOS_TEMPERATURE], wanted);
        }
        gos_linear_reduction *next;
        finer.accept = true;
        finer.tolerance =
            fmax(0.1, 0.7 * wanted / error) * (finer.tolerance > 0 ? finer.tolerance : wanted);
        GOS_TRY(gos_linear_reduce(ctx, l, &finer, &next));
        gos_linear_reduction_destroy(*reduction);
        *reduction = next;
    }
}

/* constant from the start; NAN: not, or unknown */
static double magnitude_of(const gos_floating_reducing *r, int input) {
    const gos_floating_names *names = r->names;
    for (int k = 0; k < names->heat.n && names->magnitude; k++) {
        if (strcmp(names->heat.port[k].name, r->inputs.port[input].name) == 0) {
            return names->magnitude[k];
        }
    }
    return (double)NAN;
}

/* magnitudes of all inputs (inputs.n), NULL: unknown, or one input */
static gos_status magnitudes_of(const gos_floating_reducing *r, const double **magnitude) {
    double *all = GOS_NEW(r->b->arena, double, r->inputs.n + 1);
    bool known = r->inputs.n > 1;
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->inputs.n; i++) {
        all[i] = magnitude_of(r, i);
        known = known && isfinite(all[i]);
    }
    *magnitude = known ? all : NULL;
    return GOS_OK;
}

/* Heat that sets in suddenly: errors on a band would permit larger errors at the start. */
static gos_status reduce_heated(const gos_floating_reducing *r, gos_ctx *ctx, const gos_linear *l,
                                const gos_linear_reduction_options *options,
                                gos_linear_reduction **reduction) {
    gos_step_times times = {.first = HEAT_STEP / options->band[1]};
    gos_step_check *steps = NULL;
    // default: until the slowest field has settled
    const double slowest = fmax(options->band[0], 1e-4 * options->band[1]);
    GOS_TRY(gos__floating_end(r, 5 / slowest, &times.end));
    GOS_TRY(magnitudes_of(r, &times.together));
    if (times.end > times.first && strcmp(options->method, "auto") == 0) {
        return gos__reduce_starting(ctx, l, options, &times, reduction);
    }
    GOS_TRY(gos_linear_reduce(ctx, l, options, reduction));
    if (!(times.end > times.first)) {
        return GOS_OK;
    }
    GOS_TRY(gos__step_check_create(ctx, l, &times, &steps));
    const gos_status status = lower_tolerance(ctx, l, options, steps, reduction);
    gos__step_check_destroy(steps);
    return status;
}

/* Of the damped body; finds the order if none is given. Predicted error: largest over loads,
   relative to their responses. */
static gos_status estimate(const gos_floating_reducing *r, gos_ctx *ctx, const gos_flex *flex,
                           gos_linear_reduction_options *options,
                           gos_linear_reduction **reduction) {
    gos_linear *l = NULL;
    if (!(options->band[1] > 0)) {
        GOS_TRY(own_band(r, ctx, flex, options->band));
    }
    options->each = options->unproved = true;
    options->accept = options->accept || needs_estimate(r); // checked afterwards
    gos_status status =
        gos__flex_linear(flex, r->inputs.n, r->inputs.port, r->outputs.n, r->outputs.port, &l);
    status = status == GOS_OK ? add_damping(flex, r->zeta > 0 ? r->zeta : ZETA, options->band, l)
                              : status;
    if (status == GOS_OK) {
        const bool heated = options->order == 0 && heats_alone(&r->inputs);
        status = heated ? reduce_heated(r, ctx, l, options, reduction)
                        : gos_linear_reduce(ctx, l, options, reduction);
    }
    gos_linear_destroy(l);
    return status;
}

/* Conduction has a pole at 0, where heat vectors would be computed; use another expansion point. */
static bool is_insulated(const gos_flex *flex) {
    const gos_flex_heat *h = &flex->heat;
    double flow = 0, most = 0;
    for (int j = 0; j < h->n; j++) { // S is symmetric
        double sum = 0;
        for (int k = h->S.p[j]; k < h->S.p[j + 1]; k++) {
            sum += h->S.x[k] * h->mean[h->S.i[k]];
            most = fmax(most, fabs(h->S.x[k]));
        }
        flow = fmax(flow, fabs(sum));
    }
    return h->n > 0 && flow <= INSULATED * most;
}

/* Initial response to heat from the start, which bands do not resolve. */
static gos_status add_onset(const gos_floating_reducing *r, gos_ctx *ctx, const gos_flex *flex,
                            const double band[2], gos_space *space) {
    const gos_point far = {.re = ONSET * band[1]};
    gos_floating_loads sudden = {.port = GOS_NEW(r->b->arena, gos_flex_port, r->inputs.n + 1)};
    GOS_TRY(sudden.port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->inputs.n; i++) {
        if (isfinite(magnitude_of(r, i))) {
            sudden.port[sudden.n++] = r->inputs.port[i];
        }
    }
    const gos_linear_reduction_options options = {
        .method = "krylov", .order = sudden.n, .npoints = 1, .points = &far};
    return sudden.n > 0
               ? gos__floating_add_vectors(ctx, flex, &sudden, &r->outputs, &options, space)
               : GOS_OK;
}

/* methods of arbitrary order use the unmodified body */
static gos_status add_method(const gos_floating_reducing *r, gos_ctx *ctx, const gos_flex *flex,
                             gos_space *space, gos_linear_reduction_report *report) {
    const bool own = ((const gos_reduction_ops *)r->type->ops)->linear->own_order;
    const bool heated = r->options.order == 0 && heats_alone(&r->inputs);
    gos_linear_reduction_options options = r->options;
    if (own || options.order == 0 || options.band[1] > 0) {
        gos_linear_reduction *reduction = NULL;
        GOS_TRY(estimate(r, ctx, flex, &options, &reduction));
        gos_linear_reduction_get(reduction, report);
        options.order = report->coordinates;
        gos_status status = own ? put(ctx, reduction, space) : GOS_OK;
        gos_linear_reduction_destroy(reduction);
        if (status == GOS_OK && own && heated) {
            status = add_onset(r, ctx, flex, options.band, space);
        }
        GOS_TRY(status);
    }
    if (!own && options.npoints == 0 && !(options.band[1] > 0) &&
        gos__floating_heats_any(&r->inputs) && is_insulated(flex)) {
        GOS_TRY(own_band(r, ctx, flex, options.band));
    }
    return own ? GOS_OK
               : gos__floating_add_vectors(ctx, flex, &r->inputs, &r->outputs, &options, space);
}

/* inputs of one kind, and the body for them (vibration: without temperatures) */
static gos_status only(const gos_floating_reducing *r, bool heat, const gos_flex *flex,
                       gos_floating_reducing *one, gos_flex *own) {
    *one = *r;
    *own = *flex;
    own->heat.n = heat ? own->heat.n : 0;
    one->inputs =
        (gos_floating_loads){.port = GOS_NEW(r->b->arena, gos_flex_port, r->inputs.n + 1)};
    GOS_TRY(one->inputs.port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->inputs.n; i++) {
        if ((r->inputs.port[i].heat != NULL) == heat) {
            one->inputs.port[one->inputs.n++] = r->inputs.port[i];
        }
    }
    return GOS_OK;
}

/* Vectors of one kind of loads, on its own band. */
static gos_status add_kind(const gos_floating_reducing *r, bool heat, gos_ctx *ctx,
                           const gos_flex *flex, gos_space *space,
                           gos_linear_reduction_report *report) {
    gos_floating_reducing one;
    gos_flex own;
    gos_linear_reduction_report found = {0};
    GOS_TRY(only(r, heat, flex, &one, &own));
    if (one.inputs.n == 0) {
        return GOS_OK;
    }
    GOS_TRY(add_method(&one, ctx, &own, space, &found));
    if (found.predicted >= report->predicted) {
        *report = found;
    }
    return GOS_OK;
}

/* A uniform temperature and its deformation make the heat balance exact for insulated bodies. */
static gos_status add_uniform(const gos_floating_reducing *r, const gos_flex *flex,
                              gos_space *space) {
    static const gos_linear_reduction_options statics = {.method = "static_vectors"};
    gos_ctx *ctx = r->b->ctx;
    const gos_flex_heat *h = &flex->heat;
    const int before = space->count[GOS_TEMPERATURE];
    double *uniform = gos__alloc(ctx, (size_t)h->n + 1, sizeof *uniform), size = 0;
    double *force = gos__alloc(ctx, (size_t)flex->n + 1, sizeof *force);
    const gos_flex_port port = {.name = "warmth", .unit = "K", .load = force};
    const gos_floating_loads warmth = {.n = 1, .port = (gos_flex_port *)&port};
    gos_flex cold = *flex;
    cold.heat.n = 0;
    gos_status status = uniform && force ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int i = 0; i < h->n; i++) {
            uniform[i] = h->mean[i];
            size += uniform[i] * uniform[i];
        }
        gos__sparse_apply(&h->G, 1, h->mean, force);
        status = gos__space_add(space, GOS_TEMPERATURE, uniform, UNIFORM * sqrt(size));
    }
    if (status == GOS_OK && space->count[GOS_TEMPERATURE] > before && !r->dependent) {
        status = gos__floating_add_vectors(ctx, &cold, &warmth, &warmth, &statics, space);
    }
    gos__free(ctx, uniform);
    gos__free(ctx, force);
    return status;
}

/* where the basis lacks them by more than the tolerance (names->offered) */
static gos_status add_joints(const gos_floating_reducing *r, gos_ctx *ctx, const gos_flex *flex,
                             gos_space *space) {
    static const gos_linear_reduction_options statics = {.method = "static_vectors"};
    const double tolerance = r->options.tolerance > 0 ? r->options.tolerance : TOLERANCE;
    const int n = space->count[GOS_DISPLACEMENT];
    double left = 1;
    gos_flex cold = *flex;
    cold.heat.n = 0;
    if (r->offered && n > 0) {
        GOS_TRY(
            gos__floating_deflection_left(&cold, &r->joints, n, space->v[GOS_DISPLACEMENT], &left));
    }
    return left > tolerance
               ? gos__floating_add_vectors(ctx, &cold, &r->joints, &r->joints, &statics, space)
               : GOS_OK;
}

/* `flex` is under its state loads */
static gos_status find_space(const gos_floating_reducing *r, const gos_flex *flex, gos_space *space,
                             gos_linear_reduction_report *report) {
    static const gos_linear_reduction_options statics = {.method = "static_vectors"};
    gos_ctx *quiet = gos__ctx_quiet(r->b->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos__progress_follow(quiet, r->b->ctx);
    gos_status status = GOS_OK;
    if (flex->heat.n == 0 || ((const gos_reduction_ops *)r->type->ops)->linear->inputless) {
        status = add_method(r, quiet, flex, space, report);
    } else {
        status = add_kind(r, true, quiet, flex, space, report);
        status = status == GOS_OK ? add_kind(r, false, quiet, flex, space, report) : status;
    }
    if (status == GOS_OK && gos__floating_heats_any(&r->statics) && is_insulated(flex)) {
        status = gos__fail(quiet, GOS_E_INPUT,
                           "`static` contains a heat load of an insulated body, which has no "
                           "static response; move it to `inputs`");
    }
    if (status == GOS_OK && r->statics.n > 0) {
        gos_flex cold =
            // without temperatures, which may have no static response
            *flex;
        cold.heat.n = gos__floating_heats_any(&r->statics) ? cold.heat.n : 0;
        status = gos__floating_add_vectors(quiet, &cold, &r->statics, &r->statics, &statics, space);
    }
    if (status == GOS_OK && r->joints.n > 0) {
        status = add_joints(r, quiet, flex, space);
    }
    status = gos__floating_pass_on(r, quiet, status);
    gos_ctx_destroy(quiet);
    return status;
}

/* error, with input and output if known */
typedef struct estimated {
    double error;
    const char *input, *output; // NULL: unknown
} estimated;

/* larger of this and the error for inputs of one kind */
static gos_status estimate_kind(const gos_floating_reducing *r, bool heat, gos_ctx *ctx,
                                const gos_flex *flex, const gos_space *space, estimated *to) {
    const double tolerance = r->options.tolerance > 0 ? r->options.tolerance : TOLERANCE;
    double band[2] = {r->options.band[0], r->options.band[1]};
    gos_reduction_assessment of_kind = {0};
    gos_floating_reducing one;
    gos_flex own;
    gos_linear *l = NULL;
    GOS_TRY(only(r, heat, flex, &one, &own));
    if (one.inputs.n == 0) {
        return GOS_OK;
    }
    if (!(band[1] > 0)) {
        GOS_TRY(own_band(&one, ctx, &own, band));
    }
    gos_status status =
        gos__flex_linear(&own, one.inputs.n, one.inputs.port, r->outputs.n, r->outputs.port, &l);
    status = status == GOS_OK ? add_damping(&own, r->zeta > 0 ? r->zeta : ZETA, band, l) : status;
    status =
        status == GOS_OK ? gos__reduction_assess(ctx, l, band, tolerance, space, &of_kind) : status;
    gos_linear_destroy(l);
    if (status == GOS_OK && of_kind.error > to->error) {
        const bool known = of_kind.input >= 0;
        *to = (estimated){.error = of_kind.error,
                          .input = known ? one.inputs.port[of_kind.input].name : NULL,
                          .output = known ? r->outputs.port[of_kind.output].name : NULL};
    }
    return status;
}

static gos_status check_tolerance(const gos_floating_reducing *r, const estimated *j) {
    char channel[3 * GOS_LIMIT_NAME] = "";
    if (!(r->options.tolerance > 0) || j->error <= r->options.tolerance) {
        return GOS_OK;
    }
    if (j->input) {
        gos__format(channel, sizeof channel, " (%s on %s)", j->input, j->output);
    }
    return gos__fail_at(r->b->ctx, GOS_E_DIVERGED, r->entry->loc, r->object,
                        "the predicted error, %.2g%s, is above the requested tolerance of %g; use "
                        "a higher order, or method auto, or leave the tolerance out",
                        j->error, channel, r->options.tolerance);
}

/* The error is that of all vectors together. */
static gos_status estimate_error(const gos_floating_reducing *r, const gos_flex *flex,
                                 const gos_space *space, gos_linear_reduction_report *report) {
    estimated j = {.error = report->predicted};
    if (j.error > 0 && needs_estimate(r)) {
        gos_ctx *quiet = gos__ctx_quiet(r->b->ctx);
        gos_status status = quiet ? GOS_OK : GOS_E_MEMORY;
        GOS_TRY(status);
        gos__progress_follow(quiet, r->b->ctx);
        j.error = DBL_EPSILON; // 0: not estimated
        for (int heat = 0; heat < 2 && status == GOS_OK; heat++) {
            status = estimate_kind(r, heat, quiet, flex, space, &j);
        }
        status = gos__floating_pass_on(r, quiet, status);
        gos_ctx_destroy(quiet);
        GOS_TRY(status);
        report->predicted = j.error;
    }
    return check_tolerance(r, &j);
}

/* radiation: local temperature in runs, uniform in vectors */
static void tell_of_radiation(const gos_floating_reducing *r) {
    const gos_node *heat = gos__node_get(r->b->model->root, "heat");
    for (const gos_node *c = heat && heat->kind == GOS_MAP ? heat->child : NULL; c; c = c->next) {
        const gos_node *type = c->kind == GOS_MAP ? gos__node_get(c, "type") : NULL,
                       *on = type ? gos__node_get(c, "on") : NULL;
        if (on && type->kind == GOS_SCALAR && strcmp(type->text, "radiation") == 0 &&
            gos__floating_is_on(r->object, on)) {
            char text[GOS_LIMIT_NAME + 300];
            gos__format(text, sizeof text,
                        "the predicted error does not include non-uniform radiation of '%s': runs "
                        "use the local temperature, but the temperature fields were computed for "
                        "uniform flow; where temperature differences matter, compare with a run of "
                        "the whole body (do not use --reduced)",
                        c->key);
            gos__note(r->b->ctx, r->object, text);
        }
    }
}

gos_status gos__floating_vectors(const gos_floating_reducing *r, const gos_flex *loaded,
                                 gos_space *space, gos_linear_reduction_report *report) {
    GOS_TRY(find_space(r, loaded, space, report));
    if (loaded->heat.n > 0 && is_insulated(loaded)) {
        GOS_TRY(add_uniform(r, loaded, space));
    }
    GOS_TRY(estimate_error(r, loaded, space, report));
    if (report->predicted > 0 && gos__floating_heats_any(&r->inputs)) {
        tell_of_radiation(r);
    }
    return GOS_OK;
}
