/* Method local_pod as a type: local linearisation on vectors of a run of the full model, one basis
   for each part of the way. */
#include "rom/local_rows.h"
#include "rom/pod.h"

static const gos_param params[] = {
    GOS_LOCAL_INT(0, 0, vectors, 0, 10000, "0",
                  "displacement vectors of each cluster; 0: as many as `truncation` asks for"),
    GOS_LOCAL_INT(0, 0, thermal_vectors, 0, 10000, "0",
                  "... of temperatures; 0: as many as `truncation` asks for"),
    GOS_LOCAL_INT(0, 0, clusters, 1, 1000, "8",
                  "parts of the way, each with a basis of its own; 1: one basis for all of it"),
    GOS_LOCAL_NUMBER(0, 0, overlap, "-", 10, "0.2",
                     "states belong to each cluster whose centre is further than the nearest one "
                     "by at most this part of its distance"),
    GOS_LOCAL_NUMBER(0, 0, truncation, "-", 1, "1e-6",
                     "what the vectors of a cluster may leave, RMS over its states, relative to "
                     "the largest extent; temperatures: to their range. 0: nothing but rounding"),
    GOS_LOCAL_INT(0, 0, snapshots, 2, 100000, "400", "states of the run that are looked at"),
    GOS_LOCAL_NUMBER(0, 0, training, "s", HUGE_VAL, "0",
                     "length of the run of the full model that the vectors are made of, with the "
                     "loads of this model; 0: to the end of the analysis"),
    GOS_LOCAL_ROW_THRESHOLDS(0, 0),
    GOS_LOCAL_ROW_VELOCITY(0, 0),
    GOS_LOCAL_ROW_DROPPED(0, 0),
    GOS_LOCAL_ROW_COUPLING(0, 0),
    GOS_LOCAL_ROW_INTERVALS(0, 0),
    GOS_LOCAL_ROW_MAX_INTERVAL(0, 0),
    GOS_LOCAL_ROW_TOLERANCE(0),
    {0},
};

static gos_status reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    gos_local_def def;
    gos_system *s = NULL;
    gos_pod *pod = NULL;
    GOS_TRY(gos__local_def(ctx, sys, &def));
    GOS_TRY(gos__local_system(ctx, sys, &s));
    const gos_status status = gos__pod_make(ctx, s->arena, sys, &def, &pod);
    if (status != GOS_OK) {
        gos_system_destroy(s);
        return status;
    }
    s->pod = pod;
    *reduced = s;
    return GOS_OK;
}

static void local(const void *def, gos_local_def *to) {
    *to = *(const gos_local_def *)def;
    to->kind = GOS_LOCAL_OF_RUN;
}

static const gos_system_method method = {.reduce = reduce, .local = local};

const gos_type gos__reduction_local_pod = {
    .section = "reduction",
    .name = "local_pod",
    .doc =
        "nonlinear models: proper orthogonal decomposition of a run of the full model, one basis "
        "for each part of the way, linearised anew in each interval as complex_modes is. The "
        "vectors know no other loads than those of that run",
    .params = params,
    .size = sizeof(gos_local_def),
    .example = "reduction: {method: local_pod, vectors: 12, clusters: 4}",
    .ops = &(const gos_reduction_ops){.nonlinear = &method},
};
