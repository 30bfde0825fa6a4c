/* Controller given by its matrices. */
#include <math.h>

#include "controllers/controllers.h"

typedef struct state_space {
    gos_texts inputs;
    const gos_node *signals, *A, *B, *C, *D, *E;
    gos_numbers y0, u0, start;
    gos_control_common common;
} state_space;

#define MATRIX(member, needed, text)                                                               \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NODE, .unit = "", .flags = needed,                          \
        .offset = offsetof(state_space, member),                                                   \
        .doc = text ": rows of numbers, one number, or a file of rows (.csv) or of Matrix "        \
                    "Market (.mtx) below the model's folder"                                       \
    }
#define VALUES(member, text)                                                                       \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBERS, .unit = "", .lo = -HUGE_VAL, .hi = HUGE_VAL,       \
        .offset = offsetof(state_space, member), .doc = text ", one number or one each; default 0" \
    }

static const gos_param params[] = {
    {.name = "signals",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(state_space, signals),
     .doc = "y: components of probes, like tip.y, or expressions of these and t, in the order of "
            "the columns of B and D"},
    GOS_CONTROL_INPUTS(offsetof(state_space, inputs)),
    MATRIX(A, 0, "x' = A x + B (y - y0) + E (v - u0); sampled: x of the next sample"),
    MATRIX(B, 0, "signals to states"),
    MATRIX(C, 0, "u = u0 + C x + D (y - y0)"),
    MATRIX(D, 0, "signals to inputs"),
    MATRIX(E, 0, "feedback of the saturated output v to the states, for observers and anti-windup"),
    VALUES(y0, "signals at the operating point"),
    VALUES(u0, "inputs at the operating point"),
    VALUES(start, "states at t = 0"),
    GOS_CONTROL_COMMON(offsetof(state_space, common)),
    {0}};

static gos_status read_matrices(gos_control_maker *k) {
    gos_controller *c = &k->c;
    int n = -1, ny = c->ny, nu = c->nu;
    GOS_TRY(gos__control_matrix(k, "A", &n, &n, &c->A));
    GOS_TRY(gos__control_matrix(k, "B", &n, &ny, &c->B));
    GOS_TRY(gos__control_matrix(k, "C", &nu, &n, &c->C));
    GOS_TRY(gos__control_matrix(k, "D", &nu, &ny, &c->D));
    GOS_TRY(gos__control_matrix(k, "E", &n, &nu, &c->E));
    c->n = n > 0 ? n : 0;
    return c->C || c->D ? GOS_OK
                        : gos__fail_at(k->b->ctx, GOS_E_INPUT, k->entry->key_loc, k->object,
                                       "C and D are missing; give one of them");
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    state_space def = {0};
    gos_control_maker k;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(gos__control_begin(b, entry, name, object, &def.inputs, &k));
    GOS_TRY(gos__control_signals(&k, "signals"));
    GOS_TRY(read_matrices(&k));
    GOS_TRY(gos__control_numbers(&k, "y0", &def.y0, k.c.ny, &k.c.y0));
    GOS_TRY(gos__control_numbers(&k, "u0", &def.u0, k.c.nu, &k.c.u0));
    GOS_TRY(gos__control_numbers(&k, "start", &def.start, k.c.n, &k.c.start));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_state_space = {
    .section = "controllers",
    .name = "state_space",
    .doc = "linear controller given by its matrices",
    .params = params,
    .size = sizeof(state_space),
    .example = "filter: {type: state_space, signals: [tip.y], inputs: [push.y], A: -20, B: 20, "
               "C: -3, D: -0.5}",
    .ops = &ops};
