/* Internal heat: power per volume, uniform over the section; only the mean family receives heat,
   value * area (theory guide 2.5). */
#include "heat/heat.h"

typedef struct source {
    gos_texts on;
    gos_timefn *value;
} source;

static const gos_param params[] = {
    GOS_HEAT_ON(source, "heated bodies"),
    GOS_HEAT_VALUE(source, "W/m^3", "heat generated per volume"),
    {.name = NULL},
};

static const gos_input_def input = {.fn = 0, .unit = "W/m^3", .kind = GOS_INPUT_HEAT};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    source in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    GOS_TRY(gos__heat_fns(&e, 1, &in.value));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY, &p));
        if (!(p.location.body->section->A > 0.0)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, p.loc, object,
                                "rigid body '%s' has no volume; give it a shape, or use heat_flow",
                                p.location.body->name);
        }
        p.inside = true;
        double s[GOS_FAMILIES] = {p.location.body->section->A};
        GOS_TRY(gos__heat_input(&e, &p, &input, s));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_source = {
    .section = "heat",
    .name = "source",
    .doc = "Volumetric heat source in a body.",
    .params = params,
    .size = sizeof(source),
    .example = "current: {type: source, value: \"2.0e5*(t<10)\", on: rod}",
    .ops = &ops,
};
