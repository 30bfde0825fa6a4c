#include "rom/local_rows.h"

typedef struct complex_modes_def {
    gos_local_def local;
    gos_linear_def linear; // its tolerance also applies to intervals
} complex_modes_def;

#define LINEAR offsetof(complex_modes_def, linear)

static const gos_param params[] = {
    GOS_LOCAL_INT(0, GOS_P_NONLINEAR, displacement_modes, 0, 10000, "0",
                  "modes kept, counting a conjugate pair once; 0: all"),
    GOS_LOCAL_ROW_THERMAL_MODES(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_THRESHOLDS(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_MODES(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_VELOCITY(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_DROPPED(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_COUPLING(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_INTERVALS(0, GOS_P_NONLINEAR),
    GOS_LOCAL_BOOL(0, GOS_P_NONLINEAR, corotated, "false",
                   "linearise in a frame that rotates with the motion, and measure the "
                   "displacement threshold in it; all joints to the ground must be at one point"),
    GOS_LOCAL_ROW_SEARCH(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_REFRESH(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_COLUMNS(0, GOS_P_NONLINEAR),
    GOS_LOCAL_ROW_MAX_INTERVAL(0, GOS_P_NONLINEAR),
    {.name = "tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1,
     .flags = GOS_P_LO_OPEN,
     .def = "1e-3",
     .offset = LINEAR + offsetof(gos_linear_def, tolerance),
     .doc = "nonlinear models: error bound of `intervals: error`, relative to the largest extent. "
            "Linear models: error of the response on `band`, relative to its largest value; if an "
            "explicit tolerance is not met, the reduction fails"},
    GOS_ROW_ORDER(LINEAR, GOS_P_LINEAR),
    GOS_ROW_BAND(LINEAR, GOS_P_LINEAR),
    GOS_ROW_CORRECTION(LINEAR, GOS_P_LINEAR),
    {0},
};

static gos_status reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    GOS_TRY(gos__local_refuse(ctx, sys));
    return gos__local_system(ctx, sys, reduced);
}

static void local(const void *def, gos_local_def *to) {
    const complex_modes_def *d = def;
    *to = d->local;
    to->tolerance = d->linear.tolerance;
}

static const gos_system_method method = {.reduce = reduce, .local = local};

const gos_type gos__reduction_complex_modes = {
    .section = "reduction",
    .name = "complex_modes",
    .doc = "damped modes, with real and imaginary parts as real columns. Nonlinear models: the "
           "published scheme, relinearised in each interval. Linear models: the lowest modes as a "
           "basis",
    .params = params,
    .size = sizeof(complex_modes_def),
    .example = "reduction: {method: complex_modes, displacement_modes: 25, thermal_modes: 25}",
    .ops = &(const gos_reduction_ops){.linear = &gos__method_complex_modes,
                                      .nonlinear = &method,
                                      .linear_def = LINEAR},
};
