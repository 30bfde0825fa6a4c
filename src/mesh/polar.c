/* Meshes in polar coordinates about z: an annulus in the x-y plane, tubes, solid or as a surface,
   and sectors of them. */
#include "mesh/generate.h"
#include "base/units.h"

typedef struct def {
    gos_mesh_def mesh;
    double inner, outer, start, angle, length;
} def;

#define LENGTH(key, doc_)                                                                          \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = "m", .lo = 0, .hi = HUGE_VAL,                  \
        .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN, .offset = offsetof(def, key), .doc = doc_         \
    }
#define ANGLE                                                                                      \
    {                                                                                              \
        .name = "angle", .kind = GOS_K_NUMBER, .unit = "rad", .lo = 0, .hi = GOS_MESH_FULL,        \
        .flags = GOS_P_LO_OPEN, .def = "2*pi", .offset = offsetof(def, angle),                     \
        .doc = "opening angle of the sector; 2*pi: full turn"                                      \
    }
#define START                                                                                      \
    {                                                                                              \
        .name = "start", .kind = GOS_K_NUMBER, .unit = "rad", .def = "0",                          \
        .offset = offsetof(def, start), .doc = "start angle from x towards y"                      \
    }

static const gos_param annulus_params[] = {
    LENGTH(inner, "inner radius"),
    LENGTH(outer, "outer radius"),
    ANGLE,
    START,
    GOS_MESH_CELLS(2, "numbers of cells, [radially, around]"),
    GOS_MESH_BIAS(2, "[1, 1]"),
    GOS_MESH_ORDER,
    GOS_MESH_SHAPE("quadrilaterals", "triangles"),
    GOS_MESH_SETS,
    {.name = NULL}};

static const gos_param tube_params[] = {
    LENGTH(inner, "inner radius"),
    LENGTH(outer, "outer radius"),
    LENGTH(length, "length, from z = 0"),
    ANGLE,
    START,
    GOS_MESH_CELLS(3, "numbers of cells, [radially, around, along]"),
    GOS_MESH_BIAS(3, "[1, 1, 1]"),
    GOS_MESH_ORDER,
    GOS_MESH_SHAPE("hexahedra", "tetrahedra"),
    GOS_MESH_SETS,
    {.name = NULL}};

static const gos_param shell_params[] = {{.name = "radius",
                                          .kind = GOS_K_NUMBER,
                                          .unit = "m",
                                          .lo = 0,
                                          .hi = HUGE_VAL,
                                          .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
                                          .offset = offsetof(def, outer),
                                          .doc = "radius"},
                                         LENGTH(length, "length, from z = 0"),
                                         ANGLE,
                                         START,
                                         GOS_MESH_CELLS(2, "numbers of cells, [around, along]"),
                                         GOS_MESH_BIAS(2, "[1, 1]"),
                                         GOS_MESH_ORDER,
                                         GOS_MESH_SHAPE("quadrilaterals", "triangles"),
                                         GOS_MESH_SETS,
                                         {.name = NULL}};

/* ---- mappings -------------------------------------------------------------------------------- */

static void at_polar(const def *d, double r, double around, double z, double x[3]) {
    const double phi = d->start + around * d->angle;
    x[0] = r * cos(phi);
    x[1] = r * sin(phi);
    x[2] = z;
}

/* of the annulus (length 0) and the tube */
static void solid_place(const void *par, const double s[3], double x[3]) {
    const def *d = par;
    at_polar(d, d->inner + s[0] * (d->outer - d->inner), s[1], s[2] * d->length, x);
}

static void shell_place(const void *par, const double s[3], double x[3]) {
    const def *d = par;
    at_polar(d, d->outer, s[0], s[1] * d->length, x);
}

/* ---- construction ---------------------------------------------------------------------------- */

/* `around`: direction of the angle; `along`: of the length, -1: none */
static gos_status make(const gos_mesh_maker *k, const def *d, int n, int around, int along,
                       gos_mesh *mesh) {
    const gos_loc at = gos__key_loc(k->entry, "cells");
    gos_grid g;
    GOS_TRY(gos__mesh_grid(k, &d->mesh, n, &g));
    g.par = d;
    g.place = around == 0 ? shell_place : solid_place;
    if (around == 1) {
        g.ends[0][0] = "inner";
        g.ends[0][1] = "outer";
        if (!(d->outer > d->inner)) {
            const char *m = gos__unit_label(k->model->units, "m", GOS_UNIT_BUFFER);
            return gos__fail_at(k->model->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "outer"),
                                k->object, "outer must be above inner (%g %s), got %g %s", d->inner,
                                m, d->outer, m);
        }
    }
    if (along >= 0) {
        g.ends[along][0] = "bottom";
        g.ends[along][1] = "top";
    }
    if (d->angle > 2 * M_PI - 1e-9) {
        g.closed = around + 1;
        if (g.n[around] < 3) {
            return gos__fail_at(k->model->ctx, GOS_E_INPUT, at, k->object,
                                "a full circle must have at least 3 cells around, got %d",
                                g.n[around]);
        }
    } else {
        g.ends[around][0] = "start";
        g.ends[around][1] = "end";
    }
    return gos__grid_make(mesh, &g, at, k->object);
}

static gos_status make_annulus(const gos_mesh_maker *k, const void *d, gos_mesh *mesh) {
    return make(k, d, 2, 1, -1, mesh);
}
static gos_status make_tube(const gos_mesh_maker *k, const void *d, gos_mesh *mesh) {
    return make(k, d, 3, 1, 2, mesh);
}
static gos_status make_shell(const gos_mesh_maker *k, const void *d, gos_mesh *mesh) {
    return make(k, d, 2, 0, 1, mesh);
}

static const gos_mesh_ops annulus_ops = {.make = make_annulus};
static const gos_mesh_ops tube_ops = {.make = make_tube};
static const gos_mesh_ops shell_ops = {.make = make_shell};

const gos_type gos__mesh_annulus = {
    .section = "meshes",
    .name = "annulus",
    .doc = "Annulus in the x-y plane about the origin, or a sector of it. Node and side sets: "
           "inner, outer; for sectors start, end.",
    .params = annulus_params,
    .size = sizeof(def),
    .example = "disc: {type: annulus, inner: 0.075, outer: 0.15, cells: [4, 36], sets: {heated: "
               "{of: cells, sector: {at: 0, angle: deg(60)}}}}",
    .ops = &annulus_ops,
};

const gos_type gos__mesh_tube = {
    .section = "meshes",
    .name = "tube",
    .doc = "Solid tube along z, or a sector of it. Node and side sets: inner, outer, bottom (z = "
           "0), top; for sectors start, end.",
    .params = tube_params,
    .size = sizeof(def),
    .example = "pipe: {type: tube, inner: 0.04, outer: 0.05, length: 0.3, cells: [2, 24, 10]}",
    .ops = &tube_ops,
};

const gos_type gos__mesh_tube_shell = {
    .section = "meshes",
    .name = "tube_shell",
    .doc = "Surface of a tube along z, or a sector of it, for shells; normals point outwards. Node "
           "and side sets: bottom (z = 0), top; for sectors start, end.",
    .params = shell_params,
    .size = sizeof(def),
    .example = "skin: {type: tube_shell, radius: 0.05, length: 0.3, cells: [24, 10]}",
    .ops = &shell_ops,
};
