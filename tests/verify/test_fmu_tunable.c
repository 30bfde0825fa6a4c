/* Parameters of units that change during a run: against closed forms, in both kinds and versions,
 * and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/fmu.h"
#include "support/suite.h"

/* A slider on a spring stretched by 0.1 m at the start, and a pendulum whose axle may be
   elsewhere. */
static const char model[] =
    "parameters: {k: 50.0, m: 2.0, c: 0.0, x: 0.0, a: 0.5}\n"
    "bodies:\n"
    "  slider: {type: rigid, mass: m, inertia: [1, 1, 1], position: [x, 0, 0]}\n"
    "  arm: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground, slider], axis: [1, 0, 0]}\n"
    "  axle: {type: revolute, between: [ground, arm], axis: [0, 0, 1], at: [a, 5, 0]}\n"
    "loads:\n"
    "  spring: {type: spring, between: [ground, slider], at: [-1, 0, 0], stiffness: k, damping: c, "
    "free_length: 0.9}\n"
    "  turn: {type: force, on: arm, value: [0, 1, 0]}\n"
    "  push: {type: force, on: slider, value: [0, 0, 0]}\n"
    "probes: {x: {at: slider, quantity: position, direction: [1, 0, 0]}, energy: {quantity: "
    "energy}}\n"
    "analysis: {end: 2, tolerance: 1.0e-7}\n";

static const char *const names[] = {"k", "parameters.m", "c", "x", "a"};

