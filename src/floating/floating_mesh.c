/* Body type floating: finite elements on a mesh in a floating frame. At t = 0 the mesh axes are
   rotated by `rotation_vector`, with the origin at `position`. */
#include "floating/floating_mesh.h"

#include <limits.h>
#include <math.h>

#include "base/base.h"
#include "floating/floating_mesh_make.h"
#include "floating/floating_range.h"
#include "floating/hex_layers.h"
#include "floating/interface_coordinates.h"
#include "floating/shell_cells.h"
#include "floating/mesh_coupling.h"
#include "deck/body_deck.h"
#include "floating/reference_conditions.h"
#include "floating/mesh_loads.h"
#include "floating/mesh_picture.h"
#include "floating/mesh_spread.h"
#include "parts/entry_counts.h"
#include "math/vec3.h"

#define FLOATING offsetof(gos_mesh_def, floating)
#define VECTOR(key, unit_, doc_)                                                                   \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = unit_, .shape = 3, .def = "[0, 0, 0]",         \
        .offset = offsetof(gos_mesh_def, key), .doc = doc_                                         \
    }

static const gos_param params[] = {
    {.name = "mesh",
     .kind = GOS_K_NAME,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_mesh_def, mesh),
     .choices = "meshes",
     .doc = "mesh"},
    GOS_MESH_MATERIAL(gos_mesh_def, "material of cells whose part gives none; without it and "
                                    "`parts`: the materials of the mesh's deck"),
    GOS_MESH_TEXT(
        gos_mesh_def, element, 0,
        "formulation of its cells (docs/finite-elements.md): plane_stress, plane_strain ... for "
        "surfaces, solid for solids, beam for lines; default: by the element types of the deck, "
        "beam for parts with a section, or solid if the mesh has solids"),
    GOS_MESH_THICKNESS(
        gos_mesh_def,
        "thickness of surfaces; 0: that of the deck's sections, or of the plies of a laminate"),
    GOS_MESH_DIRECTION(gos_mesh_def, "direction of axis 1 of orthotropic materials and laminates "
                                     "in mesh axes, projected onto each cell; zero: e1"),
    GOS_MESH_DIRECTION2(gos_mesh_def,
                        "direction of axis 2 of orthotropic materials of solids, orthogonalised to "
                        "axis 1; zero: e2, or e3 where axis 1 is nearly e2"),
    GOS_MESH_BEAMS(gos_mesh_def, "cross-section of lines, which are beams"),
    {.name = "parts",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(gos_mesh_def, parts),
     .doc = "parts with their own properties, [{cells: SET, material: NAME, element: NAME, "
            "thickness: [m], direction: [x, y, z], section: NAME, normal: [x, y, z], offset: [y, "
            "z]}, ...]: omitted keys are those of the body; each cell belongs to one part"},
    {.name = "interfaces",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(gos_mesh_def, interfaces),
     .doc = "attachment points for joints, {NAME: {of: SET, type: rigid|averaging, at: [x, y, z]}, "
            "...}: a rigid one (the default) moves as a rigid body about the point `at` (mesh "
            "axes; default: the mean of its nodes)"},
    VECTOR(position, "m", "position of the mesh origin at t = 0"),
    VECTOR(rotation_vector, "rad",
           "rotation of the mesh axes from the global axes at t = 0 (axis times angle)"),
    {.name = "coupling",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "zeroth",
     .choices = "zeroth=0|first=1",
     .offset = FLOATING + offsetof(gos_floating_def, coupling),
     .doc = "first: stress of any origin (forces at joints and loads, motion of the frame, heat) "
            "stiffens or softens the body, up to buckling, by second-order displacements; zeroth: "
            "no such stiffening; valid for rates and loads far below the first frequency and the "
            "buckling load"},
    GOS_FLOATING_REFERENCE(FLOATING, "mean_axis",
                           "what the frame follows. clamped: all nodes of the set `at`, which are "
                           "fixed in it; chord: the locations `at` and `chord_end`; mean_axis: the "
                           "whole body, so that deformation has no momentum to first order"),
    GOS_MESH_TEXT(gos_mesh_def, at, 0,
                  "set of nodes, or (chord) location, that is fixed in the frame; a clamped frame "
                  "without it is fixed to the supports of the mesh's deck"),
    GOS_MESH_TEXT(gos_mesh_def, chord_end, 0, "the chord's other end"),
    {.name = "at_rotations",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "held",
     .offset = offsetof(gos_mesh_def, at_rotations),
     .choices = "held=0|free=1",
     .doc = "rotations of shell nodes fixed in a clamped frame; free: the nodes can rotate, as on "
            "supports that fix displacements only"},
    {.name = "temperature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(gos_mesh_def, temperature),
     .choices = "auto|on|off",
     .doc =
         "temperatures of the nodes; auto: if the materials have conductivity and specific heat"},
    {.name = "motion",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(gos_mesh_def, motion),
     .choices = "auto|free|none",
     .doc = "none: it keeps its position and shape, so that it has temperatures only, and joints "
            "on it are joints to the ground; `reference`, `coupling`, `zeta` and `rayleigh` have "
            "no effect. Conductivity and specific heat then follow the current temperature in "
            "solid cells of isotropic materials, unless it is reduced. auto: none if its materials "
            "are those of a deck without *ELASTIC, else "
            "free"},
    {.name = "material_temperature",
     .kind = GOS_K_NUMBER,
     .unit = "K",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .flags = GOS_P_OVER_REFERENCE,
     .offset = offsetof(gos_mesh_def, material_temperature),
     .doc = "temperature over the reference at which temperature-dependent properties are "
            "evaluated; a run reports where they differ by 5 % somewhere. Default: 0, or with "
            "`deck_loads` "
            "the temperature of the deck's step if equal at all nodes"},
    {.name = "deck_loads",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(gos_mesh_def, deck_loads),
     .doc = "apply the loads of the first step of the mesh's deck as entries of the model "
            "(docs/finite-elements.md)"},
    {.name = "deck_ties",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(gos_mesh_def, deck_ties),
     .doc = "apply the constraints of the mesh's deck: *COUPLING, *RIGID BODY, *TIE, *EQUATION "
            "(docs/finite-elements.md)"},
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s", "velocity of the origin at t = 0, global axes"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s",
                        "angular velocity at t = 0, global axes"),
    {0}};

