#include "rom/types.h"

#define LINEAR offsetof(gos_auto_def, linear)

static const gos_param params[] = {
    {.name = "tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1,
     .flags = GOS_P_LO_OPEN,
     .def = "1e-3",
     .offset = LINEAR + offsetof(gos_linear_def, tolerance),
     .doc = "nonlinear models: required bound on the error over time, as RMS over nodes against "
            "the full model on the same mesh, relative to the largest extent; analysis.tolerance "
            "is set to 0.3 of it. Linear models: error of the response on `band`, relative to its "
            "largest value. If an explicit tolerance is not met, `gossamer reduce` fails"},
    GOS_ROW_FIELDS(gos_auto_def, GOS_P_NONLINEAR),
    GOS_ROW_STATICS(gos_auto_def, GOS_P_NONLINEAR),
    GOS_ROW_ON_MESH(gos_auto_def, GOS_P_NONLINEAR),
    GOS_ROW_ORDER(LINEAR, GOS_P_LINEAR),
    GOS_ROW_BAND(LINEAR, GOS_P_LINEAR),
    GOS_ROW_CORRECTION(LINEAR, GOS_P_LINEAR),
    {0},
};

static const gos_system_method method = {.reduce = gos__rom_reduce, .choose = gos__auto_choose};

const gos_type gos__reduction_auto = {
    .section = "reduction",
    .name = "auto",
    .doc = "selects everything automatically for `tolerance`. Nonlinear models: fields, "
           "temperature functions, points and steps of rotation_closed, by runs of reduced models. "
           "Linear models: Krylov vectors, their expansion points and number, on `band`",
    .params = params,
    .size = sizeof(gos_auto_def),
    .example = "reduction: {method: auto, tolerance: 1.0e-3}",
    .ops = &(const gos_reduction_ops){
        .linear = &gos__method_auto, .nonlinear = &method, .linear_def = LINEAR}};
