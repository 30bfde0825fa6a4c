/* Materials, elements and thicknesses of cells. */
#include <math.h>

#include "floating/floating_mesh_make.h"
#include "deck/body_deck.h"
#include "floating/mesh_material.h"
#include "floating/mesh_picture.h"
#include "fe/beam_section.h"
#include "math/vec3.h"
#include "fe/element.h"
#include "mesh/mesh.h"

typedef struct gos_mesh_plies {
    const gos_mesh *mesh;
    const gos_node *entry; // for messages
    const char *object;
    const gos_material *material;
    double direction[3]; // axis 1, mesh axes; 0: e1
    double second[3];    // axis 2 of solids; 0: mesh axis
    bool given;          // direction given
    bool thick;          // thickness given
} gos_mesh_plies;

/* Material axes of orthotropic materials and laminates. */

// cosine to the normal above which a direction has no usable projection
#define ALONG 0.99

static gos_status refuse(const gos_builder *b, const gos_mesh_plies *of, const char *key,
                         const char *why) {
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(of->entry, key), of->object, "%s", why);
}

static gos_status check_element(const gos_builder *b, const gos_mesh_plies *of,
                                const gos_fe_part *part) {
    const bool laminate = of->material->kind == GOS_MATERIAL_LAMINATE;
    if (!part->element->directors && (laminate || part->element->dim < 3)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(of->entry, "material"), of->object,
                            "material '%s' is %s, which %s cells do not support; use `element: "
                            "shell` on a mesh of quadrilaterals%s",
                            of->material->name, laminate ? "a laminate" : "orthotropic",
                            part->element->name, laminate ? "" : ", or solids");
    }
    return laminate && of->thick
               ? refuse(b, of, "thickness",
                        "the plies of a laminate define its thickness; remove `thickness`")
               : GOS_OK;
}

static gos_status check_direction(const gos_builder *b, const gos_mesh_plies *of,
                                  const gos_fe_part *part, const double d[3]) {
    for (int i = 0; i < (part->cell ? part->n : of->mesh->ncell); i++) {
        const int cell = part->cell ? part->cell[i] : i;
        int at;
        const gos_cell_block *block = gos__mesh_cell(of->mesh, cell, &at);
        if (block->shape != GOS_CELL_QUAD4 && block->shape != GOS_CELL_TRI3) {
            continue; // refused elsewhere
        }
        const int corners = gos__cell_kind[block->shape].corners; // diagonals, or two sides
        const int *node = block->node + (size_t)at * corners;
        double a[3], c[3], n[3];
        gos__sub3(of->mesh->x[node[corners - 2]], of->mesh->x[node[0]], a);
        gos__sub3(of->mesh->x[node[corners - 1]], of->mesh->x[node[corners - 3]], c);
        gos__cross3(a, c, n);
        if (fabs(gos__dot3(d, n)) >= ALONG * gos__norm3(n)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT,
                                gos__key_loc(of->entry, of->given ? "direction" : "material"),
                                of->object,
                                "%s is nearly normal to cell %lld, so axis 1 of material '%s' is "
                                "undefined in its surface; give another `direction`; cells that "
                                "need their own can be given one in `parts`",
                                of->given ? "the direction" : "e1 of the mesh",
                                (long long)gos__mesh_cell_tag(of->mesh, cell), of->material->name);
        }
    }
    return GOS_OK;
}

/* rows: direction, and two normal axes */
static gos_status make_axes(gos_builder *b, const double d[3], gos_fe_part *part) {
    double *axes = GOS_NEW(b->arena, double, 9);
    double other[3] = {0, 0, 0};
    GOS_TRY(axes ? GOS_OK : GOS_E_MEMORY);
    other[fabs(d[2]) < ALONG ? 2 : 0] = 1;
    memcpy(axes, d, 3 * sizeof *axes);
    gos__cross3(other, d, axes + 3);
    const double size = gos__norm3(axes + 3);
    for (int c = 0; c < 3; c++) {
        axes[3 + c] /= size;
    }
    gos__cross3(axes, axes + 3, axes + 6);
    part->axes = axes;
    return GOS_OK;
}

/* rows: direction, second one orthogonalised, normal */
static gos_status make_solid_axes(gos_builder *b, const gos_mesh_plies *of, const double d[3],
                                  gos_fe_part *part) {
    double *axes = GOS_NEW(b->arena, double, 9), second[3] = {0, 0, 0};
    GOS_TRY(axes ? GOS_OK : GOS_E_MEMORY);
    const double given = gos__norm3(of->second);
    second[fabs(d[1]) < ALONG ? 1 : 2] = 1;
    for (int c = 0; c < 3 && given > 0; c++) {
        second[c] = of->second[c] / given;
    }
    const double along = gos__dot3(d, second);
    if (!(fabs(along) < ALONG)) {
        return refuse(
            b, of, given > 0 ? "direction2" : "direction",
            "direction2 is nearly parallel to direction, so axis 2 is undefined; give another one");
    }
    for (int c = 0; c < 3; c++) {
        axes[c] = d[c];
        axes[3 + c] = (second[c] - along * d[c]) / sqrt(1 - along * along);
    }
    gos__cross3(axes, axes + 3, axes + 6);
    part->axes = axes;
    return GOS_OK;
}

