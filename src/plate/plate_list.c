/* Plate meshes from lists. Rejects inverted elements, sides not shared as a whole, and disconnected
 * meshes or corners. */
#include <math.h>
#include <stdlib.h>

#include "plate/plate_mesh.h"
#include "base/units.h"

#define LOCATION_TOLERANCE 1e-9 // relative to the extent

/* A side of an element, from node i to node j > i. */
typedef struct side {
    int i, j, cell;
    bool back; // element runs from j to i
} side;

typedef struct mesh_list {
    gos_builder *b;
    const char *object;
    const gos_node *nodes, *quads;
    gos_plate *c;
    double extent; // [m]
    side *side;    // (nside) sorted by i, then j
    int nside;
} mesh_list;

static gos_loc entry_loc(const gos_node *entries, int k) {
    const gos_node *node = entries->child;
    for (int i = 0; i < k; i++) {
        node = node->next;
    }
    return node->loc;
}

/* ---- reading --------------------------------------------------------------------------------- */

static gos_status node_number(const mesh_list *l, const gos_node *from, int *node) {
    double value = 0;
    const int last = l->c->nnode - 1;
    if (from->kind == GOS_SCALAR) {
        GOS_TRY(gos__expr(l->b->model, from->text, from->loc, l->object, &value));
    }
    if (from->kind != GOS_SCALAR || !(value >= 0 && value <= last) || value != floor(value)) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, from->loc, l->object,
                            "a node number must be a whole number from 0 to %d", last);
    }
    *node = (int)value;
    return GOS_OK;
}

static gos_status read_quads(const mesh_list *l) {
    int e = 0;
    for (const gos_node *quad = l->quads->child; quad; quad = quad->next, e++) {
        int i = 0;
        if (quad->kind != GOS_LIST || quad->n != 4) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, quad->loc, l->object,
                                "a quad must be four node numbers, in order around it");
        }
        for (const gos_node *node = quad->child; node; node = node->next, i++) {
            GOS_TRY(node_number(l, node, &l->c->cell[4 * e + i]));
        }
    }
    return GOS_OK;
}

/* Reads the nodes and projects them into the plane of the first quad. */
static gos_status read_nodes(mesh_list *l, double (*p)[3]) {
    gos_plate *c = l->c;
    double first[4][3];
    int i = 0;
    for (const gos_node *node = l->nodes->child; node; node = node->next, i++) {
        GOS_TRY(gos__plate_point(l->b, node, l->object, p[i]));
    }
    GOS_TRY(read_quads(l));
    for (i = 0; i < 4; i++) {
        memcpy(first[i], p[c->cell[i]], sizeof first[i]);
    }
    if (!gos__plate_plane((const double(*)[3])first, c)) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->quads, 0), l->object,
                            "quad 0 encloses no area, or its sides cross");
    }
    for (i = 0; i < c->nnode; i++) {
        (void)gos__plate_flatten(c, p[i], c->x[i]);
        l->extent = fmax(l->extent, hypot(c->x[i][0], c->x[i][1]));
    }
    for (i = 0; i < c->nnode; i++) {
        const double off = gos__plate_flatten(c, p[i], c->x[i]);
        if (fabs(off) > LOCATION_TOLERANCE * l->extent) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->nodes, i), l->object,
                                "node %d is %g %s off the plane of quad 0; all nodes must be in "
                                "one plane",
                                i, fabs(off),
                                gos__unit_label(l->b->model->units, "m", GOS_UNIT_BUFFER));
        }
    }
    return GOS_OK;
}

/* ---- checking -------------------------------------------------------------------------------- */

static gos_status check_shapes(const mesh_list *l) {
    static const char *const words[] = {
        [GOS_PLATE_FLAT_CORNER] = ("lies on the line between its neighbours, or coincides with one "
                                   "of them; a quad needs four corners"),
        [GOS_PLATE_REENTRANT] = "points inwards; give convex quads",
        [GOS_PLATE_CROSSED] =
            "is out of order, so that sides cross; give the nodes in order around the quad"};
    const gos_plate *c = l->c;
    for (int e = 0; e < c->ncell; e++) {
        double x[4][2];
        gos_plate_fault fault;
        for (int i = 0; i < 4; i++) {
            memcpy(x[i], c->x[c->cell[4 * e + i]], sizeof x[i]);
        }
        const int corner = gos__plate_bad_corner((const double(*)[2])x, &fault);
        if (corner >= 0 && fault == GOS_PLATE_CLOCKWISE) {
            return gos__fail_at(
                l->b->ctx, GOS_E_INPUT, entry_loc(l->quads, e), l->object,
                "quad %d has the opposite orientation to quad 0; reverse the order of its nodes",
                e);
        }
        if (corner >= 0) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->quads, e), l->object,
                                "quad %d: its corner at node %d %s", e, c->cell[4 * e + corner],
                                words[fault]);
        }
    }
    return GOS_OK;
}

