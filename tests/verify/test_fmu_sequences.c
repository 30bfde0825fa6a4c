/* Calls of a master in legal, illegal and random order, of both versions and kinds. A unit may
   refuse a call, always with a message; it must not crash, and it must be usable after a reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/base.h"
#include "support/fmu.h"
#include "support/random.h"
#include "support/sanitized.h"
#include "support/suite.h"

/* a slider on a spring, 0.1 m from rest; the signal x starts above its limit and falls below it */
static const char model[] =
    "parameters: {k: 50.0, m: 2.0, c: 0.5}\n"
    "bodies: {slider: {type: matrices, M: M.mtx, K: K.mtx, D: D.mtx, B: B.mtx, C: B.mtx, q0: "
    "[0.1]}}\n"
    "loads: {push: {type: input, on: slider.u1, value: 0}}\n"
    "probes: {x: {quantity: output, at: slider.y1}}\n"
    "events:\n"
    "  high: {signal: x.value, limit: 0.05, direction: rising, action: end}\n"
    "  low: {signal: x.value, limit: -0.02, direction: falling}\n"
    "analysis: {end: 2, tolerance: 1.0e-6}\n";

/* the same with a body whose mass and spring can be tuned */
static const char tunable[] =
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

static const char *const names[] = {"k", "m", "c"};

