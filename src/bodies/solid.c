/* Body type solid: a mesh of solid elements in absolute nodal positions, one vector coordinate a node, and temperatures at
   the same nodes. Any rotation and displacement; the strain is that of Green and Lagrange, the law is in
   kernel_solid.c, points in solid_points.c, places in solid_place.c. */
#include "bodies/solid.h"

#include "bodies/body.h"
#include "bodies/mesh_surface.h"

typedef struct solid_def {
    const char *material, *mesh;
    double position[3], rotation[3];
    int temperature; // 0 auto, 1 on, 2 off
} solid_def;

static gos_status make_law(const gos_builder *b, const gos_node *entry, const char *object,
                           const gos_body *body, gos_solid *c) {
    const gos_material *m = body->material;
    if (!gos__solid_law_make(m, &c->par)) {
        const double least = 2 * (1 + m->poisson) / 3 * m->gamma_s;
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "material"), object,
                            "the damping of this material would feed changes of volume; give it "
                            "`normal` of at least 2 (1 + nu)/3 times `shear`, here %g s",
                            least);
    }
    c->par.T0 = b->gough_joule && body->nfam ? b->T_ref : 0;
    c->par.viscous = b->viscous_heating && body->nfam ? 1 : 0;
    return GOS_OK;
}

static gos_status add_nodes(gos_builder *b, gos_body *body, const gos_solid *c) {
    const int nn = c->nnode;
    int *idx = GOS_NEW(b->arena, int, 2 * nn), *cell;
    if (!idx) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__add_vectors(b, nn, c->x[0], 1, &body->v0));
    body->nv = body->nnode = nn;
    if (body->nfam) {
        GOS_TRY(gos__add_temperatures(b, nn, &body->t0));
        body->nt = nn;
    }
    for (int i = 0; i < nn; i++) {
        idx[i] = body->v0 + i;
        idx[nn + i] = body->t0 + i;
        if (body->nfam) {
            b->tmean[body->t0 + i] = 1;
        }
    }
    body->node_v = idx;
    body->node_t = body->nfam ? idx + nn : NULL;
    body->cell_size = 4;
    GOS_TRY(gos__solid_skin(b->arena, c, &body->ncell, &cell));
    body->cell = cell;
    return GOS_OK;
}

static const gos_param params[] = {
    GOS_BODY_MATERIAL(solid_def, material),
    {.name = "mesh",
     .kind = GOS_K_NAME,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(solid_def, mesh),
     .choices = "meshes",
     .doc =
         "mesh whose solid cells (hexahedra, tetrahedra, wedges) are its elements; those without "
         "nodes in the middle of their edges are much too stiff in bending unless they are "
         "small. Joints, loads, heat and probes say BODY.node(k) with its number in the mesh, "
         "BODY.at(x,y,z), and BODY.NAME of a set or surface: a clamp holds each of its nodes, all "
         "else acts on their mean, of surfaces by area"},
    {.name = "position",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(solid_def, position),
     .doc = "where the origin of the mesh is at t = 0"},
    {.name = "rotation_vector",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(solid_def, rotation),
     .doc = "rotation of the mesh about its origin at t = 0 (axis times angle)"},
    GOS_BODY_TEMPERATURE(solid_def, temperature),
    {0},
};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    solid_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, params, object, b->arena, &d));
    gos_solid *c = GOS_NEW(b->arena, gos_solid, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->loc,
                     .ops = &gos__solid_ops,
                     .material = gos__find_material(b, d.material),
                     .rigid_item = -1,
                     .par = c,
                     .law = &gos__solid_law};
    const gos_mesh *mesh = gos__find_mesh(b, d.mesh);
    const gos_loc loc = gos__key_loc(entry, "mesh");
    if (!c || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!body.material || !mesh) {
        return GOS_E_INPUT; // recorded when they were read
    }
    body.law_par = &c->par;
    GOS_TRY(gos__mesh_skin_section(b->arena, &body.section));
    GOS_TRY(gos__body_heat(b, entry, object, d.temperature, &body));
    GOS_TRY(make_law(b, entry, object, &body, c));
    GOS_TRY(gos__check_room(b, mesh->nnode, (double)mesh->nnode * body.nfam, loc, object));
    GOS_TRY(gos__solid_mesh(b, mesh, d.position, d.rotation, loc, object, c));
    GOS_TRY(add_nodes(b, &body, c));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    return gos__solid_add_points(b, added);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_solid = {
    .section = "bodies",
    .name = "solid",
    .doc =
        "Solid of finite elements with large motion and deformation: positions of the nodes of a "
        "mesh; Saint Venant-Kirchhoff material with thermal strain and Kelvin-Voigt damping; "
        "temperatures at the same nodes.",
    .params = params,
    .size = sizeof(solid_def),
    .example = "block: {type: solid, material: rubber, mesh: brick}",
    .ops = &ops,
};
