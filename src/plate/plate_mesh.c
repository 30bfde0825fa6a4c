/* Structured plate meshes: rectangles, quadrilaterals. Rejects shapes not flat, convex and in
 * order. */
#include "plate/plate_mesh.h"

#include <math.h>

#include "math/vec3.h"

/* ---- common functions ------------------------------------------------------------------------ */

gos_status gos__plate_room(gos_builder *b, gos_plate *c) {
    c->x = gos__arena_alloc(b->arena, c->nnode, sizeof *c->x);
    c->cell = GOS_NEW(b->arena, int, 4 * c->ncell);
    return c->x && c->cell ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__plate_point(gos_builder *b, const gos_node *node, const char *object, double x[3]) {
    int k = 0;
    if (node->kind != GOS_LIST || node->n != 3) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, node->loc, object,
                            "a point needs three coordinates, [x, y, z]");
    }
    for (const gos_node *c = node->child; c; c = c->next, k++) {
        if (c->kind != GOS_SCALAR) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, object,
                                "a coordinate must be a number, as in [0, 0, 1]");
        }
        GOS_TRY(
            gos__quantity(b->model, c->text, c->loc, object, &(gos_measure){.unit = "m"}, &x[k]));
    }
    return GOS_OK;
}

bool gos__plate_plane(const double p[4][3], gos_plate *c) {
    double d[2][3], side[3], m[3];
    gos__sub3(p[2], p[0], d[0]);
    gos__sub3(p[3], p[1], d[1]);
    gos__sub3(p[1], p[0], side);
    gos__cross3(d[0], d[1], m);
    const double size = gos__norm3(m);
    if (!(size > 1e-9 * gos__norm3(d[0]) * gos__norm3(d[1])) || !(gos__norm3(side) > 0)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        c->n[k] = m[k] / size;
    }
    const double off = gos__dot3(side, c->n);
    for (int k = 0; k < 3; k++) {
        side[k] -= off * c->n[k];
    }
    const double length = gos__norm3(side);
    for (int k = 0; k < 3; k++) {
        c->e[0][k] = side[k] / length;
    }
    gos__cross3(c->n, c->e[0], c->e[1]);
    memcpy(c->corner, p[0], sizeof c->corner);
    return true;
}

double gos__plate_flatten(const gos_plate *c, const double p[3], double x[2]) {
    double d[3];
    gos__sub3(p, c->corner, d);
    x[0] = gos__dot3(d, c->e[0]);
    x[1] = gos__dot3(d, c->e[1]);
    return gos__dot3(d, c->n);
}

int gos__plate_bad_corner(const double x[4][2], gos_plate_fault *fault) {
    int negative = 0, worst = -1;
    double least = GOS_PLATE_SHARP;
    for (int i = 0; i < 4; i++) {
        const double *o = x[i], *p = x[(i + 1) % 4], *q = x[(i + 3) % 4];
        const double a[2] = {p[0] - o[0], p[1] - o[1]}, c[2] = {q[0] - o[0], q[1] - o[1]};
        const double size = hypot(a[0], a[1]) * hypot(c[0], c[1]);
        const double sine = size > 0 ? (a[0] * c[1] - a[1] * c[0]) / size : 0;
        negative += sine <= -GOS_PLATE_SHARP;
        if (sine < least) {
            least = sine;
            worst = i;
        }
    }
    *fault = negative == 0   ? GOS_PLATE_FLAT_CORNER
             : negative == 1 ? GOS_PLATE_REENTRANT
             : negative < 4  ? GOS_PLATE_CROSSED
                             : GOS_PLATE_CLOCKWISE;
    return worst;
}

/* Sets bounding rectangle, area, and whether all elements are equal. */
static void measure(gos_plate *c) {
    memcpy(c->lo, c->x[0], sizeof c->lo);
    memcpy(c->hi, c->x[0], sizeof c->hi);
    for (int i = 0; i < c->nnode; i++) {
        for (int d = 0; d < 2; d++) {
            c->lo[d] = fmin(c->lo[d], c->x[i][d]);
            c->hi[d] = fmax(c->hi[d], c->x[i][d]);
        }
    }
    const double least = 1e-13 * hypot(c->hi[0] - c->lo[0], c->hi[1] - c->lo[1]);
    c->alike = true;
    for (int e = 0; e < c->ncell; e++) {
        const int *n = c->cell + 4 * e;
        const double *p[4] = {c->x[n[0]], c->x[n[1]], c->x[n[2]], c->x[n[3]]};
        c->area += 0.5 * ((p[2][0] - p[0][0]) * (p[3][1] - p[1][1]) -
                          (p[2][1] - p[0][1]) * (p[3][0] - p[1][0]));
        for (int i = 1; i < 4; i++) {
            const double *q = c->x[c->cell[i]], *q0 = c->x[c->cell[0]];
            for (int d = 0; d < 2; d++) {
                c->alike = c->alike && fabs(p[i][d] - p[0][d] - (q[d] - q0[d])) <= least;
            }
        }
    }
}

/* ---- structured meshes ----------------------------------------------------------------------- */

