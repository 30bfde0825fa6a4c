/* template: one line on the body, then the formulation and the equations with their source.
   The template is a point mass: one vector coordinate r, mass m, no strain, no temperature. For
   elements with strains and temperatures see cable.c, for rotating axes see rigid.c. */
#include <math.h>

#include "bodies/template.h"
#include "parts/builder.h"

/* filled from the table below */
typedef struct definition {
    double mass;        // [kg]
    double position[3]; // at t = 0 [m]
    double velocity[3]; // at t = 0 [m/s]
} definition;

static const gos_param params[] = {{.name = "mass",
                                    .kind = GOS_K_NUMBER,
                                    .unit = "kg",
                                    .lo = 0.0,
                                    .hi = HUGE_VAL,
                                    .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
                                    .offset = offsetof(definition, mass),
                                    .doc = "mass"},
                                   {.name = "position",
                                    .kind = GOS_K_VECTOR,
                                    .unit = "m",
                                    .shape = 3,
                                    .lo = -HUGE_VAL,
                                    .hi = HUGE_VAL,
                                    .def = "[0, 0, 0]",
                                    .offset = offsetof(definition, position),
                                    .doc = "position at t = 0"},
                                   {.name = "velocity",
                                    .kind = GOS_K_VECTOR,
                                    .unit = "m/s",
                                    .shape = 3,
                                    .lo = -HUGE_VAL,
                                    .hi = HUGE_VAL,
                                    .def = "[0, 0, 0]",
                                    .offset = offsetof(definition, velocity),
                                    .doc = "velocity at t = 0, global axes"},
                                   {0}};

/* data kept after building */
typedef struct data {
    double position[3]; // at t = 0 [m]
} data;

/* ---- attachment points ----------------------------------------------------------------------- */

/* resolves "BODY.REF" of a model */
static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *place) {
    const data *d = b->par;
    if (strcmp(ref, "node") != 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no point '%s'; it only has 'node'", b->name, ref);
    }
    *place = (gos_location){.body = b, .node = 0, .face = -1};
    memcpy(place->x, d->position, sizeof place->x);
    return GOS_OK;
}

static gos_status position(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *m) {
    GOS_UNUSED(p);
    const double one = 1.0;
    return gos__marker_make(a, 1, &b->v0, &one, NULL, m);
}

// no .direction: no rotation; no .temperature: no heat
static const gos_body_ops body_ops = {.locate = locate, .position = position};

/* ---- building -------------------------------------------------------------------------------- */

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    definition def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    data *d = GOS_NEW(b->arena, data, 1);
    int *node_v = GOS_NEW(b->arena, int, 1);
    char *own_name = gos__arena_strdup(b->arena, name);
    if (!d || !node_v || !own_name) {
        return GOS_E_MEMORY;
    }
    memcpy(d->position, def.position, sizeof d->position);

    // coordinates with their initial values and rates, and the mass matrix
    int v0;
    GOS_TRY(gos__add_vectors(b, 1, def.position, 1.0, &v0));
    memcpy(b->v0[v0], def.velocity, sizeof def.velocity);
    GOS_TRY(gos__add_symmetric(b, &b->mass, v0, v0, def.mass));

    *node_v = v0;
    gos_body body = {.name = own_name,
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &body_ops,
                     .par = d,
                     .v0 = v0,
                     .nv = 1,
                     .nnode = 1,
                     .node_v = node_v,
                     .rigid_item = -1};
    return gos__add_body(b, &body, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_template = {.section = "bodies",
                                     .name = "template",
                                     .doc = "one line for the reference",
                                     .params = params,
                                     .size = sizeof(definition),
                                     .example =
                                         "ball: {type: template, mass: 2, position: [0, 0, 1]}",
                                     .ops = &ops};
