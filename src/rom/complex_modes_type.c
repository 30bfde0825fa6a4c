/* Method complex_modes as a type: of nonlinear models, linearised anew in each interval, and of linear ones. */
#include <math.h>

#include "rom/local.h"
#include "system/feedback.h"
#include "system/loops.h"
#include "system/made.h"
#include "system/reduction.h"

typedef struct complex_modes_def {
    gos_local_def local;
    gos_linear_def linear; // its tolerance is that of intervals, too
} complex_modes_def;

#define LINEAR offsetof(complex_modes_def, linear)

#define L_CHOICE(member, choices_, def_, doc_)                                                     \
    {                                                                                              \
        .name = #member, .kind = GOS_K_CHOICE, .unit = "", .flags = GOS_P_NONLINEAR, .def = def_,  \
        .choices = choices_, .offset = offsetof(complex_modes_def, local.member), .doc = doc_      \
    }
#define L_INT(member, doc_)                                                                        \
    {                                                                                              \
        .name = #member, .kind = GOS_K_INT, .unit = "", .lo = 0, .hi = 10000,                      \
        .flags = GOS_P_NONLINEAR, .def = "0", .offset = offsetof(complex_modes_def, local.member), \
        .doc = doc_                                                                                \
    }
#define L_BOOL(member, def_, doc_)                                                                 \
    {                                                                                              \
        .name = #member, .kind = GOS_K_BOOL, .unit = "", .flags = GOS_P_NONLINEAR, .def = def_,    \
        .offset = offsetof(complex_modes_def, local.member), .doc = doc_                           \
    }

#define L_NUMBER(member, unit_, hi_, def_, doc_)                                                   \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = unit_, .lo = 0, .hi = hi_,                  \
        .flags = GOS_P_NONLINEAR, .def = def_,                                                     \
        .offset = offsetof(complex_modes_def, local.member), .doc = doc_                           \
    }

static const gos_param threshold_params[] = {
    {.name = "displacement",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.002",
     .offset = offsetof(complex_modes_def, local.thresholds.displacement) -
               offsetof(complex_modes_def, local.thresholds),
     .doc = "an interval ends when any node has moved further than this from where it began (or an "
            "axis of a rigid body, as long as its radius of gyration)"},
    {.name = "temperature",
     .kind = GOS_K_NUMBER,
     .unit = "K",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.02",
     .offset = offsetof(complex_modes_def, local.thresholds.temperature) -
               offsetof(complex_modes_def, local.thresholds),
     .doc = "an interval ends when any mean temperature has changed by more than this"},
    {0},
};

static const gos_param params[] = {
    L_INT(displacement_modes, "modes kept, pairs counted once; 0: all"),
    L_INT(thermal_modes, "thermal modes kept; 0: all"),
    {.name = "thresholds",
     .kind = GOS_K_MAP,
     .unit = "",
     .flags = GOS_P_NONLINEAR,
     .sub = threshold_params,
     .offset = offsetof(complex_modes_def, local.thresholds),
     .doc = "where intervals end, {displacement, temperature}"},
    L_CHOICE(modes, "complex|real|real_diagonal", "complex",
             "kind of modes; real: those without damping; real_diagonal: and the "
             "damping between them left out"),
    L_CHOICE(velocity, "column|truncate|scale", "column",
             "what becomes of the velocity at the start of an interval. column: a "
             "column of its own, exact; truncate: its projection on the modes, which loses energy; "
             "scale: the projection scaled to the same energy, which loses momentum"),
    L_CHOICE(dropped, "follow|ignore", "follow",
             "modes that are not kept follow their load in one column, or are ignored, "
             "and strain gathers in them"),
    L_BOOL(coupling, "true",
           "temperatures act on the structure within an interval; false: from the "
           "next one on, as published"),
    L_CHOICE(intervals, "thresholds|error", "thresholds",
             "intervals end at the thresholds, or are as long as the jump of the forces "
             "allows for `tolerance`"),
    L_BOOL(corotated, "false",
           "linearise in a frame that turns with the motion, and measure the "
           "displacement threshold in it; all joints to the ground must be at one point"),
    L_INT(search, "undamped modes that complex ones are sought among; 0: a sixth more "
                  "than are kept"),
    L_INT(refresh, "intervals that one set of modes serves; matrices and extra columns are "
                   "new in each. 0: one, as published"),
    L_NUMBER(columns, "-", 1, "1e-2",
             "least part of the second vector of a mode (imaginary part, or that of "
             "the other real root) across the columns before it that makes it a column"),
    L_NUMBER(max_interval, "s", HUGE_VAL, "0", "longest interval; 0: no limit"),
    {.name = "tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1,
     .flags = GOS_P_LO_OPEN,
     .def = "1e-3",
     .offset = LINEAR + offsetof(gos_linear_def, tolerance),
     .doc = "nonlinear models: error that `intervals: error` keeps, relative to the largest "
            "extent. Linear models: "
            "error of the response on `band`, relative to its largest value; where it is given and "
            "missed, the "
            "reduction fails"},
    GOS_ROW_ORDER(LINEAR, GOS_P_LINEAR),
    GOS_ROW_BAND(LINEAR, GOS_P_LINEAR),
    GOS_ROW_CORRECTION(LINEAR, GOS_P_LINEAR),
    {0},
};

