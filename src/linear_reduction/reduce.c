#include "linear_reduction/reduce.h"

#include "linear/condensed.h"
#include "linear_reduction/correct.h"
#include "linear_reduction/first_order.h"
#include "linear_reduction/stability.h"

#define DEFAULT_TOLERANCE 1e-3

static const gos_reduce_method *find_method(const char *name) {
    const gos_type *type = gos__linear_method_type(name);
    return type ? ((const gos_reduction_ops *)type->ops)->linear : NULL;
}

static gos_status unknown_method(gos_ctx *ctx, const char *name) {
    const char *names[32];
    int n = 0;
    char list[400] = "";
    for (; gos_linear_method(n, NULL) && n < GOS_COUNT(names); n++) {
        names[n] = gos_linear_method(n, NULL);
        gos__format(list + strlen(list), sizeof list - strlen(list), "%s%s", n ? ", " : "",
                    names[n]);
    }
    const char *near = name ? gos__suggest(name, names, n) : NULL;
    return gos__fail(ctx, GOS_E_INPUT,
                     "linear models have no reduction method '%s'%s%s; options are %s",
                     name ? name : "", near ? ", did you mean " : "", near ? near : "", list);
}

void gos_linear_reduction_destroy(gos_linear_reduction *r) {
    if (r) {
        gos_linear_destroy(r->model);
        if (r->V.ctx) {
            gos__space_free(&r->V);
        }
        if (r->W.ctx) {
            gos__space_free(&r->W);
        }
        gos__free(r->ctx, r->kept_index);
        gos__free(r->ctx, r->point);
        gos__free(r->ctx, r->hankel);
        gos__free(r->ctx, r->dependent);
        gos__free(r->ctx, r);
    }
}

static gos_status check_result(const gos_linear_reduction *r) {
    int max = 0;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        max = r->V.count[f] > max ? r->V.count[f] : max;
    }
    return max > 0 ? GOS_OK
                   : gos__fail(r->ctx, GOS_E_INPUT,
                               "no basis vector remains: the inputs have no effect on the "
                               "unknowns");
}

static gos_status run(gos_reduce_task *t, const gos_reduce_method *method) {
    gos_linear_reduction *out = t->out;
    double begin = gos__now();
    int start[GOS_NFIELDS + 1], max[GOS_NFIELDS];
    gos__reduce_fields(t->full, start, max);
    gos__space_init(t->ctx, start, max, &out->V);
    GOS_TRY(method->reduce(t));
    GOS_TRY(check_result(out));
    out->report.time_basis = gos__now() - begin;
    begin = gos__now();
    GOS_TRY(gos__reduce_project(t->ctx, t->full, out));
    GOS_TRY(method->complete ? method->complete(t) : GOS_OK);
    out->report.time_project = gos__now() - begin;
    begin = gos__now();
    GOS_TRY(t->pencil ? gos__reduce_check_moments(t->ctx, t->pencil, out) : GOS_OK);
    out->report.time_check = gos__now() - begin;
    out->report.coordinates = out->model->nq;
    out->report.temperatures = out->model->nt;
    out->report.potentials = out->model->nphi;
    out->report.deflated = out->V.dropped + out->W.dropped;
    if (t->pencil) {
        out->report.factorisations = t->pencil->factorisations;
        out->report.time_factor = t->pencil->time_factor;
    }
    return GOS_OK;
}

/* run a method on the prepared model: intermediate, first order */
static gos_status run_prepared(gos_reduce_task *t, const gos_reduce_method *method) {
    gos_linear_reduction *stage = NULL;
    gos_linear *first = NULL;
    gos_status status = GOS_OK;
    const gos_linear *l = t->full;
    if (method->eliminate) {
        status = gos__reduce_stage(t, &stage);
        l = stage ? stage->model : l;
    }
    if (status == GOS_OK && method->first_order) {
        status = gos__first_order(t->ctx, l, gos__first_order_weight(l), &first);
        l = first ? first : l;
    }
    gos_reduce_task inner = *t;
    inner.full = l;
    if (status == GOS_OK && !method->bare) {
        status = gos__reduce_pencil_create(t->ctx, l, NULL, &inner.pencil);
    }
    status = status == GOS_OK ? run(&inner, method) : status;
    status = status == GOS_OK && stage ? gos__reduce_unstage(t, stage, first != NULL) : status;
    gos__reduce_pencil_destroy(inner.pencil);
    gos_linear_destroy(first);
    gos_linear_reduction_destroy(stage);
    return status;
}