static gos_status refuse(const gos_mesh_making *k, const char *key, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, key), k->object, "%s", why);
}

/* ---- flexibility ----------------------------------------------------------------------------- */

static int node_of(const void *par, const char *name) {
    return gos__mesh_locations_find(par, name);
}

/* only interfaces include motion along circles (mesh_coupling.c) */
static gos_status refuse_rigid(const gos_mesh_making *k) {
    const gos_deck *deck = k->def->deck_ties ? k->m->skin.mesh->deck : NULL;
    bool rigid = false;
    for (int i = 0; i < k->m->locations.interfaces.n; i++) {
        rigid = rigid || k->m->locations.interfaces.v[i].rigid;
    }
    for (int i = 0; deck && i < deck->ncoupling; i++) {
        if (!deck->coupling[i].distributing || rigid) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, deck->coupling[i].loc, k->object,
                                "a coupling of the deck that %s does not support `coupling: "
                                "first`%s, because its second-order rotation is not modelled; use "
                                "`coupling: zeroth`, or `deck_ties: false` and `interfaces`",
                                deck->coupling[i].distributing ? "is averaged" : "is rigid",
                                rigid ? " with rigid interfaces" : "");
        }
    }
    return GOS_OK;
}

/* stress from voltages would also stiffen the body */
static gos_status refuse_patches(const gos_mesh_making *k) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "coupling"), k->object,
                        "%s lies on it, but `coupling: first` does not include stiffening by the "
                        "stress from voltages; use `coupling: zeroth`",
                        k->m->piezo.entry[0]->object);
}

