/* Material type laminate: a stack of plies of other materials. */
#include "parts/builder.h"

#include <math.h>

#define TURN (2 * 3.14159265358979323846)
#define MAX_PLIES 1000

typedef struct input {
    gos_material m;
    const char *material;
    double thickness, offset;
    int symmetric;
    const gos_node *plies;
} input;

typedef struct ply_input {
    const char *material;
    double thickness, angle;
} ply_input;

#define MATERIAL(st, doc_)                                                                         \
    {                                                                                              \
        .name = "material", .kind = GOS_K_NAME, .unit = "", .choices = "materials",                \
        .offset = offsetof(st, material), .doc = doc_                                              \
    }
#define THICKNESS(st, doc_)                                                                        \
    {                                                                                              \
        .name = "thickness", .kind = GOS_K_NUMBER, .unit = "m", .lo = 0.0, .hi = HUGE_VAL,         \
        .def = "0", .offset = offsetof(st, thickness), .doc = doc_                                 \
    }
#define PART(key, def_, doc_)                                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = "-", .lo = 0.0, .hi = 1.0, .def = def_,        \
        .offset = offsetof(input, m.key), .doc = doc_                                              \
    }

static const gos_param ply_params[] = {
    MATERIAL(ply_input, "of the ply"),
    THICKNESS(ply_input, "of the ply"),
    {.name = "angle",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(ply_input, angle),
     .doc = "angle of axis 1 of its material from the body's `direction`, about the normal"},
    {.name = NULL},
};

static const gos_param params[] = {
    {.name = "plies",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(input, plies),
     .doc = "plies from the lower to the upper face, towards which the normals point: [{material: "
            "NAME, thickness: [m], angle: [rad]}, ...]; a single number or expression is the "
            "angle of a ply, deg(45)"},
    MATERIAL(input, "material of plies without one: isotropic or orthotropic"),
    THICKNESS(input, "thickness of plies without one"),
    {.name = "symmetric",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(input, symmetric),
     .doc =
         "repeat the plies in reverse order: `plies` is one half of the stack, up to its middle"},
    {.name = "offset",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(input, offset),
     .doc = "offset of the laminate's middle from the surface of the mesh, along its normals; an "
            "ancf_plate whose centre of mass is off the surface has nodal normals as coordinates "
            "and cannot be reduced"},
    PART(absorptivity, "1", "absorbed fraction of a directed flux on its faces"),
    PART(emissivity, "0", "thermal emission of its faces relative to a black body"),
    {.name = NULL},
};

const gos_type gos__material_laminate = {
    .section = "materials",
    .name = "laminate",
    .doc = "Stack of plies (laminate or sandwich) for shells of mesh-based floating bodies "
           "(`element: shell`) and for `ancf_plate`; defines their thickness.",
    .params = params,
    .size = sizeof(input),
    .example = "panel: {type: laminate, plies: [{material: rubber, thickness: 1.0e-3}, {material: "
               "rubber, thickness: 8.0e-3}], symmetric: true}",
};

static gos_status refuse(gos_model *m, gos_loc loc, const char *object, const char *why) {
    return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object, "%s", why);
}

static gos_status take_ply(gos_model *m, const gos_node *node, const input *all, const char *object,
                           gos_arena *a, gos_laminate_ply *to) {
    ply_input in = {0};
    if (node->kind == GOS_SCALAR) {
        GOS_TRY(gos__quantity(m, node->text, node->loc, object, &(gos_measure){.unit = "rad"},
                              &in.angle));
    } else if (node->kind == GOS_MAP) {
        GOS_TRY(gos__fill(m, node, ply_params, object, a, &in));
    } else {
        return refuse(
            m, node->loc, object,
            "a ply must be an angle, or a map {material: NAME, thickness: [m], angle: [rad]}");
    }
    to->name = in.material ? in.material : all->material;
    to->thickness = in.thickness > 0 ? in.thickness : all->thickness;
    to->angle = in.angle;
    if (!to->name || !(to->thickness > 0)) {
        return refuse(m, node->loc, object,
                      to->name ? "the ply has no thickness; give one, or `thickness` for all plies"
                               : "the ply has no material; give one, or `material` for all plies");
    }
    if (!(fabs(to->angle) <= TURN)) {
        return refuse(
            m, node->loc, object,
            "the angle of a ply is in radians, at most one turn; write deg(45) for 45 degrees");
    }
    return GOS_OK;
}

gos_status gos__laminate_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material *mat) {
    input in;
    memset(&in, 0, sizeof in);
    GOS_TRY(gos__fill(m, entry, params, object, a, &in));
    const gos_node *list = in.plies;
    const gos_loc loc = gos__key_loc(entry, "plies");
    if (list->kind != GOS_LIST || list->n == 0 || list->n > MAX_PLIES) {
        return refuse(
            m, loc, object,
            list->kind == GOS_LIST && list->n > 0
                ? "more than 1000 plies; merge identical ones"
                : "plies must be a list, [{material: NAME, thickness: [m], angle: [rad]}, "
                  "...]");
    }
    gos_laminate *l = GOS_NEW(a, gos_laminate, 1);
    gos_laminate_ply *ply = GOS_NEW(a, gos_laminate_ply, 2 * list->n);
    GOS_TRY(l && ply ? GOS_OK : GOS_E_MEMORY);
    *l = (gos_laminate){.ply = ply, .offset = in.offset};
    for (const gos_node *c = list->child; c; c = c->next) {
        GOS_TRY(take_ply(m, c, &in, object, a, &ply[l->n]));
        l->n++;
    }
    for (int k = l->n - 1; k >= 0 && in.symmetric; k--) {
        ply[l->n++] = ply[k];
    }
    for (int k = 0; k < l->n; k++) {
        l->thickness += ply[k].thickness;
    }
    in.m.kind = GOS_MATERIAL_LAMINATE;
    in.m.laminate = l;
    *mat = in.m;
    return GOS_OK;
}

/* Mean properties, for the body's mass, expansion and thermal checks. */
static void add_means(const gos_material *p, double part, gos_material *mat) {
    mat->density += part * p->density;
    mat->young += part * p->young;
    mat->poisson += part * p->poisson;
    mat->expansion = mat->expansion != 0 ? mat->expansion
                     : p->expansion != 0 ? p->expansion
                                         : p->expansion2;
}

gos_status gos__laminate_finish(gos_builder *b, const gos_node *entry, const char *object) {
    gos_material *mat = (gos_material *)(uintptr_t)gos__find_material(b, entry->key);
    const gos_laminate *l = mat ? mat->laminate : NULL;
    for (int k = 0; l && k < l->n; k++) {
        const gos_material *p = gos__find_material(b, l->ply[k].name);
        if (!p) {
            return GOS_E_INPUT; // already reported
        }
        if (p->kind == GOS_MATERIAL_LAMINATE) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "plies"), object,
                                "ply %d, '%s', is itself a laminate; list its plies instead", k + 1,
                                p->name);
        }
        l->ply[k].material = p;
        add_means(p, l->ply[k].thickness / l->thickness, mat);
    }
    return GOS_OK;
}
