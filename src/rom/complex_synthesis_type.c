#include "rom/local_rows.h"

static const gos_param params[] = {
    GOS_LOCAL_INT(0, 0, displacement_modes, 0, 10000, "0",
                  "modes kept of each flexible body, counting a conjugate pair once; 0: all"),
    GOS_LOCAL_CHOICE(0, 0, interfaces, "free|held", "free",
                     "boundary conditions of component modes at joints to other bodies: free, or "
                     "held (fixed); joints to the ground are active in both cases"),
    GOS_LOCAL_BOOL(0, 0, attachments, "true",
                   "add the responses of each body to forces in its joints to others (attachment "
                   "modes); without them, modes alone must represent these forces"),
    GOS_LOCAL_ROW_THERMAL_MODES(0, 0),
    GOS_LOCAL_ROW_THRESHOLDS(0, 0),
    GOS_LOCAL_CHOICE(
        0, 0, modes, "complex|real", "complex",
        "kind of modes; real: undamped modes, with held interfaces those of Craig and Bampton"),
    GOS_LOCAL_ROW_VELOCITY(0, 0),
    GOS_LOCAL_ROW_DROPPED(0, 0),
    GOS_LOCAL_ROW_COUPLING(0, 0),
    GOS_LOCAL_ROW_INTERVALS(0, 0),
    GOS_LOCAL_ROW_SEARCH(0, 0),
    GOS_LOCAL_ROW_REFRESH(0, 0),
    GOS_LOCAL_ROW_COLUMNS(0, 0),
    GOS_LOCAL_ROW_MAX_INTERVAL(0, 0),
    GOS_LOCAL_ROW_TOLERANCE(0),
    {0},
};

static gos_status reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    GOS_TRY(gos__local_refuse(ctx, sys));
    return gos__local_system(ctx, sys, reduced);
}

static void local(const void *def, gos_local_def *to) {
    *to = *(const gos_local_def *)def;
    to->kind = GOS_LOCAL_OF_PARTS;
}

static const gos_system_method method = {.reduce = reduce, .local = local};

const gos_type gos__reduction_complex_synthesis = {
    .section = "reduction",
    .name = "complex_synthesis",
    .doc = "nonlinear models: component mode synthesis with damped modes of each body, coupled by "
           "its joints and relinearised in each interval as in complex_modes",
    .params = params,
    .size = sizeof(gos_local_def),
    .example = "reduction: {method: complex_synthesis, displacement_modes: 8}",
    .ops = &(const gos_reduction_ops){.nonlinear = &method},
};
