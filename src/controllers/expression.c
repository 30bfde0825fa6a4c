/* Controller given by expressions: inputs, and rates of its own states. Each expression is a
   signal; the matrices of the law are unit matrices. */
#include <math.h>

#include "controllers/controllers.h"

typedef struct expression {
    gos_texts inputs;
    const gos_node *amounts, *rates;
    gos_numbers start;
    gos_control_common common;
} expression;

static const gos_param params[] = {
    GOS_CONTROL_INPUTS(offsetof(expression, inputs)),
    {.name = "amounts",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(expression, amounts),
     .doc = "addition to each input: expressions of components of probes, t, and own states "
            "NAME_state.x1, NAME_state.x2 ..."},
    {.name = "rates",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(expression, rates),
     .doc = "rates of the states, one expression each; only for continuous controllers"},
    {.name = "start",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .offset = offsetof(expression, start),
     .doc = "states at t = 0, one number or one each; default 0"},
    GOS_CONTROL_COMMON(offsetof(expression, common)),
    {0}};

static gos_status check(const gos_control_maker *k, int amounts, bool sampled) {
    if (amounts != k->c.nu) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "amounts"), k->object,
                            "there are %d `amounts` for %d inputs; list one amount per input",
                            amounts, k->c.nu);
    }
    return k->c.ny > amounts && sampled
               ? gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "rates"), k->object,
                              "rates are allowed only in continuous controllers; remove `sample`, "
                              "or use state_space")
               : GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    expression def = {0};
    gos_control_maker k;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(gos__control_begin(b, entry, name, object, &def.inputs, &k));
    GOS_TRY(gos__control_signals(&k, "amounts"));
    const int amounts = k.c.ny;
    GOS_TRY(gos__control_signals(&k, "rates"));
    GOS_TRY(check(&k, amounts, def.common.sample != NULL));
    const int n = k.c.ny - amounts;
    double *D = gos__control_zeros(&k, amounts, k.c.ny), *B = gos__control_zeros(&k, n, k.c.ny);
    if (!D || !B) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < amounts; i++) {
        D[i * amounts + i] = 1;
    }
    for (int i = 0; i < n; i++) {
        B[(amounts + i) * n + i] = 1;
    }
    k.c.n = n;
    k.c.B = n > 0 ? B : NULL;
    k.c.D = D;
    GOS_TRY(gos__control_numbers(&k, "start", &def.start, n, &k.c.start));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_expression = {
    .section = "controllers",
    .name = "expression",
    .doc = "inputs and rates of states as expressions of probes and t",
    .params = params,
    .size = sizeof(expression),
    .example = "law: {type: expression, inputs: push.y, amounts: \"-3*tip.y - speed.y^3 + "
               "law_state.x1\", rates: \"-2*law_state.x1 - tip.y\"}",
    .ops = &ops};
