/* The entry `reduce` of floating bodies. Its keys are those of the table of a method of linear models, and loads by which
   the body is a model with inputs and outputs; the method's basis, widened by static deflections, is made
   orthonormal in the mass and projects the body. */
#include "bodies/floating_reduce.h"

#include <math.h>

#include "base/note.h"
#include "bodies/floating_missed.h"
#include "linear_reduction/reduce.h"

#define MODES 10   // lowest ones, of a band that is not given
#define STARTS 0.1 // first step after heat sets in, times the upper end of the band
#define ROUNDS 5
#define TOLERANCE 1e-3 // where none is given
#define INSULATED 1e-9 // flow under a uniform temperature, of the largest conduction
#define UNIFORM 1e4    // times the least part of a vector that counts as new
#define ZETA 0.01      // damping ratio of a body without any, when errors are estimated

typedef struct own_def {
    gos_texts inputs, outputs, statics, state, motions;
    gos_numbers inertia;
    int film; // 0: without films, 1: with them
} own_def;

#define LOADS(key, member_, doc_)                                                                  \
    {                                                                                              \
        .name = key, .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_EMPTY,                        \
        .offset = offsetof(own_def, member_), .doc = doc_                                          \
    }
static const gos_param own_params[] = {
    LOADS("inputs", inputs, "loads for which the method makes its vectors"),
    LOADS("outputs", outputs, "loads whose displacements the estimator looks at"),
    LOADS("static", statics,
          "loads whose static deflections are added; `joints` are forces and moments where joints "
          "and loads of the model are, and gravity. Bodies of meshes have those without it"),
    LOADS("state", state, "loads that the body bears while the vectors are made"),
    LOADS("frame_motions", motions, "motions along which the frame is free to accelerate"),
    {.name = "frame_inertia",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_EMPTY,
     .offset = offsetof(own_def, inertia),
     .doc = "what resists each of these motions besides the body"},
    {.name = "film",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "included",
     .choices = "excluded=0|included=1",
     .offset = offsetof(own_def, film),
     .doc = "whether films of constant coefficients cool the body while the vectors are made"},
    {0}};

#define X(name) &gos__reduction_##name,
static const gos_type *const methods[] = {GOS_LINEAR_METHODS(X) NULL};
#undef X

typedef struct reducing {
    gos_builder *b;
    const gos_node *entry; // of `reduce`; an empty map without one
    const char *object;
    const gos_floating_names *names;
    const gos_type *type; // the method
    own_def own;
    gos_linear_reduction_options options;
    gos_floating_loads inputs, outputs, statics, joints;
    gos_floating_missing missing; // the correction
} reducing;

/* ---- what the entry says -------------------------------------------------------------------------- */

static bool is_own(const char *key) {
    for (const gos_param *p = own_params; p->name; p++) {
        if (strcmp(p->name, key) == 0) {
            return true;
        }
    }
    return false;
}

/* The entry without `method`, and of its keys the own ones alone, or the others. One expansion point may be called by
   its singular. */
static gos_status pick(const reducing *r, bool own, gos_node *to) {
    *to = (gos_node){
        .kind = GOS_MAP, .key = r->entry->key, .key_loc = r->entry->key_loc, .loc = r->entry->loc};
    gos_node **end = &to->child;
    for (const gos_node *c = r->entry->child; c; c = c->next) {
        if (strcmp(c->key, "method") == 0 || is_own(c->key) != own) {
            continue;
        }
        gos_node *copy = GOS_NEW(r->b->arena, gos_node, 1);
        if (!copy) {
            return GOS_E_MEMORY;
        }
        *copy = *c;
        copy->next = NULL;
        copy->key = strcmp(c->key, "shift") == 0 ? "shifts" : c->key;
        *end = copy;
        end = &copy->next;
        to->n++;
    }
    return GOS_OK;
}