/* Set thickness, offset and axes of a part with element and cells. GOS_E_INPUT with a record:
 * unsupported cells, thickness besides plies, direction along a normal. */
static gos_status mesh_plies(gos_builder *b, const gos_mesh_plies *of, gos_fe_part *part) {
    const gos_laminate *l = of->material->laminate;
    const double size = gos__norm3(of->direction);
    double d[3] = {1, 0, 0};
    if (of->material->kind == GOS_MATERIAL_ISOTROPIC) {
        return GOS_OK;
    }
    GOS_TRY(check_element(b, of, part));
    for (int c = 0; c < 3 && size > 0; c++) {
        d[c] = of->direction[c] / size;
    }
    if (!part->element->directors) {
        return make_solid_axes(b, of, d, part);
    }
    GOS_TRY(check_direction(b, of, part, d));
    GOS_TRY(make_axes(b, d, part));
    part->thickness = l ? l->thickness : part->thickness;
    part->offset = l ? l->offset : 0;
    return GOS_OK;
}

typedef struct part_def {
    const char *cells, *material, *element;
    double thickness, direction[3], direction2[3];
    gos_mesh_beams beams;
} part_def;

static const gos_param part_params[] = {
    {.name = "cells",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(part_def, cells),
     .doc = "set of cells"},
    GOS_MESH_MATERIAL(part_def, "material of these cells"),
    GOS_MESH_TEXT(part_def, element, 0, "formulation of these cells"),
    GOS_MESH_THICKNESS(part_def, "thickness of these cells"),
    GOS_MESH_DIRECTION(part_def, "direction of axis 1 of these cells"),
    GOS_MESH_DIRECTION2(part_def, "direction of axis 2 of these cells"),
    GOS_MESH_BEAMS(part_def, "cross-section of these cells, where they are beams"),
    {0}};

static gos_status take_material(gos_mesh_making *k, const gos_material *named, gos_loc loc,
                                const gos_fe_layup **layup, const gos_fe_material **to) {
    const gos_material at = gos__material_at(named, k->def->material_temperature), *from = &at;
    gos_fe_material *m = NULL;
    if (named->kind == GOS_MATERIAL_LAMINATE) {
        k->body->material = named;
        return gos__mesh_laminate(k->b, named, k->def->material_temperature, loc, k->object, layup,
                                  to);
    }
    GOS_TRY(gos__mesh_material(k->b, from, loc, k->object, &m));
    k->body->material = named;
    *to = m;
    return GOS_OK;
}

