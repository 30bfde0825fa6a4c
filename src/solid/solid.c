/* Body type solid: solid elements in absolute nodal positions, temperatures at the same nodes.
 * Arbitrary motion, Green-Lagrange strain. */
#include "solid/solid.h"

#include "base/base.h"
#include "bodies/body.h"
#include "floating/hex_layers.h"
#include "deck/body_deck.h"
#include "floating/mesh_surface.h"
#include "parts/entry_counts.h"
#include "math/vec3.h"

typedef struct solid_def {
    const char *material, *mesh;
    const gos_node *parts;
    double position[3], rotation[3];
    int temperature; // 0 auto, 1 on, 2 off
    int deck_loads, deck_supports;
} solid_def;

typedef struct part_def {
    const char *cells, *material;
} part_def;

static const gos_param part_params[] = {{.name = "cells",
                                         .kind = GOS_K_TEXT,
                                         .unit = "",
                                         .flags = GOS_P_REQUIRED,
                                         .offset = offsetof(part_def, cells),
                                         .doc = "set of cells"},
                                        GOS_BODY_MATERIAL(part_def, material),
                                        {0}};

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const solid_def *def;
    const gos_mesh *mesh;
    gos_solid *c;
    int *part_of; // (ncell) part of each cell, -1: none yet
} making;

/* ---- parts ----------------------------------------------------------------------------------- */

static gos_status refuse(const making *k, gos_loc loc, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object, "%s", why);
}

static gos_status make_law(const making *k, const gos_material *m, const char *name, gos_loc loc,
                           gos_solid_part *to) {
    to->material = m;
    if (!gos__solid_law_make(m, &to->par)) {
        const double least = 2 * (1 + (m->over[1] ? 0.5 : m->poisson)) / 3 * m->gamma_s;
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object,
                            "the damping of material '%s' would amplify volume changes; give it "
                            "`normal` of at least 2 (1 + nu)/3 times `shear`, here %g s (nu: 1/2 "
                            "if it depends on the temperature)",
                            name, least);
    }
    return GOS_OK;
}

static gos_status take_material(const making *k, const char *name, gos_loc loc,
                                gos_solid_part *to) {
    const gos_material *m = gos__find_material(k->b, name);
    return m ? make_law(k, m, name, loc, to) : GOS_E_INPUT; // already reported
}

static gos_status take_part(const making *k, const gos_node *at, int part) {
    part_def d = {0};
    if (at->kind != GOS_MAP) {
        return refuse(k, at->loc, "a part is a map, {cells: SET, material: NAME}");
    }
    GOS_TRY(gos__fill(k->b->model, at, part_params, k->object, k->b->arena, &d));
    const gos_loc loc = gos__key_loc(at, "cells");
    const gos_mesh_set *set = gos__mesh_cell_set(k->mesh, d.cells);
    if (!set) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, loc, k->object,
            "mesh '%s' has no set of cells '%s'; use one of its sets, or add it to its `sets`",
            k->def->mesh, d.cells);
    }
    for (int i = 0; i < set->n; i++) {
        int *of = &k->part_of[set->item[i]];
        if (*of >= 0) {
            return gos__fail_at(
                k->b->ctx, GOS_E_INPUT, loc, k->object,
                "element %lld is already in an earlier part; use each in one part only",
                (long long)gos__mesh_cell_tag(k->mesh, set->item[i]));
        }
        *of = part;
    }
    return take_material(k, d.material, gos__key_loc(at, "material"), &k->c->part[part]);
}

/* Cells in no part get the body's material. */
static gos_status take_rest(const making *k) {
    gos_solid *c = k->c;
    int rest = -1;
    for (int i = 0; i < k->mesh->nblock; i++) {
        const gos_cell_block *block = &k->mesh->block[i];
        const bool solid = gos__cell_kind[block->shape].dim == 3;
        for (int j = block->first; solid && j < block->first + block->n; j++) {
            if (k->part_of[j] < 0) {
                rest = rest < 0 ? j : rest;
                k->part_of[j] = c->npart;
            }
        }
    }
    if (rest >= 0 && !k->def->material) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->entry->loc, k->object,
                            "element %lld of mesh '%s' has no material; give one for the body, or "
                            "for a part containing it",
                            (long long)gos__mesh_cell_tag(k->mesh, rest), k->def->mesh);
    }
    return rest < 0 ? GOS_OK
                    : take_material(k, k->def->material, gos__key_loc(k->entry, "material"),
                                    &c->part[c->npart++]);
}

