/* Meshes between four edges in space, straight or arcs about a centre; the interior follows by
   Coons transfinite interpolation. */
#include "mesh/generate.h"

typedef struct centres_def {
    double edge[4][3]; // bottom, right, top, left
} centres_def;

typedef struct def {
    gos_mesh_def mesh;
    const gos_node *corners;
    centres_def centres;
    double x[4][3];
    bool arc[4];
} def;

static const char *const edges[4] = {"bottom", "right", "top", "left"};

#define CENTRE(i, key)                                                                             \
    {                                                                                              \
        .name = key, .kind = GOS_K_VECTOR, .unit = "m", .shape = 3,                                \
        .offset = offsetof(centres_def, edge[i]), .doc = "centre of the edge " key                 \
    }

static const gos_param centres_params[] = {
    CENTRE(0, "bottom"), CENTRE(1, "right"), CENTRE(2, "top"), CENTRE(3, "left"), {.name = NULL}};

static const gos_param params[] = {
    {.name = "corners",
     .kind = GOS_K_NODE,
     .unit = "m",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(def, corners),
     .doc = "four corners [x, y, z] in order, counter-clockwise seen from the tip of the normals"},
    {.name = "centres",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = centres_params,
     .offset = offsetof(def, centres),
     .doc = "edges that are arcs of less than 180 degrees: the centre of each; circular, or "
            "elliptical if the ends are not equidistant from it"},
    GOS_MESH_CELLS(2, "numbers of cells along the first edge (bottom) and the second one (right)"),
    GOS_MESH_BIAS(2, "[1, 1]"),
    GOS_MESH_ORDER,
    GOS_MESH_SHAPE("quadrilaterals", "triangles"),
    GOS_MESH_SETS,
    {.name = NULL}};

static double angle_between(const double a[3], const double b[3]) {
    double dot = 0, cross = 0;
    for (int c = 0; c < 3; c++) {
        const int u = (c + 1) % 3, v = (c + 2) % 3;
        const double t = a[u] * b[v] - a[v] * b[u];
        dot += a[c] * b[c];
        cross += t * t;
    }
    return atan2(sqrt(cross), dot);
}

static void on_edge(const def *d, int e, int p, int q, double s, double x[3]) {
    const double *centre = d->centres.edge[e];
    double a[3], b[3], at = 1 - s, bt = s;
    for (int c = 0; c < 3; c++) {
        a[c] = d->x[p][c] - centre[c];
        b[c] = d->x[q][c] - centre[c];
    }
    if (d->arc[e]) {
        const double phi = angle_between(a, b);
        at = sin((1 - s) * phi) / sin(phi);
        bt = sin(s * phi) / sin(phi);
    }
    for (int c = 0; c < 3; c++) {
        x[c] = centre[c] + at * a[c] + bt * b[c];
    }
}

static void place(const void *par, const double s[3], double x[3]) {
    const def *d = par;
    double bottom[3], right[3], top[3], left[3];
    on_edge(d, 0, 0, 1, s[0], bottom);
    on_edge(d, 1, 1, 2, s[1], right);
    on_edge(d, 2, 3, 2, s[0], top);
    on_edge(d, 3, 0, 3, s[1], left);
    const double u = s[0], v = s[1];
    for (int c = 0; c < 3; c++) {
        const double corners = (1 - u) * (1 - v) * d->x[0][c] + u * (1 - v) * d->x[1][c] +
                               u * v * d->x[2][c] + (1 - u) * v * d->x[3][c];
        x[c] = (1 - v) * bottom[c] + v * top[c] + (1 - u) * left[c] + u * right[c] - corners;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static gos_status read_corners(const gos_mesh_maker *k, def *d) {
    const gos_node *list = d->corners;
    int n = 0;
    bool good = list->kind == GOS_LIST && list->n == 4;
    for (const gos_node *p = good ? list->child : NULL; p; p = p->next) {
        good = good && p->kind == GOS_LIST && p->n == 3;
    }
    if (!good) {
        return gos__fail_at(k->model->ctx, GOS_E_INPUT, list->loc, k->object,
                            "corners must be four points, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, "
                            "0]]");
    }
    for (const gos_node *p = list->child; p; p = p->next, n++) {
        int c = 0;
        for (const gos_node *v = p->child; v; v = v->next, c++) {
            if (v->kind != GOS_SCALAR) {
                return gos__fail_at(k->model->ctx, GOS_E_INPUT, v->loc, k->object,
                                    "a corner must be three numbers, [x, y, z]");
            }
            GOS_TRY(gos__quantity(k->model, v->text, v->loc, k->object, &(gos_measure){.unit = "m"},
                                  &d->x[n][c]));
        }
    }
    return GOS_OK;
}

static gos_status read_centres(const gos_mesh_maker *k, def *d) {
    const gos_node *map = gos__node_given(k->entry, "centres");
    for (int e = 0; map && e < 4; e++) {
        const gos_node *given = gos__node_given(map, edges[e]);
        double a[3], b[3];
        for (int c = 0; c < 3; c++) {
            a[c] = d->x[e][c] - d->centres.edge[e][c];
            b[c] = d->x[(e + 1) % 4][c] - d->centres.edge[e][c];
        }
        const double phi = angle_between(a, b);
        d->arc[e] = given != NULL;
        if (given && !(phi > 1e-9 && phi < M_PI - 1e-9)) {
            return gos__fail_at(k->model->ctx, GOS_E_INPUT, given->loc, k->object,
                                "the ends of the edge %s and its centre are collinear; an arc "
                                "must be less than 180 degrees, so its centre cannot lie on its "
                                "chord",
                                edges[e]);
        }
    }
    return GOS_OK;
}

static gos_status make(const gos_mesh_maker *k, const void *par, gos_mesh *mesh) {
    def d;
    gos_grid g;
    memcpy(&d, par, sizeof d);
    GOS_TRY(gos__mesh_grid(k, &d.mesh, 2, &g));
    GOS_TRY(read_corners(k, &d));
    GOS_TRY(read_centres(k, &d));
    g.ends[0][0] = "left";
    g.ends[0][1] = "right";
    g.ends[1][0] = "bottom";
    g.ends[1][1] = "top";
    g.corners = true;
    g.place = place;
    g.par = &d;
    return gos__grid_make(mesh, &g, gos__key_loc(k->entry, "cells"), k->object);
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_patch = {
    .section = "meshes",
    .name = "patch",
    .doc = "Quadrilateral in space with straight or curved edges. Node and side sets: bottom (from "
           "corner 1 to 2), right (2 to 3), top (3 to 4), left (4 to 1); node sets: corner_1 ... "
           "corner_4.",
    .params = params,
    .size = sizeof(def),
    .example =
        "quarter: {type: patch, corners: [[2, 0, 0], [3.25, 0, 0], [0, 2.75, 0], [0, 1, 0]], "
        "centres: {right: [0, 0, 0], left: [0, 0, 0]}, cells: [6, 6]}",
    .ops = &ops,
};
