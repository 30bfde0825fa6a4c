/* Meshes of an annulus, or of a sector of one, in the x-y plane about the origin. */
#include "mesh/generate.h"

typedef struct def {
    gos_mesh_def mesh;
    double inner, outer, start, angle;
} def;

static const gos_param params[] = {{.name = "inner",
                                    .kind = GOS_K_NUMBER,
                                    .unit = "m",
                                    .lo = 0,
                                    .hi = HUGE_VAL,
                                    .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
                                    .offset = offsetof(def, inner),
                                    .doc = "inner radius"},
                                   {.name = "outer",
                                    .kind = GOS_K_NUMBER,
                                    .unit = "m",
                                    .lo = 0,
                                    .hi = HUGE_VAL,
                                    .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
                                    .offset = offsetof(def, outer),
                                    .doc = "outer radius"},
                                   {.name = "angle",
                                    .kind = GOS_K_NUMBER,
                                    .unit = "rad",
                                    .lo = 0,
                                    .hi = GOS_MESH_FULL,
                                    .flags = GOS_P_LO_OPEN,
                                    .def = "2*pi",
                                    .offset = offsetof(def, angle),
                                    .doc = "opening of the sector; 2*pi is the whole annulus"},
                                   {.name = "start",
                                    .kind = GOS_K_NUMBER,
                                    .unit = "rad",
                                    .def = "0",
                                    .offset = offsetof(def, start),
                                    .doc = "angle from x towards y at which cells begin"},
                                   GOS_MESH_CELLS(2, "numbers of cells, [radially, around]"),
                                   GOS_MESH_ORDER,
                                   GOS_MESH_SHAPE("quadrilaterals", "triangles"),
                                   GOS_MESH_SETS,
                                   {.name = NULL}};

static void place(const void *par, const double s[3], double x[3]) {
    const def *d = par;
    const double r = d->inner + s[0] * (d->outer - d->inner), phi = d->start + s[1] * d->angle;
    x[0] = r * cos(phi);
    x[1] = r * sin(phi);
    x[2] = 0;
}

static gos_status make(const gos_mesh_maker *k, const void *par, gos_mesh *mesh) {
    const def *d = par;
    const gos_loc at = gos__key_loc(k->entry, "cells");
    gos_grid g;
    GOS_TRY(gos__mesh_grid(k, &d->mesh, 2, &g));
    if (!(d->outer > d->inner)) {
        return gos__fail_at(k->model->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "outer"), k->object,
                            "outer must be above inner (%g m), got %g m", d->inner, d->outer);
    }
    g.ends[0][0] = "inner";
    g.ends[0][1] = "outer";
    g.place = place;
    g.par = d;
    if (d->angle > 2 * M_PI - 1e-9) {
        g.closed = 2;
        if (g.n[1] < 3) {
            return gos__fail_at(k->model->ctx, GOS_E_INPUT, at, k->object,
                                "the whole annulus takes 3 cells around at least, got %d", g.n[1]);
        }
    } else {
        g.ends[1][0] = "start";
        g.ends[1][1] = "end";
    }
    return gos__grid_make(mesh, &g, at, k->object);
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_annulus = {
    .section = "meshes",
    .name = "annulus",
    .doc = "Quadrilaterals or triangles of an annulus in the x-y plane about the origin, or of a "
           "sector of it. Sets of "
           "nodes and sides: inner, outer, and of a sector start, end.",
    .params = params,
    .size = sizeof(def),
    .example =
        "disc: {type: annulus, inner: 0.075, outer: 0.15, cells: [4, 36], sets: {heated: {of: "
        "cells, sector: {at: 0, angle: deg(60)}}}}",
    .ops = &ops,
};
