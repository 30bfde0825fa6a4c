/* Transfer function from one signal to one input, in controllable canonical form. */
#include <math.h>

#include "controllers/controllers.h"

typedef struct transfer_function {
    gos_texts inputs;
    const gos_node *signal;
    gos_numbers num, den;
    gos_control_common common;
} transfer_function;

static const gos_param params[] = {
    {.name = "signal",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(transfer_function, signal),
     .doc = "y: component of a probe, like tip.y, or an expression of these and t"},
    GOS_CONTROL_INPUTS(offsetof(transfer_function, inputs)),
    {.name = "num",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(transfer_function, num),
     .doc = "u = num(s) / den(s) y, highest power first; sampled: of z"},
    {.name = "den",
     .kind = GOS_K_NUMBERS,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(transfer_function, den),
     .doc = "denominator, of the same or higher order than num, with a nonzero first number"},
    GOS_CONTROL_COMMON(offsetof(transfer_function, common)),
    {0}};

static gos_status check(const gos_control_maker *k, const transfer_function *def) {
    if (k->c.nu != 1 || k->c.ny != 1) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "inputs"), k->object,
                            "a transfer function has one signal and one input (inputs, signal); "
                            "use state_space for several");
    }
    if (def->num.n > def->den.n || def->den.v[0] == 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "den"), k->object,
                            "den must begin with a nonzero number and not be of lower order than "
                            "num; add a filter to differentiate");
    }
    return def->den.n <= GOS_LIMIT_CONTROLLER
               ? GOS_OK
               : gos__fail_at(k->b->ctx, GOS_E_LIMIT, gos__key_loc(k->entry, "den"), k->object,
                              "den has more than %d numbers; use fewer", GOS_LIMIT_CONTROLLER);
}

/* Magnitude w of the roots of den. With the scaled variable s = w p, the coefficient of p^k is
   den_k w^k and the states have similar magnitudes. */
static double fastest_rate(const gos_numbers *den) {
    const int n = den->n - 1;
    double w = 0;
    for (int k = 1; k <= n; k++) { // Fujiwara's bound, within a factor of 2 of the largest root
        w = fmax(w, pow(fabs(den->v[k] / den->v[0]), 1.0 / k));
    }
    return w > 0 ? w : 1;
}

/* x_1' = w (sum of ...), x_k' = w x_(k-1): companion form in the scaled time w t; sampled: w = 1,
   in z */
static gos_status realise(gos_control_maker *k, const transfer_function *def, bool sampled) {
    const int n = def->den.n - 1;
    const double w = sampled ? 1 : fastest_rate(&def->den), lead = def->den.v[0];
    double *A = gos__control_zeros(k, n, n), *B = gos__control_zeros(k, n, 1);
    double *C = gos__control_zeros(k, 1, n), *D = gos__control_zeros(k, 1, 1);
    if (!A || !B || !C || !D) {
        return GOS_E_MEMORY;
    }
    const int skip = def->den.n - def->num.n; // missing leading powers of num
    D[0] = skip > 0 ? 0 : def->num.v[0] / lead;
    for (int j = 1; j <= n; j++) {
        const double a = def->den.v[j] / lead;
        const double b = j >= skip ? def->num.v[j - skip] / lead : 0, scale = pow(w, -j);
        A[(size_t)(j - 1) * (size_t)n] = -a * scale * w;
        C[j - 1] = (b - a * D[0]) * scale;
        if (j < n) {
            A[(size_t)(j - 1) * (size_t)n + (size_t)j] = w;
        }
    }
    if (n > 0) {
        B[0] = w;
    }
    k->c.n = n;
    k->c.A = A;
    k->c.B = B;
    k->c.C = C;
    k->c.D = D;
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    transfer_function def = {0};
    gos_control_maker k;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(gos__control_begin(b, entry, name, object, &def.inputs, &k));
    GOS_TRY(gos__control_signals(&k, "signal"));
    GOS_TRY(check(&k, &def));
    GOS_TRY(realise(&k, &def, def.common.sample != NULL));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_transfer_function = {
    .section = "controllers",
    .name = "transfer_function",
    .doc = "one input from one signal: ratio of two polynomials",
    .params = params,
    .size = sizeof(transfer_function),
    .example = "lead: {type: transfer_function, signal: tip.y, inputs: push.y, num: [-4, -20], "
               "den: [1, 50]}",
    .ops = &ops};
