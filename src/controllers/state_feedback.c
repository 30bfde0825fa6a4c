/* Static gains. */
#include <math.h>

#include "controllers/controllers.h"

typedef struct state_feedback {
    gos_texts inputs;
    const gos_node *signals, *gain;
    gos_numbers y0, u0;
    gos_control_common common;
} state_feedback;

static const gos_param params[] = {
    {.name = "signals",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(state_feedback, signals),
     .doc = "y: components of probes, like tip.y, or expressions of these and t, in the order of "
            "the columns of the gain"},
    GOS_CONTROL_INPUTS(offsetof(state_feedback, inputs)),
    {.name = "gain",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(state_feedback, gain),
     .doc = "K of u = u0 - K (y - y0), one row per input: rows of numbers, or a file of rows "
            "(.csv) or of Matrix Market (.mtx) below the model's folder"},
    {.name = "y0",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(state_feedback, y0),
     .doc = "signals at the operating point, one number or one each; default 0"},
    {.name = "u0",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(state_feedback, u0),
     .doc = "inputs at the operating point, one number or one each; default 0"},
    GOS_CONTROL_COMMON(offsetof(state_feedback, common)),
    {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    state_feedback def = {0};
    gos_control_maker k;
    const double *gain = NULL;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(gos__control_begin(b, entry, name, object, &def.inputs, &k));
    GOS_TRY(gos__control_signals(&k, "signals"));
    int nu = k.c.nu, ny = k.c.ny;
    GOS_TRY(gos__control_matrix(&k, "gain", &nu, &ny, &gain));
    double *D = gos__control_zeros(&k, nu, ny);
    GOS_TRY(D ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < nu * ny; i++) {
        D[i] = -gain[i];
    }
    k.c.D = D;
    GOS_TRY(gos__control_numbers(&k, "y0", &def.y0, ny, &k.c.y0));
    GOS_TRY(gos__control_numbers(&k, "u0", &def.u0, nu, &k.c.u0));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_state_feedback = {
    .section = "controllers",
    .name = "state_feedback",
    .doc = "static gains from signals to inputs",
    .params = params,
    .size = sizeof(state_feedback),
    .example = "lqr: {type: state_feedback, signals: [tip.y, speed.y], inputs: [push.y], "
               "gain: [3, 0.4], limit: 10}",
    .ops = &ops};