/* methods whose vectors are no basis of displacements, and keys that such a body has no use for */
static gos_status refuse(const reducing *r, const gos_node *theirs) {
    const gos_reduction_ops *ops = r->type->ops;
    gos_ctx *ctx = r->b->ctx;
    if (ops->linear->first_order) {
        return gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(r->entry, "method"), r->object,
                            "method %s reduces models of first order, and a floating body needs "
                            "displacements; take another method",
                            r->type->name);
    }
    for (const gos_param *p = r->type->params; p->name; p++) {
        const bool unfit = p->flags & GOS_P_NONLINEAR || strcmp(p->name, "two_sided") == 0;
        if (unfit && gos__node_given(theirs, p->name)) {
            return gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(theirs, p->name), r->object,
                                "floating bodies have no '%s'; leave it out", p->name);
        }
    }
    return GOS_OK;
}

static gos_status read_entry(reducing *r) {
    gos_node own, theirs;
    gos_arena *a = r->b->arena;
    GOS_TRY(gos__type_by(r->b->model, r->entry, "reduction", "method", "auto", methods, r->object,
                         &r->type));
    GOS_TRY(pick(r, true, &own));
    GOS_TRY(pick(r, false, &theirs));
    void *def = gos__arena_alloc(a, 1, r->type->size);
    GOS_TRY(def ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fill(r->b->model, &own, own_params, r->object, a, &r->own));
    GOS_TRY(gos__fill(r->b->model, &theirs, r->type->params, r->object, a, def));
    GOS_TRY(refuse(r, &theirs));
    const gos_reduction_ops *ops = r->type->ops;
    GOS_TRY(gos__linear_options(a, r->type,
                                (const gos_linear_def *)((const char *)def + ops->linear_def),
                                gos__node_given(&theirs, "tolerance") != NULL, &r->options));
    r->missing.n = r->options.correction; // of motions in the frame, not of a linear model
    r->options.correction = 0;
    return GOS_OK;
}

/* the motions along which the frame is free, for the correction */
static gos_status read_motions(reducing *r, const gos_flex *flex) {
    const own_def *d = &r->own;
    double(*motion)[6] = gos__arena_alloc(r->b->arena, (size_t)d->motions.n + 1, sizeof *motion);
    GOS_TRY(motion ? GOS_OK : GOS_E_MEMORY);
    if (d->motions.n != d->inertia.n) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "frame_inertia"),
                            r->object,
                            "frame_inertia has %d numbers for %d frame_motions; give one for each",
                            d->inertia.n, d->motions.n);
    }
    if (d->motions.n > 0 && r->missing.n == 0) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "frame_motions"),
                            r->object,
                            "frame_motions serve the correction; give 'correction' too, or leave "
                            "them out");
    }
    GOS_TRY(gos__floating_motions(r->b, flex, r->names, &d->motions, r->object, motion));
    if (flex->heat.n > 0 && r->missing.n > 0) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "correction"), r->object,
                            "bodies with temperatures have no 'correction'; leave it out");
    }
    r->missing.k = d->motions.n;
    r->missing.motion = (const double(*)[6])motion;
    r->missing.inertia = d->inertia.v;
    return GOS_OK;
}

/* displacements where the model looks; without, what is conjugate to the inputs */
static gos_status default_outputs(reducing *r, const gos_flex *flex) {
    if (r->names->nseen > 0) {
        return gos__floating_seen(r->b, flex, r->names, &r->outputs);
    }
    r->outputs = r->inputs;
    return GOS_OK;
}

/* those of the entry, and those at joints where it says so, or a body has them without */
static gos_status read_statics(reducing *r, const gos_flex *flex) {
    gos_texts named = r->own.statics;
    bool joints = r->names->statics && !gos__node_given(r->entry, "static");
    named.n = 0;
    for (int i = 0; i < r->own.statics.n; i++) {
        const bool all = strcmp(r->own.statics.v[i], "joints") == 0;
        joints = joints || all;
        if (!all) {
            named.v[named.n] = r->own.statics.v[i];
            named.loc[named.n++] = r->own.statics.loc[i];
        }
    }
    GOS_TRY(gos__floating_loads(r->b, flex, r->names, &named, r->object, &r->statics));
    return joints ? gos__floating_joint_loads(r->b, flex, r->names, &r->joints) : GOS_OK;
}