gos_status gos__reduce_at_order(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                gos_linear_reduction **reduction) {
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    if (!out) {
        return GOS_E_MEMORY;
    }
    out->ctx = ctx;
    gos_reduce_task task = {
        .ctx = ctx, .full = linear, .opt = options, .order = options->order, .out = out};
    const gos_status status = run_prepared(&task, find_method(options->method));
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *reduction = out;
    return GOS_OK;
}

static gos_status check_tolerance(gos_ctx *ctx, const gos_linear_reduction_options *options,
                                  const gos_linear_reduction_report *report) {
    if (!(options->tolerance > 0) || !(report->predicted > options->tolerance)) {
        return GOS_OK;
    }
    if (options->accept && options->unproved) { // the caller checks the error
        return GOS_OK;
    }
    if (options->accept) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the predicted error, %.2g, is above the tolerance of %g; the model is accepted "
                  "nevertheless",
                  report->predicted, options->tolerance);
        return GOS_OK;
    }
    return gos__fail(ctx, GOS_E_DIVERGED,
                     "the predicted error, %.2g, is above the tolerance of %g; use a higher "
                     "order, omit the order, or accept the model (--accept)",
                     report->predicted, options->tolerance);
}

/* check stability; then correction and error estimate, if requested */
static gos_status finish(gos_ctx *ctx, const gos_linear *linear, const gos_reduce_method *method,
                         const gos_linear_reduction_options *options, gos_linear_reduction *out) {
    gos_growth growth;
    GOS_TRY(gos__check_stability(ctx, linear, out->model, &growth));
    out->report.stability = (int)growth.what;
    out->report.growth = growth.re;
    if (options->correction > 0) {
        const double begin = gos__now();
        GOS_TRY(gos__reduce_correct(ctx, linear, options->correction, out));
        out->report.time_basis += gos__now() - begin;
    }
    const bool has_estimate = out->report.predicted > 0 || out->report.band_bound > 0;
    if (options->band[1] > 0 && !has_estimate && linear->nu > 0 && linear->ny > 0) {
        GOS_TRY(gos__reduce_estimate(ctx, linear, options->band, method->first_order, out));
    }
    return check_tolerance(ctx, options, &out->report);
}

static gos_status reduce_checked(gos_ctx *ctx, const gos_linear *linear,
                                 const gos_reduce_method *method,
                                 const gos_linear_reduction_options *options,
                                 gos_linear_reduction **reduction) {
    gos_linear_reduction *out;
    if (options->order == 0 && !method->own_order) {
        const int n = (method->first_order ? 2 : 1) * linear->nq + linear->nt + linear->nphi;
        GOS_TRY(gos__reduce_by_tolerance(ctx, linear, options, n, &out));
    } else {
        GOS_TRY(gos__reduce_at_order(ctx, linear, options, &out));
    }
    const gos_status status = finish(ctx, linear, method, options, out);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *reduction = out;
    return GOS_OK;
}

/* free motions are kept exactly and count in the order */
static gos_status reduce_floating(gos_ctx *ctx, const gos_linear *linear,
                                  const gos_reduce_method *method,
                                  const gos_linear_reduction_options *options,
                                  const gos_floating *f, gos_linear_reduction **reduction) {
    const int free = (method->first_order ? 2 : 1) * f->n;
    gos_linear_reduction_options opt = *options;
    if (opt.order > 0 && opt.order <= free) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "order %d is too low: %d vectors are needed for rigid-body modes; "
                         "increase it",
                         opt.order, free);
    }
    opt.order -= opt.order > 0 ? free : 0;
    gos_linear_reduction *out;
    GOS_TRY(reduce_checked(ctx, f->held, method, &opt, &out));
    const bool bare = out->model->nq == 0 && !method->first_order;
    const gos_status status =
        bare ? gos__fail(ctx, GOS_E_INPUT,
                         "a model with rigid-body modes requires displacement modes in addition "
                         "to its quasi-static responses; specify `modes`")
             : gos__reduce_join(linear, f, out);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *reduction = out;
    return GOS_OK;
}

