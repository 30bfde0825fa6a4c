/* Elements: cells of the mesh, and their sections. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

#define SAME 1e-9 // tolerance of equal directions

/* Formulations. Bricks of eight nodes have incompatible modes, those of twenty eight points,
   wedges of six two points. */
static const struct {
    const char *card;
    gos_cell_shape shape;
    const char *element;
    signed char node[GOS_CELL_NODES]; // in the order of the card
} forms[] = {
    {"CQUAD4", GOS_CELL_QUAD4, "shell", {0, 1, 2, 3}},
    {"CTRIA3", GOS_CELL_TRI3, "shell", {0, 1, 2}},
    {"CTETRA", GOS_CELL_TET4, "solid", {0, 1, 2, 3}},
    {"CTETRA", GOS_CELL_TET10, "solid", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"CPENTA", GOS_CELL_WEDGE6, "solid_reduced", {0, 1, 2, 3, 4, 5}},
    {"CPENTA", GOS_CELL_WEDGE15, "solid", {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11}},
    {"CHEXA", GOS_CELL_HEX8, "solid_incompatible", {0, 1, 2, 3, 4, 5, 6, 7}},
    {"CHEXA", GOS_CELL_HEX20, "solid_reduced", {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                                10, 11, 16, 17, 18, 19, 12, 13, 14, 15}},
    {"CBAR", GOS_CELL_LINE2, "beam", {0, 1}},
    {"CBEAM", GOS_CELL_LINE2, "beam", {0, 1}},
    {"CROD", GOS_CELL_LINE2, "truss", {0, 1}},
    {"CONROD", GOS_CELL_LINE2, "truss", {0, 1}},
};

const char *gos__nastran_element(const char *type, gos_cell_shape shape) {
    for (int i = 0; i < GOS_COUNT(forms); i++) {
        if (strcmp(forms[i].card, type) == 0 && forms[i].shape == shape) {
            return forms[i].element;
        }
    }
    return NULL;
}

/* ---- sections -------------------------------------------------------------------------------- */

static bool same_layers(const gos_deck_section *a, const gos_deck_section *b) {
    const gos_deck_layer *p = a->layer, *q = b->layer;
    return a->nlayer == b->nlayer &&
           (p == q || (a->nlayer == 1 && p->material == q->material &&
                       p->thickness == q->thickness && p->angle == q->angle));
}

static bool same_section(const gos_deck_section *a, const gos_deck_section *b) {
    bool same = a->kind == b->kind && a->set == b->set && a->material == b->material &&
                same_layers(a, b) && a->orientation == b->orientation && a->matrix == b->matrix &&
                a->dof[0] == b->dof[0] && a->dof[1] == b->dof[1];
    for (int k = 0; k < GOS_COUNT(a->value); k++) {
        same = same && a->value[k] == b->value[k];
    }
    for (int k = 0; k < 3; k++) {
        same = same && a->direction[k] == b->direction[k];
    }
    return same && a->offset[0] == b->offset[0] && a->offset[1] == b->offset[1];
}

/* of the data that differ between elements of a property */
static int64_t key_of(const gos_deck_section *s) {
    uint64_t h = gos__hash(GOS_HASH_BEGIN, s->value, sizeof s->value);
    h = gos__hash(h, s->direction, sizeof s->direction);
    h = gos__hash(h, s->offset, sizeof s->offset);
    h = gos__hash(h, &s->orientation, sizeof s->orientation);
    h = gos__hash(h, &s->nlayer, sizeof s->nlayer);
    h = s->set ? gos__hash(h, s->set, strlen(s->set)) : h;
    return (int64_t)(h & INT64_MAX);
}

static gos_status section_for(gos_nastran *r, const gos_deck_section *s, int *section) {
    gos_deck *d = r->deck;
    int before;
    gos_deck_section *to;
    const int found = s->matrix ? -1 : gos__tags_find(&r->section_of, key_of(s));
    if (found >= 0 && same_section(&d->section[found], s)) {
        *section = found;
        return GOS_OK;
    }
    *section = d->nsection;
    GOS_TRY(gos__nastran_add(r, &d->section, &d->nsection, sizeof *to, &to));
    *to = *s;
    return s->matrix ? GOS_OK : gos__tags_add(&r->section_of, key_of(s), *section, &before);
}