/* of many electrodes nothing is in the basis that nobody asked for */
static void warn_of_electrodes(const reducing *r) {
    const int n = r->names->nelectrode;
    if (n > GOS_FLOATING_ELECTRODES && !gos__node_given(r->entry, "static") &&
        r->own.inputs.n == 0) {
        gos__warn(r->b->ctx, r->entry->loc, r->object,
                  "deflections by its %d electrodes are not in the basis (up to %d are), so that "
                  "what voltages do has an error that nobody estimates: name the patches, "
                  "`static: [joints, NAME]`, or leave them out by `static: [joints]`",
                  n, GOS_FLOATING_ELECTRODES);
    }
}

static gos_status read_loads(reducing *r, const gos_flex *flex) {
    gos_builder *b = r->b;
    const own_def *d = &r->own;
    warn_of_electrodes(r);
    GOS_TRY(read_statics(r, flex));
    GOS_TRY(d->inputs.n > 0
                ? gos__floating_loads(b, flex, r->names, &d->inputs, r->object, &r->inputs)
                : gos__floating_all_loads(b, flex, r->names, &r->inputs));
    return d->outputs.n > 0
               ? gos__floating_loads(b, flex, r->names, &d->outputs, r->object, &r->outputs)
               : default_outputs(r, flex);
}

/* ---- the basis --------------------------------------------------------------------------------------- */

/* the vectors of a reduction for a field, into the space */
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

/* Those of a method and an order that are known, of the body without its damping: that of a body is small and hardly changes
   its shapes, while moments of a damped body spend every second vector on it. */