static gos_status count_elements(gos_builder *b, const gos_plate_mesh_def *d, const gos_node *entry,
                                 const char *object, gos_plate *c) {
    for (int i = 0; i < 2; i++) {
        if (d->elements[i] != floor(d->elements[i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "elements"), object,
                                "elements must be two whole numbers, got [%g, %g]", d->elements[0],
                                d->elements[1]);
        }
        c->ne[i] = (int)d->elements[i];
    }
    if (!(d->elements[0] * d->elements[1] <= GOS_LIMIT_ELEMENTS)) {
        return gos__fail_at(b->ctx, GOS_E_LIMIT, gos__key_loc(entry, "elements"), object,
                            "%g elements are too many; give at most %d",
                            d->elements[0] * d->elements[1], GOS_LIMIT_ELEMENTS);
    }
    c->nnode = (c->ne[0] + 1) * (c->ne[1] + 1);
    c->ncell = c->ne[0] * c->ne[1];
    return GOS_OK;
}

static void fill_cells(gos_plate *c) {
    const int row = c->ne[0] + 1;
    for (int e = 0; e < c->ncell; e++) {
        const int first = row * (e / c->ne[0]) + e % c->ne[0];
        const int node[4] = {first, first + 1, first + row + 1, first + row};
        memcpy(c->cell + 4 * e, node, sizeof node);
    }
}

/* x0, x1, y0, y1 run along growing y and x, across along growing x and y. */
static gos_status add_edges(gos_builder *b, gos_plate *c) {
    static const char *const names[] = {"edge.x0", "edge.x1", "edge.y0", "edge.y1"};
    const int row = c->ne[0] + 1;
    gos_plate_edge *edge = GOS_NEW(b->arena, gos_plate_edge, 4);
    if (!edge) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < 4; k++) {
        const int d = k < 2 ? 1 : 0, n = c->ne[d];
        const int first = k == 1 ? row - 1 : k == 3 ? row * c->ne[1] : 0, step = d ? row : 1;
        int *node = GOS_NEW(b->arena, int, n + 1);
        if (!node) {
            return GOS_E_MEMORY;
        }
        for (int i = 0; i <= n; i++) {
            node[i] = first + i * step;
        }
        edge[k] = (gos_plate_edge){.name = names[k], .n = n, .node = node};
        gos__plate_edge_axes(c, d ? -1 : 1, &edge[k]);
    }
    c->nedge = 4;
    c->edge = edge;
    return GOS_OK;
}

void gos__plate_edge_axes(const gos_plate *c, int sign, gos_plate_edge *edge) {
    const double *from = c->x[edge->node[0]], *to = c->x[edge->node[edge->n]];
    const double length = hypot(to[0] - from[0], to[1] - from[1]);
    for (int d = 0; d < 2; d++) {
        edge->along[d] = (to[d] - from[d]) / length;
    }
    edge->across[0] = -sign * edge->along[1];
    edge->across[1] = sign * edge->along[0];
}

static gos_status make_rectangle(gos_builder *b, const gos_plate_mesh_def *d, const gos_node *entry,
                                 const char *object, gos_plate *c) {
    const double *side[2] = {d->x, d->y};
    static const char *const names[2] = {"x", "y"};
    c->rectangle = true;
    memcpy(c->corner, d->corner, sizeof c->corner);
    for (int i = 0; i < 2; i++) {
        c->side[i] = gos__norm3(side[i]);
        if (!(c->side[i] > 1e-12)) { // includes round-off of 0
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, names[i]), object,
                                "side %s has no length; give it as a vector from the corner",
                                names[i]);
        }
        c->h[i] = c->side[i] / c->ne[i];
        for (int k = 0; k < 3; k++) {
            c->e[i][k] = side[i][k] / c->side[i];
        }
    }
    const double along = gos__dot3(c->e[0], c->e[1]);
    if (!(fabs(along) <= 1e-9)) {
        const double by = -along * c->side[1];
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "y"), object,
                            "side y is not perpendicular to x, but [%g, %g, %g] would be; for "
                            "other shapes specify the four `corners`",
                            d->y[0] + by * c->e[0][0], d->y[1] + by * c->e[0][1],
                            d->y[2] + by * c->e[0][2]);
    }
    gos__cross3(c->e[0], c->e[1], c->n);
    for (int i = 0; i < c->nnode; i++) {
        const int at[2] = {i % (c->ne[0] + 1), i / (c->ne[0] + 1)};
        for (int k = 0; k < 2; k++) {
            c->x[i][k] = at[k] == c->ne[k] ? c->side[k] : c->h[k] * at[k];
        }
    }
    return GOS_OK;
}

/* ---- the quadrilateral ----------------------------------------------------------------------- */

static gos_status bad_corners(gos_builder *b, const gos_node *list, const char *object, int corner,
                              gos_plate_fault fault) {
    const gos_node *at = list->child;
    for (int i = 0; i < corner; i++) {
        at = at->next;
    }
    switch (fault) {
    case GOS_PLATE_REENTRANT:
        return gos__fail_at(b->ctx, GOS_E_INPUT, at->loc, object,
                            "corner %d points inwards; a plate by `corners` must be convex: split "
                            "it into two, or give a mesh by `nodes` and `quads`",
                            corner + 1);
    case GOS_PLATE_FLAT_CORNER:
        return gos__fail_at(b->ctx, GOS_E_INPUT, at->loc, object,
                            "corner %d lies on the line between its neighbours, or coincides with "
                            "one of them; give four corners of a quadrilateral",
                            corner + 1);
    default:
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, list->loc, object,
            "sides between corners cross; give the corners in order around the plate");
    }
}

