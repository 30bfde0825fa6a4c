/* Body type floating: finite elements on a mesh, in the axes of a frame that follows the body through any motion. At t = 0
   the axes of the mesh are turned by `rotation_vector`, and its origin, which is that of the frame, is at
   `position`. */
#include "bodies/floating_mesh.h"

#include <math.h>

#include "bodies/floating_def.h"
#include "bodies/floating_range.h"
#include "bodies/hex_layers.h"
#include "bodies/mesh_deck.h"
#include "bodies/mesh_coupling.h"
#include "bodies/mesh_hold.h"
#include "bodies/mesh_loads.h"
#include "bodies/mesh_picture.h"
#include "bodies/mesh_piezo.h"
#include "bodies/mesh_stress.h"
#include "fe/mesh_body.h"
#include "parts/vec3.h"

typedef struct mesh_def {
    const char *mesh, *material, *element;
    double thickness;
    const gos_node *parts, *interfaces;
    double position[3], rotation_vector[3];
    const char *at, *chord_end;
    int temperature, deck_loads, deck_ties, at_rotations;
    double material_temperature;
    gos_floating_def floating;
} mesh_def;

typedef struct part_def {
    const char *cells, *material, *element;
    double thickness;
} part_def;

typedef struct floating_mesh {
    gos_floating_body f;
    gos_mesh_places places;
    gos_mesh_skin skin;
    gos_mesh_stress stress;
    gos_mesh_piezo piezo;
} floating_mesh;

#define FLOATING offsetof(mesh_def, floating)
#define TEXT(st, key, flags_, doc_)                                                                \
    {                                                                                              \
        .name = #key, .kind = GOS_K_TEXT, .unit = "", .flags = flags_,                             \
        .offset = offsetof(st, key), .doc = doc_                                                   \
    }
#define MATERIAL(st, doc_)                                                                         \
    {                                                                                              \
        .name = "material", .kind = GOS_K_NAME, .unit = "", .offset = offsetof(st, material),      \
        .choices = "materials", .doc = doc_                                                        \
    }
#define THICKNESS(st, doc_)                                                                        \
    {                                                                                              \
        .name = "thickness", .kind = GOS_K_NUMBER, .unit = "m", .lo = 0, .hi = HUGE_VAL,           \
        .def = "0", .offset = offsetof(st, thickness), .doc = doc_                                 \
    }
#define VECTOR(key, unit_, doc_)                                                                   \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = unit_, .shape = 3, .def = "[0, 0, 0]",         \
        .offset = offsetof(mesh_def, key), .doc = doc_                                             \
    }

static const gos_param params[] = {
    {.name = "mesh",
     .kind = GOS_K_NAME,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(mesh_def, mesh),
     .choices = "meshes",
     .doc = "mesh"},
    MATERIAL(mesh_def, "material of cells whose part names none; without it and `parts`: the "
                       "materials of the deck, where the "
                       "mesh is one"),
    TEXT(mesh_def, element, 0,
         "formulation of its cells (docs/finite-elements.md): plane_stress, plane_strain ... of "
         "surfaces, solid of solids; without: by the types of the deck's elements, or solid, where "
         "the mesh has solids"),
    THICKNESS(mesh_def, "of surfaces; 0: that of the deck's sections"),
    {.name = "parts",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(mesh_def, parts),
     .doc = "where it is not the same all over, [{cells: SET, material: NAME, element: NAME, "
            "thickness: [m]}, ...]: what is left out is that of the body, and each cell belongs to "
            "one part"},
    {.name = "interfaces",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(mesh_def, interfaces),
     .doc = "places that joints act on, {NAME: {of: SET, type: rigid|averaging, at: [x, y, z]}, "
            "...}: a rigid one (the default) moves as one piece about the point `at` (axes of the "
            "mesh; without, the mean of its nodes)"},
    VECTOR(position, "m", "of the mesh's origin at t = 0"),
    VECTOR(rotation_vector, "rad",
           "rotation of the mesh's axes from the global ones at t = 0 (axis times angle)"),
    {.name = "coupling",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "zeroth",
     .choices = "zeroth=0|first=1",
     .offset = FLOATING + offsetof(gos_floating_def, coupling),
     .doc = "first: stress of any origin (forces at joints and loads, motion of the frame, heat) "
            "stiffens or softens it, and it may buckle, by displacements of second order; zeroth: "
            "it does not, for rates and loads far below the first frequency and those of buckling"},
    GOS_FLOATING_REFERENCE(FLOATING, "mean_axis",
                           "what the frame follows: all nodes of the set `at`, which do not move "
                           "in it; the places `at` and `chord_end`; or all of the body, so that "
                           "deformation has no momentum to first order"),
    TEXT(mesh_def, at, 0,
         "set of nodes, or (chord) place, that the frame holds; without it a clamped frame holds "
         "on to the "
         "supports of the mesh's deck"),
    TEXT(mesh_def, chord_end, 0, "the chord's other end"),
    {.name = "at_rotations",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "held",
     .offset = offsetof(mesh_def, at_rotations),
     .choices = "held=0|free=1",
     .doc = "of the nodes of shells that a clamped frame holds: free, they turn in it, as on "
            "supports that hold places alone"},
    {.name = "temperature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(mesh_def, temperature),
     .choices = "auto|on|off",
     .doc = "temperatures of the nodes; auto: when the materials have conductivity and specific "
            "heat"},
    {.name = "material_temperature",
     .kind = GOS_K_NUMBER,
     .unit = "K",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(mesh_def, material_temperature),
     .doc = "temperature over the reference at which properties that depend on it are taken; a run "
            "where they would be others by 5 % says so"},
    {.name = "deck_loads",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(mesh_def, deck_loads),
     .doc = "take what the first step of the mesh's deck does to it as entries of the model "
            "(docs/finite-elements.md)"},
    {.name = "deck_ties",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(mesh_def, deck_ties),
     .doc = "take what the mesh's deck ties together: *COUPLING, *RIGID BODY, *TIE, *EQUATION "
            "(docs/finite-elements.md)"},
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s", "of the origin at t = 0, global axes"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s", "at t = 0, global axes"),
    {0}};