static int by_nodes(const void *p, const void *q) {
    const side *a = p, *b = q;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

static gos_status make_sides(mesh_list *l) {
    const gos_plate *c = l->c;
    l->nside = 4 * c->ncell;
    l->side = GOS_NEW(l->b->arena, side, l->nside);
    if (!l->side) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < l->nside; k++) {
        const int i = c->cell[k], j = c->cell[k - k % 4 + (k + 1) % 4];
        l->side[k] = (side){.i = i < j ? i : j, .j = i < j ? j : i, .cell = k / 4, .back = i > j};
    }
    qsort(l->side, l->nside, sizeof *l->side, by_nodes);
    for (int k = 1; k < l->nside; k++) {
        const side *a = &l->side[k - 1], *b = &l->side[k];
        if (by_nodes(a, b) == 0 && a->back == b->back) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->quads, b->cell), l->object,
                                "quads %d and %d lie on the same side of the line from node %d to "
                                "node %d; remove one",
                                a->cell, b->cell, a->i, a->j);
        }
    }
    return GOS_OK;
}

static bool is_outer(const mesh_list *l, int k) {
    return (k == 0 || by_nodes(&l->side[k - 1], &l->side[k]) != 0) &&
           (k == l->nside - 1 || by_nodes(&l->side[k + 1], &l->side[k]) != 0);
}

static int root_of(int *of, int e) {
    while (of[e] != e) {
        e = of[e] = of[of[e]];
    }
    return e;
}

/* Checks that elements connect through sides and each node has an element. */
static gos_status check_whole(const mesh_list *l) {
    const gos_plate *c = l->c;
    int *of = GOS_NEW(l->b->arena, int, c->ncell + c->nnode), *used = of + c->ncell;
    if (!of) {
        return GOS_E_MEMORY;
    }
    for (int e = 0; e < c->ncell; e++) {
        of[e] = e;
    }
    for (int k = 1; k < l->nside; k++) {
        if (by_nodes(&l->side[k - 1], &l->side[k]) == 0) {
            of[root_of(of, l->side[k].cell)] = root_of(of, l->side[k - 1].cell);
        }
    }
    for (int e = 0; e < c->ncell; e++) {
        if (root_of(of, e) != root_of(of, 0)) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->quads, e), l->object,
                                "quad %d is not connected to quad 0 through common sides; make it "
                                "a separate plate, or let both use the same nodes",
                                e);
        }
    }
    for (int k = 0; k < 4 * c->ncell; k++) {
        used[c->cell[k]] = 1;
    }
    for (int i = 0; i < c->nnode; i++) {
        if (!used[i]) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, entry_loc(l->nodes, i), l->object,
                                "node %d belongs to no quad; remove it", i);
        }
    }
    return GOS_OK;
}

typedef struct sorted_node {
    double x;
    int node;
} sorted_node;

static int by_x(const void *p, const void *q) {
    const sorted_node *a = p, *b = q;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->node > b->node) - (a->node < b->node);
}

static double distance(const double x[2], const double a[2], const double b[2]) {
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {x[0] - a[0], x[1] - a[1]};
    const double f = fmin(fmax((r[0] * d[0] + r[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]), 0), 1);
    return hypot(r[0] - f * d[0], r[1] - f * d[1]);
}

/* Checks that no other node lies on an outer side of an element. */
static gos_status check_cracks(const mesh_list *l) {
    const gos_plate *c = l->c;
    const double near = LOCATION_TOLERANCE * l->extent;
    sorted_node *s = GOS_NEW(l->b->arena, sorted_node, c->nnode);
    if (!s) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < c->nnode; i++) {
        s[i] = (sorted_node){c->x[i][0], i};
    }
    qsort(s, c->nnode, sizeof *s, by_x);
    for (int k = 0; k < l->nside; k++) {
        const side *at = &l->side[k];
        const double *a = c->x[at->i], *b = c->x[at->j];
        int lo = 0, hi = is_outer(l, k) ? c->nnode : 0;
        while (lo < hi) { // first one not left of the side
            const int middle = lo + (hi - lo) / 2;
            if (s[middle].x < fmin(a[0], b[0]) - near) {
                lo = middle + 1;
            } else {
                hi = middle;
            }
        }
        for (int i = lo; is_outer(l, k) && i < c->nnode && s[i].x <= fmax(a[0], b[0]) + near; i++) {
            const int n = s[i].node;
            if (n != at->i && n != at->j && distance(c->x[n], a, b) <= near) {
                return gos__fail_at(
                    l->b->ctx, GOS_E_INPUT, entry_loc(l->nodes, n), l->object,
                    "node %d lies on the side from node %d to node %d of quad %d but does not "
                    "belong to it; quads must share whole sides and their nodes",
                    n, at->i, at->j, at->cell);
            }
        }
    }
    return GOS_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool is_side(const mesh_list *l, int a, int b) {
    const side key = {.i = a < b ? a : b, .j = a < b ? b : a};
    return bsearch(&key, l->side, l->nside, sizeof key, by_nodes) != NULL;
}

