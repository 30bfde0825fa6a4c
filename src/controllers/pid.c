/* Proportional, integral and derivative control of one signal. */
#include <math.h>

#include "controllers/controllers.h"

typedef struct pid {
    gos_texts inputs;
    const gos_node *signal, *setpoint, *rate;
    double kp, ki, kd, filter, tracking;
    int of; // 0: error, 1: signal
    gos_control_common common;
} pid;

#define GAIN(member, text)                                                                         \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = "", .lo = -HUGE_VAL, .hi = HUGE_VAL,        \
        .def = "0", .offset = offsetof(pid, member), .doc = text                                   \
    }

static const gos_param params[] = {
    {.name = "signal",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(pid, signal),
     .doc = "y: component of a probe, like tip.y, or an expression of these and t"},
    {.name = "setpoint",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(pid, setpoint),
     .doc = "r of the error e = r - y: a number, a function of time, an expression of probes; "
            "default 0"},
    {.name = "rate",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(pid, rate),
     .doc = "signal equal to the rate of y: kd then acts on it, without a filter"},
    GOS_CONTROL_INPUTS(offsetof(pid, inputs)),
    GAIN(kp, "proportional gain; u = kp e + ki (integral of e) + kd (rate of e)"),
    GAIN(ki, "integral gain [1/s of kp]"),
    GAIN(kd, "derivative gain [s of kp]"),
    {.name = "filter",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(pid, filter),
     .doc = "time constant of the derivative filter, initialised with the initial value; "
            "continuous controllers with kd need it, or `rate`"},
    {.name = "derivative",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "error",
     .choices = "error|signal",
     .offset = offsetof(pid, of),
     .doc = "derivative of the error, or of the signal alone (-y), which does not jump with the "
            "setpoint"},
    {.name = "tracking",
     .kind = GOS_K_NUMBER,
     .unit = "1/s",
     .lo = 0,
     .hi = HUGE_VAL,
     .offset = offsetof(pid, tracking),
     .doc = "anti-windup: with a limit, the integral part of u additionally changes at the rate "
            "tracking (v - u), with the saturated output v; 0: off; default: ki / kp"},
    GOS_CONTROL_COMMON(offsetof(pid, common)),
    {0}};

/* column numbers; -1: none */
typedef struct columns {
    int setpoint, signal, rate;
} columns;

static gos_status read_signals(gos_control_maker *k, columns *at) {
    const char *const keys[] = {"setpoint", "signal", "rate"};
    int *const to[] = {&at->setpoint, &at->signal, &at->rate};
    for (int i = 0; i < GOS_COUNT(keys); i++) {
        const int before = k->c.ny;
        GOS_TRY(gos__control_signals(k, keys[i]));
        *to[i] = k->c.ny > before ? before : -1;
        if (k->c.ny > before + 1) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, keys[i]), k->object,
                                "%s must be one signal, not a list", keys[i]);
        }
    }
    return GOS_OK;
}

static gos_status check(const gos_control_maker *k, const pid *def, const columns *at) {
    if (k->c.nu != 1) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "inputs"), k->object,
                            "a PID controller has one input; add one entry per input");
    }
    if (def->kd != 0 && at->rate < 0 && def->filter == 0 && !def->common.sample) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "kd"), k->object,
                            "kd needs the rate of the signal; give a `filter` (time constant in "
                            "s), or a probe of the rate as `rate`");
    }
    return GOS_OK;
}

static void error_row(const columns *at, double factor, size_t stride, double *row) {
    row[(size_t)at->signal * stride] -= factor;
    if (at->setpoint >= 0) {
        row[(size_t)at->setpoint * stride] += factor;
    }
}

static void rated_row(const pid *def, const columns *at, double factor, size_t stride,
                      double *row) {
    if (def->of == 0) {
        error_row(at, factor, stride, row);
    } else {
        row[(size_t)at->signal * stride] -= factor;
    }
}

/* States: the integral z in units of the input, and the filter f, if any. Continuous
     z' = ki e + w (v - u),   f' = (e - f) / Tf,   u = kp e + z + kd (e - f) / Tf;
   sampled z(k+1) = z + T (...), f(k+1) = a f + (1 - a) e with a = exp(-T / Tf), u = kp e + z + kd
   (1 - a) (e - f) / T. The filter starts at e(0), which avoids an initial jump. */
static gos_status realise(gos_control_maker *k, const pid *def, const columns *at, double w) {
    const bool filters = def->kd != 0 && at->rate < 0;
    const double T = k->c.period, dt = T > 0 ? T : 1;
    const double a = T > 0 && def->filter > 0 ? exp(-T / def->filter) : 0;
    const double gain = T > 0 ? def->kd * (1 - a) / T : def->filter > 0 ? def->kd / def->filter : 0;
    const int n = 1 + filters, ny = k->c.ny;
    const size_t order = (size_t)n;
    double *A = gos__control_zeros(k, n, n), *B = gos__control_zeros(k, n, ny);
    double *C = gos__control_zeros(k, 1, n), *D = gos__control_zeros(k, 1, ny);
    double *E = gos__control_zeros(k, n, 1);
    if (!A || !B || !C || !D || !E) {
        return GOS_E_MEMORY;
    }
    C[0] = 1;
    error_row(at, def->kp, 1, D);
    if (at->rate >= 0) {
        D[at->rate] -= def->kd;
    }
    error_row(at, dt * def->ki, order, B);
    A[0] = T > 0 ? 1 : 0;
    if (filters) {
        C[1] = -gain;
        rated_row(def, at, gain, 1, D);
        A[3] = T > 0 ? a : -1 / def->filter;
        rated_row(def, at, T > 0 ? 1 - a : 1 / def->filter, order, B + 1);
    }
    E[0] = dt * w;
    for (int j = 0; j < n; j++) {
        A[(size_t)j * order] -= dt * w * C[j];
    }
    for (int j = 0; j < ny; j++) {
        B[(size_t)j * order] -= dt * w * D[j];
    }
    bool *rests = GOS_NEW(k->b->arena, bool, n);
    GOS_TRY(rests ? GOS_OK : GOS_E_MEMORY);
    rests[n - 1] = filters;
    k->c.rests = rests;
    k->c.n = n;
    k->c.A = A;
    k->c.B = B;
    k->c.C = C;
    k->c.D = D;
    k->c.E = E;
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    pid def = {0};
    gos_control_maker k;
    columns at;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(gos__control_begin(b, entry, name, object, &def.inputs, &k));
    GOS_TRY(read_signals(&k, &at));
    GOS_TRY(check(&k, &def, &at));
    GOS_TRY(gos__control_sampling(&k, &def.common));
    double w = def.tracking;
    if (!gos__node_given(entry, "tracking")) {
        w = def.kp != 0 ? fabs(def.ki / def.kp) : 0;
    }
    w = def.common.limit.n > 0 ? w : 0;
    if (k.c.period > 0 && w * k.c.period > 1) {
        w = 1 / k.c.period; // within one sample
    }
    GOS_TRY(realise(&k, &def, &at, w));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_pid = {
    .section = "controllers",
    .name = "pid",
    .doc = "proportional, integral and derivative control of one signal",
    .params = params,
    .size = sizeof(pid),
    .example = "hold: {type: pid, signal: tip.y, setpoint: 0.01, inputs: push.y, kp: 2, ki: 5, "
               "kd: 0.1, filter: 0.01, limit: 4}",
    .ops = &ops};