static gos_mesh_deck_user user_of(const gos_mesh_making *k) {
    return (gos_mesh_deck_user){
        .mesh = k->m->skin.mesh,
        .body = k->body->name,
        .loc = k->entry->loc,
        .object = k->object,
        .axis = k->m->f.axis,
        .warm = k->body->nfam > 0,
        .holds = gos__mesh_held_by_deck(k) || k->m->f.still,
        .undeformed = k->rigid || k->m->f.still,
        .loads = k->def->deck_loads,
        .masses = !k->def->parts,
        .supports = gos__mesh_held_by_deck(k) || k->m->f.still
                        ? NULL
                        : "`reference: clamped` without `at` fixes the frame to them",
        .ties = k->def->deck_ties,
        .small = true,
        .heated = gos__mesh_deck_heated(k->b, k->body->name),
        .turning = gos__norm3(k->def->floating.start.angular_velocity) > 0};
}

static gos_mesh_hold hold_of(const gos_mesh_making *k) {
    return (gos_mesh_hold){.reference = (gos_flex_condition)k->def->floating.reference,
                           .mesh = k->def->mesh,
                           .pinned = k->def->at_rotations == 1,
                           .at = k->def->at,
                           .chord_end = k->def->chord_end};
}

/* no displacements relative to the frame */
static gos_status hold_all(const gos_mesh_making *k, gos_flex *flex) {
    bool *all = gos__alloc(k->b->ctx, (size_t)flex->n + 1, sizeof *all);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    memset(all, true, (size_t)flex->n * sizeof *all);
    gos__note(k->b->ctx, k->object,
              "the materials of the deck have no *ELASTIC: the body is rigid, with temperatures");
    const gos_status status = gos__flex_drop(flex, all);
    gos__free(k->b->ctx, all);
    return status;
}

static gos_status hold(const gos_mesh_making *k) {
    const gos_mesh_hold at = hold_of(k);
    const gos_mesh_deck_user user = user_of(k);
    gos_floating_mesh *m = k->m;
    if (m->f.still) {
        return GOS_OK;
    }
    return k->rigid     ? hold_all(k, m->f.flex)
           : user.holds ? gos__mesh_deck_hold(k->b, &user, &m->locations.interfaces, m->f.flex)
                        : gos__mesh_hold(k->b, k->entry, k->object, &at, &m->locations, m->f.flex);
}

/* deck loads are applied, or reported as ignored */
static gos_status take_deck_loads(gos_mesh_making *k) {
    const gos_mesh_deck_user user = user_of(k);
    if (!user.mesh->deck) {
        return k->def->deck_loads ? refuse(k, "deck_loads", "its mesh is not a deck; remove it")
                                  : GOS_OK;
    }
    gos__mesh_deck_left(k->b, &user);
    if (k->def->parts) {
        gos__mesh_deck_discrete_left(k->b, &user);
    }
    GOS_TRY(user.holds ? gos__mesh_deck_moved(k->b, &user) : GOS_OK);
    if (k->def->deck_loads) {
        gos__mesh_deck_step(k->b, &user);
        k->body->finite = user.mesh->deck->step.nlgeom;
        GOS_TRY(gos__mesh_deck_forces(k->b, &user, k->fe, &k->m->locations));
        return gos__mesh_deck_loads(k->b, &user);
    }
    return GOS_OK;
}

static gos_status tie_deck(const gos_mesh_making *k) {
    const gos_mesh_deck_user user = user_of(k);
    const gos_mesh_deck_heat heat = {k->m->skin.of_node, k->m->skin.of_across};
    return user.mesh->deck && (user.ties || user.mesh->deck->nfibre > 0)
               ? gos__mesh_deck_tie(&user, k->fe, &heat, k->m->f.flex)
               : GOS_OK;
}

/* least number of coordinates of rigid interfaces, those of the reference are held */
static int least_coordinates(const gos_mesh_making *k) {
    const gos_mesh_def *d = k->def;
    const bool space = d->element && (strncmp(d->element, "solid", 5) == 0 ||
                                      strncmp(d->element, "shell", 5) == 0);
    int n = 0;
    for (const gos_node *c = d->interfaces && d->interfaces->kind == GOS_MAP ? d->interfaces->child
                                                                             : NULL;
         c; c = c->next) {
        const gos_node *type = c->kind == GOS_MAP ? gos__node_get(c, "type") : NULL;
        const bool rigid = !type || (type->kind == GOS_SCALAR && strcmp(type->text, "rigid") == 0);
        const bool held = (d->at && strcmp(c->key, d->at) == 0) ||
                          (d->chord_end && strcmp(c->key, d->chord_end) == 0);
        n += rigid && !held ? (space ? 6 : 3) : 0;
    }
    return n;
}