static gos_status read_edge(const mesh_list *l, const gos_node *from, gos_plate_edge *edge) {
    int i = 0;
    if (!gos__name_valid(from->key) || from->kind != GOS_LIST || from->n < 2) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, from->key_loc, l->object,
                            "an edge must be a name and at least two consecutive node numbers, "
                            "like {rim: [0, 1, 2]}");
    }
    int *node = GOS_NEW(l->b->arena, int, from->n);
    edge->name = gos__arena_printf(l->b->arena, "edge.%s", from->key);
    if (!node || !edge->name) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *n = from->child; n; n = n->next, i++) {
        GOS_TRY(node_number(l, n, &node[i]));
        if (i > 0 && !is_side(l, node[i - 1], node[i])) {
            return gos__fail_at(
                l->b->ctx, GOS_E_INPUT, n->loc, l->object,
                "node %d and node %d are not a side of a quad; give consecutive nodes along sides",
                node[i - 1], node[i]);
        }
    }
    edge->n = from->n - 1;
    edge->node = node;
    gos__plate_edge_axes(l->c, 1, edge);
    i = 0;
    for (const gos_node *n = from->child; n; n = n->next, i++) {
        const double *x = l->c->x[node[i]], *x0 = l->c->x[node[i > 0 ? i - 1 : 0]];
        const double d[2] = {x[0] - x0[0], x[1] - x0[1]}, length = hypot(d[0], d[1]);
        const double on = d[0] * edge->along[0] + d[1] * edge->along[1];
        const double off = d[0] * edge->across[0] + d[1] * edge->across[1];
        if (!(fabs(off) <= 1e-6 * length && on >= 0)) {
            return gos__fail_at(l->b->ctx, GOS_E_INPUT, n->loc, l->object,
                                "edge '%s' is not straight; define one edge for each straight part",
                                from->key);
        }
    }
    return GOS_OK;
}

static gos_status read_edges(const mesh_list *l, const gos_node *edges) {
    int k = 0;
    if (!edges) {
        return GOS_OK;
    }
    if (edges->kind != GOS_MAP) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, edges->loc, l->object,
                            "edges must be names with node numbers, like {rim: [0, 1, 2]}");
    }
    gos_plate_edge *edge = GOS_NEW(l->b->arena, gos_plate_edge, edges->n);
    if (!edge) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *e = edges->child; e; e = e->next) {
        GOS_TRY(read_edge(l, e, &edge[k++]));
    }
    l->c->nedge = k;
    l->c->edge = edge;
    return GOS_OK;
}

gos_status gos__plate_list(gos_builder *b, const gos_plate_mesh_def *d, const char *object,
                           gos_plate *c) {
    mesh_list l = {.b = b, .object = object, .nodes = d->nodes, .quads = d->quads, .c = c};
    if (d->nodes->kind != GOS_LIST || d->nodes->n < 4) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, d->nodes->loc, object,
                            "nodes must be a list of at least four points, [[x, y, z], ...]");
    }
    if (d->quads->kind != GOS_LIST || d->quads->n < 1) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, d->quads->loc, object,
                            "quads must be a list of elements of four nodes each, like "
                            "[[0, 1, 4, 3]]");
    }
    c->nnode = d->nodes->n;
    c->ncell = d->quads->n;
    double(*p)[3] = gos__arena_alloc(b->arena, c->nnode, sizeof *p);
    if (!p) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__plate_room(b, c));
    GOS_TRY(read_nodes(&l, p));
    GOS_TRY(check_shapes(&l));
    GOS_TRY(make_sides(&l));
    GOS_TRY(check_whole(&l));
    GOS_TRY(check_cracks(&l));
    return read_edges(&l, d->edges);
}