static gos_status add_vectors(gos_ctx *ctx, const gos_flex *flex, const gos_floating_loads *loads,
                              const gos_floating_loads *outputs,
                              const gos_linear_reduction_options *options, gos_space *space) {
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

/* what the library says of the model of a body gets the place of the entry */
static gos_status pass_on(const reducing *r, gos_ctx *quiet, gos_status status) {
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

static bool heats_any(const gos_floating_loads *loads) {
    bool any = false;
    for (int i = 0; i < loads->n; i++) {
        any = any || loads->port[i].heat;
    }
    return any;
}

/* Rates of the slowest temperature fields: what is slower is their sum, what is faster hardly seen. */
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

/* Where the entry gives no band: frequencies of the ten lowest modes, or, if heat is all that loads the body, rates of the
   ten slowest temperature fields. */
static gos_status own_band(const reducing *r, gos_ctx *ctx, const gos_flex *flex, double band[2]) {
    gos_mode mode[MODES];
    gos_linear *l = NULL;
    int found = 0;
    gos_status status = gos__flex_linear(flex, 0, NULL, 0, NULL, &l);
    const int n = flex->n < MODES ? flex->n : MODES;
    if (status == GOS_OK) {
        status = heats_alone(&r->inputs) ? thermal_band(ctx, l, band)
                                         : gos_linear_modes(ctx, l, n, false, mode, &found);
    }
    gos_linear_destroy(l);
    if (status == GOS_OK && found > 0) {
        band[0] = mode[0].omega / 2;
        band[1] = mode[found - 1].omega * 1.1;
    }
    return status;
}

/* A body without damping has no bounded response to estimate errors of: for that alone it gets a M + b K with
   the ratio ZETA at both ends of the band. */
static gos_status add_damping(const gos_flex *flex, const double band[2], gos_linear *linear) {
    const double lo = fmax(band[0], 1e-3 * band[1]), hi = band[1];
    gos_sparse D = {0};
    if (flex->D.p && flex->D.nnz > 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_sum(flex->ctx, 2 * ZETA * lo * hi / (lo + hi), &linear->block[GOS_BLOCK_M],
                            2 * ZETA / (lo + hi), &linear->block[GOS_BLOCK_K], &D));
    const gos_status status = gos__linear_put(linear, GOS_BLOCK_D, &D);
    gos__sparse_free(flex->ctx, &D);
    return status == GOS_OK ? gos__linear_close(linear) : status;
}

/* how long the model runs; where that is not said, until the slowest has settled */
static gos_status end_of(const reducing *r, double slowest, double *end) {
    const gos_node *analysis = gos__node_get(r->b->model->root, "analysis");
    const gos_node *c =
        analysis && analysis->kind == GOS_MAP ? gos__node_given(analysis, "end") : NULL;
    *end = 5 / slowest;
    return c && c->kind == GOS_SCALAR ? gos__expr(r->b->model, c->text, c->loc, "analysis", end)
                                      : GOS_OK;
}

/* Heat that sets in at once, and how far a body gets in the time of the run: responses on a band, relative to those that
   are reached in the end, allow more at the start. The tolerance on the band is lowered until it holds in time. */
static gos_status settle_starts(const reducing *r, gos_ctx *ctx, const gos_linear *l,
                                const gos_linear_reduction_options *options,
                                gos_linear_reduction **reduction) {
    gos_linear_reduction_options finer = *options;
    const double first = STARTS / options->band[1],
                 wanted = options->tolerance > 0 ? options->tolerance : TOLERANCE;
    double end;
    GOS_TRY(end_of(r, fmax(options->band[0], 1e-4 * options->band[1]), &end));
    for (int round = 0; end > first; round++) {
        double error;
        GOS_TRY(gos__reduce_step_error(ctx, l, gos_linear_reduction_model(*reduction), first, end,
                                       &error));
        double *predicted = &(*reduction)->report.predicted;
        *predicted = fmax(*predicted, error);
        if (error <= wanted || round == ROUNDS) {
            return error <= wanted || options->accept || !(options->tolerance > 0)
                       ? GOS_OK
                       : gos__fail(
                             ctx, GOS_E_DIVERGED,
                             "after heat sets in, the error is %.2g with %d temperatures, and "
                             "a tolerance of %g was asked for; give an order, or another "
                             "tolerance",
                             error, (*reduction)->V.count[GOS_TEMPERATURE], wanted);
        }
        gos_linear_reduction *next;
        finer.accept = true; // it is the error in time that counts
        finer.tolerance =
            fmax(0.1, 0.7 * wanted / error) * (finer.tolerance > 0 ? finer.tolerance : wanted);
        GOS_TRY(gos_linear_reduce(ctx, l, &finer, &next));
        gos_linear_reduction_destroy(*reduction);
        *reduction = next;
    }
    return GOS_OK;
}

/* The reduction of the damped body by the entry's method, its order found where none is given, with the error that is
   predicted for the loads, each relative to its own largest response. */
static gos_status estimate(const reducing *r, gos_ctx *ctx, const gos_flex *flex,
                           gos_linear_reduction_options *options,
                           gos_linear_reduction **reduction) {
    gos_linear *l = NULL;
    if (!(options->band[1] > 0)) {
        GOS_TRY(own_band(r, ctx, flex, options->band));
    }
    options->each = true;
    gos_status status =
        gos__flex_linear(flex, r->inputs.n, r->inputs.port, r->outputs.n, r->outputs.port, &l);
    status = status == GOS_OK ? add_damping(flex, options->band, l) : status;
    status = status == GOS_OK ? gos_linear_reduce(ctx, l, options, reduction) : status;
    if (status == GOS_OK && options->order == 0 && heats_alone(&r->inputs)) {
        status = settle_starts(r, ctx, l, options, reduction);
    }
    gos_linear_destroy(l);
    return status;
}

/* Without a film or a prescribed temperature all of the body may warm up without end: conduction has a pole at 0, about which
   vectors of heat would be made; a band says about which other point. */
static bool is_insulated(const gos_flex *flex) {
    const gos_flex_heat *h = &flex->heat;
    double flow = 0, most = 0;
    for (int j = 0; j < h->n; j++) { // of a uniform temperature; S is symmetric
        double sum = 0;
        for (int k = h->S.p[j]; k < h->S.p[j + 1]; k++) {
            sum += h->S.x[k] * h->mean[h->S.i[k]];
            most = fmax(most, fabs(h->S.x[k]));
        }
        flow = fmax(flow, fabs(sum));
    }
    return h->n > 0 && flow <= INSULATED * most;
}

/* Vectors of the entry's method. Those of methods that take any order are made of the body as it is. */
static gos_status add_method(const reducing *r, gos_ctx *ctx, const gos_flex *flex,
                             gos_space *space, gos_linear_reduction_report *report) {
    const bool own = ((const gos_reduction_ops *)r->type->ops)->linear->own_order;
    gos_linear_reduction_options options = r->options;
    if (own || options.order == 0 || options.band[1] > 0) {
        gos_linear_reduction *reduction = NULL;
        GOS_TRY(estimate(r, ctx, flex, &options, &reduction));
        gos_linear_reduction_get(reduction, report);
        options.order = report->coordinates;
        const gos_status status = own ? put(ctx, reduction, space) : GOS_OK;
        gos_linear_reduction_destroy(reduction);
        GOS_TRY(status);
    }
    if (!own && options.npoints == 0 && !(options.band[1] > 0) && heats_any(&r->inputs) &&
        is_insulated(flex)) {
        GOS_TRY(own_band(r, ctx, flex, options.band));
    }
    return own ? GOS_OK : add_vectors(ctx, flex, &r->inputs, &r->outputs, &options, space);
}

/* Vectors for the loads of one kind, each kind on its own band: the slow answer to heat is not seen where the body
   vibrates. */
static gos_status add_kind(const reducing *r, bool heat, gos_ctx *ctx, const gos_flex *flex,
                           gos_space *space, gos_linear_reduction_report *report) {
    reducing one = *r;
    gos_linear_reduction_report found = {0};
    one.inputs = (gos_floating_loads){.port = GOS_NEW(r->b->arena, gos_flex_port, r->inputs.n + 1)};
    GOS_TRY(one.inputs.port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->inputs.n; i++) {
        if ((r->inputs.port[i].heat != NULL) == heat) {
            one.inputs.port[one.inputs.n++] = r->inputs.port[i];
        }
    }
    if (one.inputs.n == 0) {
        return GOS_OK;
    }
    gos_flex own = *flex; // vibration does not wait for temperatures
    own.heat.n = heat ? own.heat.n : 0;
    GOS_TRY(add_method(&one, ctx, &own, space, &found));
    if (found.predicted >= report->predicted) {
        *report = found;
    }
    return GOS_OK;
}

/* `flex` is the body as it is loaded in its state */
static gos_status find_space(const reducing *r, const gos_flex *flex, gos_space *space,
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
    if (status == GOS_OK && r->statics.n > 0) {
        gos_flex cold =
            *flex; // forces do not wait for temperatures, and without a film these have no rest
        cold.heat.n = heats_any(&r->statics) ? cold.heat.n : 0;
        status = add_vectors(quiet, &cold, &r->statics, &r->statics, &statics, space);
    }
    if (status == GOS_OK && r->joints.n > 0) {
        gos_flex cold = *flex;
        cold.heat.n = 0;
        status = add_vectors(quiet, &cold, &r->joints, &r->joints, &statics, space);
    }
    status = pass_on(r, quiet, status);
    gos_ctx_destroy(quiet);
    return status;
}

/* What the reduced motion leaves of the loads for which the vectors are made deflects the body: the next Krylov vectors that the
   basis (count, V) does not have, as many as there are loads, behind it in `space`. */
static gos_status find_tails(const reducing *r, const gos_flex *loaded, int count, const double *V,
                             gos_space *space) {
    gos_linear_reduction_options krylov = {.method = "krylov"};
    const size_t n = (size_t)loaded->n;
    const int want = count + r->inputs.n < loaded->n ? count + r->inputs.n : loaded->n;
    double *x = gos__alloc(r->b->ctx, n, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < count && status == GOS_OK; j++) {
        memcpy(x, V + (size_t)j * n, n * sizeof *x);
        status = gos__space_add(space, GOS_DISPLACEMENT, x, 0);
    }
    gos__free(r->b->ctx, x);
    GOS_TRY(status);
    while (space->count[GOS_DISPLACEMENT] < want && krylov.order < loaded->n) {
        krylov.order += r->inputs.n;
        GOS_TRY(add_vectors(r->b->ctx, loaded, &r->inputs, &r->outputs, &krylov, space));
    }
    return GOS_OK;
}

/* the basis V of r vectors and, behind them, the missed modes; *T (rows, r + missed->n) is the caller's to free */
static gos_status add_missed(reducing *r, const gos_flex *loaded, int count, const double *V,
                             double **T, gos_flex_missed *missed) {
    const size_t rows = (size_t)loaded->n, size = rows * (size_t)count;
    const size_t most = (size_t)(count + r->missing.n + r->inputs.n);
    const int start[GOS_NFIELDS + 1] = {0, loaded->n, loaded->n, loaded->n};
    gos_space space;
    *T = gos__alloc(r->b->ctx, rows * most + 1, sizeof **T);
    GOS_TRY(*T ? GOS_OK : GOS_E_MEMORY);
    memcpy(*T, V, size * sizeof **T);
    if (r->missing.n == 0) {
        return GOS_OK;
    }
    gos__space_begin(r->b->ctx, start, NULL, &space);
    gos_status status = find_tails(r, loaded, count, V, &space);
    if (status == GOS_OK) {
        const int found = space.count[GOS_DISPLACEMENT] - count;
        r->missing.tails = found < r->inputs.n ? found : r->inputs.n;
        r->missing.tail = space.v[GOS_DISPLACEMENT] + size;
        status = gos__floating_missed_modes(loaded, &r->missing, count, V, *T + size, missed);
    }
    gos__space_free(&space);
    GOS_TRY(status);
    return missed->n >= r->missing.n
               ? GOS_OK
               : gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "correction"),
                              r->object,
                              "correction by %d modes: the body has only %d that the reduced one "
                              "does not contain; give %d at most",
                              r->missing.n, missed->n, missed->n);
}