static void make_unit(const char *name, const char *text, int version, gos_fmu_kind kind, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    if (gos_model_parse(ctx, text, strlen(text), "unit", folder, &m) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    const gos_fmu_options o = {.version = version,
                               .kind = kind,
                               .tunable = names,
                               .ntunable = text == tunable ? GOS_COUNT(names) : 0};
    fmu_of(ctx, m, o, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static void write_matrices(void) {
    static const char head[] = "%%MatrixMarket matrix array real general\n1 1\n";
    static const struct {
        const char *name;
        double value;
    } file[] = {{"M.mtx", 2}, {"K.mtx", 50}, {"D.mtx", 0.5}, {"B.mtx", 1}};
    for (int i = 0; i < GOS_COUNT(file); i++) {
        FILE *out = fopen(folder_path(file[i].name), "w");
        assert_non_null(out);
        (void)fprintf(out, "%s%g\n", head, file[i].value);
        assert_int_equal(fclose(out), 0);
    }
}

/* ---- orders that are legal ---------------------------------------------------------------- */

/* A limit that the signal is beyond at the start is not passed: the run continues. */
static void starts_beyond_a_limit(void **state) {
    (void)state;
    fmu u;
    fmi2EventInfo info;
    write_matrices();
    make_unit("beyond", model, 2, GOS_FMU_MODEL_EXCHANGE, &u);
    const fmi2Component c = fmu_make(&u, fmi2ModelExchange);
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    assert_false(info.terminateSimulation);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* Event mode, a tunable parameter, new discrete states: the limits keep their sides, and the
   accelerations are those of the new parameter. */
static void tunes_in_event_mode(void **state) {
    (void)state;
    fmu u;
    double y[40], dy[40], want[40];
    fmi2EventInfo info;
    make_unit("tuned", tunable, 2, GOS_FMU_MODEL_EXCHANGE, &u);
    const fmi2Component c = fmu_make(&u, fmi2ModelExchange);
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    fmu_set(&u, c, "parameters.k", 80);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    assert_false(info.terminateSimulation);
    fmu_is_ok(u.fmi2EnterContinuousTimeMode(c));
    fmu_is_ok(u.fmi2GetContinuousStates(c, y, STATES));
    y[TIP_Y] = -3e-3;
    fmu_is_ok(u.fmi2SetContinuousStates(c, y, STATES));
    fmu_is_ok(u.fmi2GetDerivatives(c, dy, STATES));
    const fmi2Component other = fmu_make(&u, fmi2ModelExchange); // with it from the start
    fmu_set(&u, other, "parameters.k", 80);
    fmu_begin(&u, other, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(other, &info));
    fmu_is_ok(u.fmi2EnterContinuousTimeMode(other));
    fmu_is_ok(u.fmi2SetContinuousStates(other, y, STATES));
    fmu_is_ok(u.fmi2GetDerivatives(other, want, STATES));
    for (int i = 0; i < STATES; i++) {
        assert_true(dy[i] == want[i]);
    }
    u.fmi2FreeInstance(other);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* A parameter that moves a signal through its limit is an event: the side before is kept. */
static void tunes_through_a_limit(void **state) {
    (void)state;
    fmu u;
    fmi2EventInfo info;
    make_unit("through", tunable, 2, GOS_FMU_MODEL_EXCHANGE, &u);
    const fmi2Component c = fmu_make(&u, fmi2ModelExchange);
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    assert_false(info.terminateSimulation);
    fmu_set(&u, c, "parameters.k", 2000); // k x from 50 to 2000 at the tip
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    assert_true(info.terminateSimulation);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* A refused value fails the unit with a message; a reset makes it usable. */
static void refuses_a_value(void **state) {
    (void)state;
    fmu u;
    fmi2EventInfo info;
    make_unit("refused", tunable, 2, GOS_FMU_MODEL_EXCHANGE, &u);
    const fmi2Component c = fmu_make(&u, fmi2ModelExchange);
    fmu_begin(&u, c, 0);
    fmu_said[0] = '\0';
    fmu_set(&u, c, "parameters.m", -1);
    assert_int_equal(u.fmi2NewDiscreteStates(c, &info), fmi2Error);
    assert_non_null(strstr(fmu_said, "density"));
    assert_int_equal(u.fmi2EnterContinuousTimeMode(c), fmi2Error);
    fmu_is_ok(u.fmi2Reset(c));
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* Derivatives after a restored state are those of that state, although others were requested. */
static void restores_derivatives(void **state) {
    (void)state;
    fmu u;
    double y[40], first[40], again[40];
    fmi2EventInfo info;
    fmi2FMUstate kept = NULL, copy;
    make_unit("restored", tunable, 2, GOS_FMU_MODEL_EXCHANGE, &u);
    const fmi2Component c = fmu_make(&u, fmi2ModelExchange);
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
    fmu_is_ok(u.fmi2EnterContinuousTimeMode(c));
    fmu_is_ok(u.fmi2GetContinuousStates(c, y, STATES));
    y[TIP_Y] = -0.05;
    fmu_is_ok(u.fmi2SetContinuousStates(c, y, STATES));
    fmu_is_ok(u.fmi2GetFMUstate(c, &kept)); // before accelerations are requested
    fmu_is_ok(u.fmi2GetDerivatives(c, first, STATES));
    y[TIP_Y] = 0.05;
    fmu_is_ok(u.fmi2SetContinuousStates(c, y, STATES));
    fmu_is_ok(u.fmi2GetDerivatives(c, again, STATES));
    fmu_is_ok(u.fmi2SetFMUstate(c, kept));
    fmu_is_ok(u.fmi2GetDerivatives(c, again, STATES));
    for (int i = 0; i < STATES; i++) {
        assert_true(first[i] == again[i]);
    }
    // a state that was freed is refused, not read
    copy = kept;
    fmu_is_ok(u.fmi2FreeFMUstate(c, &kept));
    assert_null(kept);
    assert_int_equal(u.fmi2SetFMUstate(c, copy), fmi2Error);
    assert_int_equal(u.fmi2FreeFMUstate(c, &copy), fmi2Error);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

static void refuses_tiny_steps(void **state) {
    (void)state;
    fmu u;
    make_unit("tiny", tunable, 2, GOS_FMU_CO_SIMULATION, &u);
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    fmu_begin(&u, c, 0);
    fmu_said[0] = '\0';
    assert_int_equal(u.fmi2DoStep(c, 0, 1e-300, fmi2True), fmi2Error);
    assert_non_null(strstr(fmu_said, "too small"));
    fmu_is_ok(u.fmi2DoStep(c, 0, 1e-3, fmi2True));
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* ---- random orders ------------------------------------------------------------------------ */

enum { KEPT = 3, UNITS = 2 };

typedef struct master {
    fmu *u;
    uint64_t seed;
    bool exchange;
    fmi2Component c[UNITS]; // of one version
    fmi3Instance i[UNITS];  // of the other
    void *kept[KEPT];
    int owner[KEPT];
    double t[UNITS];
} master;

static double any_number(master *m) {
    static const double v[] = {0,           1,      -1,   1e-3,     1e-2,      1e-9, 1e300, -1e300,
                               (double)NAN, 5e-324, 1e60, HUGE_VAL, -HUGE_VAL, 0.5,  50,    100};
    return v[random_below(&m->seed, GOS_COUNT(v))];
}

static void silent(fmi3InstanceEnvironment user, fmi3Status status, fmi3String category,
                   fmi3String text) {
    (void)user, (void)status, (void)category;
    assert_true(text && *text);
}

static void make_instances(master *m, bool two) {
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
    const int s = random_below(&m->seed, KEPT);
    double y[64] = {0}, z[64];
    unsigned r[4];
    fmi2EventInfo info;
    fmi2Boolean one, two;
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        r[i] = (unsigned)random_below(&m->seed, 40);
        z[i] = any_number(m);
    }
    fmu_said[0] = '\0';
    switch (random_below(&m->seed, 20)) {
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
        if (random_below(&m->seed, 4) == 0) {
            u->fmi2Terminate(c);
        }
        break;
    case 4:
        if (random_below(&m->seed, 3) == 0) {
            u->fmi2Reset(c);
            m->t[k] = 0;
        }
        break;
    case 5:
        u->fmi2GetReal(c, r, (size_t)random_below(&m->seed, 4), z);
        break;
    case 6:
        u->fmi2SetReal(c, r, (size_t)random_below(&m->seed, 4), z);
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
            bytes[random_below(&m->seed, (int)n)] ^= (char)(random_below(&m->seed, 3) == 0);
            u->fmi2DeSerializeFMUstate(c, bytes, n - (size_t)random_below(&m->seed, 2),
                                       &m->kept[s]);
            free(bytes);
        }
        break;
    case 12:
    case 13:
        u->fmi2DoStep(c, m->t[k], random_below(&m->seed, 5) > 0 ? 1e-3 : z[0], fmi2True);
        u->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &m->t[k]);
        break;
    case 14:
        u->fmi2GetDirectionalDerivative(c, r, 2, r + 2, 2, z, y);
        break;
    case 15:
        u->fmi2EnterEventMode(c);
        break;
    case 16:
        u->fmi2NewDiscreteStates(c, random_below(&m->seed, 9) > 0 ? &info : NULL);
        break;
    case 17:
        u->fmi2EnterContinuousTimeMode(c);
        break;
    case 18:
        u->fmi2CompletedIntegratorStep(c, fmi2True, &one, &two);
        u->fmi2SetTime(c, random_below(&m->seed, 3) > 0 ? (m->t[k] += 1e-3) : z[0]);
        break;
    default:
        u->fmi2GetContinuousStates(c, y, STATES);
        y[TIP_Y] += random_below(&m->seed, 3) > 0 ? -1e-3 : any_number(m);
        u->fmi2SetContinuousStates(c, y, STATES);
        u->fmi2GetDerivatives(c, z, random_below(&m->seed, 5) > 0 ? STATES : 1);
        u->fmi2GetEventIndicators(c, z, random_below(&m->seed, 5) > 0 ? INDICATORS : 5);
    }
}

static void call_three(master *m, int k) {
    const fmu *u = m->u;
    const fmi3Instance c = m->i[k];
    const int s = random_below(&m->seed, KEPT);
    double y[64] = {0}, z[64], next;
    unsigned r[4];
    fmi3Boolean b[6];
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        r[i] = (unsigned)random_below(&m->seed, 40);
        z[i] = any_number(m);
    }
    switch (random_below(&m->seed, 20)) {
    case 0:
    case 1:
        u->fmi3EnterInitializationMode(c, false, z[0], random_below(&m->seed, 4) > 0 ? 0 : z[1],
                                       false, z[2]);
        break;
    case 2:
        u->fmi3ExitInitializationMode(c);
        break;
    case 3:
        if (random_below(&m->seed, 4) == 0) {
            u->fmi3Terminate(c);
        }
        break;
    case 4:
        if (random_below(&m->seed, 3) == 0) {
            u->fmi3Reset(c);
            m->t[k] = 0;
        }
        break;
    case 5:
        n = (size_t)random_below(&m->seed, 4);
        u->fmi3GetFloat64(c, r, n, z, n);
        break;
    case 6:
        n = (size_t)random_below(&m->seed, 4);
        u->fmi3SetFloat64(c, r, n, z, random_below(&m->seed, 5) > 0 ? n : n + 1);
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
        u->fmi3DoStep(c, m->t[k], random_below(&m->seed, 5) > 0 ? 1e-3 : z[0], true, b, b + 1,
                      b + 2, &m->t[k]);
        break;
    case 14:
        u->fmi3GetDirectionalDerivative(c, r, 2, r + 2, 2, z, 2, y, 2);
        break;
    case 15:
        u->fmi3EnterEventMode(c);
        break;
    case 16:
        u->fmi3UpdateDiscreteStates(c, b, b + 1, b + 2, b + 3, b + 4,
                                    random_below(&m->seed, 9) > 0 ? &next : NULL);
        break;
    case 17:
        u->fmi3EnterContinuousTimeMode(c);
        break;
    case 18:
        u->fmi3CompletedIntegratorStep(c, true, b, b + 1);
        u->fmi3SetTime(c, random_below(&m->seed, 3) > 0 ? (m->t[k] += 1e-3) : z[0]);
        break;
    default:
        u->fmi3GetContinuousStates(c, y, STATES);
        y[TIP_Y] += random_below(&m->seed, 3) > 0 ? -1e-3 : any_number(m);
        u->fmi3SetContinuousStates(c, y, STATES);
        u->fmi3GetContinuousStateDerivatives(c, z, random_below(&m->seed, 5) > 0 ? STATES : 1);
        u->fmi3GetEventIndicators(c, z, random_below(&m->seed, 5) > 0 ? INDICATORS : 5);
    }
}

/* After any sequence a reset unit begins again. */
static void finish(master *m, bool two) {
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

static void random_orders(void **state) {
    (void)state;
    const int sequences = suite_long() ? 2500 : SANITIZED ? 15 : 40, length = 60;
    for (int kind = 0; kind < 4; kind++) {
        fmu u;
        const bool two = kind % 2 == 0, exchange = kind / 2 == 0;
        char name[20];
        (void)snprintf(name, sizeof name, "random-%d", kind);
        make_unit(name, tunable, two ? 2 : 3,
                  exchange ? GOS_FMU_MODEL_EXCHANGE : GOS_FMU_CO_SIMULATION, &u);
        for (int i = 0; i < sequences; i++) {
            master m = {.u = &u, .seed = (uint64_t)(1000 * kind + i), .exchange = exchange};
            make_instances(&m, two);
            for (int j = 0; j < length; j++) {
                (two ? call_two : call_three)(&m, random_below(&m.seed, UNITS));
            }
            finish(&m, two);
        }
        fmu_close(&u);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_beyond_a_limit), cmocka_unit_test(tunes_in_event_mode),
        cmocka_unit_test(tunes_through_a_limit), cmocka_unit_test(refuses_a_value),
        cmocka_unit_test(restores_derivatives),  cmocka_unit_test(refuses_tiny_steps),
        cmocka_unit_test(random_orders)};
    return cmocka_run_group_tests_name("fmu_sequences", tests, folder_make, folder_remove);
}
SUITE(suite)
