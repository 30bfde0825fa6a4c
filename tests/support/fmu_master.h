/* A master that calls a unit in any order, legal or not, with any numbers. Include after cmocka. */
#ifndef SUPPORT_FMU_MASTER_H
#define SUPPORT_FMU_MASTER_H

#include <math.h>

#include "base/base.h"
#include "support/fmu.h"
#include "support/random.h"

/* a clamped rod whose mass, spring and damping can be tuned */
static const char master_model[] =
    "parameters: {k: 50.0, m: 2.0, c: 0.5}\n"
    "materials: {soft: {density: 1000*m, young: 1e4*k, damping: {normal: 0.01*c}}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: soft, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 1}}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "events:\n"
    "  high: {signal: tip.y, limit: -1.0e-3, direction: rising, action: end}\n"
    "  low: {signal: tip.y, limit: -2.0e-3}\n"
    "  stiff: {signal: k*tip.x, limit: 1000, direction: rising, action: end}\n"
    "analysis: {end: 1, tolerance: 1.0e-4}\n";

/* position and slope of both ends, and their rates */
enum { STATES = 24, TIP_Y = 7, INDICATORS = 3 };

static const char *const master_tunables[] = {"k", "m", "c"};

static void master_unit(const char *name, int version, gos_fmu_kind kind, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    if (gos_model_parse(ctx, master_model, strlen(master_model), "unit", folder, &m) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    const gos_fmu_options o = {.version = version,
                               .kind = kind,
                               .tunable = master_tunables,
                               .ntunable = GOS_COUNT(master_tunables)};
    fmu_of(ctx, m, o, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

enum { KEPT = 3, UNITS = 2 };

typedef struct master {
    fmu *u;
    uint64_t seed;             // of choices, unless there are
    const unsigned char *byte; // bytes that make them (nbyte), NULL: none
    size_t nbyte;
    bool exchange;
    fmi2Component c[UNITS]; // of one version
    fmi3Instance i[UNITS];  // of the other
    void *kept[KEPT];
    int owner[KEPT];
    double t[UNITS];
} master;

/* A number from 0 to n - 1; of bytes that have ended: 0. */
static int choose(master *m, int n) {
    unsigned v = 0;
    if (!m->byte) {
        return random_below(&m->seed, n);
    }
    for (int i = 0; i < (n > 256 ? 2 : 1); i++) {
        v = 256 * v + (m->nbyte > 0 ? *m->byte++ : 0);
        m->nbyte -= m->nbyte > 0;
    }
    return (int)(v % (unsigned)n);
}

static double any_number(master *m) {
    static const double v[] = {0,           1,      -1,   1e-3,     1e-2,      1e-9, 1e300, -1e300,
                               (double)NAN, 5e-324, 1e60, HUGE_VAL, -HUGE_VAL, 0.5,  50,    100};
    return v[choose(m, GOS_COUNT(v))];
}

static void silent(fmi3InstanceEnvironment user, fmi3Status status, fmi3String category,
                   fmi3String text) {
    (void)user, (void)status, (void)category;
    assert_true(text && *text);
}

static void master_begin(master *m, bool two) {
    char token[200];
    fmu_attribute(m->u->xml, two ? "guid" : "instantiationToken", token);
    for (int k = 0; k < UNITS; k++) {
        if (two) {
            m->c[k] = fmu_make(m->u, m->exchange ? fmi2ModelExchange : fmi2CoSimulation);
        } else if (m->exchange) {
            m->i[k] = m->u->fmi3InstantiateModelExchange("x", token, m->u->location, false, false,
                                                         NULL, silent);
        } else {
            m->i[k] = m->u->fmi3InstantiateCoSimulation("x", token, m->u->location, false, false,
                                                        k > 0, k > 0, NULL, 0, NULL, silent, NULL);
        }
        assert_true(m->c[k] || m->i[k]);
        m->t[k] = 0;
    }
    memset(m->kept, 0, sizeof m->kept);
}

static void call_two(master *m, int k) {
    const fmu *u = m->u;
    const fmi2Component c = m->c[k];
    const int s = choose(m, KEPT);
    double y[64] = {0}, z[64];
    unsigned r[4];
    fmi2EventInfo info;
    fmi2Boolean one, two;
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        r[i] = (unsigned)choose(m, 40);
        z[i] = any_number(m);
    }
    fmu_said[0] = '\0';
    switch (choose(m, 20)) {
    case 0:
        u->fmi2SetupExperiment(c, any_number(m) > 0, 1e-4, 0, any_number(m) > 0, any_number(m));
        break;
    case 1:
        u->fmi2EnterInitializationMode(c);
        break;
    case 2:
        u->fmi2ExitInitializationMode(c);
        break;
    case 3:
        if (choose(m, 4) == 0) {
            u->fmi2Terminate(c);
        }
        break;
    case 4:
        if (choose(m, 3) == 0) {
            u->fmi2Reset(c);
            m->t[k] = 0;
        }
        break;
    case 5:
        u->fmi2GetReal(c, r, (size_t)choose(m, 4), z);
        break;
    case 6:
        u->fmi2SetReal(c, r, (size_t)choose(m, 4), z);
        break;
    case 7: // parameters come first
        r[0] = 1 + r[0] % 3;
        u->fmi2SetReal(c, r, 1, z);
        break;
    case 8:
        if (!m->kept[s] || m->owner[s] == k) {
            m->owner[s] = u->fmi2GetFMUstate(c, &m->kept[s]) == fmi2OK ? k : m->owner[s];
        }
        break;
    case 9:
        u->fmi2SetFMUstate(c, m->kept[s]); // or of the other instance
        break;
    case 10:
        u->fmi2FreeFMUstate(m->c[m->owner[s]], &m->kept[s]);
        break;
    case 11:
        if (m->kept[s] && m->owner[s] == k &&
            u->fmi2SerializedFMUstateSize(c, m->kept[s], &n) == fmi2OK) {
            char *bytes = malloc(n);
            assert_non_null(bytes);
            assert_int_equal(u->fmi2SerializeFMUstate(c, m->kept[s], bytes, n), fmi2OK);
            bytes[choose(m, (int)n)] ^= (char)(choose(m, 3) == 0);
            u->fmi2DeSerializeFMUstate(c, bytes, n - (size_t)choose(m, 2), &m->kept[s]);
            free(bytes);
        }
        break;
    case 12:
    case 13:
        u->fmi2DoStep(c, m->t[k], choose(m, 5) > 0 ? 1e-3 : z[0], fmi2True);
        u->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &m->t[k]);
        break;
    case 14:
        u->fmi2GetDirectionalDerivative(c, r, 2, r + 2, 2, z, y);
        break;
    case 15:
        u->fmi2EnterEventMode(c);
        break;
    case 16:
        u->fmi2NewDiscreteStates(c, choose(m, 9) > 0 ? &info : NULL);
        break;
    case 17:
        u->fmi2EnterContinuousTimeMode(c);
        break;
    case 18:
        u->fmi2CompletedIntegratorStep(c, fmi2True, &one, &two);
        u->fmi2SetTime(c, choose(m, 3) > 0 ? (m->t[k] += 1e-3) : z[0]);
        break;
    default:
        u->fmi2GetContinuousStates(c, y, STATES);
        y[TIP_Y] += choose(m, 3) > 0 ? -1e-3 : any_number(m);
        u->fmi2SetContinuousStates(c, y, STATES);
        u->fmi2GetDerivatives(c, z, choose(m, 5) > 0 ? STATES : 1);
        u->fmi2GetEventIndicators(c, z, choose(m, 5) > 0 ? INDICATORS : 5);
    }
}

static void call_three(master *m, int k) {
    const fmu *u = m->u;
    const fmi3Instance c = m->i[k];
    const int s = choose(m, KEPT);
    double y[64] = {0}, z[64], next;
    unsigned r[4];
    fmi3Boolean b[6];
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        r[i] = (unsigned)choose(m, 40);
        z[i] = any_number(m);
    }
    switch (choose(m, 20)) {
    case 0:
    case 1:
        u->fmi3EnterInitializationMode(c, false, z[0], choose(m, 4) > 0 ? 0 : z[1], false, z[2]);
        break;
    case 2:
        u->fmi3ExitInitializationMode(c);
        break;
    case 3:
        if (choose(m, 4) == 0) {
            u->fmi3Terminate(c);
        }
        break;
    case 4:
        if (choose(m, 3) == 0) {
            u->fmi3Reset(c);
            m->t[k] = 0;
        }
        break;
    case 5:
        n = (size_t)choose(m, 4);
        u->fmi3GetFloat64(c, r, n, z, n);
        break;
    case 6:
        n = (size_t)choose(m, 4);
        u->fmi3SetFloat64(c, r, n, z, choose(m, 5) > 0 ? n : n + 1);
        break;
    case 7: // parameters come first
        r[0] = 1 + r[0] % 3;
        u->fmi3SetFloat64(c, r, 1, z, 1);
        break;
    case 8:
        if (!m->kept[s] || m->owner[s] == k) {
            m->owner[s] = u->fmi3GetFMUState(c, &m->kept[s]) == fmi3OK ? k : m->owner[s];
        }
        break;
    case 9:
        u->fmi3SetFMUState(c, m->kept[s]);
        break;
    case 10:
        u->fmi3FreeFMUState(m->i[m->owner[s]], &m->kept[s]);
        break;
    case 11:
        u->fmi3EnterStepMode(c);
        break;
    case 12:
    case 13:
        u->fmi3DoStep(c, m->t[k], choose(m, 5) > 0 ? 1e-3 : z[0], true, b, b + 1, b + 2, &m->t[k]);
        break;
    case 14:
        u->fmi3GetDirectionalDerivative(c, r, 2, r + 2, 2, z, 2, y, 2);
        break;
    case 15:
        u->fmi3EnterEventMode(c);
        break;
    case 16:
        u->fmi3UpdateDiscreteStates(c, b, b + 1, b + 2, b + 3, b + 4,
                                    choose(m, 9) > 0 ? &next : NULL);
        break;
    case 17:
        u->fmi3EnterContinuousTimeMode(c);
        break;
    case 18:
        u->fmi3CompletedIntegratorStep(c, true, b, b + 1);
        u->fmi3SetTime(c, choose(m, 3) > 0 ? (m->t[k] += 1e-3) : z[0]);
        break;
    default:
        u->fmi3GetContinuousStates(c, y, STATES);
        y[TIP_Y] += choose(m, 3) > 0 ? -1e-3 : any_number(m);
        u->fmi3SetContinuousStates(c, y, STATES);
        u->fmi3GetContinuousStateDerivatives(c, z, choose(m, 5) > 0 ? STATES : 1);
        u->fmi3GetEventIndicators(c, z, choose(m, 5) > 0 ? INDICATORS : 5);
    }
}

/* After any sequence a reset unit begins again. */
static void master_finish(master *m, bool two) {
    for (int k = 0; k < UNITS; k++) {
        if (two) {
            fmu_is_ok(m->u->fmi2Reset(m->c[k]));
            fmu_begin(m->u, m->c[k], 0);
            m->u->fmi2FreeInstance(m->c[k]);
        } else {
            assert_int_equal(m->u->fmi3Reset(m->i[k]), fmi3OK);
            assert_int_equal(m->u->fmi3EnterInitializationMode(m->i[k], false, 0, 0, false, 0),
                             fmi3OK);
            assert_int_equal(m->u->fmi3ExitInitializationMode(m->i[k]), fmi3OK);
            m->u->fmi3FreeInstance(m->i[k]);
        }
    }
}

/* A call of one of the instances. */
static void master_call(master *m, bool two) {
    const int k = choose(m, UNITS);
    if (two) {
        call_two(m, k);
    } else {
        call_three(m, k);
    }
}

#endif