/* A basis orthonormal in the mass and diagonal in the stiffness (of temperatures: capacity, conduction), and as large as
   the body: an amplitude is the root of the mean square of its displacement over the mass, or of its temperature. */
static gos_status scale_basis(gos_ctx *ctx, const gos_linear *l, gos_field field, double total,
                              gos_space *space) {
    const bool heat = field == GOS_TEMPERATURE;
    double *lambda = NULL;
    GOS_TRY(gos__reduce_normal_form(ctx, heat ? &l->K_T : &l->K,
                                    heat ? &l->block[GOS_BLOCK_C_T] : &l->M, (int)field, space,
                                    &lambda));
    gos__free(ctx, lambda);
    const size_t n = (size_t)space->count[field] * (size_t)gos__space_rows(space, (int)field);
    for (size_t i = 0; i < n; i++) {
        space->v[field][i] *= sqrt(total);
    }
    return GOS_OK;
}

static gos_status scale_temperatures(const gos_flex *f, const gos_linear *l, gos_space *space) {
    double *heat = gos__alloc(f->ctx, (size_t)f->heat.n + 1, sizeof *heat), capacity = 0;
    GOS_TRY(heat ? GOS_OK : GOS_E_MEMORY);
    gos__sparse_apply(&f->heat.C, 1, f->heat.mean, heat);
    for (int i = 0; i < f->heat.n; i++) {
        capacity += f->heat.mean[i] * heat[i];
    }
    gos__free(f->ctx, heat);
    return scale_basis(f->ctx, l, GOS_TEMPERATURE, capacity, space);
}