static gos_status reduce_starting(gos_ctx *ctx, const gos_linear *linear,
                                  const gos_linear_reduction_options *options,
                                  const gos_step_times *times, gos_linear_reduction **reduction) {
    const gos_reduce_method *method = find_method(options->method);
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    gos_step_check *steps = NULL;
    GOS_TRY(out ? GOS_OK : GOS_E_MEMORY);
    out->ctx = ctx;
    gos_status status = gos__step_check_create(ctx, linear, times, &steps);
    gos_reduce_task task = {.ctx = ctx,
                            .full = linear,
                            .opt = options,
                            .order = options->order,
                            .steps = steps,
                            .out = out};
    status = status == GOS_OK ? run_prepared(&task, method) : status;
    status = status == GOS_OK ? finish(ctx, linear, method, options, out) : status;
    gos__step_check_destroy(steps);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *reduction = out;
    return GOS_OK;
}

static gos_status reduce_scaled_starting(gos_ctx *ctx, const gos_linear *scaled,
                                         const gos_linear_reduction_options *options,
                                         const gos_step_times *times, const double *in,
                                         const double *out, gos_linear_reduction **reduction) {
    gos_step_times own = *times;
    double *together = gos__alloc(ctx, (size_t)scaled->nu + 1, sizeof *together);
    GOS_TRY(together ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < scaled->nu && times->together; j++) {
        together[j] = times->together[j] * in[j];
    }
    own.together = times->together ? together : NULL;
    own.out = out;
    const gos_status status = reduce_starting(ctx, scaled, options, &own, reduction);
    gos__free(ctx, together);
    return status;
}

/* Reduce with scaled ports (`times` NULL: no limits on step responses) and restore the units. */
static gos_status reduce_scaled(gos_ctx *ctx, const gos_linear *linear,
                                const gos_reduce_method *method,
                                const gos_linear_reduction_options *options,
                                const gos_step_times *times, gos_linear_reduction **reduction) {
    gos_linear_reduction_options opt = *options;
    gos_linear *scaled = NULL;
    opt.each = false;
    if (!(options->band[1] > 0) || linear->nu == 0 || linear->ny == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "errors relative to each channel require a band, inputs and outputs");
    }
    double *in = gos__alloc(ctx, (size_t)linear->nu + linear->ny, sizeof *in);
    if (!in) {
        return GOS_E_MEMORY;
    }
    double *out = in + linear->nu;
    gos_floating f = {0}; // free motions are exact: scale by the rest
    gos_status status =
        method->physical || options->data ? GOS_OK : gos__floating_split(ctx, linear, &f);
    if (status == GOS_OK) {
        status = gos__channel_sizes(ctx, f.n > 0 ? f.held : linear, options->band,
                                    options->tolerance > 0 ? options->tolerance : DEFAULT_TOLERANCE,
                                    in, out);
    }
    gos__floating_free(&f);
    status = status == GOS_OK ? gos__linear_copy(ctx, linear, &scaled) : status;
    if (status == GOS_OK) {
        gos__scale_channels(scaled, in, out, false);
        status = times ? reduce_scaled_starting(ctx, scaled, &opt, times, in, out, reduction)
                       : gos_linear_reduce(ctx, scaled, &opt, reduction);
    }
    if (status == GOS_OK) {
        gos__scale_channels((*reduction)->model, in, out, true);
        (*reduction)->report.each = 1;
    }
    gos__free(ctx, in);
    gos_linear_destroy(scaled);
    return status;
}