/* default element: beam with a section, else solid */
static gos_status take_element(const gos_mesh_making *k, const char *name, bool section,
                               gos_loc loc, const gos_fe_element **element) {
    const char *known[32];
    int n;
    const gos_fe_element *const *all = gos__fe_elements(&n);
    *element = name                                    ? gos__fe_element(name)
               : section                               ? gos__fe_element("beam")
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

/* cell data for heat on surfaces */
static void describe_cells(gos_mesh_making *k, const gos_fe_part *part) {
    const gos_mesh_skin *skin = &k->m->skin;
    const bool shell = part->element->heats > 1;
    k->shells = k->shells || shell;
    k->cold = k->cold || !gos__mesh_material_warm(part->material);
    for (int i = 0; i < (part->cell ? part->n : skin->mesh->ncell); i++) {
        const int cell = part->cell ? part->cell[i] : i;
        int at;
        const gos_cell_block *b = gos__mesh_cell(skin->mesh, cell, &at);
        if (gos__cell_kind[b->shape].dim == part->element->dim) {
            skin->thickness[cell] = part->element->thick ? part->thickness : 0;
            skin->shell[cell] = shell;
            skin->profile[cell] = part->profile;
        }
    }
}

/* shared by parts with the same section: stresses are averaged over them */
static gos_status take_profile(gos_mesh_making *k, const gos_mesh_beams *d, double poisson,
                               const gos_node *at, gos_fe_part *to) {
    const gos_section *s = d->section ? gos__find_section(k->b, d->section) : NULL;
    gos_fe_profile *p = GOS_NEW(k->b->arena, gos_fe_profile, 1);
    if (!s) {
        return d->section ? GOS_E_INPUT // reported when read
                          : gos__fail_at(k->b->ctx, GOS_E_INPUT, at->loc, k->object,
                                         "beams need a `section`, one of `sections:`");
    }
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    *p = (gos_fe_profile){.A = s->A,
                          .Iy = s->Iy,
                          .Iz = s->Iz,
                          .J = s->J,
                          .height = s->height,
                          .width = s->width,
                          .radius = s->outer};
    for (int i = 0; i < s->noutline; i++) {
        p->perimeter += s->outline[i].dl;
    }
    gos__shear_factors(s, poisson, p->shear);
    memcpy(p->normal, d->normal, sizeof p->normal);
    memcpy(p->offset, d->offset, sizeof p->offset);
    to->profile = p;
    for (const gos_fe_part *q = k->part; q < to; q++) {
        to->profile = gos__fe_profile_same(q->profile, p) ? q->profile : to->profile;
    }
    return GOS_OK;
}

static const char *const beam_keys[] = {"section", "normal", "offset"};

/* missing beam keys are those of the body */
static void inherit(const gos_mesh_making *k, const gos_node *at, gos_mesh_beams *beams) {
    const gos_mesh_beams *all = &k->def->beams;
    beams->section = beams->section ? beams->section : all->section;
    if (!gos__node_given(at, "normal")) {
        memcpy(beams->normal, all->normal, sizeof beams->normal);
    }
    if (!gos__node_given(at, "offset")) {
        memcpy(beams->offset, all->offset, sizeof beams->offset);
    }
}

static gos_status refuse_beams(const gos_mesh_making *k, const gos_node *at, const char *what) {
    for (int i = 0; i < GOS_COUNT(beam_keys); i++) {
        if (gos__node_given(at, beam_keys[i])) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(at, beam_keys[i]), k->object,
                                "`%s` applies to beams only, but this is %s; remove it, or list "
                                "the set of beam lines in `parts`",
                                beam_keys[i], what);
        }
    }
    return GOS_OK;
}

/* shared for equal material and axes: stresses are averaged over them */
static gos_status share_material(gos_mesh_making *k, const gos_material *from, const gos_node *at,
                                 gos_fe_part *to) {
    const int own = (int)(to - k->part);
    for (const gos_fe_part *p = k->part; p < to; p++) {
        const bool axes = !p->axes == !to->axes &&
                          (!p->axes || memcmp(p->axes, to->axes, 9 * sizeof *p->axes) == 0);
        if (strcmp(k->name[p - k->part], k->name[own]) == 0 && axes) {
            to->material = p->material;
            to->layup = p->layup;
            return GOS_OK;
        }
    }
    return take_material(k, from, at->loc, &to->layup, &to->material);
}

static gos_status take_plies(const gos_mesh_making *k, const part_def *d, const gos_node *at,
                             const gos_material *from, gos_fe_part *to) {
    const bool own = gos__node_given(at, "direction") != NULL;
    const double *direction = own ? d->direction : k->def->direction;
    const bool own2 = gos__node_given(at, "direction2") != NULL;
    const double *second = own2 ? d->direction2 : k->def->direction2;
    const gos_mesh_plies plies = {.mesh = k->m->skin.mesh,
                                  .entry = at,
                                  .object = k->object,
                                  .material = from,
                                  .direction = {direction[0], direction[1], direction[2]},
                                  .second = {second[0], second[1], second[2]},
                                  .given = own || gos__node_given(k->entry, "direction"),
                                  .thick = d->thickness > 0 || k->def->thickness > 0};
    return mesh_plies(k->b, &plies, to);
}

static gos_status take_part(gos_mesh_making *k, const part_def *d, const gos_node *at,
                            gos_fe_part *to) {
    const char *material = d->material ? d->material : k->def->material;
    const char *element = d->element ? d->element : d->beams.section ? NULL : k->def->element;
    const gos_material *from = material ? gos__find_material(k->b, material) : NULL;
    if (!from) {
        return material ? GOS_E_INPUT // reported when read
                        : gos__fail_at(k->b->ctx, GOS_E_INPUT, at->loc, k->object,
                                       "it has no material; give one for the body or each part");
    }
    *to = (gos_fe_part){.loc = at->loc,
                        .object = k->object,
                        .thickness = d->thickness > 0 ? d->thickness : k->def->thickness};
    gos_mesh_beams beams = d->beams;
    inherit(k, at, &beams);
    element = !element && from->laminate ? "shell" : element;
    GOS_TRY(take_element(k, element, beams.section, gos__key_loc(at, "element"), &to->element));
    GOS_TRY(to->element->gram ? take_profile(k, &beams, from->poisson, at, to)
                              : refuse_beams(k, at, to->element->name));
    if (to->element->thick && !(to->thickness > 0) && !from->laminate) {
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
    GOS_TRY(take_plies(k, d, at, from, to));
    return share_material(k, from, at, to);
}

static gos_status name_materials(gos_mesh_making *k) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    k->name = (const char **)gos__arena_alloc(k->b->arena, (size_t)k->npart + 1, sizeof *k->name);
    GOS_TRY(k->name ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->npart; i++) {
        const char *name = k->def->material;
        if (!name) {
            const int section = deck->cell_section[k->part[i].cell[0]];
            name = deck->material[deck->section[section].material].name;
        }
        k->name[i] =
            k->part[i].layup
                ? gos__arena_printf(k->b->arena, "layers of set %s",
                                    deck->section[deck->cell_section[k->part[i].cell[0]]].set)
                : gos__arena_strdup(k->b->arena, name);
        GOS_TRY(k->name[i] ? GOS_OK : GOS_E_MEMORY);
    }
    k->m->stress = (gos_mesh_stress){.npart = k->npart, .part = k->part, .material = k->name};
    return GOS_OK;
}