/* An insulated body keeps its heat: a uniform temperature, and how it deforms the body, belong to the basis, so that the heat
   balance is exact, and so is a body that is warm from the start or that nothing heats. */
static gos_status add_uniform(const reducing *r, const gos_flex *flex, gos_space *space) {
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
    if (status == GOS_OK && space->count[GOS_TEMPERATURE] > before) {
        status = add_vectors(ctx, &cold, &warmth, &warmth, &statics, space);
    }
    gos__free(ctx, uniform);
    gos__free(ctx, force);
    return status;
}

/* nothing heats it but its own strains, evenly and unevenly */
static gos_status check_strained(const reducing *r, const gos_flex *flex) {
    if (flex->heat.n == 0 || !r->b->gough_joule || heats_any(&r->inputs) ||
        ((const gos_reduction_ops *)r->type->ops)->linear->inputless) {
        return GOS_OK;
    }
    return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->entry->loc, r->object,
                        "with `thermoelastic_heat` its strains heat it, and method %s finds "
                        "temperatures only by heat that acts on it, which there is none of; take "
                        "`{method: modes, order: N}`, or leave `thermoelastic_heat` out",
                        r->type->name);
}

static gos_status check_space(const reducing *r, const gos_flex *flex, const gos_space *space) {
    const bool still = space->count[GOS_DISPLACEMENT] == 0;
    if (!still && (flex->heat.n == 0 || space->count[GOS_TEMPERATURE] > 0)) {
        return GOS_OK;
    }
    return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->entry->loc, r->object,
                        "method %s has found no vectors of its %s; name loads that make some among "
                        "its `inputs`, or take another method",
                        r->type->name, still ? "deformation" : "temperature");
}

