/* Axis-parallel rectangles in the x-y plane and boxes. */
#include "mesh/generate.h"

typedef struct def {
    gos_mesh_def mesh;
    double corner[3], size[3];
} def;

#define CORNER                                                                                     \
    {                                                                                              \
        .name = "corner", .kind = GOS_K_VECTOR, .unit = "m", .shape = 3, .def = "[0, 0, 0]",       \
        .offset = offsetof(def, corner), .doc = "corner with the smallest coordinates"             \
    }
#define SIZE(n, doc_)                                                                              \
    {                                                                                              \
        .name = "size", .kind = GOS_K_VECTOR, .unit = "m", .shape = (n), .lo = 0, .hi = HUGE_VAL,  \
        .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN, .offset = offsetof(def, size), .doc = doc_        \
    }

static const gos_param rectangle_params[] = {SIZE(2, "lengths along x and y"),
                                             CORNER,
                                             GOS_MESH_CELLS(2, "numbers of cells along x and y"),
                                             GOS_MESH_BIAS(2, "[1, 1]"),
                                             GOS_MESH_ORDER,
                                             GOS_MESH_SHAPE("quadrilaterals", "triangles"),
                                             GOS_MESH_SETS,
                                             {.name = NULL}};

static const gos_param box_params[] = {SIZE(3, "lengths along x, y and z"),
                                       CORNER,
                                       GOS_MESH_CELLS(3, "numbers of cells along x, y and z"),
                                       GOS_MESH_BIAS(3, "[1, 1, 1]"),
                                       GOS_MESH_ORDER,
                                       GOS_MESH_SHAPE("hexahedra", "tetrahedra"),
                                       GOS_MESH_SETS,
                                       {.name = NULL}};

static void place(const void *par, const double s[3], double x[3]) {
    const def *d = par;
    for (int c = 0; c < 3; c++) { // a rectangle has no third size
        x[c] = d->corner[c] + s[c] * d->size[c];
    }
}

static gos_status make(const gos_mesh_maker *k, const def *d, int n, const char *const ends[3][2],
                       gos_mesh *mesh) {
    gos_grid g;
    GOS_TRY(gos__mesh_grid(k, &d->mesh, n, &g));
    memcpy(g.ends, ends, sizeof g.ends);
    g.corners = true;
    g.place = place;
    g.par = d;
    return gos__grid_make(mesh, &g, gos__key_loc(k->entry, "cells"), k->object);
}

static gos_status make_rectangle(const gos_mesh_maker *k, const void *d, gos_mesh *mesh) {
    static const char *const ends[3][2] = {{"left", "right"}, {"bottom", "top"}, {NULL}};
    return make(k, d, 2, ends, mesh);
}

static gos_status make_box(const gos_mesh_maker *k, const void *d, gos_mesh *mesh) {
    static const char *const ends[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
    return make(k, d, 3, ends, mesh);
}

static const gos_mesh_ops rectangle_ops = {.make = make_rectangle};
static const gos_mesh_ops box_ops = {.make = make_box};

const gos_type gos__mesh_rectangle = {
    .section = "meshes",
    .name = "rectangle",
    .doc = "Rectangle in a plane z = constant. Node and side sets: left, right (along x), bottom, "
           "top (along y); node sets: corner_1 ... corner_4, counter-clockwise from the left "
           "bottom corner.",
    .params = rectangle_params,
    .size = sizeof(def),
    .example = "sheet: {type: rectangle, size: [1, 1.3], cells: [10, 14]}",
    .ops = &rectangle_ops,
};

const gos_type gos__mesh_box = {
    .section = "meshes",
    .name = "box",
    .doc = "Axis-parallel box. Node and side sets: left, right (along x), front, back (along y), "
           "bottom, top (along z); node sets: corner_1 ... corner_4 counter-clockwise around the "
           "bottom, seen from above, from the left front corner, corner_5 ... corner_8 above them.",
    .params = box_params,
    .size = sizeof(def),
    .example = "bar: {type: box, size: [1, 0.05, 0.05], cells: [80, 12, 12], order: linear}",
    .ops = &box_ops,
};