/* declared interfaces; the nodes of averaging ones stand for their mean */
static gos_status name_interfaces(const gos_mesh_making *k, gos_floating_names *names) {
    const gos_mesh_locations *locations = &k->m->locations;
    const int n = locations->interfaces.n;
    int *node = GOS_NEW(k->b->arena, int, n + 1);
    const char **name = (const char **)gos__arena_alloc(k->b->arena, (size_t)n + 1, sizeof *name);
    GOS_TRY(node && name ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        name[i] = locations->interfaces.v[i].name;
        node[i] = gos__mesh_locations_find(locations, name[i]);
    }
    names->ninterface = n;
    names->interface = node;
    names->interface_name = name;
    return GOS_OK;
}

static gos_status make_flex(gos_mesh_making *k) {
    gos_floating_mesh *m = k->m;
    gos_floating_names names = {.node = node_of,
                                .par = &m->locations,
                                .known = "node(NUMBER) and sets of the mesh, heat entries"};
    const gos_mesh_hold at = hold_of(k);
    gos_sparse film = {0}, held = {0};
    GOS_TRY(gos__floating_interface_early(k->b, k->def->floating.reduce, k->object,
                                          least_coordinates(k)));
    GOS_TRY(gos__floating_mesh_matrices(k));
    GOS_TRY(take_deck_loads(k));
    GOS_TRY(tie_deck(k));
    GOS_TRY(gos__mesh_interfaces_make(k->b, k->def->interfaces, k->object, m->skin.mesh, m->f.flex,
                                      &m->locations.interfaces));
    GOS_TRY(m->f.flex->heat.n > 0
                ? gos__mesh_prescribe(k->b, k->body->name, &m->locations, m->f.flex, &m->skin)
                : GOS_OK);
    GOS_TRY(gos__mesh_locations_add(k->b->arena, m->f.flex, &m->locations));
    GOS_TRY(name_interfaces(k, &names));
    GOS_TRY(hold(k));
    GOS_TRY(gos__mesh_mentions(k->b, k->body->name, &names));
    names.nelectrode = m->piezo.nelectrode;
    names.electrode = m->piezo.name;
    if (m->f.flex->heat.n > 0) {
        GOS_TRY(gos__mesh_heat_loads(k->b, k->body->name, m->f.flex, &m->skin, &m->locations,
                                     (const double(*)[3])m->f.axis, &names, &film, &held));
        names.film = film.nnz > 0 ? &film : NULL;
        names.held = held.nnz > 0 ? &held : NULL;
    }
    names.unseen = k->body->unstiffened ? &m->held : NULL;
    gos_status status = GOS_OK;
    if (m->f.second && !k->rigid) {
        status = refuse_rigid(k);
        status = status == GOS_OK && m->piezo.nentry > 0 ? refuse_patches(k) : status;
        status = status != GOS_OK ? status
                                  : gos__mesh_coupling(k->b, k->fe, m->f.flex, &m->locations, &at,
                                                       &names, &names.stress);
    }
    if (status == GOS_OK) {
        status = m->f.still ? gos__floating_reduce(k->b, k->def->floating.reduce, 0,
                                                   k->entry->key_loc, k->object, &names, &m->f.flex)
                            : gos__floating_finish(k->b, k->entry, k->object, &k->def->floating,
                                                   &names, &m->f.flex);
    }
    gos__sparse_free(k->b->ctx, &film);
    gos__sparse_free(k->b->ctx, &held);
    m->skin.nodal = !k->b->reduce_floating;
    m->skin.at = &m->f.flex->heat.at;
    m->skin.across = &m->f.flex->heat.across;
    return status;
}

