/* How a model is reduced: one table for the methods of systems (rom) and those of linear models (reduce),
   and what it means as options of the latter. */
#include <math.h>

#include "gossamer/reduce_linear.h"
#include "system/settings.h"

/* the first ones in the order of GOS_METHOD_...; linear methods have the names of gos_linear_method */
#define METHODS                                                                                    \
    "auto|rotation_closed|complex_modes|krylov|irka|irka_second|balanced|balanced_second|modes|"   \
    "modes_static|craig_bampton|free_interface|static_vectors|frequency_vectors|pod"
#define RANKINGS "default|frequency|peak|gain|cost|balanced|inertia|position|velocity"

#define LINEAR_INT(member, doc_)                                                                   \
    {                                                                                              \
        .name = #member, .kind = GOS_K_INT, .unit = "", .lo = 0, .hi = 100000, .def = "0",         \
        .offset = offsetof(gos_reduction_def, linear.member), .doc = doc_                          \
    }

#define L_CHOICE(member, choices_, def_, doc_)                                                     \
    {                                                                                              \
        .name = #member, .kind = GOS_K_CHOICE, .unit = "", .def = def_, .choices = choices_,       \
        .offset = offsetof(gos_reduction_def, local.member), .doc = doc_                           \
    }
#define L_INT(member, doc_)                                                                        \
    {                                                                                              \
        .name = #member, .kind = GOS_K_INT, .unit = "", .lo = 0, .hi = 10000, .def = "0",          \
        .offset = offsetof(gos_reduction_def, local.member), .doc = doc_                           \
    }
#define L_BOOL(member, def_, doc_)                                                                 \
    {                                                                                              \
        .name = #member, .kind = GOS_K_BOOL, .unit = "", .def = def_,                              \
        .offset = offsetof(gos_reduction_def, local.member), .doc = doc_                           \
    }

#define L_NUMBER(member, unit_, hi_, def_, doc_)                                                   \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = unit_, .lo = 0, .hi = hi_, .def = def_,     \
        .offset = offsetof(gos_reduction_def, local.member), .doc = doc_                           \
    }

static const gos_param threshold_params[] = {
    {.name = "displacement",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.002",
     .offset = offsetof(gos_reduction_def, local.thresholds.displacement) -
               offsetof(gos_reduction_def, local.thresholds),
     .doc = "an interval ends when any node has moved further than this from where it began (or an "
            "axis of a rigid body, as long as its radius of gyration)"},
    {.name = "temperature",
     .kind = GOS_K_NUMBER,
     .unit = "K",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.02",
     .offset = offsetof(gos_reduction_def, local.thresholds.temperature) -
               offsetof(gos_reduction_def, local.thresholds),
     .doc = "an interval ends when any mean temperature has changed by more than this"},
    {0},
};

