/* Parts of decks: cells of one *ELEMENT card (mesh block) and section. */
#include "deck/fe_parts.h"

#include <math.h>

#include "base/base.h"
#include "deck/nastran.h"
#include "fe/layup.h"
#include "fe/beam_section.h"

typedef struct making {
    gos_ctx *ctx;
    gos_arena *arena;
    const gos_deck *deck;
    const gos_deck_given *given;
    gos_deck_parts *parts;
    gos_fe_material **material; // NULL: not yet made (deck->nmaterial)
    int *count;                 // by section; then part indices (nsection + 1)
    int most;                   // capacity of parts
    bool damped;                // parts->damping is set
} making;

/* ---- formulations ---------------------------------------------------------------------------- */

/* without the D of heat transfer, node count and letters */
static const struct {
    const char *type, *name;
} families[] = {{"C3D", "solid"},
                {"CPS", "plane_stress"},
                {"CPE", "plane_strain"},
                {"CAX", "axisymmetric"},
                {"S", "shell"}};

const gos_fe_element *gos__deck_element(const char *type, gos_cell_shape shape) {
    char name[40];
    const char *nastran = gos__nastran_element(type, shape);
    if (nastran) {
        return gos__fe_element(nastran);
    }
    const bool heat = strncmp(type, "DC3D", 4) == 0 || strncmp(type, "DCAX", 4) == 0 ||
                      (type[0] == 'D' && type[1] == 'S');
    if (strncmp(type, "B31", 3) == 0 || strncmp(type, "B32", 3) == 0) {
        return gos__fe_element("beam");
    }
    if (strncmp(type, "T3D", 3) == 0 || strncmp(type, "T2D", 3) == 0) {
        return gos__fe_element(type[1] == '3' ? "truss" : "plane_truss");
    }
    const char *t = heat ? type + 1 : type;
    for (int i = 0; i < GOS_COUNT(families); i++) {
        const size_t n = strlen(families[i].type);
        if (strncmp(t, families[i].type, n) != 0) {
            continue;
        }
        const size_t digits = strspn(t + n, "0123456789");
        if (digits == 0) {
            continue;
        }
        const char *rest = t + n + digits;
        const bool shell = strcmp(families[i].name, "shell") == 0;
        if (shell && gos__cell_kind[shape].dim == 3) { // expanded
            return gos__fe_element(strcmp(rest, "R") == 0 ? "solid_reduced" : "solid");
        }
        const bool wedge = strncmp(t, "C3D6", 4) == 0 && digits == 1; // two points
        // one point has modes without energy
        const bool brick = strncmp(t, "C3D8R", 5) == 0 && digits == 1;
        const char *how = shell && strcmp(rest, "R") == 0           ? ""
                          : *rest == '\0' || strcmp(rest, "T") == 0 ? wedge ? "_reduced" : ""
                          : brick                                   ? "_incompatible"
                          : strcmp(rest, "R") == 0 || strcmp(rest, "RT") == 0 ? "_reduced"
                          : strcmp(rest, "I") == 0                            ? "_incompatible"
                                                                              : NULL;
        if (!how) {
            return NULL;
        }
        gos__format(name, sizeof name, "%s%s", families[i].name, how);
        return gos__fe_element(name);
    }
    return NULL;
}

static gos_loc cell_loc(const gos_mesh *m, const gos_cell_block *b, int i) {
    return (gos_loc){m->source, b->line ? b->line[i] : 0, 0};
}