/* ---- locations ------------------------------------------------------------------------------- */

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const gos_floating_mesh *m = b->par;
    char name[GOS_LIMIT_NAME + 1];
    const int side = gos__mesh_skin_side(ref, name, sizeof name);
    const bool frame = strcmp(ref, "frame") == 0;
    int node = frame   ? m->f.flex->nnode
               : *name ? gos__mesh_locations_find(&m->locations, name)
                       : -1;
    const int surface = gos__mesh_skin_find(&m->skin, *name ? name : NULL, side);
    const double *half = m->f.flex->heat.half;
    const bool faced = side == 0 || (half && (node < 0 || half[node] > 0));
    node = faced ? node : -1;
    if (!faced && surface == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' of '%s' has no upper and lower face; only shells of one "
                            "thickness with temperatures have faces",
                            *name ? name : "all", b->name);
    }
    if (node < 0 && surface == 0 && side == 0 && gos__mesh_skin_find(&m->skin, ref, 1) > 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' are shells, which have two faces; give '%s.%s.upper', on the "
                            "side of their normals, or '%s.%s.lower'",
                            ref, b->name, ref, b->name, ref);
    }
    if (node < 0 && surface == 0) {
        const char *near = gos__suggest(name, m->locations.name, m->locations.nset);
        return gos__fail_at(
            ctx, GOS_E_INPUT, loc, object,
            "'%s' has no location '%s'%s%s%s; use frame, node(NUMBER) or a set of its mesh",
            b->name, ref, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    if (!frame && node >= 0 && m->locations.bare[node]) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "node '%s' belongs to no cell of '%s'; give one that does", ref,
                            b->name);
    }
    *p = (gos_location){.body = b,
                        .node = node,
                        .face = -1,
                        .surface = surface,
                        .side = side,
                        .set = !frame && node >= 0 && m->locations.many[node],
                        .turns = frame || (node >= 0 && m->locations.turns[node])
                                     ? GOS_LOCATION_TURNS
                                     : GOS_LOCATION_STAYS};
    for (int c = 0; c < 3; c++) {
        p->x[c] = m->f.origin[c];
        for (int j = 0; j < 3 && !frame && node >= 0; j++) {
            p->x[c] += m->f.flex->x[node][j] * m->f.axis[j][c];
        }
    }
    return GOS_OK;
}

int gos__floating_mesh_number(const gos_body *body, int node) {
    const gos_floating_mesh *m = body->par;
    const gos_mesh *mesh = m->locations.mesh;
    const bool one = node < mesh->nnode && !m->locations.bare[node];
    const int64_t tag = one ? gos__mesh_node_tag(mesh, node) : 0;
    return tag > 0 && tag < INT_MAX ? (int)tag : 0;
}

static gos_status surface_points(gos_builder *b, const gos_body *body, const gos_location *p,
                                 bool inside, int *first, int *n) {
    gos_floating_mesh *m = (gos_floating_mesh *)(uintptr_t)body->par;
    m->skin.t0 = body->t0;
    return gos__mesh_skin_points(b, body, &m->skin, p, inside, first, n);
}

static gos_status sees_itself(gos_ctx *ctx, const gos_body *body, const gos_location *p,
                              double *part) {
    const gos_floating_mesh *m = (const gos_floating_mesh *)(uintptr_t)body->par;
    return gos__mesh_skin_sees_itself(ctx, &m->skin, p, part);
}

static gos_status spread(gos_builder *b, const gos_body *body, const gos_location *p,
                         const gos_spread_to *to) {
    const gos_floating_mesh *m = body->par;
    return gos__mesh_spread(b, body, &m->skin, &m->f, p, to);
}

static gos_status recover(gos_builder *b, const gos_body *body, const gos_location *p,
                          const gos_recovery *what, int *n, gos_recovered **r) {
    gos_floating_mesh *m = (gos_floating_mesh *)(uintptr_t)body->par;
    return gos__mesh_stress(b, body, &m->stress, &m->f, &m->locations, p, what, n, r);
}

static gos_status recover_at(gos_builder *b, const gos_body *body, const double x[3],
                             const gos_recovery *what, gos_recovered **r) {
    gos_floating_mesh *m = (gos_floating_mesh *)(uintptr_t)body->par;
    return gos__mesh_stress_at(b, body, &m->stress, &m->f, m->locations.mesh, x, what, r);
}