/* what it does not serve */
static gos_status refuse(gos_ctx *ctx, const gos_system *sys) {
    const gos_item *feedback = gos__feedback_item(sys);
    if (sys->made) {
        return gos__fail_at(ctx, GOS_E_USE, sys->made->body[0].loc, sys->made->body[0].name,
                            "floats: `reduction: complex_modes` does not serve such bodies; take "
                            "rotation_closed, which reduces the other bodies, or run the model in "
                            "full or with `floating_bodies: reduced`");
    }
    if (sys->loops) {
        const gos_controller *c = sys->loops->loop[0].law;
        return gos__fail_at(ctx, GOS_E_USE, c->loc, c->object,
                            "reduction: complex_modes does not serve controllers; use "
                            "rotation_closed, or run the model in full");
    }
    for (int i = 0; i < sys->nbody; i++) {
        if (sys->body[i]->ops->port) {
            return gos__fail_at(ctx, GOS_E_USE, sys->body[i]->loc, sys->body[i]->name,
                                "`reduction: complex_modes` does not serve bodies of matrices and "
                                "patches on plates; take rotation_closed, or run the model in "
                                "full");
        }
    }
    for (int i = 0; i < sys->nitem; i++) {
        if (sys->item[i]->stores_heat) {
            return gos__fail_at(
                ctx, GOS_E_USE, sys->item[i]->loc, sys->item[i]->name,
                "reduction: complex_modes does not serve specific heats that depend "
                "on the temperature; use rotation_closed, or run the model in full");
        }
    }
    return feedback ? gos__fail_at(
                          ctx, GOS_E_USE, feedback->loc, feedback->name,
                          "reduction: complex_modes does not serve amounts that depend on probes; "
                          "use rotation_closed")
                    : GOS_OK;
}

static gos_status reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    GOS_TRY(refuse(ctx, sys));
    return gos__local_system(ctx, sys, reduced);
}

static const gos_system_method method = {.reduce = reduce};

const gos_type gos__reduction_complex_modes = {
    .section = "reduction",
    .name = "complex_modes",
    .doc = "damped modes, real and imaginary parts as real columns. Nonlinear models: the "
           "published scheme, linearised "
           "anew in each interval. Linear models: the lowest ones as a basis",
    .params = params,
    .size = sizeof(complex_modes_def),
    .example = "reduction: {method: complex_modes, displacement_modes: 25, thermal_modes: 25}",
    .ops = &(const gos_reduction_ops){.linear = &gos__method_complex_modes,
                                      .nonlinear = &method,
                                      .linear_def = LINEAR},
};

gos_status gos__local_def(gos_ctx *ctx, const gos_system *sys, gos_local_def *def) {
    if (sys->reduction.type != &gos__reduction_complex_modes) {
        return gos__fail(
            ctx, GOS_E_USE,
            "local linearisation is told what to do by `reduction: {method: complex_modes, ...}`; "
            "the model says %s",
            sys->reduction.type->name);
    }
    GOS_TRY(refuse(ctx, sys));
    const complex_modes_def *d = sys->reduction.def;
    *def = d->local;
    def->tolerance = d->linear.tolerance;
    return GOS_OK;
}