/* Part of a deck section; its stiffness damping becomes Kelvin-Voigt damping with one factor. */
static gos_status take_deck_part(const making *k, const gos_fe_part *from,
                                 const gos_deck_parts *parts, int part) {
    const double *damping = parts->damping;
    const gos_deck *deck = k->mesh->deck;
    const gos_deck_section *s = &deck->section[deck->cell_section[from->cell[0]]];
    const gos_deck_material *m = &deck->material[s->material];
    gos_material *own = GOS_NEW(k->b->arena, gos_material, 1);
    if (!own) {
        return GOS_E_MEMORY;
    }
    int at;
    const bool wedge = gos__mesh_cell(k->mesh, from->cell[0], &at)->shape == GOS_CELL_WEDGE6;
    if (wedge) {
        gos__note(k->b->ctx, k->object,
                  "wedges C3D6 of the deck use six integration points here; CalculiX and Abaqus "
                  "use two and are softer");
    }
    if (!wedge && strcmp(from->element->name, "solid") != 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, s->loc, k->object,
                            "cells of this section have the element type '%s', which bodies of "
                            "type solid do not support; give a `material` of the model to use full "
                            "integration, or make the body `floating`",
                            from->element->name);
    }
    if (!gos__deck_isotropic(m) || damping[0] != 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, m->loc, k->object,
                            "material '%s' of the deck is %s; bodies of type solid support "
                            "isotropic materials with BETA damping only",
                            m->name,
                            damping[0] != 0 ? "damped in proportion to mass" : "not isotropic");
    }
    gos__mesh_deck_material(from->material, own);
    GOS_TRY(gos__mesh_deck_tables(k->b, m, parts->temperature, k->object, own));
    own->name = m->name;
    own->gamma_n = own->gamma_s = damping[1];
    for (int i = 0; i < from->n; i++) {
        k->part_of[from->cell[i]] = part;
    }
    return make_law(k, own, m->name, m->loc, &k->c->part[part]);
}

static gos_status refuse_ties(const making *k) {
    const gos_deck *d = k->mesh->deck;
    const gos_loc at = d->nequation > 0   ? d->equation[0].loc
                       : d->ncoupling > 0 ? d->coupling[0].loc
                       : d->ntie > 0      ? d->tie[0].loc
                                          : (gos_loc){0};
    if (d->nfibre > 0) {
        return refuse(k, (gos_loc){0},
                      "bodies of type solid do not support shells S6, S8 and S8R, whose nodes "
                      "follow those of solids; make the body `floating`");
    }
    return gos__deck_is_tied(d) ? refuse(k, at,
                                         "bodies of type solid do not support constraints of decks "
                                         "(*EQUATION, *COUPLING, *RIGID BODY, *TIE); make the body "
                                         "`floating`, or remove them and use joints instead")
                                : GOS_OK;
}

static gos_status take_deck(making *k) {
    gos_deck_given given = {.loc = k->entry->loc, .object = k->object, .current = true};
    gos_deck_parts parts;
    GOS_TRY(refuse_ties(k));
    gos__mesh_deck_needs(k->b, k->mesh->deck, k->entry->key, k->def->deck_loads, false, &given);
    given.no_elastic = false;
    GOS_TRY(gos__deck_parts(k->b->ctx, k->b->arena, k->mesh->deck, &given, &parts));
    GOS_TRY(gos__mesh_deck_lacks(k->b, &parts, k->object));
    k->c->part = GOS_NEW(k->b->arena, gos_solid_part, parts.n + 1);
    if (!k->c->part) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < parts.n; i++) {
        if (parts.part[i].element->dim == 3) {
            GOS_TRY(take_deck_part(k, &parts.part[i], &parts, k->c->npart));
            k->c->npart++;
        }
    }
    return GOS_OK;
}

static gos_status take_list(making *k) {
    const gos_node *list = k->def->parts;
    if (list && (list->kind != GOS_LIST || list->n == 0)) {
        return refuse(k, gos__key_loc(k->entry, "parts"),
                      "parts must be a list, [{cells: SET, material: NAME}, ...]");
    }
    k->c->part = GOS_NEW(k->b->arena, gos_solid_part, (list ? list->n : 0) + 1);
    if (!k->c->part) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *at = list ? list->child : NULL; at; at = at->next) {
        GOS_TRY(take_part(k, at, k->c->npart++));
    }
    return take_rest(k);
}