/* reduce with potentials condensed into the outputs */
static gos_status reduce_condensed(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_linear_reduction_options *options,
                                   gos_linear_reduction **reduction) {
    gos_linear *condensed;
    if (options->data) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "snapshots of a model with electric potentials include these, but "
                         "truncated modes do not; remove the correction");
    }
    GOS_TRY(gos__linear_condensed(ctx, linear, &condensed));
    const gos_status status = gos_linear_reduce(ctx, condensed, options, reduction);
    if (status == GOS_OK) {
        (*reduction)->report.condensed = linear->nphi;
    }
    gos_linear_destroy(condensed);
    return status;
}

gos_status gos_linear_reduce(gos_ctx *ctx, const gos_linear *linear,
                             const gos_linear_reduction_options *options,
                             gos_linear_reduction **reduction) {
    const gos_reduce_method *method = options->method ? find_method(options->method) : NULL;
    if (!method) {
        return unknown_method(ctx, options->method);
    }
    GOS_TRY(gos__reduce_check_model(ctx, linear));
    if (linear->nphi > 0 && (!method->potentials || options->correction > 0)) {
        return reduce_condensed(ctx, linear, options, reduction);
    }
    GOS_TRY(gos__linear_options_check(ctx, gos__linear_method_type(options->method), options));
    GOS_TRY(gos__reduce_check_options(ctx, linear, options, method->first_order));
    GOS_TRY(gos__correct_check(ctx, linear, options->correction));
    if (options->each) {
        return reduce_scaled(ctx, linear, method, options, NULL, reduction);
    }
    if (options->correction > 0 && method->first_order) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "method %s yields a first-order model, which cannot be corrected by "
                         "truncated modes; remove the correction, or use a second-order method",
                         options->method);
    }
    gos_floating f = {0};
    if (!method->physical && !options->data) {
        GOS_TRY(gos__floating_split(ctx, linear, &f));
    }
    gos_status status = method->decays
                            ? gos__refuse_unstable(ctx, f.n > 0 ? f.held : linear, options->method)
                            : GOS_OK;
    if (status != GOS_OK) {
        gos__floating_free(&f);
        return status;
    }
    status = f.n > 0 ? reduce_floating(ctx, linear, method, options, &f, reduction)
                     : reduce_checked(ctx, linear, method, options, reduction);
    gos__floating_free(&f);
    return status;
}

gos_status gos__reduce_starting(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                const gos_step_times *times, gos_linear_reduction **reduction) {
    const gos_reduce_method *method = find_method(options->method);
    GOS_TRY(gos__reduce_check_model(ctx, linear));
    GOS_TRY(gos__linear_options_check(ctx, gos__linear_method_type(options->method), options));
    GOS_TRY(gos__reduce_check_options(ctx, linear, options, method->first_order));
    return reduce_scaled(ctx, linear, method, options, times, reduction);
}

const gos_linear *gos_linear_reduction_model(const gos_linear_reduction *r) {
    return r->model;
}

void gos_linear_reduction_get(const gos_linear_reduction *r, gos_linear_reduction_report *report) {
    *report = r->report;
}

const double *gos_linear_reduction_basis(const gos_linear_reduction *r, gos_field field, bool left,
                                         int *rows, int *columns) {
    const gos_space *s = left && r->W.ctx ? &r->W : &r->V;
    const int f = (int)field;
    *rows = *columns = 0;
    if (f < 0 || f >= GOS_NFIELDS) {
        return NULL;
    }
    *rows = gos__space_rows(s, f);
    *columns = s->count[f];
    return s->v[f];
}

const double *gos_linear_reduction_dependent(const gos_linear_reduction *r, int *rows,
                                             int *columns) {
    *rows = r->ndependent > 0 ? gos__space_rows(&r->V, GOS_FIELD_Q) : 0;
    *columns = r->ndependent;
    return r->dependent;
}

const double *gos_linear_reduction_hankel(const gos_linear_reduction *r, int *n) {
    *n = r->nhankel;
    return r->hankel;
}