static gos_status find_element(const making *k, const gos_cell_block *b, int i,
                               const gos_fe_element **element) {
    const gos_mesh *m = k->deck->mesh;
    const gos_fe_element *e = k->given->element;
    e = e ? e : b->type ? gos__deck_element(b->type, b->shape) : NULL;
    if (b->type && gos__deck_is_discrete_type(b->type)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, cell_loc(m, b, i), k->given->object,
                            "element %lld of type %s has no value; add *SPRING, *DASHPOT or *MASS",
                            (long long)gos__mesh_cell_tag(m, b->first + i), b->type);
    }
    if (!e || (e->shapes & 1u << b->shape) == 0) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, cell_loc(m, b, i), k->given->object,
                            "element %lld of type %s: %s cells do not support this formulation%s; "
                            "give the body `element`, or `parts` with its sets of cells",
                            (long long)gos__mesh_cell_tag(m, b->first + i),
                            b->type ? b->type : "unknown", gos__cell_kind[b->shape].name,
                            gos__cell_kind[b->shape].dim < 2
                                ? " (beams B31 and B32 and trusses are supported)"
                                : "");
    }
    *element = e;
    return GOS_OK;
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* additional rotation about the third axis */
static void turn(const gos_deck_orientation *o, double axes[3][3]) {
    const int p = o->axis % 3, q = (o->axis + 1) % 3;
    const double a = o->angle * acos(-1.0) / 180;
    for (int c = 0; o->axis > 0 && c < 3; c++) {
        const double x = axes[p][c], y = axes[q][c];
        axes[p][c] = cos(a) * x + sin(a) * y;
        axes[q][c] = cos(a) * y - sin(a) * x;
    }
}

bool gos__deck_oriented(const gos_deck_orientation *o, const double x[3], double axes[3][3]) {
    const bool good = gos__deck_axes(o->cylindrical, o->a, o->b, x, axes);
    turn(o, axes);
    return good;
}

static gos_status take_axes(const making *k, const gos_deck_orientation *o, gos_fe_part *p) {
    const gos_mesh *m = k->deck->mesh;
    const int n = o->cylindrical ? p->n : 1;
    double(*axes)[3][3] = gos__arena_alloc(k->arena, (size_t)n, sizeof *axes);
    GOS_TRY(axes ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        int at;
        double x[3] = {0, 0, 0};
        const gos_cell_block *b = gos__mesh_cell(m, p->cell[i], &at);
        const gos_cell_kind *kind = &gos__cell_kind[b->shape];
        for (int j = 0; j < 3 * kind->corners; j++) {
            x[j % 3] += m->x[b->node[at * kind->nodes + j / 3]][j % 3] / kind->corners;
        }
        if (!gos__deck_oriented(o, x, axes[i])) {
            return gos__fail_at(k->ctx, GOS_E_INPUT, o->loc, k->given->object,
                                "the middle of element %lld lies on the axis of orientation '%s', "
                                "where its directions are undefined",
                                (long long)gos__mesh_cell_tag(m, p->cell[i]), o->name);
        }
    }
    p->axes = &axes[0][0][0];
    p->axes_by_cell = o->cylindrical;
    return GOS_OK;
}

/* ---- materials ------------------------------------------------------------------------------- */

double gos__deck_temperature(const gos_deck *deck, gos_loc *other) {
    double value = 0;
    gos_loc differs = {0};
    for (int i = 0; i < deck->nnodal; i++) {
        const gos_deck_nodal *n = &deck->nodal[i];
        if (n->kind != GOS_DECK_INITIAL_TEMPERATURE) {
            continue;
        }
        if (n->n == deck->mesh->nnode) {
            value = n->value; // later lines override
            differs = (gos_loc){0};
        } else if (n->value != value && differs.line == 0) {
            differs = n->loc;
        }
    }
    if (other) {
        *other = differs;
    }
    return value;
}

static gos_status take_damping(making *k, const gos_deck_material *m) {
    double *d = k->parts->damping;
    if (k->damped && (d[0] != m->damping[0] || d[1] != m->damping[1])) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, m->loc, k->given->object,
                            "material '%s' has a different *DAMPING than an earlier one, but a "
                            "body has one; remove them, and give the body `rayleigh`",
                            m->name);
    }
    memcpy(d, m->damping, sizeof m->damping);
    k->damped = true;
    return GOS_OK;
}

/* arbitrary values: all temperatures are prescribed */
static void fill_heat(gos_fe_material *m) {
    m->heat = m->heat > 0 ? m->heat : 1;
    for (int c = 0; c < 3; c++) {
        m->conductivity[c][c] = m->conductivity[c][c] > 0 ? m->conductivity[c][c] : 1;
    }
}