static const gos_param reduction_params[] = {
    {.name = "method",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(gos_reduction_def, method),
     .choices = METHODS,
     .doc =
         "rotation_closed: scalar fields with vector amplitudes, exact nonlinear forces at points; "
         "complex_modes: the published scheme, local linearisation with complex modes; "
         "auto: rotation_closed with fields, points and steps chosen for `tolerance` by runs of "
         "reduced models; with a `number` it is taken as it stands. The others reduce linear "
         "models (docs/linear-reduction.md), with `gossamer reduce` only; of a body of matrices "
         "auto and complex_modes mean theirs, too"},
    {.name = "fields",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "polynomials",
     .offset = offsetof(gos_reduction_def, fields),
     .choices = "polynomials|modes",
     .doc = "scalar displacement fields of each flexible body: polynomials along it, or its modes "
            "and static responses on the mesh"},
    {.name = "number",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, number),
     .doc = "polynomials: fields per body, what joints take not counted; modes: fields from the "
            "lowest elastic modes of bodies joined together; each has three components; 0: "
            "chosen by auto, else 10"},
    {.name = "thermal_fields",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, thermal_fields),
     .doc = "axial functions per temperature family and body; 0: chosen by auto, else 8"},
    {.name = "points",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, points),
     .doc = "polynomials: Gauss points along a body; 0: chosen by auto, else one and a half times "
            "`number`"},
    {.name = "statics",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(gos_reduction_def, statics),
     .doc =
         "modes: also static responses to gravity, to unit forces where loads and joints act, and "
         "to unit temperatures"},
    {.name = "on_mesh",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(gos_reduction_def, on_mesh),
     .doc =
         "polynomials: take what the mesh interpolates of them, its mass and its points, so that "
         "the errors of a coarse mesh are those of the full model"},
    P_NUMBER(
        gos_reduction_def, cubature, "-", 0, 1, 0, "0",
        "modes, and polynomials on_mesh: choose few of the points, and weights, so that forces "
        "differ by about this much from those of all points in a run of the reduced model; 0: "
        "all points"),
    P_NUMBER(
        gos_reduction_def, tolerance, "-", 0, 1, GOS_P_LO_OPEN, "1e-3",
        "auto: largest error over time that is wanted, RMS over nodes against the full model on "
        "the same mesh, relative to the largest extent; analysis.tolerance becomes a tenth"),
    L_INT(displacement_modes, "complex_modes: modes kept, pairs counted once; 0: all"),
    L_INT(thermal_modes, "complex_modes: thermal modes kept; 0: all"),
    {.name = "thresholds",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = threshold_params,
     .offset = offsetof(gos_reduction_def, local.thresholds),
     .doc = "complex_modes: where intervals end, {displacement, temperature}"},
    L_CHOICE(modes, "complex|real|real_diagonal", "complex",
             "complex_modes: kind of modes; real: those without damping; real_diagonal: and the "
             "damping between them left out"),
    L_CHOICE(velocity, "column|truncate|scale", "column",
             "complex_modes: what becomes of the velocity at the start of an interval. column: a "
             "column of its own, exact; truncate: its projection on the modes, which loses energy; "
             "scale: the projection scaled to the same energy, which loses momentum"),
    L_CHOICE(
        dropped, "follow|ignore", "follow",
        "complex_modes: modes that are not kept follow their load in one column, or are ignored, "
        "and strain gathers in them"),
    L_BOOL(coupling, "true",
           "complex_modes: temperatures act on the structure within an interval; false: from the "
           "next one on, as published"),
    L_CHOICE(
        intervals, "thresholds|error", "thresholds",
        "complex_modes: intervals end at the thresholds, or are as long as the jump of the forces "
        "allows for `tolerance`"),
    L_BOOL(corotated, "false",
           "complex_modes: linearise in a frame that turns with the motion, and measure the "
           "displacement threshold in it; all joints to the ground must be at one point"),
    L_INT(search,
          "complex_modes: undamped modes that complex ones are sought among; 0: a sixth more "
          "than are kept"),
    L_INT(refresh,
          "complex_modes: intervals that one set of modes serves; matrices and extra columns are "
          "new in each. 0: one, as published"),
    L_NUMBER(columns, "-", 1, "1e-2",
             "complex_modes: least part of the second vector of a mode (imaginary part, or that of "
             "the other real root) across the columns before it that makes it a column"),
    L_NUMBER(max_interval, "s", HUGE_VAL, "0", "complex_modes: longest interval; 0: no limit"),
    LINEAR_INT(order,
               "linear: basis vectors of each field; 0: as many as `tolerance` needs on `band`"),
    {.name = "band",
     .kind = GOS_K_VECTOR,
     .unit = "Hz",
     .shape = 2,
     .lo = 0,
     .hi = HUGE_VAL,
     .def = "[0, 0]",
     .offset = offsetof(gos_reduction_def, linear.band),
     .doc = "linear: frequencies on which `tolerance` bounds the largest error of the frequency "
            "response, relative to its largest value; without: around the ten lowest modes"},
    {.name = "frequencies",
     .kind = GOS_K_NUMBERS,
     .unit = "Hz",
     .lo = 0,
     .hi = HUGE_VAL,
     .offset = offsetof(gos_reduction_def, linear.frequencies),
     .doc = "linear: expansion points of krylov and irka on the imaginary axis; without: 0"},
    {.name = "shifts",
     .kind = GOS_K_NUMBERS,
     .unit = "1/s",
     .offset = offsetof(gos_reduction_def, linear.shifts),
     .doc = "linear: further, real expansion points"},
    {.name = "two_sided",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(gos_reduction_def, linear.two_sided),
     .doc = "linear: krylov vectors of the outputs too"},
    {.name = "ranking",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "default",
     .choices = RANKINGS,
     .offset = offsetof(gos_reduction_def, linear.ranking),
     .doc = "linear: which modes are kept (default: frequency); of balanced_second position or "
            "velocity"},
    LINEAR_INT(candidates, "linear: modes that are ranked, or that balanced methods start from; 0: "
                           "three times the order and 10 more, or the whole model"),
    {.name = "interface",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(gos_reduction_def, linear.interface),
     .doc = "linear: coordinates that craig_bampton and free_interface keep, as "
            "rod.node(3).position.y; without: those with an input or output"},
    LINEAR_INT(snapshots, "linear: responses that pod starts from; 0: 100"),
    {.name = "transient",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(gos_reduction_def, linear.transient),
     .doc = "linear: pod starts from responses over time, from rest to a pulse on each input in "
            "turn, in place of responses at frequencies; its spectrum exp(-(f / F)^2 / 2) falls to "
            "61 % at the upper end F of `band`"},
    LINEAR_INT(correction, "linear: so many truncated modes beside the reduced model, the lowest "
                           "that it does not contain, as oscillators that follow the load and the "
                           "reduced motion"),
    {0},
};

