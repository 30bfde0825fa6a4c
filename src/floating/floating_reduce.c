/* Entry `reduce`: a linear reduction method with loads as inputs and outputs. Its basis, with
   static deflections, is orthonormalised in the mass. */
#include "floating/floating_reduce.h"

#include <math.h>

#include "base/base.h"
#include "floating/clamped_modes.h"
#include "floating/thermal_response.h"
#include "floating/static_error.h"
#include "floating/floating_vectors.h"
#include "floating/interface_coordinates.h"
#include "floating/omitted_temperatures.h"

#define LOADS(key, member_, doc_)                                                                  \
    {                                                                                              \
        .name = key, .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_EMPTY,                        \
        .offset = offsetof(gos_floating_own_def, member_), .doc = doc_                             \
    }
static const gos_param own_params[] = {
    LOADS("inputs", inputs, "loads for which the method computes its vectors"),
    LOADS("outputs", outputs, "loads at whose displacements the error is estimated"),
    LOADS("static", statics,
          "loads whose static deflections are added; `joints`: forces and moments at the model's "
          "joints and loads, and gravity. Default: `joints`"),
    LOADS("state", state, "loads under which the body is linearised for the vectors"),
    LOADS("frame_motions", motions, "motions along which the frame can accelerate"),
    {.name = "frame_inertia",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_EMPTY,
     .offset = offsetof(gos_floating_own_def, inertia),
     .doc = "inertia of other bodies against each of these motions"},
    {.name = "film",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "included",
     .choices = "excluded=0|included=1",
     .offset = offsetof(gos_floating_own_def, film),
     .doc = "include convection films with constant coefficients when computing the vectors"},
    {0}};

#define REACTIONS 0.02    // deflection error under joint forces without a warning
#define STRESS 0.02       // stress error without a warning
#define TEMPERATURES 0.05 // omitted temperature difference without a warning ...
#define MOST_FIELDS 200   // ... and largest number of fields that is proposed instead

#define X(name) &gos__reduction_##name,
static const gos_type *const methods[] = {GOS_LINEAR_METHODS(X) NULL};
#undef X

/* ---- parsing of the entry -------------------------------------------------------------------- */

static bool is_own(const char *key) {
    for (const gos_param *p = own_params; p->name; p++) {
        if (strcmp(p->name, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Without `method`: own keys, or others. `shift` is an alias of `shifts`. */
static gos_status pick(const gos_floating_reducing *r, bool own, gos_node *to) {
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

/* reject first-order methods and unsupported keys */
static gos_status refuse(const gos_floating_reducing *r, const gos_node *theirs) {
    const gos_reduction_ops *ops = r->type->ops;
    gos_ctx *ctx = r->b->ctx;
    if (ops->linear->first_order) {
        return gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(r->entry, "method"), r->object,
                            "method %s reduces first-order models, but a floating body needs a "
                            "basis of displacements; use another method",
                            r->type->name);
    }
    for (const gos_param *p = r->type->params; p->name; p++) {
        const bool unfit = p->flags & GOS_P_NONLINEAR || strcmp(p->name, "two_sided") == 0;
        if (unfit && gos__node_given(theirs, p->name)) {
            return gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(theirs, p->name), r->object,
                                "floating bodies do not support '%s'; leave it out", p->name);
        }
    }
    return GOS_OK;
}

static gos_status read_entry(gos_floating_reducing *r) {
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
    r->missing.n = r->options.correction; // for the correction below
    r->options.correction = 0;
    return GOS_OK;
}

static gos_status read_motions(gos_floating_reducing *r, const gos_flex *flex) {
    const gos_floating_own_def *d = &r->own;
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
                            "frame_motions are used by the correction only; give 'correction' too, "
                            "or leave them out");
    }
    GOS_TRY(gos__floating_motions(r->b, flex, r->names, &d->motions, r->object, motion));
    if (flex->heat.n > 0 && r->missing.n > 0) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "correction"), r->object,
                            "bodies with temperatures do not support 'correction'; leave it out");
    }
    r->missing.k = d->motions.n;
    r->missing.motion = (const double(*)[6])motion;
    r->missing.inertia = d->inertia.v;
    return GOS_OK;
}