gos_status gos__nastran_orientation(gos_nastran *r, const gos_nastran_card *c, const double a[3],
                                    const double b[3], int *orientation) {
    gos_deck *d = r->deck;
    gos_deck_orientation o = {.loc = c->loc}, *to;
    int before;
    for (int k = 0; k < 3; k++) { // equal up to rounding; never -0
        o.a[k] = round(a[k] / SAME) * SAME + 0.0;
        o.b[k] = round(b[k] / SAME) * SAME + 0.0;
    }
    uint64_t h = gos__hash(GOS_HASH_BEGIN, o.a, sizeof o.a);
    h = gos__hash(h, o.b, sizeof o.b);
    const int found = gos__tags_find(&r->orientation_of, (int64_t)(h & INT64_MAX));
    if (found >= 0 && memcmp(d->orientation[found].a, o.a, sizeof o.a) == 0 &&
        memcmp(d->orientation[found].b, o.b, sizeof o.b) == 0) {
        *orientation = found;
        return GOS_OK;
    }
    *orientation = d->norientation;
    o.name = gos__arena_printf(r->arena, "%s in line %d", c->name, c->loc.line);
    GOS_TRY(o.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__nastran_add(r, &d->orientation, &d->norientation, sizeof *to, &to));
    *to = o;
    return gos__tags_add(&r->orientation_of, (int64_t)(h & INT64_MAX), *orientation, &before);
}

/* ---- cells ----------------------------------------------------------------------------------- */

gos_status gos__nastran_new_element(gos_nastran *r, const gos_nastran_card *c, int64_t *id) {
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the element", id));
    return gos__nastran_new(r, c, &r->element_of, *id, "element", -1);
}

gos_status gos__nastran_cell_add(gos_nastran *r, const gos_nastran_card *c, gos_cell_shape shape,
                                 const int *node, const gos_deck_section *section,
                                 gos_nastran_property *p) {
    const int n = gos__cell_kind[shape].nodes;
    gos_nastran_cell cell = {.type = c->name,
                             .file = c->loc.file,
                             .line = c->loc.line,
                             .shape = shape,
                             .node = r->nnode};
    GOS_TRY(gos__nastran_new_element(r, c, &cell.id));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            if (node[i] == node[k]) {
                return gos__nastran_fail(r, c, 0,
                                         "element %lld has grid point %lld twice; list each of its "
                                         "nodes once",
                                         (long long)cell.id,
                                         (long long)gos__mesh_node_tag(r->mesh, node[i]));
            }
        }
    }
    GOS_TRY(section_for(r, section, &cell.section));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->cell, &r->cell_cap, r->ncell + 1, sizeof cell));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->node, &r->node_cap, r->nnode + n, sizeof *r->node));
    memcpy(r->node + r->nnode, node, (size_t)n * sizeof *node);
    cell.next = p ? p->first : -1;
    if (p) {
        p->first = r->ncell;
    }
    r->card[c - r->card].thing = r->ncell;
    r->cell[r->ncell++] = cell;
    r->nnode += n;
    if (r->ncell > GOS_LIMIT_MESH_CELLS || r->nnode > INT32_MAX - GOS_CELL_NODES) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, c->loc, c->name, "a mesh has at most %d cells",
                            GOS_LIMIT_MESH_CELLS);
    }
    return GOS_OK;
}

static gos_status nodes(gos_nastran *r, const gos_nastran_card *c, int i, int n, int *node) {
    for (int k = 0; k < n; k++) {
        GOS_TRY(gos__nastran_node(r, c, i + k, "number of a grid point", &node[k]));
    }
    return GOS_OK;
}

