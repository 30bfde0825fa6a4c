/* Flux: absorbed from a fixed direction (directed.c), or entering a face, end or outline regardless
   of orientation. */
#include "heat/heat.h"

typedef struct flux {
    gos_texts on;
    gos_timefn *value;
    gos_timefn *direction[3];
    double absorptivity;
    double smoothing;
} flux;

static const gos_param params[] = {
    GOS_HEAT_ON(flux, "heated bodies (both sides of a plate), faces (rod.top) or ends (rod.end)"),
    GOS_HEAT_VALUE(
        flux, "W/m^2",
        "power per area: normal to the direction if one is given, else entering the surface"),
    GOS_HEAT_DIRECTION(flux, direction, 0,
                       "direction of travel in space (normalised); default: the value enters the "
                       "surface regardless of orientation"),
    GOS_HEAT_PART(flux, absorptivity,
                  "absorbed part of a directed flux; default: the material's absorptivity"),
    GOS_HEAT_SMOOTHING(
        flux, "smooths the incidence factor c = cosine of the incidence angle: e > 0 replaces |c| "
              "by sqrt(c^2 + e^2), which rounds the kink when a face is edge-on and adds at most "
              "e times the value there; up to 1e-4 is harmless"),
    {.name = NULL},
};

static const gos_input_def input = {.fn = 0, .unit = "W/m^2", .kind = GOS_INPUT_HEAT};

static gos_status attach_fixed(const gos_heat_entry *e, const gos_heat_location *p) {
    const gos_section_point *pt = NULL;
    int n = 0;
    double s[GOS_FAMILIES];
    GOS_TRY(gos__heat_patch(e, p, &pt, &n));
    gos__heat_moments(pt, n, p->location.body->nfam, s);
    return gos__heat_input(e, p, &input, s);
}

static gos_status check_direction(const gos_heat_entry *e, const flux *in, bool directed) {
    static const char *const needs[] = {"absorptivity", "smoothing"};
    for (int i = 0; !directed && i < GOS_COUNT(needs); i++) {
        if (gos__node_given(e->node, needs[i])) {
            return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, needs[i]), e->object,
                                "%s requires a flux with a direction; remove it or give direction",
                                needs[i]);
        }
    }
    return directed ? gos__heat_direction(e, "direction", in->direction) : GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    flux in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    bool directed = gos__node_given(entry, "direction") != NULL;
    gos_timefn *fn[4] = {in.value, in.direction[0], in.direction[1], in.direction[2]};
    GOS_TRY(gos__heat_fns(&e, directed ? 4 : 1, fn));
    GOS_TRY(check_direction(&e, &in, directed));

    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        if (!directed) {
            GOS_TRY(attach_fixed(&e, &p));
            continue;
        }
        gos_heat_light light = {
            .direction = 1, .nfactor = 1, .input = &input, .smoothing = in.smoothing};
        light.absorbed = in.absorptivity;
        if (!gos__node_given(entry, "absorptivity")) {
            GOS_TRY(gos__heat_property(&e, &p, offsetof(gos_material, absorptivity), "absorptivity",
                                       &light.absorbed));
        }
        GOS_TRY(gos__heat_directed(&e, &p, &light));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_flux = {
    .section = "heat",
    .name = "flux",
    .doc = "Heat flux, absorbed by orientation, or entering a face.",
    .params = params,
    .size = sizeof(flux),
    .example = "sun: {type: flux, value: 1361, direction: [0, -1, 0], on: rod}",
    .ops = &ops,
};