/* Behind the amplitudes those of the correction. */
static gos_status project(reducing *r, const gos_flex *loaded, gos_space *space, gos_flex **flex) {
    gos_ctx *ctx = r->b->ctx;
    gos_linear *l = NULL;
    gos_flex *reduced = NULL;
    gos_flex_missed missed = {0};
    double *T = NULL;
    const double mass = (*flex)->gram.x[0]; // the first entry: int 1 dm
    gos_status status = check_space(r, *flex, space);
    status = status == GOS_OK ? gos__flex_linear(*flex, 0, NULL, 0, NULL, &l) : status;
    status = status == GOS_OK ? scale_basis(ctx, l, GOS_DISPLACEMENT, mass, space) : status;
    if (status == GOS_OK && (*flex)->heat.n > 0) {
        status = scale_temperatures(*flex, l, space);
    }
    const int count = space->count[GOS_DISPLACEMENT];
    if (status == GOS_OK) {
        status = add_missed(r, loaded, count, space->v[GOS_DISPLACEMENT], &T, &missed);
    }
    const gos_flex_space basis = {.r = count + missed.n,
                                  .s = space->count[GOS_TEMPERATURE],
                                  .V = T,
                                  .W = space->v[GOS_TEMPERATURE]};
    status = status == GOS_OK ? gos__flex_project(*flex, &basis, &reduced) : status;
    if (status == GOS_OK && r->names->stress) {
        status = gos__floating_second_order(r->b, r->names, r->entry->loc, r->object, *flex, &basis,
                                            reduced);
    }
    gos_linear_destroy(l);
    gos__free(ctx, T);
    if (status != GOS_OK && reduced) {
        gos__flex_destroy(reduced);
    }
    if (status == GOS_OK) {
        reduced->missed = missed;
        gos__flex_destroy(*flex);
        *flex = reduced;
    } else {
        gos__free(ctx, missed.mode);
    }
    return status;
}

static void tell(const reducing *r, int n, int nt, const gos_flex *reduced,
                 const gos_linear_reduction_report *report) {
    char text[300], error[60] = "", seen[60] = "", heat[60] = "";
    if (report->predicted > 0) {
        gos__format(error, sizeof error, ", predicted error %.2g", report->predicted);
    }
    if (r->missing.n > 0) {
        gos__format(seen, sizeof seen, "; outputs are corrected by %d modes", r->missing.n);
    }
    if (nt > 0) {
        gos__format(heat, sizeof heat, " and %d of %d temperatures", reduced->heat.n, nt);
    }
    gos__format(text, sizeof text, "%d of %d amplitudes%s by method %s%s%s",
                reduced->n - reduced->missed.n, n, heat, r->type->name, error, seen);
    gos__note(r->b->ctx, r->object, text);
}