static const gos_param part_params[] = {{.name = "cells",
                                         .kind = GOS_K_TEXT,
                                         .unit = "",
                                         .flags = GOS_P_REQUIRED,
                                         .offset = offsetof(part_def, cells),
                                         .doc = "set of cells"},
                                        MATERIAL(part_def, "their material"),
                                        TEXT(part_def, element, 0, "their formulation"),
                                        THICKNESS(part_def, "theirs"),
                                        {0}};

/* the body while it is made */
typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    mesh_def *def;
    floating_mesh *m;
    gos_body *body;
    int npart;
    gos_fe_part *part;
    const gos_material **material; // of each
    const char **name;             // of that material
    gos_fe_body *fe;               // while matrices are made of it
    bool cold;                     // a part has no conductivity or specific heat
    bool shells;                   // a part has a gradient of temperature at its nodes, too
} making;

static gos_status refuse(const making *k, const char *key, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, key), k->object, "%s", why);
}

/* ---- parts ------------------------------------------------------------------------------------------ */

static gos_status take_material(making *k, const gos_material *named, gos_loc loc,
                                const gos_fe_material **to) {
    const gos_material at = gos__material_at(named, k->def->material_temperature), *from = &at;
    gos_fe_material *m = GOS_NEW(k->b->arena, gos_fe_material, 1);
    GOS_TRY(m ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fe_isotropic(k->b->ctx, loc, k->object, from->young, from->poisson, m));
    m->density = from->density;
    m->heat = from->specific_heat;
    for (int c = 0; c < 3; c++) {
        m->expansion[c] = from->expansion;
        m->conductivity[c][c] = from->conductivity;
    }
    k->body->material = from;
    *to = m;
    return GOS_OK;
}

static gos_status take_element(const making *k, const char *name, gos_loc loc,
                               const gos_fe_element **element) {
    const char *known[32];
    int n;
    const gos_fe_element *const *all = gos__fe_elements(&n);
    *element = name                                    ? gos__fe_element(name)
               : gos__mesh_has_solids(k->m->skin.mesh) ? gos__fe_element("solid")
                                                       : NULL;
    if (*element) {
        return GOS_OK;
    }
    for (int i = 0; i < n && i < GOS_COUNT(known); i++) {
        known[i] = all[i]->name;
    }
    const char *near = name ? gos__suggest(name, known, n < GOS_COUNT(known) ? n : 32) : NULL;
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object,
                        name ? "there is no element '%s'%s%s%s"
                             : "a mesh of surfaces needs `element`%s: plane_stress, "
                               "plane_strain, ...%s%s%s",
                        name ? name : "", near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
}