static gos_status take_parts(making *k) {
    const bool deck = k->mesh->deck && !k->def->parts && !k->def->material;
    k->part_of = GOS_NEW(k->b->arena, int, k->mesh->ncell + 1);
    if (!k->part_of) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < k->mesh->ncell; i++) {
        k->part_of[i] = -1;
    }
    GOS_TRY(deck ? take_deck(k) : take_list(k));
    if (k->mesh->deck) {
        const gos_mesh_deck_user user = {
            .mesh = k->mesh, .loc = k->entry->loc, .object = k->object};
        gos__mesh_deck_untied(k->b, &user);
        gos__mesh_deck_thin(k->b, &user);
    }
    return k->c->npart > 0
               ? GOS_OK
               : refuse(
                     k, gos__key_loc(k->entry, "mesh"),
                     "the mesh has no solid cells; use one with hexahedra, tetrahedra or wedges");
}

/* ---- heat and coordinates -------------------------------------------------------------------- */

static gos_status take_materials(const making *k, gos_body *body) {
    const gos_solid *c = k->c;
    const gos_material **list = GOS_NEW(k->b->arena, const gos_material *, c->npart);
    if (!list) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < c->npart; i++) {
        list[i] = c->part[i].material;
    }
    body->material = list[0];
    body->materials = list;
    body->nmaterial = c->npart;
    body->law_par = &c->part[0].par;
    return GOS_OK;
}

static void set_heat(gos_builder *b, const gos_body *body, const char *object, gos_solid *c) {
    bool varies = false;
    for (int i = 0; i < c->npart; i++) {
        varies = varies || gos__material_varies(c->part[i].material);
    }
    if (varies && !body->nfam) {
        gos__note(b->ctx, object,
                  "the body has no temperatures: temperature-dependent properties use their values "
                  "at the reference temperature");
    }
    for (int i = 0; i < c->npart; i++) {
        c->part[i].par.T0 = b->gough_joule && body->nfam ? b->T_ref : 0;
        c->part[i].par.viscous = b->viscous_heating && body->nfam ? 1 : 0;
    }
}

static gos_status add_nodes(gos_builder *b, gos_body *body, gos_solid *c) {
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
    GOS_TRY(gos__solid_touches(b, c));
    GOS_TRY(gos__solid_turns(b, c, body->v0, &body->turn));
    return (b->stress || b->strain) && c->npart > 1 ? gos__solid_split(b, c, body, cell) : GOS_OK;
}

static gos_status check_deck_loads(const making *k) {
    const gos_deck *d = k->mesh->deck;
    for (int i = 0; i < d->nload; i++) {
        const gos_deck_load_kind kind = d->load[i].kind;
        if (kind == GOS_DECK_GRAVITY || kind == GOS_DECK_CENTRIFUGAL) {
            return refuse(k, d->load[i].loc,
                          "bodies of type solid do not support *DLOAD with GRAV or CENTRIF; "
                          "remove it, and use `gravity` of the model, or an initial angular "
                          "velocity of the body");
        }
        if (kind == GOS_DECK_PRESSURE) {
            return refuse(k, d->load[i].loc,
                          "bodies of type solid do not support pressure from decks; make the body "
                          "`floating`, or give the model a `force` on the surface");
        }
    }
    return GOS_OK;
}

/* Applies loads and supports of the deck, or reports that they are ignored. */
static gos_status take_deck_loads(const making *k, const gos_body *body) {
    double axis[3][3];
    const solid_def *def = k->def;
    const gos_mesh_deck_user user = {
        .mesh = k->mesh,
        .body = body->name,
        .loc = k->entry->loc,
        .object = k->object,
        .axis = axis,
        .warm = body->nfam > 0,
        .loads = def->deck_loads,
        .heated = gos__mesh_deck_heated(k->b, body->name),
        .supports = def->deck_supports ? NULL : "`deck_supports: true` applies them"};
    if (!k->mesh->deck) {
        const char *key = def->deck_loads ? "deck_loads" : "deck_supports";
        return def->deck_loads || def->deck_supports
                   ? refuse(k, gos__key_loc(k->entry, key), "its mesh is not a deck; remove it")
                   : GOS_OK;
    }
    gos__rotated_axes(def->rotation, axis);
    gos__mesh_deck_left(k->b, &user);
    GOS_TRY(def->deck_supports ? gos__mesh_deck_supports(k->b, &user) : GOS_OK);
    if (def->deck_loads) {
        gos__mesh_deck_step(k->b, &user);
    }
    GOS_TRY(def->deck_loads ? check_deck_loads(k) : GOS_OK);
    return def->deck_loads ? gos__mesh_deck_loads(k->b, &user) : GOS_OK;
}

