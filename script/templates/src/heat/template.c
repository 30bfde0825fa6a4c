/* template: one line on its effect, then the law and its source.
   The template adds a given power at an end or a point, uniform over the section, so that the mean
   temperature receives all of it. Heat that depends on temperature or acts along a body defines a
   gos_item_type and a gos_surface_type, as in convection.c. */
#include "heat/heat.h"

/* filled from the table below */
typedef struct definition {
    gos_texts on;
    gos_timefn *power; // [W]
} definition;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(definition, on),
     .doc = "ends or points, e.g. rod.end; each receives the power"},
    {.name = "power",
     .kind = GOS_K_TIMEFN,
     .unit = "W",
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(definition, power),
     .doc = "power into the body"},
    {.name = NULL},
};

/* Declares the power as an input of the system. */
static const gos_input_def input = {.fn = 0, .unit = "W", .kind = GOS_INPUT_HEAT};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    definition def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_heat_entry e = {.b = b, .node = entry, .name = name, .object = object};
    GOS_TRY(gos__heat_fns(&e, 1, &def.power));
    for (int i = 0; i < def.on.n; ++i) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &def.on, i, GOS_ON_END | GOS_ON_POINT, &p));
        // fraction for each temperature family
        const double share[GOS_FAMILIES] = {1.0};
        GOS_TRY(gos__heat_input(&e, &p, &input, share));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_template = {
    .section = "heat",
    .name = "template",
    .doc = "one line for the reference",
    .params = params,
    .size = sizeof(definition),
    .example = "heater: {type: template, on: rod.start, power: 12}",
    .ops = &ops,
};