/* what heat on surfaces has to know of the cells of a part */
static void describe_cells(making *k, const gos_fe_part *part) {
    const gos_mesh_skin *skin = &k->m->skin;
    const bool shell = part->element->heats > 1;
    k->shells = k->shells || shell;
    k->cold = k->cold || !(part->material->conductivity[0][0] > 0 && part->material->heat > 0);
    for (int i = 0; i < (part->cell ? part->n : skin->mesh->ncell); i++) {
        const int cell = part->cell ? part->cell[i] : i;
        int at;
        const gos_cell_block *b = gos__mesh_cell(skin->mesh, cell, &at);
        if (gos__cell_kind[b->shape].dim == part->element->dim) {
            skin->thickness[cell] = part->element->thick ? part->thickness : 0;
            skin->shell[cell] = shell;
        }
    }
}

static gos_status take_part(making *k, const part_def *d, const gos_node *at, gos_fe_part *to) {
    const char *material = d->material ? d->material : k->def->material;
    const char *element = d->element ? d->element : k->def->element;
    const gos_material *from = material ? gos__find_material(k->b, material) : NULL;
    if (!from) {
        return material ? GOS_E_INPUT // recorded when it was read
                        : gos__fail_at(k->b->ctx, GOS_E_INPUT, at->loc, k->object,
                                       "it has no material; name one for the body or each part");
    }
    *to = (gos_fe_part){.loc = at->loc,
                        .object = k->object,
                        .thickness = d->thickness > 0 ? d->thickness : k->def->thickness};
    GOS_TRY(take_element(k, element, gos__key_loc(at, "element"), &to->element));
    if (to->element->thick && !(to->thickness > 0)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(at, "thickness"), k->object,
                            "%s needs a thickness above 0", to->element->name);
    }
    if (d->cells) {
        const gos_mesh_set *set = gos__mesh_cell_set(k->m->skin.mesh, d->cells);
        if (!set) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(at, "cells"), k->object,
                                "mesh '%s' has no set of cells '%s'", k->def->mesh, d->cells);
        }
        to->n = set->n;
        to->cell = set->item;
    }
    k->material[k->body->nmaterial++] = from;
    k->name[to - k->part] = gos__arena_strdup(k->b->arena, material);
    GOS_TRY(k->name[to - k->part] ? GOS_OK : GOS_E_MEMORY);
    for (const gos_fe_part *p = k->part; p < to; p++) { // stresses are means over one material
        if (strcmp(k->name[p - k->part], material) == 0) {
            to->material = p->material;
            return GOS_OK;
        }
    }
    return take_material(k, from, at->loc, &to->material);
}

/* for stresses: names of the materials that parts of the deck have, or that the model gave to all */
static gos_status name_materials(making *k) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    k->name = (const char **)gos__arena_alloc(k->b->arena, (size_t)k->npart + 1, sizeof *k->name);
    GOS_TRY(k->name ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->npart; i++) {
        const char *name = k->def->material;
        if (!name) {
            const int section = deck->cell_section[k->part[i].cell[0]];
            name = deck->material[deck->section[section].material].name;
        }
        k->name[i] = gos__arena_strdup(k->b->arena, name);
        GOS_TRY(k->name[i] ? GOS_OK : GOS_E_MEMORY);
    }
    k->m->stress = (gos_mesh_stress){.npart = k->npart, .part = k->part, .material = k->name};
    return GOS_OK;
}

/* what the deck of the mesh says, where the model does not */
static gos_status take_deck(making *k) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    const gos_material *from = k->def->material ? gos__find_material(k->b, k->def->material) : NULL;
    gos_deck_given given = {
        .thickness = k->def->thickness, .loc = k->entry->loc, .object = k->object};
    gos_deck_parts parts;
    GOS_TRY(k->def->material && !from ? GOS_E_INPUT : GOS_OK); // recorded when it was read
    GOS_TRY(from ? take_material(k, from, k->entry->loc, &given.material) : GOS_OK);
    GOS_TRY(k->def->element ? take_element(k, k->def->element, gos__key_loc(k->entry, "element"),
                                           &given.element)
                            : GOS_OK);
    GOS_TRY(gos__deck_parts(k->b->ctx, k->b->arena, deck, &given, &parts));
    k->npart = parts.n;
    k->part = parts.part;
    GOS_TRY(name_materials(k));
    if (!from && !gos__node_given(k->entry, "rayleigh")) {
        memcpy(k->def->floating.rayleigh, parts.damping, sizeof parts.damping);
    }
    return from ? GOS_OK : gos__mesh_deck_materials(k->b, &parts, k->body);
}