/* at joints, loads and probes; else conjugate to the inputs */
static gos_status default_outputs(gos_floating_reducing *r, const gos_flex *flex) {
    if (r->names->nseen > 0) {
        return gos__floating_seen(r->b, flex, r->names, &r->outputs);
    }
    r->outputs = r->inputs;
    return GOS_OK;
}

static gos_status read_statics(gos_floating_reducing *r, const gos_flex *flex) {
    gos_texts named = r->own.statics;
    const bool open = !gos__node_given(r->entry, "static");
    // a given order is respected, with a warning
    const bool offered = open && r->names->offered && !gos__node_given(r->entry, "order");
    bool joints = open && (r->names->statics || offered);
    r->offered = offered && !r->dependent;
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
    // quasi-static responses: without thermal loads
    if (r->dependent && !r->names->grounded) {
        gos_floating_names cold = *r->names;
        cold.heat.n = 0;
        return gos__floating_all_loads(r->b, flex, &cold, &r->joints);
    }
    return joints || r->dependent ? gos__floating_joint_loads(r->b, flex, r->names, &r->joints)
                                  : GOS_OK;
}

static void warn_of_electrodes(const gos_floating_reducing *r) {
    const int n = r->names->nelectrode;
    if (n > GOS_FLOATING_ELECTRODES && !gos__node_given(r->entry, "static") &&
        r->own.inputs.n == 0) {
        gos__warn(r->b->ctx, r->entry->loc, r->object,
                  "deflections by its %d electrodes are not in the basis (at most %d are), so the "
                  "response to voltages has no error estimate: list patches, `static: [joints, "
                  "NAME]`, or exclude them by `static: [joints]`",
                  n, GOS_FLOATING_ELECTRODES);
    }
}

static gos_status check_dependent(gos_floating_reducing *r, const gos_flex *flex) {
    const gos_floating_names *names = r->names;
    r->dependent = r->options.quasi_static && flex->heat.n > 0 && r->options.responses >= 0;
    const char *why =
        !r->dependent   ? NULL
        : names->stress ? "with `coupling: first` temperatures change the stiffness of the "
                          "deformation, but quasi-static thermal responses do not include this"
        : names->nelectrode > GOS_FLOATING_ELECTRODES
            ? "with so many electrodes the charge of the quasi-static thermal deformation would "
              "be omitted"
        : names->crowded ? "joints, loads and probes refer to too many locations to check "
                           "quasi-static thermal deformation"
                         : NULL;
    return why ? gos__fail_at(r->b->ctx, GOS_E_INPUT, gos__key_loc(r->entry, "response"), r->object,
                              "%s; use `response: dynamic`", why)
               : GOS_OK;
}

static gos_status read_loads(gos_floating_reducing *r, const gos_flex *flex) {
    gos_builder *b = r->b;
    const gos_floating_own_def *d = &r->own;
    GOS_TRY(check_dependent(r, flex));
    warn_of_electrodes(r);
    GOS_TRY(read_statics(r, flex));
    GOS_TRY(d->inputs.n > 0
                ? gos__floating_loads(b, flex, r->names, &d->inputs, r->object, &r->inputs)
                : gos__floating_all_loads(b, flex, r->names, &r->inputs));
    return d->outputs.n > 0
               ? gos__floating_loads(b, flex, r->names, &d->outputs, r->object, &r->outputs)
               : default_outputs(r, flex);
}

/* ---- basis ----------------------------------------------------------------------------------- */

/* Residual loads: append the next Krylov vectors outside the basis (count, V) to `space`, one per
   load. */