static gos_status read_corners(gos_builder *b, const gos_node *list, const char *object,
                               gos_plate *c, double x[4][2]) {
    double p[4][3], extent = 0;
    int i = 0;
    gos_plate_fault fault;
    if (list->kind != GOS_LIST || list->n != 4) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                            "corners must be four points in order around the plate, like "
                            "[[0, 0, 0], [2, 0, 0], [1.5, 1, 0], [0.5, 1, 0]]");
    }
    for (const gos_node *node = list->child; node; node = node->next, i++) {
        GOS_TRY(gos__plate_point(b, node, object, p[i]));
    }
    if (!gos__plate_plane((const double(*)[3])p, c)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, list->loc, object,
            "the corners enclose no area, or their sides cross; give four points in "
            "order around the plate");
    }
    for (i = 0; i < 4; i++) {
        (void)gos__plate_flatten(c, p[i], x[i]);
        extent = fmax(extent, hypot(x[i][0], x[i][1]));
    }
    const double off = fabs(gos__plate_flatten(c, p[1], x[1]));
    if (off > 1e-9 * extent) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                            "the corners are not in one plane: the distance of the diagonals is %g "
                            "m; give four points of one plane",
                            off);
    }
    const int corner = gos__plate_bad_corner((const double(*)[2])x, &fault);
    return corner < 0 ? GOS_OK : bad_corners(b, list, object, corner, fault);
}

static gos_status make_quadrilateral(gos_builder *b, const gos_plate_mesh_def *d,
                                     const char *object, gos_plate *c) {
    double x[4][2];
    GOS_TRY(read_corners(b, d->corners, object, c, x));
    for (int i = 0; i < c->nnode; i++) {
        const int at[2] = {i % (c->ne[0] + 1), i / (c->ne[0] + 1)};
        const double xi[2] = {(double)at[0] / c->ne[0], (double)at[1] / c->ne[1]};
        double N[4];
        gos__bilinear(xi, N, NULL);
        for (int k = 0; k < 2; k++) {
            c->x[i][k] = N[0] * x[0][k] + N[1] * x[1][k] + N[2] * x[2][k] + N[3] * x[3][k];
        }
    }
    return GOS_OK;
}

/* ---- kind of mesh ---------------------------------------------------------------------------- */

enum { RECTANGLE, QUADRILATERAL, LIST };

/* First given key of a kind, or NULL. */
static const char *given_key(const gos_node *entry, const char *const keys[4]) {
    for (int i = 0; i < 4 && keys[i]; i++) {
        if (gos__node_given(entry, keys[i])) {
            return keys[i];
        }
    }
    return NULL;
}

/* Finds the kind of mesh: its keys must be complete, others absent. */
static gos_status one_way(gos_builder *b, const gos_node *entry, const char *object, int *way) {
    static const char *const key[3][4] = {
        {"corner", "x", "y"}, {"corners"}, {"nodes", "quads", "edges"}};
    static const char *const all = "corner, x and y (a rectangle), corners (a quadrilateral), or "
                                   "nodes and quads (a mesh)";
    const char *given = NULL;
    for (int i = 0; i < 3; i++) {
        const char *k = given_key(entry, key[i]);
        if (given && k) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, gos__key_loc(entry, k), object,
                "%s: the shape of the plate is already given by %s; give only one of: %s", k, given,
                all);
        }
        *way = k ? i : *way;
        given = k ? k : given;
    }
    if (!given) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->loc, object,
                            "the plate has no shape; give %s", all);
    }
    for (int i = 0; i < 3 && key[*way][i] && strcmp(key[*way][i], "edges") != 0; i++) {
        if (!gos__node_given(entry, key[*way][i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, entry->loc, object, "%s is missing; give %s",
                                key[*way][i], all);
        }
    }
    if (*way == LIST && gos__node_given(entry, "elements")) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "elements"), object,
                            "quads already define the elements; remove this");
    }
    return GOS_OK;
}

gos_status gos__plate_mesh(gos_builder *b, const gos_plate_mesh_def *d, const gos_node *entry,
                           const char *object, gos_plate *c) {
    int way = RECTANGLE;
    GOS_TRY(one_way(b, entry, object, &way));
    if (way == LIST) {
        GOS_TRY(gos__plate_list(b, d, object, c));
    } else {
        GOS_TRY(count_elements(b, d, entry, object, c));
        GOS_TRY(gos__plate_room(b, c));
        fill_cells(c);
        GOS_TRY(way == RECTANGLE ? make_rectangle(b, d, entry, object, c)
                                 : make_quadrilateral(b, d, object, c));
        GOS_TRY(add_edges(b, c));
    }
    measure(c);
    return GOS_OK;
}