static gos_status take_parts(making *k) {
    const gos_node *list = k->def->parts;
    if (list && (list->kind != GOS_LIST || list->n == 0)) {
        return refuse(k, "parts", "parts must be a list, [{cells: SET, material: NAME}, ...]");
    }
    if (!list && k->m->skin.mesh->deck) {
        return take_deck(k);
    }
    k->npart = list ? list->n : 1;
    k->part = GOS_NEW(k->b->arena, gos_fe_part, k->npart);
    k->material = (const gos_material **)gos__arena_alloc(k->b->arena, (size_t)k->npart + 1,
                                                          sizeof *k->material);
    k->name = (const char **)gos__arena_alloc(k->b->arena, (size_t)k->npart, sizeof *k->name);
    GOS_TRY(k->part && k->material && k->name ? GOS_OK : GOS_E_MEMORY);
    k->m->stress = (gos_mesh_stress){.npart = k->npart, .part = k->part, .material = k->name};
    k->body->materials = k->material;
    if (!list) {
        return take_part(k, &(part_def){0}, k->entry, k->part);
    }
    int i = 0;
    for (const gos_node *c = list->child; c; c = c->next) {
        part_def d = {0};
        if (c->kind != GOS_MAP) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, c->loc, k->object,
                                "a part is a map, {cells: SET, material: NAME}");
        }
        GOS_TRY(gos__fill(k->b->model, c, part_params, k->object, k->b->arena, &d));
        GOS_TRY(take_part(k, &d, c, &k->part[i++]));
    }
    return GOS_OK;
}

/* ---- matrices --------------------------------------------------------------------------------------- */

/* a M + b K */
static gos_status damp(const making *k, const gos_fe_body *fe, gos_flex *flex) {
    const double *r = k->def->floating.rayleigh;
    gos_sparse M = {0};
    if (!(r[0] > 0 || r[1] > 0)) {
        return GOS_OK;
    }
    GOS_TRY(gos__fe_body_mass(fe, &M));
    gos__sparse_free(k->b->ctx, &flex->D);
    const gos_status status = gos__sparse_sum(k->b->ctx, r[0], &M, r[1], &flex->K, &flex->D);
    gos__sparse_free(k->b->ctx, &M);
    return status;
}

/* the temperatures of nodes are the coordinates */
static gos_status name_temperatures(const gos_fe_body *fe, gos_flex *flex) {
    gos_flex_heat *h = &flex->heat;
    const int nnode = fe->mesh->nnode;
    GOS_TRY(gos__sparse_alloc(flex->ctx, h->n, nnode, (size_t)h->n, &h->at));
    h->at.nnz = 0;
    for (int i = 0; i < nnode; i++) {
        const int t = gos__fe_number(&fe->temperature, i, 0);
        if (t >= 0) {
            h->at.i[h->at.nnz] = t;
            h->at.x[h->at.nnz++] = 1;
            h->mean[t] = 1;
        }
        h->at.p[i + 1] = h->at.nnz;
    }
    return GOS_OK;
}

/* half the thickness of shells at each node; 0 where none are, or some of several thicknesses */
static void find_thickness(const gos_mesh_skin *skin, double *half) {
    const gos_mesh *m = skin->mesh;
    for (int cell = 0; cell < m->ncell; cell++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(m, cell, &at);
        const int n = gos__cell_kind[b->shape].nodes, *node = b->node + (size_t)at * n;
        for (int k = 0; k < n && skin->shell[cell]; k++) {
            const double own = skin->thickness[cell] / 2, had = half[node[k]];
            half[node[k]] = had == 0 || had == own ? own : -1;
        }
    }
    for (int i = 0; i < m->nnode; i++) {
        half[i] = fmax(0, half[i]);
    }
}

static gos_status name_gradients(const making *k, const gos_fe_body *fe, gos_flex *flex) {
    gos_flex_heat *h = &flex->heat;
    const int nnode = fe->mesh->nnode;
    const gos_mesh *m = fe->mesh; // sets, interfaces and loads of the deck become nodes, too
    const size_t named = (k->def->interfaces ? (size_t)k->def->interfaces->n : 0) +
                         (m->deck ? 3 * (size_t)m->deck->nload : 0);
    const size_t most = (size_t)nnode + (size_t)m->nnode_set + (size_t)m->nsurface + named + 1;
    h->half = gos__zalloc(flex->ctx, most, sizeof *h->half);
    GOS_TRY(h->half ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__sparse_alloc(flex->ctx, h->n, nnode, (size_t)h->n, &h->across));
    h->across.nnz = 0;
    for (int i = 0; i < nnode; i++) {
        const int g = gos__fe_number(&fe->temperature, i, 1);
        if (g >= 0) {
            h->across.i[h->across.nnz] = g;
            h->across.x[h->across.nnz++] = 1;
        }
        h->across.p[i + 1] = h->across.nnz;
    }
    find_thickness(&k->m->skin, h->half);
    return GOS_OK;
}