/* the frame follows the mass, or the body has initial velocities */
static bool moves(const gos_mesh_making *k) {
    const gos_floating_def *f = &k->def->floating;
    const bool rigid = gos__mesh_deck_rigid(k->m->skin.mesh->deck);
    return (f->reference == GOS_FLEX_MEAN_AXIS && !rigid) || gos__norm3(f->start.velocity) > 0 ||
           gos__norm3(f->start.angular_velocity) > 0;
}

static gos_status take_deck(gos_mesh_making *k) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    const gos_material *from = k->def->material ? gos__find_material(k->b, k->def->material) : NULL;
    gos_deck_given given = {.thickness = k->def->thickness,
                            .loc = k->entry->loc,
                            .object = k->object,
                            .still = k->m->f.still,
                            .current = gos__floating_mesh_current(k)};
    const gos_fe_layup *layup = NULL;
    gos_deck_parts parts;
    GOS_TRY(k->def->material && !from ? GOS_E_INPUT : GOS_OK); // reported when read
    if (from && from->kind != GOS_MATERIAL_ISOTROPIC) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "material"), k->object,
                            "on the mesh of a deck, give orthotropic materials and laminates in "
                            "`parts`, [{cells: SET, material: NAME, element: shell}, ...]");
    }
    GOS_TRY(from ? take_material(k, from, k->entry->loc, &layup, &given.material) : GOS_OK);
    GOS_TRY(k->def->element ? take_element(k, k->def->element, false,
                                           gos__key_loc(k->entry, "element"), &given.element)
                            : GOS_OK);
    if (!from && k->def->deck_loads && deck->uniform &&
        !gos__node_given(k->entry, "material_temperature")) {
        k->def->material_temperature = deck->step_temperature - gos__deck_temperature(deck, NULL);
    }
    given.temperature = k->def->material_temperature;
    given.prescribed =
        !from && k->def->deck_loads && deck->given && !gos__mesh_deck_heated(k->b, k->body->name);
    k->body->stated_T = given.temperature;
    gos__mesh_deck_needs(k->b, deck, k->body->name, k->def->deck_loads, moves(k), &given);
    k->rigid = !from && given.no_elastic;
    GOS_TRY(gos__deck_parts(k->b->ctx, k->b->arena, deck, &given, &parts));
    GOS_TRY(gos__mesh_deck_lacks(k->b, &parts, k->object));
    k->m->f.tables =
        (gos_floating_tables){.n = parts.ntable, .material = parts.table, .T0 = parts.temperature};
    k->npart = parts.n;
    k->part = parts.part;
    GOS_TRY(name_materials(k));
    if (!from && !gos__node_given(k->entry, "rayleigh")) {
        memcpy(k->def->floating.rayleigh, parts.damping, sizeof parts.damping);
    }
    return from ? GOS_OK : gos__mesh_deck_materials(k->b, &parts, k->body);
}

static gos_status take_parts(gos_mesh_making *k) {
    const gos_node *list = k->def->parts;
    if (list && (list->kind != GOS_LIST || list->n == 0)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "parts"), k->object,
                            "parts must be a list, [{cells: SET, material: NAME}, ...]");
    }
    if (!list && k->m->skin.mesh->deck) {
        GOS_TRY(refuse_beams(k, k->entry, "a part of the mesh's deck"));
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
        part_def all = {.element = k->def->element, .beams = k->def->beams};
        memcpy(all.direction, k->def->direction, sizeof all.direction);
        memcpy(all.direction2, k->def->direction2, sizeof all.direction2);
        return take_part(k, &all, k->entry, k->part);
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

gos_status gos__floating_mesh_parts(gos_mesh_making *k) {
    GOS_TRY(take_parts(k));
    for (int i = 0; i < k->npart; i++) {
        describe_cells(k, &k->part[i]);
    }
    return GOS_OK;
}