static gos_status find_tails(const gos_floating_reducing *r, const gos_flex *loaded, int count,
                             const double *V, gos_space *space) {
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
        GOS_TRY(
            gos__floating_add_vectors(r->b->ctx, loaded, &r->inputs, &r->outputs, &krylov, space));
    }
    return GOS_OK;
}

/* basis V of r vectors, then residual modes; the caller frees *T (rows, r + missed->n) */
static gos_status add_missed(gos_floating_reducing *r, const gos_flex *loaded, int count,
                             const double *V, double **T, gos_flex_missed *missed) {
    const size_t rows = (size_t)loaded->n, size = rows * (size_t)count;
    const size_t most = (size_t)(count + r->missing.n + r->inputs.n);
    const int start[GOS_NFIELDS + 1] = {0, loaded->n, loaded->n, loaded->n};
    gos_space space;
    *T = gos__alloc(r->b->ctx, rows * most + 1, sizeof **T);
    GOS_TRY(*T ? GOS_OK : GOS_E_MEMORY);
    if (size > 0) { // V is NULL without displacements
        memcpy(*T, V, size * sizeof **T);
    }
    if (r->missing.n == 0) {
        return GOS_OK;
    }
    gos__space_init(r->b->ctx, start, NULL, &space);
    gos_status status = find_tails(r, loaded, count, V, &space);
    if (status == GOS_OK) {
        const int found = space.count[GOS_DISPLACEMENT] - count;
        r->missing.tails = found < r->inputs.n ? found : r->inputs.n;
        r->missing.tail = space.v[GOS_DISPLACEMENT] + size;
        status = gos__floating_missed_modes(loaded, &r->missing, count, V, *T + size, missed);
    }
    gos__space_free(&space);
    GOS_TRY(status);
    return missed->n >= r->missing.n ? GOS_OK
                                     : gos__fail_at(r->b->ctx, GOS_E_INPUT,
                                                    gos__key_loc(r->entry, "correction"), r->object,
                                                    "correction by %d modes: only %d modes of the "
                                                    "body are not in its reduced basis; use at "
                                                    "most %d",
                                                    r->missing.n, missed->n, missed->n);
}

/* Orthonormal in mass, diagonal in stiffness (capacity, conduction), scaled by the body's size: an
   amplitude is a root mean square. */
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

/* the body is heated by its strains only */
static gos_status check_strained(const gos_floating_reducing *r, const gos_flex *flex) {
    if (flex->heat.n == 0 || !r->b->gough_joule || gos__floating_heats_any(&r->inputs) ||
        ((const gos_reduction_ops *)r->type->ops)->linear->inputless) {
        return GOS_OK;
    }
    return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->entry->loc, r->object,
                        "with `thermoelastic_heat` strain rates heat the body, but method %s "
                        "computes temperature vectors from external heat loads only, and there "
                        "are none; use `{method: modes, order: N}`, or omit `thermoelastic_heat`",
                        r->type->name);
}

static gos_status check_space(const gos_floating_reducing *r, const gos_flex *flex,
                              const gos_space *space) {
    const bool still = flex->n > 0 && space->count[GOS_DISPLACEMENT] == 0 && !r->dependent;
    if (!still && (flex->heat.n == 0 || space->count[GOS_TEMPERATURE] > 0)) {
        return GOS_OK;
    }
    return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->entry->loc, r->object,
                        "method %s found no basis vectors for its %s; add loads that cause it to "
                        "`inputs`, or use another method",
                        r->type->name, still ? "deformation" : "temperature");
}

