#include "rom/local_rows.h"
#include "rom/pod.h"

static const gos_param params[] = {
    GOS_LOCAL_INT(0, 0, vectors, 0, 10000, "0",
                  "displacement vectors of each cluster; 0: by `truncation`"),
    GOS_LOCAL_INT(0, 0, thermal_vectors, 0, 10000, "0",
                  "temperature vectors of each cluster; 0: by `truncation`"),
    GOS_LOCAL_INT(
        0, 0, clusters, 1, 1000, "8",
        "number of clusters of states, each with its own basis; 1: one basis for the whole run"),
    GOS_LOCAL_NUMBER(0, 0, overlap, "-", 10, "0.2",
                     "relative excess distance up to which a state also belongs to a cluster with "
                     "a more distant centre"),
    GOS_LOCAL_NUMBER(0, 0, truncation, "-", 1, "1e-6",
                     "truncation error of a cluster's vectors, RMS over its states, relative to "
                     "the largest extent; temperatures: to their range. 0: rounding only"),
    GOS_LOCAL_INT(0, 0, snapshots, 2, 100000, "400", "snapshots taken from the run"),
    GOS_LOCAL_NUMBER(0, 0, training, "s", HUGE_VAL, "0",
                     "length of the training run of the full model, with the loads of this model; "
                     "0: to the end of the analysis"),
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
    .doc = "nonlinear models: proper orthogonal decomposition of a run of the full model, with one "
           "basis per cluster of states, relinearised in each interval as in complex_modes. Valid "
           "for the loads of that run only",
    .params = params,
    .size = sizeof(gos_local_def),
    .example = "reduction: {method: local_pod, vectors: 12, clusters: 4}",
    .ops = &(const gos_reduction_ops){.nonlinear = &method},
};