const gos_type gos__settings_reduction = {
    .section = "reduction",
    .name = "reduction",
    .doc = "How `--reduced` and `gossamer reduce` make the reduced model.",
    .params = reduction_params,
    .size = sizeof(gos_reduction_def),
    .example = "reduction: {method: rotation_closed, fields: polynomials, number: 10}",
};

/* ---- as options of linear models ---------------------------------------------------------------- */

/* choice number i of "a|b|c" */
static const char *choice(gos_arena *a, const char *choices, int i) {
    for (; i > 0; i--) {
        choices = strchr(choices, '|') + 1;
    }
    const size_t n = strcspn(choices, "|");
    char *name = gos__arena_alloc(a, n + 1, 1);
    if (name) {
        memcpy(name, choices, n);
        name[n] = '\0';
    }
    return name;
}

static gos_status make_points(gos_arena *a, const gos_linear_def *d,
                              gos_linear_reduction_options *o) {
    gos_point *point = GOS_NEW(a, gos_point, d->frequencies.n + d->shifts.n + 1);
    if (!point) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < d->frequencies.n; i++) {
        point[o->npoints++].im = 2 * M_PI * d->frequencies.v[i];
    }
    for (int i = 0; i < d->shifts.n; i++) {
        point[o->npoints++].re = d->shifts.v[i];
    }
    o->points = point;
    return GOS_OK;
}

gos_status gos__settings_check_reduction(gos_ctx *ctx, const gos_model *model,
                                         const gos_reduction_def *d) {
    const double *band = d->linear.band;
    const gos_node *n = gos__node_get(gos__node_get(model->root, "reduction"), "band");
    return band[1] >= band[0]
               ? GOS_OK
               : gos__fail_at(ctx, GOS_E_INPUT, n ? n->loc : model->root->loc, "reduction",
                              "band from %g to %g Hz: give two frequencies, the lower one first",
                              band[0], band[1]);
}

gos_status gos_linear_reduction_settings(gos_ctx *ctx, gos_model *model,
                                         gos_linear_reduction_options *options, bool *only) {
    gos_reduction_def d;
    memset(&d, 0, sizeof d);
    const gos_node *n = gos__node_get(model->root, "reduction");
    const gos_node none = {.kind = GOS_MAP, .loc = model->root->loc};
    GOS_TRY(gos__model_parameters(model));
    GOS_TRY(gos__fill(model, n ? n : &none, reduction_params, "reduction", model->arena, &d));
    GOS_TRY(gos__settings_check_reduction(ctx, model, &d));
    const gos_linear_def *l = &d.linear;
    gos_linear_reduction_options o = {
        .method = choice(model->arena, METHODS, d.method),
        .order = l->order,
        .two_sided = l->two_sided != 0,
        .candidates = l->candidates,
        .ninterface = l->interface.n,
        .interface = l->interface.v,
        .band = {2 * M_PI * l->band[0], 2 * M_PI * l->band[1]},
        .tolerance = n && gos__node_get(n, "tolerance") ? d.tolerance : 0, // not asked for
        .snapshots = l->snapshots,
        .transient = l->transient != 0,
        .correction = l->correction};
    if (l->ranking > 0) {
        o.ranking = choice(model->arena, RANKINGS, l->ranking);
    }
    GOS_TRY(make_points(model->arena, l, &o));
    *options = o;
    *only = d.method >= GOS_METHOD_LINEAR;
    return o.method && (o.ranking || l->ranking == 0) ? GOS_OK : GOS_E_MEMORY;
}