/* arbitrary values of properties that the analysis does not need */
static void fill_lacking(making *k, const gos_deck_material *m, gos_deck_material *full) {
    static double zero[1] = {0}, one[1] = {1}, elastic[2] = {1, 0};
    const gos_deck_given *g = k->given;
    *full = *m;
    if (g->no_elastic && m->elastic.n == 0) {
        full->elastic = (gos_deck_table){.n = 1, .width = 2, .t = zero, .v = elastic};
        full->elastic_law = GOS_DECK_ISOTROPIC;
        full->expansion.n = 0;
    }
    const bool density = g->no_density && m->density.n == 0;
    const bool heat = g->no_heat && m->conductivity.n > 0 && m->specific_heat.n == 0;
    if (density) {
        full->density = (gos_deck_table){.n = 1, .width = 1, .t = zero, .v = one};
    }
    if (heat) {
        full->specific_heat = (gos_deck_table){.n = 1, .width = 1, .t = zero, .v = one};
    }
    if ((density || heat) && !k->parts->lacks) {
        k->parts->lacks = m;
        k->parts->lacks_card = density ? "*DENSITY" : "*SPECIFIC HEAT";
    }
}

static gos_status check_density(const making *k, const gos_deck_material *m) {
    return !k->deck->nastran || m->density.n > 0
               ? GOS_OK
               : gos__fail_at(k->ctx, GOS_E_INPUT, m->loc, k->given->object,
                              "material %s has no density, and cells need mass; give RHO (a small "
                              "one beside CONM2), or give the body a `material` of the model",
                              m->name);
}

static gos_status make_material(making *k, int number, const gos_fe_material **to_) {
    gos_deck_material full;
    const gos_deck_material *m = &k->deck->material[number];
    gos_fe_material **made = &k->material[number];
    if (!*made) {
        gos_fe_material *to = GOS_NEW(k->arena, gos_fe_material, 1);
        GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
        gos_deck_parts *parts = k->parts;
        fill_lacking(k, m, &full);
        GOS_TRY(check_density(k, &full));
        GOS_TRY(gos__deck_material(k->ctx, &full, parts->temperature,
                                   parts->temperature + k->given->temperature, k->given->still,
                                   k->given->object, to));
        GOS_TRY(take_damping(k, m));
        if (k->given->prescribed) {
            fill_heat(to);
        }
        if (gos__deck_material_varies(m) && (m->density.n > 1 || !k->given->current)) {
            parts->table[parts->ntable++] = m;
        }
        *made = to;
    }
    *to_ = *made;
    return GOS_OK;
}

static gos_status take_material(making *k, const gos_deck_section *s, gos_fe_part *p) {
    const gos_deck_material *m = k->given->material ? NULL : &k->deck->material[s->material];
    if (m && m->elastic_law == GOS_DECK_LAMINA && !p->element->directors) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, m->elastic.loc, k->given->object,
                            "TYPE=LAMINA has no properties across a layer, which %s cells need; "
                            "give ENGINEERING CONSTANTS",
                            p->element->name);
    }
    p->material = k->given->material;
    return m ? make_material(k, s->material, &p->material) : GOS_OK;
}