static gos_status make_heat(const making *k, const gos_fe_body *fe, gos_flex *flex) {
    gos_fe_heat heat = {0};
    gos_flex_heat *h = &flex->heat;
    gos_status status = gos__fe_body_heat(fe, &heat);
    h->n = fe->temperature.n;
    h->T_ref = k->b->gough_joule ? k->b->T_ref : 0;
    h->mean = gos__zalloc(flex->ctx, (size_t)h->n + 1, sizeof *h->mean);
    status = status == GOS_OK && !h->mean ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? name_temperatures(fe, flex) : status;
    status = status == GOS_OK && k->shells ? name_gradients(k, fe, flex) : status;
    if (status == GOS_OK) {
        h->C = heat.C;
        h->S = heat.K;
        h->G = heat.couple;
        heat = (gos_fe_heat){0};
        for (int i = 0; i < h->G.nnz; i++) { // forces beside K z
            h->G.x[i] = -h->G.x[i];
        }
    }
    gos__fe_heat_free(flex->ctx, &heat);
    return status;
}

/* a whole body has them all in the equations of the run */
static gos_status check_size(const making *k, const gos_fe_body *fe) {
    const int n = fe->freedom.n, most = GOS_LIMIT_AMPLITUDES;
    return k->b->reduce_floating || n <= most
               ? GOS_OK
               : gos__fail_at(
                     k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "mesh"), k->object,
                     "%d displacements; a whole floating body has at most %d. Reduce it "
                     "(`floating_bodies: reduced` or --reduced, by its entry `reduce`), or "
                     "take a coarser mesh",
                     n, most);
}

static gos_status make_matrices(making *k) {
    gos_flex **flex = &k->m->f.flex;
    GOS_TRY(gos__fe_body_create(k->b->ctx, k->m->skin.mesh, k->npart, k->part, &k->fe));
    const gos_fe_body *fe = k->fe;
    GOS_TRY(check_size(k, fe));
    GOS_TRY(gos__fe_body_mechanics(k->fe));
    GOS_TRY(gos__fe_body_flex(fe, flex));
    GOS_TRY(damp(k, fe, *flex));
    if (k->body->nfam > 0) {
        int *of_node = GOS_NEW(k->b->arena, int, fe->mesh->nnode + 1);
        int *of_across = GOS_NEW(k->b->arena, int, fe->mesh->nnode + 1);
        GOS_TRY(of_node && of_across ? make_heat(k, fe, *flex) : GOS_E_MEMORY);
        for (int i = 0; i < fe->mesh->nnode; i++) {
            of_node[i] = gos__fe_number(&fe->temperature, i, 0);
            of_across[i] = gos__fe_number(&fe->temperature, i, 1);
        }
        k->m->skin.of_node = of_node;
        k->m->skin.of_across = of_across;
    }
    return gos__mesh_piezo(k->b, k->body->name, fe, *flex, &k->m->piezo);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static int node_of(const void *par, const char *name) {
    return gos__mesh_places_find(par, name);
}

/* nodes that turn with an interface move along circles, which their link forces do work on */
static gos_status refuse_rigid(const making *k) {
    const gos_mesh_interfaces *list = &k->m->places.interfaces;
    const gos_deck *deck = k->def->deck_ties ? k->m->skin.mesh->deck : NULL;
    for (int i = 0; deck && i < deck->ncoupling; i++) {
        if (!deck->coupling[i].distributing) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, deck->coupling[i].loc, k->object,
                                "what is rigid here by the deck is not taken with `coupling: "
                                "first`, which does not know what turning it does to second "
                                "order; take `coupling: zeroth`, or `deck_ties: false` and an "
                                "averaging interface");
        }
    }
    for (int i = 0; i < list->n; i++) {
        if (list->v[i].rigid) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, list->v[i].loc, k->object,
                                "interface '%s' is rigid, and `coupling: first` does not know what "
                                "turning one does to second order; make it averaging, or take "
                                "`coupling: zeroth`",
                                list->v[i].name);
        }
    }
    return GOS_OK;
}

/* the stress that voltages make in a body would stiffen it, too */
static gos_status refuse_patches(const making *k) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "coupling"), k->object,
                        "%s lies on it, and `coupling: first` does not know how the stress that "
                        "voltages make stiffens a body; use `coupling: zeroth`",
                        k->m->piezo.entry[0]->object);
}