static gos_status recover_drawn(gos_builder *b, const gos_body *body, bool strain, double face,
                                gos_recovered **r) {
    gos_floating_mesh *m = (gos_floating_mesh *)(uintptr_t)body->par;
    const gos_recovery what = {.strain = strain, .face = face};
    return gos__mesh_stress_drawn(b, body, &m->stress, &m->f, m->locations.mesh, &what, r);
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = gos__floating_node_position,
                                      .direction = gos__floating_node_direction,
                                      .spread = spread,
                                      .recover = recover,
                                      .recover_at = recover_at,
                                      .recover_drawn = recover_drawn,
                                      .range = gos__floating_range,
                                      .stress_work = gos__floating_mesh_stress_work};
static const gos_body_ops warm_body_ops = {.locate = locate,
                                           .position = gos__floating_node_position,
                                           .direction = gos__floating_node_direction,
                                           .spread = spread,
                                           .recover = recover,
                                           .recover_at = recover_at,
                                           .recover_drawn = recover_drawn,
                                           .range = gos__floating_range,
                                           .stress_work = gos__floating_mesh_stress_work,
                                           .temperature = gos__floating_node_temperature,
                                           .surface = surface_points,
                                           .sees_itself = sees_itself};
/* without displacements: no stress, and no loads that are spread over a surface */
static const gos_body_ops still_body_ops = {.locate = locate,
                                            .position = gos__floating_node_position,
                                            .direction = gos__floating_node_direction,
                                            .range = gos__floating_range,
                                            .temperature = gos__floating_node_temperature,
                                            .surface = surface_points,
                                            .sees_itself = sees_itself};

static gos_status refuse_stress(gos_builder *b, const gos_body *body, const gos_location *p,
                                const gos_recovery *what, int *n, gos_recovered **r) {
    GOS_UNUSED(p);
    GOS_UNUSED(what);
    GOS_UNUSED(n);
    GOS_UNUSED(r);
    return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                        "the body is rigid: its deck has no *ELASTIC, so stress and strain are "
                        "not defined; add it, or remove the probe");
}

static const gos_body_ops rigid_body_ops = {.locate = locate,
                                            .position = gos__floating_node_position,
                                            .direction = gos__floating_node_direction,
                                            .spread = spread,
                                            .recover = refuse_stress,
                                            .range = gos__floating_range,
                                            .temperature = gos__floating_node_temperature,
                                            .surface = surface_points,
                                            .sees_itself = sees_itself};

/* ---- the body -------------------------------------------------------------------------------- */

static gos_status choose_heat(gos_mesh_making *k) {
    if (k->def->temperature == 1 && k->cold) {
        return refuse(k, "temperature",
                      "a material has no conductivity or specific_heat; give both");
    }
    if (k->cold || k->def->temperature == 2) {
        return k->m->f.still ? refuse(k, k->cold ? "motion" : "temperature",
                                      "a body without motion must have temperatures; give its "
                                      "materials conductivity and specific heat, or remove "
                                      "`motion: none`")
                             : GOS_OK;
    }
    k->body->nfam = k->shells ? 2 : 1;
    return gos__mesh_skin_section(k->b->arena, k->shells, &k->body->section);
}