/* shared by parts with the same section: stresses are averaged over them */
static gos_status take_layers(making *k, const gos_deck_section *s, gos_fe_part *p) {
    const gos_deck *d = k->deck;
    const gos_fe_material **m =
        (const gos_fe_material **)gos__arena_alloc(k->arena, s->nlayer, sizeof *m);
    const int base = gos__deck_layup_base(d, s);
    GOS_TRY(m ? GOS_OK : GOS_E_MEMORY);
    if (!p->element->directors || k->given->thickness > 0) {
        return gos__fail_at(
            k->ctx, GOS_E_INPUT, p->element->directors ? k->given->loc : s->loc, k->given->object,
            p->element->directors ? "the layers of a section of the deck (COMPOSITE) define its "
                                    "thickness; remove `thickness`"
                                  : "elements of a section with layers (COMPOSITE) must be shells "
                                    "of three or four nodes, S3, S4 or S4R");
    }
    for (int i = 0; i < s->nlayer; i++) {
        GOS_TRY(make_material(k, s->layer[i].material, &m[i]));
    }
    GOS_TRY(base < 0 ? GOS_OK : take_axes(k, &d->orientation[base], p));
    GOS_TRY(gos__deck_layup(k->ctx, k->arena, d, s, m, p));
    for (const gos_fe_part *q = k->parts->part; q < p; q++) {
        if (q->layup && &d->section[d->cell_section[q->cell[0]]] == s &&
            gos__fe_layup_same(q->layup, p->layup)) {
            p->layup = q->layup;
            p->material = q->material;
            return GOS_OK;
        }
    }
    return GOS_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static gos_status check_section(const making *k, const gos_fe_element *e, const gos_cell_block *b,
                                int i, int section) {
    const gos_deck *d = k->deck;
    const gos_deck_section *s = section < 0 ? NULL : &d->section[section];
    if (!s && (!k->given->material || e->gram)) {
        return gos__fail_at(
            k->ctx, GOS_E_INPUT, cell_loc(d->mesh, b, i), k->given->object,
            e->gram ? "element %lld is a beam without section; add one to the deck (*BEAM SECTION)"
                    : "element %lld has no section and hence no material; add one to the deck "
                      "(*SOLID SECTION, *SHELL SECTION), or give the body `material`",
            (long long)gos__mesh_cell_tag(d->mesh, b->first + i));
    }
    if (e->gram) {
        return GOS_OK; // see take_profile
    }
    if (s && s->kind != GOS_DECK_SOLID && s->kind != GOS_DECK_SHELL) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, s->loc, k->given->object,
                            "this section is for elements that mesh bodies do not support");
    }
    if (s && s->offset[0] != 0 && !gos__deck_is_layer(b) &&
        (s->nlayer == 0 || k->given->material)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, s->loc, k->given->object,
                            "shells with offset nodes (OFFSET) are not supported; move the nodes "
                            "to the middle surface");
    }
    return GOS_OK;
}

/* shared by parts with the same section: stresses are averaged over them */
static gos_status take_profile(making *k, const gos_deck_section *s, gos_fe_part *p) {
    gos_fe_profile *made = GOS_NEW(k->arena, gos_fe_profile, 1);
    GOS_TRY(made ? GOS_OK : GOS_E_MEMORY);
    if (!k->given->material &&
        (s->orientation >= 0 || !gos__deck_isotropic(&k->deck->material[s->material]))) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, s->loc, k->given->object,
                            "beams support isotropic materials only, without ORIENTATION");
    }
    GOS_TRY(gos__deck_profile(k->ctx, s, p->material, k->given->object, made));
    p->profile = made;
    for (const gos_fe_part *q = k->parts->part; q < p; q++) {
        p->profile = gos__fe_profile_same(q->profile, made) ? q->profile : p->profile;
    }
    return GOS_OK;
}

static bool is_truss(const gos_fe_element *e) {
    return e == &gos__fe_element_truss || e == &gos__fe_element_plane_truss;
}

/* of trusses: their area */
static double thickness_of(const making *k, const gos_fe_element *e, const gos_deck_section *s) {
    return is_truss(e) && s          ? s->value[0]
           : k->given->thickness > 0 ? k->given->thickness
           : !e->thick || !s         ? 0
           : s->value[0] > 0         ? s->value[0]
                                     : k->deck->length; // as in CalculiX: 1
}

/* part of the block's cells with this section, still empty */
static gos_status begin_part(making *k, const gos_cell_block *b, int i, int section, int n) {
    const gos_deck *d = k->deck;
    const gos_deck_section *s = section < 0 ? NULL : &d->section[section];
    gos_deck_parts *all = k->parts;
    const gos_fe_element *element = NULL;
    GOS_TRY(find_element(k, b, i, &element));
    GOS_TRY(check_section(k, element, b, i, section));
    GOS_TRY(gos__grow(k->ctx, (void **)&all->part, &k->most, all->n + 1, sizeof *all->part));
    gos_fe_part *p = &all->part[all->n];
    *p = (gos_fe_part){.element = element,
                       .cell = GOS_NEW(k->arena, int, n),
                       .thickness = thickness_of(k, element, s),
                       .loc = s ? s->loc : k->given->loc,
                       .object = k->given->object};
    GOS_TRY(p->cell ? GOS_OK : GOS_E_MEMORY);
    if (element->thick && !(p->thickness > 0)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, k->given->loc, k->given->object,
                            "%s needs a thickness above 0", element->name);
    }
    GOS_TRY(take_material(k, s, p));
    GOS_TRY(element->gram ? take_profile(k, s, p) : GOS_OK);
    all->n++;
    return GOS_OK;
}