/* whether the supports of the deck hold the frame */
static bool held_by_deck(const making *k) {
    return k->m->skin.mesh->deck && k->def->floating.reference == GOS_FLEX_CLAMPED && !k->def->at;
}

static gos_mesh_deck_user user_of(const making *k) {
    return (gos_mesh_deck_user){.mesh = k->m->skin.mesh,
                                .body = k->body->name,
                                .loc = k->entry->loc,
                                .object = k->object,
                                .axis = k->m->f.axis,
                                .warm = k->body->nfam > 0,
                                .holds = held_by_deck(k),
                                .loads = true,
                                .ties = k->def->deck_ties,
                                .turning = gos__norm3(k->def->floating.start.angular_velocity) > 0};
}

static gos_status hold(const making *k) {
    const gos_mesh_hold at = {.reference = (gos_flex_condition)k->def->floating.reference,
                              .mesh = k->def->mesh,
                              .pinned = k->def->at_rotations == 1,
                              .at = k->def->at,
                              .chord_end = k->def->chord_end};
    const gos_mesh_deck_user user = user_of(k);
    floating_mesh *m = k->m;
    return user.holds ? gos__mesh_deck_hold(k->b, &user, &m->places.interfaces, m->f.flex)
                      : gos__mesh_hold(k->b, k->entry, k->object, &at, &m->places, m->f.flex);
}

/* what the deck says of loads is brought, or told */
static gos_status take_deck_loads(const making *k) {
    const gos_mesh_deck_user user = user_of(k);
    if (!user.mesh->deck) {
        return k->def->deck_loads ? refuse(k, "deck_loads", "its mesh is not that of a deck")
                                  : GOS_OK;
    }
    if (k->def->deck_loads) {
        GOS_TRY(gos__mesh_deck_forces(k->b, &user, k->fe, &k->m->places));
        return gos__mesh_deck_loads(k->b, &user);
    }
    gos__mesh_deck_left(k->b, &user);
    return GOS_OK;
}

static gos_status tie_deck(const making *k) {
    const gos_mesh_deck_user user = user_of(k);
    const gos_mesh_deck_heat heat = {k->m->skin.of_node, k->m->skin.of_across};
    return user.mesh->deck && user.ties ? gos__mesh_deck_tie(&user, k->fe, &heat, k->m->f.flex)
                                        : GOS_OK;
}

static gos_status make_flex(making *k) {
    floating_mesh *m = k->m;
    gos_floating_names names = {.node = node_of,
                                .par = &m->places,
                                .known = "node(NUMBER) and sets of the mesh, heat entries"};
    gos_sparse film = {0}, held = {0};
    GOS_TRY(make_matrices(k));
    GOS_TRY(take_deck_loads(k));
    GOS_TRY(tie_deck(k));
    GOS_TRY(gos__mesh_interfaces_make(k->b, k->def->interfaces, k->object, m->skin.mesh, m->f.flex,
                                      &m->places.interfaces));
    GOS_TRY(m->f.flex->heat.n > 0
                ? gos__mesh_prescribe(k->b, k->body->name, &m->places, m->f.flex, &m->skin)
                : GOS_OK);
    GOS_TRY(gos__mesh_places_add(k->b->arena, m->f.flex, &m->places));
    GOS_TRY(hold(k));
    GOS_TRY(gos__mesh_mentions(k->b, k->body->name, &m->places, &names));
    names.nelectrode = m->piezo.nelectrode;
    names.electrode = m->piezo.name;
    if (m->f.flex->heat.n > 0) {
        GOS_TRY(gos__mesh_heat_loads(k->b, k->body->name, m->f.flex, &m->skin, &m->places,
                                     &names.heat, &film, &held));
        names.film = film.nnz > 0 ? &film : NULL;
        names.held = held.nnz > 0 ? &held : NULL;
    }
    gos_status status = GOS_OK;
    if (k->def->floating.coupling == 1) {
        status = refuse_rigid(k);
        status = status == GOS_OK && m->piezo.n > 0 ? refuse_patches(k) : status;
        status = status != GOS_OK
                     ? status
                     : gos__mesh_coupling(k->b, k->fe, m->f.flex, &names, &names.stress);
    }
    status = status == GOS_OK ? gos__floating_finish(k->b, k->entry, k->object, &k->def->floating,
                                                     &names, &m->f.flex)
                              : status;
    gos__sparse_free(k->b->ctx, &film);
    gos__sparse_free(k->b->ctx, &held);
    m->skin.nodal = !k->b->reduce_floating;
    m->skin.at = &m->f.flex->heat.at;
    m->skin.across = &m->f.flex->heat.across;
    return status;
}