/* basis V of r vectors, then *n quasi-static ones; the caller frees *T (rows, r + *n) */
static gos_status add_dependent(const gos_floating_reducing *r, const gos_flex *flex,
                                const gos_space *space, double **T, int *n) {
    const int count = space->count[GOS_DISPLACEMENT], fields = space->count[GOS_TEMPERATURE];
    const int asked = r->options.responses, s = asked > 0 && asked < fields ? asked : fields;
    gos_ctx *quiet = gos__ctx_quiet(r->b->ctx);
    GOS_TRY(quiet ? GOS_OK : GOS_E_MEMORY);
    *T = gos__alloc(r->b->ctx, (size_t)flex->n * (size_t)(count + s) + 1, sizeof **T);
    gos_status status = *T ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__floating_dependent_shapes(quiet, flex, count, space->v[GOS_DISPLACEMENT], s,
                                                space->v[GOS_TEMPERATURE], *T, n);
        status = gos__floating_pass_on(r, quiet, status);
    }
    gos_ctx_destroy(quiet);
    return status;
}

/* stress errors are larger than the displacement errors reported */
static gos_status tell_stress(const gos_floating_reducing *r, const gos_flex *flex,
                              const gos_flex_space *basis) {
    gos_floating_names cold = *r->names;
    gos_floating_loads loads;
    char of[GOS_LIMIT_NAME + 40] = "", text[400];
    double left;
    cold.heat.n = 0;
    GOS_TRY(r->names->grounded ? gos__floating_joint_loads(r->b, flex, &cold, &loads)
                               : gos__floating_all_loads(r->b, flex, &cold, &loads));
    GOS_TRY(gos__floating_stress_left(flex, &loads, basis->s, basis->W, basis->r, basis->V, &left,
                                      of, sizeof of));
    const bool heat = strncmp(of, "temperature", 11) == 0;
    if (left > STRESS) {
        gos__warn(
            r->b->ctx, r->entry->loc, r->object,
            "its basis omits %.2g of the stresses under %s alone (static, by the strain energy of "
            "the whole body, locally more); predicted errors are for displacements. %s",
            left, of,
            heat ? "Use a higher order, or method response_modes"
                 : "Add it to `static`, or use a higher order");
    } else {
        gos__format(text, sizeof text,
                    "the basis omits at most %.2g of the static stresses under each single load "
                    "or temperature field, by strain energy",
                    left);
        gos__note(r->b->ctx, r->object, text);
    }
    return GOS_OK;
}

/* Slow fields may omit most of the temperatures under a load on one face, and so its bending. */
static gos_status tell_temperatures(const gos_floating_reducing *r, const gos_flex *flex,
                                    const gos_flex_space *basis) {
    const bool by_modes = ((const gos_reduction_ops *)r->type->ops)->linear->inputless;
    gos_omitted_temperatures omitted;
    double duration;
    char remedy[100] = "a higher order";
    if (flex->heat.n == 0 || r->names->heat.n == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__floating_end(r, 0, &duration));
    GOS_TRY(gos__omitted_temperatures(flex, r->names, duration, basis->s, basis->W, &omitted));
    if (omitted.part <= TEMPERATURES) {
        return GOS_OK;
    }
    if (by_modes) {
        GOS_TRY(gos__sufficient_temperatures(flex, r->names, duration, TEMPERATURES, MOST_FIELDS,
                                             &omitted));
        if (omitted.fields > 0) {
            gos__format(remedy, sizeof remedy, "order %d, or method krylov", omitted.fields);
        } else {
            gos__format(remedy, sizeof remedy, "method krylov");
        }
    }
    gos__warn(r->b->ctx, r->entry->loc, r->object,
              "its %d temperature fields omit %.2g of the temperature difference at the heat load "
              "'%s' (constant until the end of the run), and its deformation; use %s",
              basis->s, omitted.part, omitted.load, remedy);
    return GOS_OK;
}

/* A basis without deflections under joint forces is too stiff at joints; other error estimates do
   not show this. */
static gos_status find_left(gos_floating_reducing *r, const gos_flex *flex, int n,
                            const double *V) {
    gos_floating_loads loads;
    gos_flex cold = *flex;
    cold.heat.n = 0;
    if ((r->joints.n > 0 && !r->offered) || r->names->njoint == 0 || n == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__floating_reactions(r->b, flex, r->names, &loads));
    return gos__floating_deflection_left(&cold, &loads, n, V, &r->left);
}

