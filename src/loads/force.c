/* Force at a point (theory guide 1.4, 3.1). Marker 0 is the point x, and
       global axes:       F = F_k e_k                                 dead
       rigid axes:        F = sum_k F_k a_k, markers 1..3 the axes    follower, derivative F_k I;
                          own or another body
       cable:             F = sum_k F_k d_k(p), marker 1 the slope p  follower, F_k dd_k/dp
       beam:              F = sum_k F_k d_k(a, b), markers 1, 2       follower, likewise */
#include "loads/load.h"
#include "loads/loads.h"

typedef struct gos_force {
    gos_load_kind kind;
    double v[3]; // reference vector of a cable section [-]
} gos_force;

static const gos_param params[] = {
    GOS_LOAD_ON("the point or points on which the force acts, e.g. rod.end"),
    GOS_LOAD_VALUE("value", "N", "force [Fx, Fy, Fz], each a number or a function of time"),
    GOS_LOAD_FRAME,
    {0}};

static void space_force(const gos_item_io *io) {
    for (int k = 0; io->f && k < 3; ++k) {
        io->f[k] = io->scale * io->fn[k];
    }
}

static void axes_force(const gos_item_io *io) {
    for (int j = 0; j < 3; ++j) {
        double F = io->scale * io->fn[j];
        for (int k = 0; io->f && k < 3; ++k) {
            io->f[k] += F * io->x[3 * (1 + j) + k];
        }
        if (io->fx) {
            gos__addeye(io->fx, 12, 0, 1 + j, F);
        }
    }
}

static void section_force(const gos_force *par, const gos_item_io *io) {
    double d[3][3], D[3][9];
    if (!gos__section_frame(io->x + 3, par->v, d, D)) {
        return;
    }
    for (int j = 0; j < 3; ++j) {
        double F = io->scale * io->fn[j];
        for (int k = 0; io->f && k < 3; ++k) {
            io->f[k] += F * d[j][k];
        }
        if (io->fx) {
            gos__add33(io->fx, 6, 0, 1, F, D[j]);
        }
    }
}

static void vectors_force(const gos_item_io *io) {
    gos_vectors f;
    if (!gos__vectors_frame(io->x + 3, io->x + 6, &f)) {
        return;
    }
    for (int j = 0; j < 3; ++j) {
        double F = io->scale * io->fn[j];
        for (int k = 0; io->f && k < 3; ++k) {
            io->f[k] += F * f.d[j][k];
        }
        for (int m = 0; io->fx && m < 2; ++m) {
            gos__add33(io->fx, 9, 0, 1 + m, F, f.D[j][m]);
        }
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_force *par = it->par;
    switch (par->kind) {
    case GOS_LOAD_SPACE:
        space_force(io);
        break;
    case GOS_LOAD_AXES:
        axes_force(io);
        break;
    case GOS_LOAD_SECTION:
        section_force(par, io);
        break;
    case GOS_LOAD_VECTORS:
        vectors_force(io);
        break;
    }
}

static const gos_item_type type_force = {
    .name = "force", .eval = eval, .by_input = gos__by_unit_input};
static const gos_input_def inputs[3] = GOS_LOAD_INPUTS("N");

static gos_status add(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                      const gos_load_axes *axes, gos_item *item) {
    gos_force *par = GOS_NEW(b->arena, gos_force, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    item->type = &type_force;
    item->par = par;
    item->nm = 1;
    GOS_TRY(gos__position(b, p, &item->m[0]));
    if (axes->frame == GOS_LOAD_GLOBAL) {
        par->kind = GOS_LOAD_SPACE;
    } else if (axes->frame == GOS_LOAD_NAMED) {
        par->kind = GOS_LOAD_AXES;
        item->nm = 4;
        memcpy(&item->m[1], axes->axis, sizeof axes->axis);
    } else if (gos__rotating(p) == GOS_TURN_FRAME) {
        par->kind = GOS_LOAD_AXES;
        item->nm = 4;
        GOS_TRY(gos__rigid_axes(b, p, &item->m[1]));
    } else if (gos__rotating(p) == GOS_TURN_SECTION) {
        par->kind = GOS_LOAD_VECTORS;
        item->nm = 3;
        GOS_TRY(gos__load_vectors(b, p, &item->m[1]));
    } else {
        par->kind = GOS_LOAD_SECTION;
        item->nm = 2;
        GOS_TRY(gos__load_section(b, p, loc, object, &item->m[1], par->v));
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__load_build(b, type, entry, object, inputs, add);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_force = {
    .section = "loads",
    .name = "force",
    .doc = "force at a point; `frame` lets it follow its own or another body",
    .params = params,
    .size = sizeof(gos_load_def),
    .example = "pull: {type: force, on: rod.end, value: [0, \"-10*(t>0.1)\", 0]}",
    .ops = &ops};