/* ---- shells ---------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        c[i] = a[j] * b[l] - a[l] * b[j];
    }
}

static bool unit(double v[3]) {
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++) {
        v[c] /= size;
    }
    return size > 0;
}

/* middle, normal and side 1-2, which is in the plane */
static bool shell_frame(const gos_nastran *r, int n, const int *node, double middle[3],
                        double side[3], double normal[3]) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    double d[2][3];
    for (int c = 0; c < 3; c++) {
        middle[c] = 0;
        for (int k = 0; k < n; k++) {
            middle[c] += x[node[k]][c] / n;
        }
        d[0][c] = x[node[n - 2]][c] - x[node[0]][c];
        d[1][c] = x[node[n - 1]][c] - x[node[n - 3]][c];
        side[c] = x[node[1]][c] - x[node[0]][c];
    }
    cross(d[0], d[1], normal);
    return unit(normal);
}

static bool is_anisotropic(const gos_nastran *r, const gos_deck_section *s) {
    bool any = false;
    for (int k = 0; k < s->nlayer; k++) {
        any = any || r->deck->material[s->layer[k].material].elastic_law == GOS_DECK_LAMINA;
    }
    return any;
}

/* THETA from side 1-2, or the x axis of MCID; then in the plane of the element */
static gos_status material_axes(gos_nastran *r, const gos_nastran_card *c, int i, int n,
                                const int *node, int *orientation) {
    double middle[3], a[3], b[3], normal[3], axes[3][3], angle = 0, along = 0;
    int64_t id;
    if (!shell_frame(r, n, node, middle, a, normal)) {
        return gos__nastran_fail(r, c, 0, "the element has no area; move its grid points");
    }
    if (gos__nastran_is_whole(r, c, i)) {
        GOS_TRY(gos__nastran_whole(r, c, i, "material system MCID", 0, 0, &id));
        GOS_TRY(gos__nastran_axes_at(r, c, i, id, middle, axes));
        memcpy(a, axes[0], sizeof a);
    } else {
        GOS_TRY(gos__nastran_real(r, c, i, "angle THETA", 0.0, &angle));
    }
    for (int k = 0; k < 3; k++) {
        along += a[k] * normal[k];
    }
    for (int k = 0; k < 3; k++) {
        a[k] -= along * normal[k];
    }
    if (!unit(a)) {
        return gos__nastran_fail(r, c, i, "the material axis is normal to the element");
    }
    cross(normal, a, b);
    const double cosine = cos(angle * M_PI / 180), sine = sin(angle * M_PI / 180);
    for (int k = 0; k < 3; k++) {
        const double x = a[k], y = b[k];
        a[k] = cosine * x + sine * y;
        b[k] = cosine * y - sine * x;
    }
    return gos__nastran_orientation(r, c, a, b, orientation);
}

/* thicknesses at the corners replace that of the property if they are equal */
static gos_status corner_thickness(gos_nastran *r, const gos_nastran_card *c, int n,
                                   gos_deck_section *s) {
    double t[4], given = 0;
    GOS_TRY(gos__nastran_unused(r, c, 10, 10, "TFLAG, thicknesses relative to the property"));
    for (int k = 0; k < n; k++) {
        GOS_TRY(gos__nastran_real(r, c, 11 + k, "thickness at a corner", s->value[0], &t[k]));
        given += !gos__nastran_blank(r, c, 11 + k);
        if (t[k] != t[0]) {
            return gos__nastran_fail(r, c, 11 + k,
                                     "thicknesses that differ between the corners are not "
                                     "supported; give one thickness for each element");
        }
    }
    if (given == 0 || t[0] == s->value[0]) {
        return GOS_OK;
    }
    if (s->nlayer > 0 || !(t[0] > 0)) {
        return gos__nastran_fail(r, c, 11,
                                 s->nlayer > 0 ? "layers define the thickness; leave it empty"
                                               : "the thickness must be above 0");
    }
    s->value[0] = t[0];
    return GOS_OK;
}