gos_status gos__floating_second_order(gos_builder *b, const gos_floating_names *names, gos_loc loc,
                                      const char *object, const gos_flex *flex,
                                      const gos_flex_space *space, gos_flex *to) {
    const gos_status status = gos__flex_second_order(flex, names->stress, space, to);
    return status == GOS_E_LIMIT
               ? gos__fail_at(
                     b->ctx, status, loc, object,
                     "`coupling: first` of the whole body has more than %.2g numbers in the "
                     "matrices of its %d displacements and %d temperatures; reduce it "
                     "(--reduced), take a coarser mesh, or a body of type solid",
                     names->stress->most, flex->n, flex->heat.n)
               : status;
}

/* Conduction with films and, for vectors of loads, with what holds prescribed temperatures. Fields that are slow by themselves
   are those of the body as it is: without a vector for what is prescribed, fields that hardly move there would answer it with far too
   large values. */
static gos_status cool(const reducing *r, const gos_flex *flex, gos_sparse *cooled) {
    gos_ctx *ctx = r->b->ctx;
    const gos_reduction_ops *ops = r->type ? r->type->ops : NULL;
    const gos_sparse *add[] = {r->own.film ? r->names->film : NULL,
                               ops && !ops->linear->inputless ? r->names->held : NULL};
    if (!add[0] && !add[1]) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_copy(ctx, &flex->heat.S, cooled));
    for (int i = 0; i < GOS_COUNT(add); i++) {
        gos_sparse sum;
        if (!add[i]) {
            continue;
        }
        const gos_status status = gos__sparse_sum(ctx, 1, cooled, 1, add[i], &sum);
        gos__sparse_free(ctx, cooled);
        *cooled = sum;
        GOS_TRY(status);
    }
    return GOS_OK;
}

gos_status gos__floating_reduce(gos_builder *b, const gos_node *entry, gos_loc loc,
                                const char *object, const gos_floating_names *names,
                                gos_flex **flex) {
    const gos_node none = {.kind = GOS_MAP, .loc = loc, .key_loc = loc};
    reducing r = {.b = b, .entry = entry ? entry : &none, .object = object, .names = names};
    const int n = (*flex)->n, nt = (*flex)->heat.n, start[GOS_NFIELDS + 1] = {0, n, n + nt, n + nt};
    gos_linear_reduction_report report = {0};
    gos_space space;
    if (!entry && !b->reduce_floating) {
        return GOS_OK;
    }
    GOS_TRY(read_entry(&r));
    GOS_TRY(read_loads(&r, *flex));
    GOS_TRY(read_motions(&r, *flex));
    if (names->stress && b->reduce_floating && (r.own.state.n > 0 || r.missing.n > 0)) {
        GOS_TRY(gos__floating_second_order(b, names, r.entry->loc, object, *flex, NULL, *flex));
    }
    gos_flex loaded = **flex; // but for its stiffness and conduction the body itself
    gos_sparse cooled = {0};
    GOS_TRY(gos__sparse_copy(b->ctx, &(*flex)->K, &loaded.K));
    gos_status status =
        gos__floating_stiffness(b, *flex, names, &r.own.state, object, &loaded.K, r.missing.about);
    status = status == GOS_OK ? cool(&r, *flex, &cooled) : status;
    if (cooled.p) {
        loaded.heat.S = cooled;
    }
    if (status != GOS_OK || !b->reduce_floating) {
        gos__sparse_free(b->ctx, &loaded.K);
        gos__sparse_free(b->ctx, &cooled);
        return status;
    }
    gos__space_begin(b->ctx, start, NULL, &space);
    status = check_strained(&r, *flex);
    status = status == GOS_OK ? find_space(&r, &loaded, &space, &report) : status;
    if (status == GOS_OK && nt > 0 && is_insulated(&loaded)) {
        status = add_uniform(&r, &loaded, &space);
    }
    status = status == GOS_OK ? project(&r, &loaded, &space, flex) : status;
    gos__sparse_free(b->ctx, &loaded.K);
    gos__sparse_free(b->ctx, &cooled);
    gos__space_free(&space);
    if (status == GOS_OK) {
        tell(&r, n, nt, *flex, &report);
    }
    return status;
}