static void make_unit(const char *name, int version, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "slider", NULL, &m), GOS_OK);
    fmu_of(ctx, m, (gos_fmu_options){.version = version, .tunable = names, .ntunable = 5}, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* position and velocity of a free oscillation about -0.1 m, a time after (x, v) */
static void swing(double k, double m, double t, double *x, double *v) {
    const double w = sqrt(k / m), d = *x + 0.1, rate = *v;
    *x = -0.1 + d * cos(w * t) + rate / w * sin(w * t);
    *v = -d * w * sin(w * t) + rate * cos(w * t);
}

static void go(const fmu *u, fmi2Component c, double from, int steps) {
    for (int i = 0; i < steps; i++) {
        fmu_is_ok(u->fmi2DoStep(c, from + 0.05 * i, 0.05, fmi2False));
    }
}

/* Stiffness and mass change on the way; the motion continues as the closed form does. The
   integrator keeps 1e-7 of the model's extent of 5 m a step: 1e-6 m after two seconds, measured. */
static void test_oscillator(void **state) {
    (void)state;
    fmu u;
    double x = 0, v = 0;
    make_unit("oscillator", 2, &u);
    char variability[200];
    fmu_attribute(fmu_variable(&u, "parameters.k"), "variability", variability);
    assert_string_equal(variability, "tunable");
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    fmu_begin(&u, c, 0);
    go(&u, c, 0, 10);
    swing(50, 2, 0.5, &x, &v);
    assert_true(fabs(fmu_get(&u, c, "x.value") - x) < 1e-5);
    fmu_set(&u, c, "parameters.k", 200);
    assert_true(fabs(fmu_get(&u, c, "x.value") - x) < 1e-5); // stands where it stood
    assert_true(fmu_get(&u, c, "parameters.k") == 200);
    go(&u, c, 0.5, 10);
    swing(200, 2, 0.5, &x, &v);
    assert_true(fabs(fmu_get(&u, c, "x.value") - x) < 2e-5);
    fmu_set(&u, c, "parameters.k", 72);
    fmu_set(&u, c, "parameters.m", 0.5); // both at once; the velocity stays
    go(&u, c, 1, 20);
    swing(72, 0.5, 1, &x, &v);
    assert_true(fabs(fmu_get(&u, c, "x.value") - x) < 2e-5 && fabs(x + 0.1) > 0.01);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* inputs that were set stay so, and a state with other parameters comes back bit for bit, in
 * another instance too */
static void test_states(void **state) {
    (void)state;
    fmu u;
    double first[4], again[4];
    make_unit("states", 2, &u);
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation), other = fmu_make(&u, fmi2CoSimulation);
    fmu_begin(&u, c, 0);
    fmu_set(&u, c, "push.x", 3);
    go(&u, c, 0, 4);
    fmu_set(&u, c, "parameters.c", 2);
    fmi2FMUstate kept = NULL;
    fmu_is_ok(u.fmi2GetFMUstate(c, &kept));
    assert_true(fmu_get(&u, c, "push.x") == 3);
    size_t n = 0;
    fmu_is_ok(u.fmi2SerializedFMUstateSize(c, kept, &n));
    fmi2Byte *bytes = malloc(n);
    assert_non_null(bytes);
    fmu_is_ok(u.fmi2SerializeFMUstate(c, kept, bytes, n));
    for (int i = 0; i < 4; i++) {
        go(&u, c, 0.2 + 0.05 * i, 1);
        first[i] = fmu_get(&u, c, "x.value");
    }
    fmi2FMUstate there = NULL;
    fmu_is_ok(u.fmi2DeSerializeFMUstate(other, bytes, n, &there));
    fmu_is_ok(u.fmi2SetFMUstate(other, there));
    assert_true(fmu_get(&u, other, "parameters.c") == 2);
    fmu_set(&u, c, "parameters.c", 7); // which the state takes back
    for (int pass = 0; pass < 2; pass++) {
        const fmi2Component k = pass == 0 ? other : c;
        if (pass == 1) {
            fmu_is_ok(u.fmi2SetFMUstate(c, kept));
        }
        for (int i = 0; i < 4; i++) {
            go(&u, k, 0.2 + 0.05 * i, 1);
            again[i] = fmu_get(&u, k, "x.value");
        }
        assert_memory_equal(first, again, sizeof first);
    }
    // 3 N on 2 kg without damping would have it elsewhere, by more than any error: parameter and
    // input count
    assert_true(fabs(first[3] - (-0.04 + 0.04 * cos(5 * 0.4))) > 1e-3);
    fmu_is_ok(u.fmi2FreeFMUstate(c, &kept));
    fmu_is_ok(u.fmi2FreeFMUstate(other, &there));
    free(bytes);
    u.fmi2FreeInstance(c);
    u.fmi2FreeInstance(other);
    fmu_close(&u);
}

static void expect_step(const fmu *u, fmi2Component c, double t, const char *text) {
    const fmi2Status status = u->fmi2DoStep(c, t, 0.05, fmi2False);
    if (status != fmi2Error || !strstr(fmu_said, text)) {
        fail_msg("status %d, expected an error with '%s': %s", status, text, fmu_said);
    }
    fmu_said[0] = '\0';
}

/* what moves the start, or takes a joint away from its bodies; a reset makes the unit as new */
static void test_refused(void **state) {
    (void)state;
    fmu u;
    make_unit("refused", 2, &u);
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    static const char *const name[] = {"parameters.x", "parameters.a", "parameters.m"};
    static const double value[] = {0.01, 0.6, -1};
    static const char *const text[] = {"with parameters.x = 0.01 the model starts at other",
                                       "with parameters.a = 0.6, joint 'axle' is violated by",
                                       "mass"};
    for (int i = 0; i < 3; i++) {
        fmu_begin(&u, c, 0);
        go(&u, c, 0, 8);
        fmu_set(&u, c, name[i], value[i]);
        expect_step(&u, c, 0.4, text[i]);
        assert_int_equal(u.fmi2DoStep(c, 0.4, 0.05, fmi2False), fmi2Error); // it has failed
        fmu_is_ok(u.fmi2Reset(c));
        fmu_said[0] = '\0';
    }
    fmu_begin(&u, c, 0);
    go(&u, c, 0, 4);
    double x = 0, v = 0;
    swing(50, 2, 0.2, &x, &v);
    assert_true(fabs(fmu_get(&u, c, "x.value") - x) < 1e-5);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* ---- the other version and kind -------------------------------------------------------------- */

static void hear(fmi3InstanceEnvironment user, fmi3Status status, fmi3String category,
                 fmi3String message) {
    (void)user, (void)status, (void)category;
    const size_t n = strlen(fmu_said);
    (void)snprintf(fmu_said + n, sizeof fmu_said - n, "%s\n", message);
}

static void test_three(void **state) {
    (void)state;
    fmu u;
    char token[200];
    double x = 0, v = 0, value = 200;
    make_unit("three", 3, &u);
    fmu_attribute(u.xml, "instantiationToken", token);
    const fmi3Instance c = u.fmi3InstantiateCoSimulation("one", token, u.location, false, true,
                                                         false, false, NULL, 0, NULL, hear, NULL);
    assert_non_null(c);
    assert_int_equal(u.fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3OK);
    assert_int_equal(u.fmi3ExitInitializationMode(c), fmi3OK);
    const fmi3ValueReference k = fmu_reference(&u, "parameters.k"),
                             out = fmu_reference(&u, "x.value");
    for (int i = 0; i < 20; i++) {
        fmi3Boolean event, end, early;
        double last;
        if (i == 10) {
            assert_int_equal(u.fmi3SetFloat64(c, &k, 1, &value, 1), fmi3OK);
        }
        if (u.fmi3DoStep(c, 0.05 * i, 0.05, false, &event, &end, &early, &last) != fmi3OK) {
            fail_msg("%s", fmu_said);
        }
    }
    swing(50, 2, 0.5, &x, &v);
    swing(200, 2, 0.5, &x, &v);
    assert_int_equal(u.fmi3GetFloat64(c, &out, 1, &value, 1), fmi3OK);
    assert_true(fabs(value - x) < 2e-5);
    u.fmi3FreeInstance(c);
    fmu_close(&u);
}

static const char rod[] = "parameters: {E: 2.0e7}\n"
                          "materials: {m: {density: 1000, young: E}}\n"
                          "sections: {s: {type: rectangle, height: 0.03, width: 0.03}}\n"
                          "bodies:\n"
                          "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
                          "[1, 0, 0], elements: 2, "
                          "frame: reference}\n"
                          "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
                          "gravity: [0, -9.81, 0]\n"
                          "probes: {tip: {at: rod.end, quantity: position}}\n"
                          "analysis: {end: 1}\n";

/* Model exchange: after E was set in event mode, rates are those of a unit that has begun with it;
 * before, it is refused. */
static void test_exchange(void **state) {
    (void)state;
    enum { N = 36 };
    static const char *const tunable[] = {"E"};
    fmu u;
    double y[N], set[N], begun[N], other[N];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    assert_int_equal(gos_model_parse(ctx, rod, strlen(rod), "rod", NULL, &m), GOS_OK);
    fmu_of(ctx, m,
           (gos_fmu_options){
               .version = 2, .kind = GOS_FMU_MODEL_EXCHANGE, .tunable = tunable, .ntunable = 1},
           "rod", &u);
    const fmi2Component a = fmu_make(&u, fmi2ModelExchange), b = fmu_make(&u, fmi2ModelExchange);
    fmu_set(&u, b, "parameters.E", 5e7);
    for (int i = 0; i < 2; i++) {
        const fmi2Component c = i == 0 ? a : b;
        fmi2EventInfo info;
        fmu_begin(&u, c, 0);
        fmu_is_ok(u.fmi2NewDiscreteStates(c, &info));
        fmu_is_ok(u.fmi2EnterContinuousTimeMode(c));
        fmu_is_ok(u.fmi2GetContinuousStates(c, y, N));
        for (int k = 0; k < N / 2; k++) {
            y[k] *= 1 + 1e-3 * sin(k + 1.0); // bent and stretched
        }
        fmu_is_ok(u.fmi2SetContinuousStates(c, y, N));
        fmu_is_ok(u.fmi2GetDerivatives(c, i == 0 ? other : begun, N));
    }
    const unsigned E = fmu_reference(&u, "parameters.E");
    const double value = 5e7;
    assert_int_equal(u.fmi2SetReal(a, &E, 1, &value), fmi2Error);
    assert_non_null(strstr(fmu_said, "event mode"));
    fmu_is_ok(u.fmi2EnterEventMode(a));
    fmu_set(&u, a, "parameters.E", value);
    fmu_is_ok(u.fmi2EnterContinuousTimeMode(a));
    fmu_is_ok(u.fmi2GetDerivatives(a, set, N));
    assert_memory_equal(set, begun, sizeof set);
    assert_memory_not_equal(set, other, sizeof set);
    u.fmi2FreeInstance(a);
    u.fmi2FreeInstance(b);
    fmu_close(&u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* ---- export
 * -----------------------------------------------------------------------------------------------
 */

static void expect_refused(const char *text, gos_fmu_options o, const char *said) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "model", NULL, &m), GOS_OK);
    o.version = 2;
    o.ntunable = 1;
    o.library = fmu_library();
    assert_int_not_equal(gos_export_fmu(ctx, m, &o, folder_path("no.fmu")), GOS_OK);
    if (!strstr(gos_ctx_message(ctx), said)) {
        fail_msg("expected '%s': %s", said, gos_ctx_message(ctx));
    }
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static void test_export(void **state) {
    (void)state;
    static const char *const unknown[] = {"q"}, *const known[] = {"E"};
    static char modal[2000];
    expect_refused(model, (gos_fmu_options){.tunable = unknown}, "'q' cannot be tunable");
    (void)snprintf(modal, sizeof modal, "%s", rod);
    char *analysis = strstr(modal, "analysis: {end: 1}");
    assert_non_null(analysis);
    (void)strcpy(analysis,
                 "analysis: {end: 1}\nreduction: {method: complex_modes, displacement_modes: 4}\n");
    expect_refused(modal, (gos_fmu_options){.tunable = known, .reduced = true},
                   "mode shapes of the model's");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator), cmocka_unit_test(test_states),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_three),
        cmocka_unit_test(test_exchange),   cmocka_unit_test(test_export),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