gos_status gos__nastran_read_shell(gos_nastran *r, const gos_nastran_card *c) {
    const int n = strcmp(c->name, "CQUAD4") == 0 ? 4 : 3;
    gos_nastran_property *p;
    int node[4];
    double offset;
    GOS_TRY(gos__nastran_property_of(r, c, "PSHELL or PCOMP", &p));
    GOS_TRY(nodes(r, c, 3, n, node));
    gos_deck_section s = p->section;
    GOS_TRY(corner_thickness(r, c, n, &s));
    GOS_TRY(gos__nastran_real(r, c, 4 + n, "offset ZOFFS", 0.0, &offset));
    if (offset != 0) {
        GOS_TRY(s.nlayer > 0 ? GOS_OK : gos__nastran_one_layer(r, &s));
        s.offset[0] -= offset / s.value[0];
    }
    if (is_anisotropic(r, &s)) {
        GOS_TRY(material_axes(r, c, 3 + n, n, node, &s.orientation));
    }
    return gos__nastran_cell_add(r, c, n == 4 ? GOS_CELL_QUAD4 : GOS_CELL_TRI3, node, &s, p);
}

/* ---- solids ---------------------------------------------------------------------------------- */

/* Sign of the volume between the corners, whose order may be that of the mirror image. */
static bool is_mirrored(const gos_nastran *r, gos_cell_shape shape, const int *node) {
    const int corners = gos__cell_kind[shape].corners;
    const int up = corners == 4 ? 3 : corners / 2, last = corners == 8 ? 3 : 2;
    const double *x[4] = {r->mesh->x[node[0]], r->mesh->x[node[1]], r->mesh->x[node[last]],
                          r->mesh->x[node[up]]};
    double d[3][3], n[3], volume = 0;
    for (int k = 0; k < 9; k++) {
        d[k / 3][k % 3] = x[k / 3 + 1][k % 3] - x[0][k % 3];
    }
    cross(d[0], d[1], n);
    for (int k = 0; k < 3; k++) {
        volume += n[k] * d[2][k];
    }
    return volume < 0;
}

static void swap(int *node, int a, int b, int n) {
    for (int k = 0; k < n; k++) {
        const int kept = node[a + k];
        node[a + k] = node[b + k];
        node[b + k] = kept;
    }
}

/* bottom and top exchanged; two corners of a tetrahedron */
static void mirror(gos_cell_shape shape, int *node) {
    switch (shape) {
    case GOS_CELL_TET10:
        swap(node, 4, 6, 1);
        swap(node, 8, 9, 1);
        swap(node, 1, 2, 1);
        break;
    case GOS_CELL_TET4:
        swap(node, 1, 2, 1);
        break;
    case GOS_CELL_WEDGE15:
        swap(node, 6, 9, 3);
        swap(node, 0, 3, 3);
        break;
    case GOS_CELL_WEDGE6:
        swap(node, 0, 3, 3);
        break;
    case GOS_CELL_HEX20:
        swap(node, 8, 12, 4);
        swap(node, 0, 4, 4);
        break;
    default:
        swap(node, 0, 4, 4);
    }
}

gos_status gos__nastran_read_solid(gos_nastran *r, const gos_nastran_card *c) {
    gos_nastran_property *p;
    int read[GOS_CELL_NODES], node[GOS_CELL_NODES], form = -1;
    const int n = c->n - 2;
    GOS_TRY(gos__nastran_property_of(r, c, "PSOLID", &p));
    for (int i = 0; i < GOS_COUNT(forms); i++) {
        if (strcmp(forms[i].card, c->name) == 0 && gos__cell_kind[forms[i].shape].nodes == n) {
            form = i;
        }
    }
    if (form < 0) {
        return gos__nastran_fail(r, c, 0,
                                 "the element has %d grid points; it needs the corners, or the "
                                 "corners and all middle nodes",
                                 n);
    }
    GOS_TRY(nodes(r, c, 3, n, read));
    for (int k = 0; k < n; k++) {
        node[k] = read[forms[form].node[k]];
    }
    if (is_mirrored(r, forms[form].shape, node)) {
        mirror(forms[form].shape, node);
    }
    return gos__nastran_cell_add(r, c, forms[form].shape, node, &p->section, p);
}

/* ---- the mesh -------------------------------------------------------------------------------- */

