/* Heat flow: power into a section, uniform over it, so only the mean temperature receives heat. */
#include "heat/heat.h"

typedef struct flow {
    gos_texts on;
    gos_timefn *value;
} flow;

static const gos_param params[] = {
    GOS_HEAT_ON(flow, "heated ends (rod.end), nodes (rod.node(3)), points (rod.at(0.5)) or rigid "
                      "bodies with a temperature; each receives the full value"),
    {.name = "value",
     .kind = GOS_K_TIMEFN,
     .unit = "W",
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(flow, value),
     .doc = "power into the body"},
    {.name = NULL},
};

static const gos_input_def input = {.fn = 0, .unit = "W", .kind = GOS_INPUT_HEAT};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    flow in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    GOS_TRY(gos__heat_fns(&e, 1, &in.value));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY | GOS_ON_END | GOS_ON_POINT, &p));
        if (p.where == GOS_ON_BODY && !gos__heat_lumped(p.location.body)) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, p.loc, object,
                "'%s' is a whole body, which this type does not support; specify %s, or use source",
                p.text, gos__heat_points(&e, p.location.body));
        }
        double s[GOS_FAMILIES] = {1.0};
        GOS_TRY(gos__heat_input(&e, &p, &input, s));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_flow = {
    .section = "heat",
    .name = "heat_flow",
    .doc = "Given power into an end or a point of a body.",
    .params = params,
    .size = sizeof(flow),
    .example = "heater: {type: heat_flow, value: 12, on: rod.start}",
    .ops = &ops,
};