/* ---- places ----------------------------------------------------------------------------------------- */

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_place *p) {
    const floating_mesh *m = b->par;
    char name[GOS_LIMIT_NAME + 1];
    const int side = gos__mesh_skin_side(ref, name, sizeof name);
    const bool frame = strcmp(ref, "frame") == 0;
    int node = frame ? m->f.flex->nnode : *name ? gos__mesh_places_find(&m->places, name) : -1;
    const int surface = gos__mesh_skin_find(&m->skin, *name ? name : NULL, side);
    const double *half = m->f.flex->heat.half;
    const bool faced = side == 0 || (half && (node < 0 || half[node] > 0));
    node = faced ? node : -1;
    if (!faced && surface == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' of '%s' has no upper and lower face: a face is that of shells "
                            "with temperatures, of one thickness",
                            *name ? name : "all", b->name);
    }
    if (node < 0 && surface == 0 && side == 0 && gos__mesh_skin_find(&m->skin, ref, 1) > 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' are shells, which have two faces; name '%s.%s.upper', out of "
                            "which their normals point, or '%s.%s.lower'",
                            ref, b->name, ref, b->name, ref);
    }
    if (node < 0 && surface == 0) {
        const char *near = gos__suggest(name, m->places.name, m->places.nset);
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' has no place '%s'%s%s%s; it has frame, node(NUMBER) and the sets "
                            "of its mesh",
                            b->name, ref, near ? " (did you mean '" : "", near ? near : "",
                            near ? "'?)" : "");
    }
    if (!frame && node >= 0 && m->places.bare[node]) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "node '%s' belongs to no cell of '%s'; name one that does", ref,
                            b->name);
    }
    *p = (gos_place){.body = b,
                     .node = node,
                     .face = -1,
                     .surface = surface,
                     .side = side,
                     .set = !frame && node >= 0 && m->places.many[node],
                     .turns = frame || (node >= 0 && m->places.turns[node]) ? GOS_PLACE_TURNS
                                                                            : GOS_PLACE_STAYS};
    for (int c = 0; c < 3; c++) {
        p->x[c] = m->f.origin[c];
        for (int j = 0; j < 3 && !frame && node >= 0; j++) {
            p->x[c] += m->f.flex->x[node][j] * m->f.axis[j][c];
        }
    }
    return GOS_OK;
}

static gos_status surface_points(gos_builder *b, const gos_body *body, const gos_place *p,
                                 bool inside, int *first, int *n) {
    floating_mesh *m = (floating_mesh *)(uintptr_t)body->par;
    m->skin.t0 = body->t0;
    return gos__mesh_skin_points(b, body, &m->skin, p, inside, first, n);
}

static gos_status recover(gos_builder *b, const gos_body *body, const gos_place *p,
                          const gos_recovery *what, int *n, gos_recovered **r) {
    floating_mesh *m = (floating_mesh *)(uintptr_t)body->par;
    return gos__mesh_stress(b, body, &m->stress, &m->f, &m->places, p, what, n, r);
}

static gos_status recover_at(gos_builder *b, const gos_body *body, const double x[3],
                             const gos_recovery *what, gos_recovered **r) {
    floating_mesh *m = (floating_mesh *)(uintptr_t)body->par;
    return gos__mesh_stress_at(b, body, &m->stress, &m->f, m->places.mesh, x, what, r);
}

static gos_status recover_drawn(gos_builder *b, const gos_body *body, bool strain, double face,
                                gos_recovered **r) {
    floating_mesh *m = (floating_mesh *)(uintptr_t)body->par;
    const gos_recovery what = {.strain = strain, .face = face};
    return gos__mesh_stress_drawn(b, body, &m->stress, &m->f, m->places.mesh, &what, r);
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = gos__floating_node_position,
                                      .direction = gos__floating_node_direction,
                                      .recover = recover,
                                      .recover_at = recover_at,
                                      .recover_drawn = recover_drawn,
                                      .range = gos__floating_range};
static const gos_body_ops warm_body_ops = {.locate = locate,
                                           .position = gos__floating_node_position,
                                           .direction = gos__floating_node_direction,
                                           .recover = recover,
                                           .recover_at = recover_at,
                                           .recover_drawn = recover_drawn,
                                           .range = gos__floating_range,
                                           .temperature = gos__floating_node_temperature,
                                           .surface = surface_points};