/* Block of a cell: one for each card, shape and file. */
static gos_status group_of(gos_nastran *r, const gos_nastran_cell *cell, int *n,
                           gos_nastran_group **group, int *number) {
    gos_nastran_group *g;
    for (int i = *n - 1; i >= 0; i--) {
        g = &(*group)[i];
        if (g->type == cell->type && g->shape == cell->shape && g->file == cell->file) {
            *number = i;
            return GOS_OK;
        }
    }
    *number = *n;
    GOS_TRY(gos__nastran_add(r, group, n, sizeof *g, &g));
    *g = (gos_nastran_group){.type = cell->type, .shape = cell->shape, .file = cell->file};
    return GOS_OK;
}

static gos_status make_block(gos_nastran *r, gos_nastran_group *g) {
    gos_cell_block *b;
    GOS_TRY(gos__mesh_cells(r->mesh, g->shape, g->n, (gos_loc){g->file, 0, 0}, NULL, &b));
    b->type = g->type;
    b->tag = GOS_NEW(r->arena, int64_t, g->n);
    b->line = GOS_NEW(r->arena, int, g->n);
    g->n = 0;
    return b->tag && b->line ? GOS_OK : GOS_E_MEMORY;
}

static void fill(gos_nastran *r, gos_nastran_cell *cell, gos_nastran_group *g, int number) {
    gos_cell_block *b = &r->mesh->block[number];
    const int n = gos__cell_kind[b->shape].nodes, i = g->n++;
    memcpy(b->node + (size_t)i * n, r->node + cell->node, (size_t)n * sizeof *b->node);
    b->tag[i] = cell->id;
    b->line[i] = cell->line;
    cell->index = b->first + i;
}

static gos_status make_blocks(gos_nastran *r) {
    int n = 0, number = 0;
    gos_nastran_group *group = NULL;
    for (int i = 0; i < r->ncell; i++) {
        GOS_TRY(group_of(r, &r->cell[i], &n, &group, &number));
        group[number].n++;
    }
    for (int i = 0; i < n; i++) {
        GOS_TRY(make_block(r, &group[i]));
    }
    for (int i = 0; i < r->ncell; i++) {
        GOS_TRY(group_of(r, &r->cell[i], &n, &group, &number));
        fill(r, &r->cell[i], &group[number], number);
    }
    return GOS_OK;
}

/* Lists of cells of sections, ascending, and sets named by the property. */
static gos_status list_cells(gos_nastran *r) {
    gos_deck *d = r->deck;
    d->cell_section = GOS_NEW(r->arena, int, d->mesh->ncell + 1L);
    GOS_TRY(d->cell_section ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->ncell; i++) {
        d->cell_section[r->cell[i].index] = r->cell[i].section;
        d->section[r->cell[i].section].n++;
    }
    for (int i = 0; i < d->nsection; i++) {
        d->section[i].cell = GOS_NEW(r->arena, int, d->section[i].n + 1L);
        GOS_TRY(d->section[i].cell ? GOS_OK : GOS_E_MEMORY);
        d->section[i].n = 0;
    }
    for (int i = 0; i < d->mesh->ncell; i++) {
        gos_deck_section *s = &d->section[d->cell_section[i]];
        ((int *)(uintptr_t)s->cell)[s->n++] = i;
    }
    for (int i = 0; i < d->mesh->nblock; i++) {
        const int dim = gos__cell_kind[d->mesh->block[i].shape].dim;
        d->dim = dim > d->dim ? dim : d->dim;
    }
    return GOS_OK;
}

/* A set for each property, "PSHELL(3)". */
static gos_status name_cells(gos_nastran *r) {
    int *cell = gos__alloc(r->ctx, r->ncell + 1L, sizeof *cell);
    gos_status status = cell ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < r->nproperty && status == GOS_OK; i++) {
        int n = 0;
        const gos_nastran_property *p = &r->property[i];
        for (int k = p->first; k >= 0; k = r->cell[k].next) {
            cell[n++] = r->cell[k].index;
        }
        status = n > 0 ? gos__mesh_add_cells(r->mesh, p->section.set, n, cell) : GOS_OK;
    }
    gos__free(r->ctx, cell);
    return status;
}

gos_status gos__nastran_cells(gos_nastran *r) {
    GOS_TRY(gos__nastran_orient(r));
    GOS_TRY(make_blocks(r));
    GOS_TRY(list_cells(r));
    return name_cells(r);
}
