/* Field options shared with auto. */
#include "rom/types.h"

static const gos_param params[] = {
    GOS_ROW_FIELDS(gos_reduction_def, 0),
    {.name = "number",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, number),
     .doc = "polynomials: fields per body, not counting those consumed by joints; modes: fields "
            "from the lowest elastic modes of connected bodies; each has three components; 0: 10"},
    {.name = "thermal_fields",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, thermal_fields),
     .doc = "axial functions per temperature family and body; 0: 8"},
    {.name = "points",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 10000,
     .def = "0",
     .offset = offsetof(gos_reduction_def, points),
     .doc = "polynomials: Gauss points along a body; 0: one and a half times `number`"},
    GOS_ROW_STATICS(gos_reduction_def, 0),
    GOS_ROW_ON_MESH(gos_reduction_def, 0),
    {.name = "cubature",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1,
     .def = "0",
     .offset = offsetof(gos_reduction_def, cubature),
     .doc = "modes, and polynomials on_mesh: select a few points with new weights whose forces "
            "differ by about this much from those of all points in a run of the reduced model; 0: "
            "all points"},
    {.name = "tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1,
     .flags = GOS_P_LO_OPEN,
     .def = "1e-3",
     .offset = offsetof(gos_reduction_def, tolerance),
     .doc = "a run warns if the residual of the full model indicates a larger error, relative to "
            "the largest extent"},
    {0},
};

static bool on_mesh(const gos_reduction_def *d) {
    return d->fields == GOS_FIELDS_MODES || d->on_mesh;
}

static gos_status check(gos_ctx *ctx, const gos_node *entry, const void *def) {
    const gos_reduction_def *d = def;
    if (d->cubature > 0 && !on_mesh(d)) {
        return gos__fail_at(ctx, GOS_E_INPUT, gos__key_loc(entry, "cubature"), "reduction",
                            "cubature selects points of the mesh; specify `on_mesh: true` or "
                            "`fields: modes` with it, or remove it");
    }
    return GOS_OK;
}

gos_status gos__rom_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    const gos_reduction_def def = gos__rom_def(sys);
    return gos__rom_make(ctx, sys, &def, NULL, NULL, reduced);
}

static gos_status choose(gos_ctx *ctx, const gos_system *sys, double runs, gos_system **reduced) {
    GOS_UNUSED(runs);
    const gos_reduction_def def = gos__rom_def(sys);
    gos_system *s = NULL;
    GOS_TRY(gos__rom_make(ctx, sys, &def, NULL, NULL, &s));
    const gos_status status = def.cubature > 0 && on_mesh(&def) ? gos__rom_train(ctx, s) : GOS_OK;
    if (status != GOS_OK) {
        gos_system_destroy(s);
        return status;
    }
    *reduced = s;
    return GOS_OK;
}

static const gos_system_method method = {
    .check = check, .reduce = gos__rom_reduce, .choose = choose};

const gos_type gos__reduction_rotation_closed = {
    .section = "reduction",
    .name = "rotation_closed",
    .doc = "nonlinear models: scalar fields with vector amplitudes and exact nonlinear forces at "
           "points; nothing is updated during a run",
    .params = params,
    .size = sizeof(gos_reduction_def),
    .example = "reduction: {method: rotation_closed, fields: polynomials, number: 10}",
    .ops = &(const gos_reduction_ops){.nonlinear = &method},
};

gos_reduction_def gos__rom_def(const gos_system *s) {
    if (s->reduction.type == &gos__reduction_rotation_closed) {
        return *(const gos_reduction_def *)s->reduction.def;
    }
    if (s->reduction.type == &gos__reduction_auto) {
        const gos_auto_def *d = s->reduction.def;
        return (gos_reduction_def){.fields = d->fields,
                                   .statics = d->statics,
                                   .on_mesh = d->on_mesh,
                                   .tolerance = d->linear.tolerance};
    }
    return (gos_reduction_def){.statics = 1, .tolerance = GOS_ROM_TOLERANCE};
}