/* ---- the body --------------------------------------------------------------------------------------- */

static gos_status choose_heat(making *k) {
    if (k->def->temperature == 1 && k->cold) {
        return refuse(k, "temperature",
                      "a material has no conductivity or specific_heat; give both");
    }
    if (k->cold || k->def->temperature == 2) {
        return GOS_OK;
    }
    k->body->nfam = k->shells ? 2 : 1;
    return gos__mesh_skin_section(k->b->arena, k->shells, &k->body->section);
}

static gos_status make_picture(const making *k, gos_floating_picture *picture) {
    gos_mesh_stress *s = &k->m->stress;
    int *part = NULL;
    GOS_TRY(gos__mesh_picture(k->b, k->fe, k->b->stress || k->b->strain, picture, &part));
    s->ndrawn = picture->nnode;
    s->drawn = picture->node;
    s->drawn_part = part;
    for (int i = 0; i < s->npart; i++) {
        k->body->faces = k->body->faces || s->part[i].element->directors;
    }
    return GOS_OK;
}

/* elements of full integration alone lock; of the ratio that their stiffness has along its first two axes */
static gos_status check_layers(const making *k) {
    const gos_mesh *m = k->m->skin.mesh;
    double *poisson = GOS_NEW(k->b->arena, double, m->ncell + 1);
    GOS_TRY(poisson ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < m->ncell; i++) {
        poisson[i] = 1;
    }
    for (int i = 0; i < k->npart; i++) {
        const gos_fe_part *part = &k->part[i];
        const double(*D)[6] = part->material->stiffness;
        for (int j = 0;
             part->element == gos__fe_element("solid") && j < (part->cell ? part->n : m->ncell);
             j++) {
            poisson[part->cell ? part->cell[j] : j] = D[0][1] / (D[0][0] + D[0][1]);
        }
    }
    return gos__hex_layers(k->b, gos__key_loc(k->entry, "mesh"), k->object, m, poisson);
}

static gos_status make(making *k) {
    floating_mesh *m = k->m;
    gos_floating_picture picture;
    const gos_mesh *mesh = gos__find_mesh(k->b, k->def->mesh);
    char *own = gos__arena_strdup(k->b->arena, k->object);
    GOS_TRY(mesh ? GOS_OK : GOS_E_INPUT); // recorded when it was read
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    m->places.mesh = m->skin.mesh = mesh;
    gos__rotated_axes(k->def->rotation_vector, m->f.axis);
    memcpy(m->f.origin, k->def->position, sizeof m->f.origin);
    GOS_TRY(gos__mesh_skin_begin(k->b->arena, &m->skin));
    m->f.second = k->def->floating.coupling == 1;
    GOS_TRY(take_parts(k));
    for (int i = 0; i < k->npart; i++) {
        describe_cells(k, &k->part[i]);
    }
    GOS_TRY(choose_heat(k));
    gos_status status = make_flex(k);
    status = status == GOS_OK ? make_picture(k, &picture) : status;
    gos__fe_body_destroy(k->fe);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    k->body->ops = k->body->nfam > 0 ? &warm_body_ops : &body_ops;
    GOS_TRY(gos__floating_add(k->b, &k->def->floating.start, &picture, own, &m->f, k->body));
    m->skin.axes = m->f.r + 1;
    GOS_TRY(check_layers(k));
    gos_body *body;
    GOS_TRY(gos__add_body(k->b, k->body, &body));
    for (int i = 0; i < m->piezo.n; i++) {
        GOS_TRY(gos__piezo_connect(k->b, m->piezo.entry[i], &m->f, body));
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    mesh_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    floating_mesh *m = GOS_NEW(b->arena, floating_mesh, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .par = m,
                     .stated = true,
                     .stated_T = d.material_temperature};
    if (!m || !body.name) {
        return GOS_E_MEMORY;
    }
    making k = {.b = b, .entry = entry, .object = object, .def = &d, .m = m, .body = &body};
    return make(&k);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_floating = {
    .section = "bodies",
    .name = "floating",
    .doc = "Linear finite elements on a mesh, with temperatures at its nodes, in the axes of a "
           "frame that follows the body through any motion.",
    .params = params,
    .size = sizeof(mesh_def),
    .example = "disc: {type: floating, mesh: ring, material: steel, element: plane_stress, "
               "thickness: 0.007, reference: clamped, at: inner}",
    .ops = &ops,
};