/* reported error, including these forces */
static gos_status tell_left(const gos_floating_reducing *r, gos_linear_reduction_report *report) {
    const double tolerance = r->options.tolerance;
    if (tolerance > 0 && r->left > tolerance) {
        return gos__fail_at(
            r->b->ctx, GOS_E_DIVERGED, r->entry->loc, r->object,
            "its basis omits up to %.2g of the deflection under joint forces and moments, above "
            "the requested tolerance of %g; add `joints` to `static`, or leave the tolerance out",
            r->left, tolerance);
    }
    if (r->left > REACTIONS) {
        gos__warn(r->b->ctx, r->entry->loc, r->object,
                  "its basis omits up to %.2g of the deflection under joint forces and moments, "
                  "so the body is too stiff by this fraction at the joints; add `joints` to "
                  "`static`",
                  r->left);
    }
    if (report->predicted > 0) {
        report->predicted = fmax(report->predicted, r->left);
    }
    return GOS_OK;
}

/* amplitudes are followed by those of the correction, or quasi-static ones */
static gos_status project(gos_floating_reducing *r, const gos_flex *loaded, gos_space *space,
                          gos_flex **flex) {
    gos_ctx *ctx = r->b->ctx;
    gos_linear *l = NULL;
    gos_flex *reduced = NULL;
    gos_flex_missed missed = {0};
    int dependent = 0;
    double *T = NULL;
    const double mass = (*flex)->n > 0 ? (*flex)->gram.x[0] : 0; // first entry: int 1 dm
    gos_status status = check_space(r, *flex, space);
    status = status == GOS_OK ? gos__flex_linear(*flex, 0, NULL, 0, NULL, &l) : status;
    if (status == GOS_OK && space->count[GOS_DISPLACEMENT] > 0) {
        status = scale_basis(ctx, l, GOS_DISPLACEMENT, mass, space);
    }
    if (status == GOS_OK && (*flex)->heat.n > 0) {
        status = scale_temperatures(*flex, l, space);
    }
    const int count = space->count[GOS_DISPLACEMENT];
    status = status == GOS_OK ? find_left(r, *flex, count, space->v[GOS_DISPLACEMENT]) : status;
    if (status == GOS_OK) {
        status = r->dependent
                     ? add_dependent(r, *flex, space, &T, &dependent)
                     : add_missed(r, loaded, count, space->v[GOS_DISPLACEMENT], &T, &missed);
    }
    const gos_flex_space basis = {.r = count + missed.n + dependent,
                                  .s = space->count[GOS_TEMPERATURE],
                                  .V = T,
                                  .W = space->v[GOS_TEMPERATURE]};
    status = status == GOS_OK ? gos__flex_project(*flex, &basis, &reduced) : status;
    if (status == GOS_OK && r->names->stress) {
        status = gos__floating_second_order(r->b, r->names, r->entry->loc, r->object, *flex, &basis,
                                            reduced);
    }
    if (status == GOS_OK && r->names->unseen) {
        status = gos__floating_fixed_modes(r->b, *flex, r->names, &basis, r->names->unseen);
    }
    status = status == GOS_OK ? gos__floating_make_dependent(reduced, dependent) : status;
    status = status == GOS_OK && r->names->stressed ? tell_stress(r, *flex, &basis) : status;
    status = status == GOS_OK ? tell_temperatures(r, *flex, &basis) : status;
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

static void tell(const gos_floating_reducing *r, int n, int nt, const gos_flex *reduced,
                 const gos_linear_reduction_report *report) {
    char text[300], error[60] = "", seen[80] = "", heat[60] = "";
    if (report->predicted > 1) { // the estimate has no meaning
        gos__format(error, sizeof error, ", predicted error unknown");
    } else if (report->predicted > 0) {
        gos__format(error, sizeof error, ", predicted error %.2g", report->predicted);
    }
    if (r->missing.n > 0) {
        gos__format(seen, sizeof seen, "; outputs are corrected by %d modes", r->missing.n);
    }
    if (reduced->dependent > 0) {
        gos__format(seen, sizeof seen, "; %d more follow the temperatures quasi-statically",
                    reduced->dependent);
    }
    if (nt > 0) {
        gos__format(heat, sizeof heat, " and %d of %d temperatures", reduced->heat.n, nt);
    }
    gos__format(text, sizeof text, "%d of %d amplitudes%s by method %s%s%s",
                reduced->n - reduced->missed.n - reduced->dependent, n, heat, r->type->name, error,
                seen);
    gos__note(r->b->ctx, r->object, text);
}

gos_status gos__floating_second_order(gos_builder *b, const gos_floating_names *names, gos_loc loc,
                                      const char *object, const gos_flex *flex,
                                      const gos_flex_space *space, gos_flex *to) {
    const gos_status status = gos__flex_second_order(flex, names->stress, space, to);
    return status == GOS_E_LIMIT
               ? gos__fail_at(b->ctx, status, loc, object,
                              "`coupling: first` of the whole body needs more than %.2g numbers in "
                              "the matrices of its %d displacements and %d temperatures; reduce it "
                              "(--reduced), use a coarser mesh, or a body of type solid",
                              names->stress->most, flex->n, flex->heat.n)
               : status;
}

/* Films and, for load vectors, prescribed temperatures. Slow modes are of the unmodified body:
   without a vector for the prescribed temperature, near-constant fields would respond too strongly.
 */
static gos_status cool(const gos_floating_reducing *r, const gos_flex *flex, gos_sparse *cooled) {
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

gos_status gos__floating_reduce(gos_builder *b, const gos_node *entry, double zeta, gos_loc loc,
                                const char *object, const gos_floating_names *names,
                                gos_flex **flex) {
    const gos_node none = {.kind = GOS_MAP, .loc = loc, .key_loc = loc};
    gos_floating_reducing r = {
        .b = b, .entry = entry ? entry : &none, .object = object, .names = names, .zeta = zeta};
    const int n = (*flex)->n, nt = (*flex)->heat.n, start[GOS_NFIELDS + 1] = {0, n, n + nt, n + nt};
    gos_linear_reduction_report report = {0};
    gos_space space;
    if (!entry && !b->reduce_floating) {
        return GOS_OK;
    }
    const double begun = gos__cpu_time();
    GOS_TRY(read_entry(&r));
    GOS_TRY(gos__floating_interface(b, r.entry, object, r.type, *flex, names, &r.options));
    GOS_TRY(read_loads(&r, *flex));
    GOS_TRY(read_motions(&r, *flex));
    if (names->stress && b->reduce_floating && (r.own.state.n > 0 || r.missing.n > 0)) {
        GOS_TRY(gos__floating_second_order(b, names, r.entry->loc, object, *flex, NULL, *flex));
    }
    // the body, except for stiffness and conduction
    gos_flex loaded = **flex;
    gos_sparse cooled = {0};
    const bool bare = loaded.bare_K.p;
    loaded.gram = bare ? loaded.bare_gram : loaded.gram;
    GOS_TRY(gos__sparse_copy(b->ctx, bare ? &loaded.bare_K : &(*flex)->K, &loaded.K));
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
    gos__space_init(b->ctx, start, NULL, &space);
    status = check_strained(&r, *flex);
    status = status == GOS_OK ? gos__floating_vectors(&r, &loaded, &space, &report) : status;
    status = status == GOS_OK ? project(&r, &loaded, &space, flex) : status;
    status = status == GOS_OK ? tell_left(&r, &report) : status;
    gos__sparse_free(b->ctx, &loaded.K);
    gos__sparse_free(b->ctx, &cooled);
    gos__space_free(&space);
    if (status == GOS_OK) {
        tell(&r, n, nt, *flex, &report);
    }
    b->basis_time += gos__cpu_time() - begun;
    return status;
}