/* without face markers; with an element of the model, cells of its dimension */
static bool belongs(const making *k, const gos_cell_block *b, int i) {
    const int s = k->deck->cell_section[b->first + i];
    if (b->type && strcmp(b->type, "DCOUP3D") == 0) {
        return false; // see *DISTRIBUTING COUPLING
    }
    return k->given->element ? k->given->element->dim == gos__cell_kind[b->shape].dim
                             : !gos__deck_stands_for_face(k->deck, b, i) &&
                                   !(s >= 0 && gos__deck_is_discrete(&k->deck->section[s]));
}

static gos_status take_block(making *k, const gos_cell_block *b) {
    const int *section = k->deck->cell_section + b->first;
    const int first = k->parts->n;
    memset(k->count, 0, ((size_t)k->deck->nsection + 1) * sizeof *k->count);
    for (int i = 0; i < b->n; i++) {
        k->count[section[i] + 1] += belongs(k, b, i);
    }
    for (int i = 0; i < b->n; i++) {
        if (!belongs(k, b, i)) {
            continue;
        }
        int *count = &k->count[section[i] + 1];
        if (*count > 0) {
            GOS_TRY(begin_part(k, b, i, section[i], *count));
            *count = -k->parts->n;
        }
        gos_fe_part *p = &k->parts->part[-*count - 1];
        ((int *)(uintptr_t)p->cell)[p->n++] = b->first + i;
    }
    for (int i = first; i < k->parts->n; i++) {
        gos_fe_part *p = &k->parts->part[i];
        const int s = k->deck->cell_section[p->cell[0]];
        const gos_deck_section *own = s < 0 || k->given->material ? NULL : &k->deck->section[s];
        if (own && own->nlayer > 0) {
            GOS_TRY(take_layers(k, own, p));
        } else if (own && own->orientation >= 0) {
            GOS_TRY(take_axes(k, &k->deck->orientation[own->orientation], p));
        }
    }
    return GOS_OK;
}

/* (largest - smallest)/(sum) of the Jacobian at the corners; 0: parallelepiped */
static double distortion_of(const gos_mesh *m, int cell) {
    double x[GOS_CELL_NODES][3], at[GOS_CELL_NODES][3], least = HUGE_VAL, most = -HUGE_VAL;
    int i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    gos__shape_nodes(b->shape, at);
    for (int j = 0; j < kind->nodes; j++) {
        memcpy(x[j], m->x[b->node[i * kind->nodes + j]], sizeof x[j]);
    }
    for (int j = 0; j < kind->corners; j++) {
        double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], grad[GOS_CELL_NODES][3];
        gos__shape(b->shape, at[j], N, dN);
        const double det = gos__shape_gradient(kind->dim, kind->nodes, x, dN, grad);
        least = fmin(least, det);
        most = fmax(most, det);
    }
    return least > 0 ? (most - least) / (most + least) : 0; // refused otherwise
}

#define DISTORTED 0.05 // displacements differ from CalculiX by about 3e-4

/* CalculiX 2.20 does not scale incompatible modes by the Jacobian ratio; its distorted cells fail
   the patch test */