static const gos_param params[] = {
    {.name = "material",
     .kind = GOS_K_NAME,
     .unit = "",
     .offset = offsetof(solid_def, material),
     .choices = "materials",
     .doc = "material of all cells, or of those in none of its parts; default without `parts`: "
            "the materials of the deck, if the mesh is a deck"},
    {.name = "parts",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(solid_def, parts),
     .doc = "for several materials, [{cells: SET, material: NAME}, ...]; each cell may be in one "
            "part only"},
    {.name = "mesh",
     .kind = GOS_K_NAME,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(solid_def, mesh),
     .choices = "meshes",
     .doc = "mesh whose solid cells (hexahedra, tetrahedra, wedges) are its elements; cells "
            "without mid-edge nodes are much too stiff in bending unless they are small. Joints, "
            "loads, heat and probes refer to BODY.node(k) with its number in the mesh, "
            "BODY.at(x,y,z), or BODY.NAME of a set or surface: a clamp locks each node of a set; "
            "all other entries act on their mean, area-weighted for surfaces"},
    {.name = "position",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(solid_def, position),
     .doc = "position of the mesh origin at t = 0"},
    {.name = "rotation_vector",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(solid_def, rotation),
     .doc = "rotation of the mesh about its origin at t = 0 (axis times angle)"},
    GOS_BODY_TEMPERATURE(solid_def, temperature),
    {.name = "deck_loads",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(solid_def, deck_loads),
     .doc = "apply heat and forces of the first step of the mesh's deck as entries of the model "
            "(docs/finite-elements.md)"},
    {.name = "deck_supports",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(solid_def, deck_supports),
     .doc = "apply the supports of the mesh's deck (*BOUNDARY), including moving ones, as joints "
            "between the ground and its nodes (docs/finite-elements.md)"},
    {0},
};

static gos_status check_layers(const making *k, gos_loc loc) {
    double *poisson = GOS_NEW(k->b->arena, double, k->mesh->ncell + 1);
    GOS_TRY(poisson ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->mesh->ncell; i++) {
        const int part = k->part_of ? k->part_of[i] : 0;
        poisson[i] = part >= 0 ? k->c->part[part].material->poisson : 1;
    }
    return gos__hex_layers(k->b, loc, k->object, k->mesh, poisson);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    solid_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, params, object, b->arena, &d));
    gos_solid *c = GOS_NEW(b->arena, gos_solid, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->loc,
                     .ops = &gos__solid_ops,
                     .rigid_item = -1,
                     .par = c,
                     .law = &gos__solid_law,
                     .current = true};
    const gos_mesh *mesh = gos__find_mesh(b, d.mesh);
    const gos_loc loc = gos__key_loc(entry, "mesh");
    if (!c || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!mesh) {
        return GOS_E_INPUT; // already reported
    }
    making k = {.b = b, .entry = entry, .object = object, .def = &d, .mesh = mesh, .c = c};
    GOS_TRY(take_parts(&k));
    GOS_TRY(take_materials(&k, &body));
    GOS_TRY(gos__mesh_skin_section(b->arena, false, &body.section));
    GOS_TRY(gos__body_heat(b, entry, object, d.temperature, &body));
    set_heat(b, &body, object, c);
    GOS_TRY(take_deck_loads(&k, &body));
    GOS_TRY(gos__take_room(b, 3, mesh->nnode, (double)mesh->nnode * body.nfam, loc, object));
    GOS_TRY(gos__solid_mesh(b, mesh, k.part_of, d.position, d.rotation, loc, object, c));
    GOS_TRY(check_layers(&k, loc));
    GOS_TRY(add_nodes(b, &body, c));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(gos__solid_add_points(b, added));
    return gos__solid_add_heat(b, added, object);
}

static gos_status count(gos_builder *b, const gos_node *entry, const char *object) {
    int dim;
    const double nodes = gos__entry_mesh_nodes(b, entry, &dim);
    const gos_loc loc = gos__key_loc(entry, "mesh");
    GOS_TRY(gos__check_room(b, nodes, 0, loc, object));
    return gos__check_memory(b, gos__least_memory(3, 3 * nodes), loc, object);
}

static const gos_build_ops ops = {.build = build, .count = count};

const gos_type gos__body_solid = {
    .section = "bodies",
    .name = "solid",
    .doc = "Solid finite elements with large motion and deformation: nodal positions of a mesh; "
           "Saint Venant-Kirchhoff material with thermal strain and Kelvin-Voigt damping; "
           "temperatures at the same nodes.",
    .params = params,
    .size = sizeof(solid_def),
    .example = "block: {type: solid, material: rubber, mesh: brick}",
    .ops = &ops,
};