static gos_status make_picture(const gos_mesh_making *k, gos_floating_picture *picture) {
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

/* in its plane, the larger of both directions */
static double shear_of(const double (*D)[6]) {
    if (fabs(D[0][0] - D[1][1]) + fabs(D[0][2] - D[0][1]) <= 1e-9 * D[0][0]) {
        return 0.5 / (1 + D[0][1] / (D[0][0] + D[0][1]));
    }
    return D[3][3] /
           fmin(D[0][0] - D[0][1] * D[0][1] / D[1][1], D[1][1] - D[0][1] * D[0][1] / D[0][0]);
}

/* fully integrated elements lock; Poisson's ratio along the first two axes */
static gos_status check_layers(const gos_mesh_making *k) {
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
    GOS_TRY(gos__hex_layers(k->b, gos__key_loc(k->entry, "mesh"), k->object, m, poisson));
    double *const shear = poisson; // G/E of shell quadrilaterals
    for (int i = 0; i < m->ncell; i++) {
        shear[i] = 0;
    }
    for (int i = 0; i < k->npart; i++) {
        const gos_fe_part *part = &k->part[i];
        const double(*D)[6] = part->material->stiffness;
        for (int j = 0; part->element->directors && j < (part->cell ? part->n : m->ncell); j++) {
            const int cell = part->cell ? part->cell[j] : j;
            int at;
            const bool quad = gos__mesh_cell(m, cell, &at)->shape == GOS_CELL_QUAD4;
            shear[cell] = quad ? shear_of(D) : 0;
        }
    }
    return gos__shell_cells(k->b, gos__key_loc(k->entry, "mesh"), k->object, m, shear,
                            k->m->skin.thickness);
}

static gos_status make(gos_mesh_making *k) {
    gos_floating_mesh *m = k->m;
    gos_floating_picture picture;
    const gos_mesh *mesh = gos__find_mesh(k->b, k->def->mesh);
    char *own = gos__arena_strdup(k->b->arena, k->object);
    GOS_TRY(mesh ? GOS_OK : GOS_E_INPUT); // reported when read
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    m->locations.mesh = m->skin.mesh = mesh;
    gos__rotated_axes(k->def->rotation_vector, m->f.axis);
    memcpy(m->f.origin, k->def->position, sizeof m->f.origin);
    GOS_TRY(gos__mesh_skin_begin(k->b->arena, &m->skin));
    GOS_TRY(gos__floating_mesh_motion(k));
    m->f.second = k->def->floating.coupling == 1 && !m->f.still;
    GOS_TRY(gos__floating_mesh_parts(k));
    GOS_TRY(choose_heat(k));
    gos_status status = make_flex(k);
    status = status == GOS_OK ? make_picture(k, &picture) : status;
    gos__fe_body_destroy(k->fe);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    k->body->ops = m->f.still          ? &still_body_ops
                   : k->rigid          ? &rigid_body_ops
                   : k->body->nfam > 0 ? &warm_body_ops
                                       : &body_ops;
    GOS_TRY(gos__floating_add(k->b, &k->def->floating.start, &picture, own, &m->f, k->body));
    m->skin.axes = m->f.r + 1;
    m->skin.still = m->f.still ? (const double(*)[3])m->f.axis : NULL;
    GOS_TRY(m->f.still ? GOS_OK : check_layers(k));
    gos_body *body;
    GOS_TRY(gos__add_body(k->b, k->body, &body));
    GOS_TRY(gos__floating_mesh_tables(k, body));
    for (int i = 0; i < m->piezo.nentry; i++) {
        GOS_TRY(gos__piezo_connect(k->b, m->piezo.entry[i], &m->f, body));
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    gos_mesh_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    gos_floating_mesh *m = GOS_NEW(b->arena, gos_floating_mesh, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .par = m,
                     .stated = true,
                     .stated_T = d.material_temperature,
                     .plies = true,
                     .unstiffened = d.floating.coupling == 0};
    if (!m || !body.name) {
        return GOS_E_MEMORY;
    }
    gos_mesh_making k = {
        .b = b, .entry = entry, .object = object, .def = &d, .m = m, .body = &body};
    return make(&k);
}

static gos_status count(gos_builder *b, const gos_node *entry, const char *object) {
    int dim;
    const gos_node *motion = gos__node_get(entry, "motion");
    if (motion && motion->kind == GOS_SCALAR && strcmp(motion->text, "free") != 0) {
        return GOS_OK; // counted when made
    }
    const double nodes = gos__entry_mesh_nodes(b, entry, &dim);
    return gos__floating_mesh_fits(b, entry, object, dim * nodes);
}

static const gos_build_ops ops = {.build = build, .count = count};

const gos_type gos__body_floating = {
    .section = "bodies",
    .name = "floating",
    .doc = "Linear finite elements on a mesh, with temperatures at its nodes, in a floating frame "
           "with arbitrary rigid motion.",
    .params = params,
    .size = sizeof(gos_mesh_def),
    .example = "disc: {type: floating, mesh: ring, material: steel, element: plane_stress, "
               "thickness: 0.007, reference: clamped, at: inner}",
    .ops = &ops,
};