static void note_incompatible(const making *k) {
    const gos_deck_parts *all = k->parts;
    double worst = 0;
    int tag = -1;
    for (int i = 0; i < all->n; i++) {
        const gos_fe_part *p = &all->part[i];
        int at;
        const char *type = gos__mesh_cell(k->deck->mesh, p->cell[0], &at)->type;
        const bool brick = p->element == &gos__fe_element_solid_incompatible;
        for (int j = 0; brick && type && strncmp(type, "C3D8", 4) == 0 && j < p->n; j++) {
            const double d = distortion_of(k->deck->mesh, p->cell[j]);
            tag = d > worst ? p->cell[j] : tag;
            worst = fmax(worst, d);
        }
    }
    if (worst > DISTORTED) {
        char text[300];
        gos__format(text, sizeof text,
                    "cells C3D8I of the deck are distorted (the volume of element %lld varies by "
                    "%.0f %%): they represent constant stress exactly here but not in CalculiX, so "
                    "displacements differ (docs/finite-elements.md)",
                    (long long)gos__mesh_cell_tag(k->deck->mesh, tag), 100 * worst);
        gos__note(k->ctx, k->given->object, text);
    }
}

/* CalculiX and Abaqus stabilise one point against hourglass modes */
static void note_bricks(const making *k) {
    for (int i = 0; i < k->parts->n; i++) {
        const gos_fe_part *p = &k->parts->part[i];
        int at;
        const gos_cell_block *b = gos__mesh_cell(k->deck->mesh, p->cell[0], &at);
        if (!k->given->element && b->type && strncmp(b->type, "C3D8R", 5) == 0) {
            char text[300];
            gos__format(text, sizeof text,
                        "cells C3D8R of the deck (first in line %d) are computed as C3D8I: without "
                        "hourglass modes, and accurate in bending, where one point with hourglass "
                        "control depends on the mesh; displacements differ from those of one point",
                        b->line ? b->line[at] : 0);
            gos__note(k->ctx, k->given->object, text);
            return;
        }
    }
}

static gos_status take_blocks(making *k) {
    const gos_mesh *m = k->deck->mesh;
    if (!k->given->material && !(k->deck->mass > 0)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, k->given->loc, k->given->object,
                            "the lengths of the deck are scaled by %g, but the mass unit of its "
                            "materials is unknown; add `mass_scale` to its mesh (mm, t, s: scale "
                            "1e-3, mass_scale 1000), or give the body a `material`",
                            k->deck->length);
    }
    for (int i = 0; i < m->nblock; i++) {
        GOS_TRY(m->block[i].n > 0 ? take_block(k, &m->block[i]) : GOS_OK);
    }
    note_incompatible(k);
    note_bricks(k);
    if (k->parts->ntable > 0) {
        char text[200];
        gos__format(text, sizeof text,
                    "temperature-dependent materials of the deck are evaluated at %g, %s",
                    k->parts->temperature + k->given->temperature,
                    k->given->temperature == 0 ? "its initial temperature"
                                               : "specified by the model or the deck's step");
        gos__note(k->ctx, k->given->object, text);
    }
    return GOS_OK;
}

gos_status gos__deck_parts(gos_ctx *ctx, gos_arena *arena, const gos_deck *deck,
                           const gos_deck_given *given, gos_deck_parts *parts) {
    making k = {.ctx = ctx, .arena = arena, .deck = deck, .given = given, .parts = parts};
    *parts = (gos_deck_parts){.temperature = gos__deck_temperature(deck, NULL)};
    k.material = (gos_fe_material **)gos__arena_alloc(arena, (size_t)deck->nmaterial + 1,
                                                      sizeof *k.material);
    parts->table = (const gos_deck_material **)gos__arena_alloc(arena, (size_t)deck->nmaterial + 1,
                                                                sizeof *parts->table);
    k.count = gos__alloc(ctx, (size_t)deck->nsection + 1, sizeof *k.count);
    gos_status status = k.material && k.count && parts->table ? take_blocks(&k) : GOS_E_MEMORY;
    gos_fe_part *kept = GOS_NEW(arena, gos_fe_part, parts->n + 1);
    if (kept && parts->n > 0) {
        memcpy(kept, parts->part, (size_t)parts->n * sizeof *kept);
    }
    gos__free(ctx, parts->part);
    gos__free(ctx, k.count);
    parts->part = kept;
    return status == GOS_OK && !kept ? GOS_E_MEMORY : status;
}
