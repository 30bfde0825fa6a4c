/* Units for co-simulation: inputs, states that come back to the last bit, directional derivatives,
 * wrong use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>

#include "support/fmu.h"
#include "support/suite.h"

enum { NOUT = 9 };

static const char model[] =
    "name: arm\n"
    "parameters: {m: 2.0, E: 2.0e7}\n"
    "materials: {m: {density: 1000, young: E, damping: {normal: 1.0e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: m, inertia: [0.1, 0.1, 0.1], points: {rim: [0.1, 0, 0]}}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1, 0, 0], "
    "elements: 4}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  drive: {type: moment, on: hub, moment: [0, 0, '3*sin(5*t)']}\n"
    "  push: {type: force, on: rod.end, value: [0, 0.5, 0]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  turn: {at: hub, quantity: angle}\n"
    "  alpha: {at: rod.end, quantity: acceleration, direction: [0, 1, 0]}\n"
    "  bearing: {quantity: joint_force, joint: axle}\n"
    "analysis: {end: 1, tolerance: 1.0e-4}\n";

static const char *const output[NOUT] = {"tip.x",      "tip.y",       "tip.z",
                                         "turn.value", "alpha.value", "bearing.x",
                                         "bearing.y",  "bearing.z",   "time"};

static void make_unit(const char *name, const char *setting, const char *value, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "arm", NULL, &m), GOS_OK);
    if (setting) {
        fmu_with(ctx, m, setting, value);
    }
    fmu_of(ctx, m, (gos_fmu_options){.version = 2}, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static void look(const fmu *u, fmi2Component c, double value[NOUT]) {
    for (int i = 0; i < NOUT; i++) {
        value[i] = fmu_get(u, c, output[i]);
    }
}

/* three steps with inputs that change, and all that is seen on the way */
static void three(const fmu *u, fmi2Component c, double from, double value[3][NOUT]) {
    for (int k = 0; k < 3; k++) {
        const unsigned r = fmu_reference(u, "push.y");
        const fmi2Integer order = 1;
        const double rate = k == 1 ? 20 : 0;
        fmu_set(u, c, "push.y", 1 + k * k);
        fmu_is_ok(u->fmi2SetRealInputDerivatives(c, &r, 1, &order, &rate));
        fmu_is_ok(u->fmi2DoStep(c, from + 0.03 * k, 0.03, fmi2False));
        look(u, c, value[k]);
    }
}

static fmi2Component started(const fmu *u, int steps) {
    const fmi2Component c = fmu_make(u, fmi2CoSimulation);
    fmu_begin(u, c, 0);
    for (int k = 0; k < steps; k++) {
        fmu_is_ok(u->fmi2DoStep(c, 0.02 * k, 0.02, fmi2False));
    }
    return c;
}

/* a step is repeated bit for bit after a state is set, and as it would have been without taking the
 * state */
static void repeat(const char *name, const char *setting, const char *value) {
    fmu u;
    double first[3][NOUT], again[3][NOUT];
    fmi2FMUstate kept = NULL;
    make_unit(name, setting, value, &u);
    const fmi2Component c = started(&u, 4);
    fmu_is_ok(u.fmi2GetFMUstate(c, &kept));
    three(&u, c, 0.08, first);
    for (int pass = 0; pass < 2; pass++) {
        fmu_is_ok(u.fmi2SetFMUstate(c, kept));
        three(&u, c, 0.08, again);
        assert_memory_equal(first, again, sizeof first);
    }
    // as bytes, in another instance that has not even begun
    size_t n = 0;
    fmu_is_ok(u.fmi2SerializedFMUstateSize(c, kept, &n));
    fmi2Byte *bytes = malloc(n + 1);
    assert_non_null(bytes);
    fmu_is_ok(u.fmi2SerializeFMUstate(c, kept, bytes + 1, n)); // aligned to nothing
    fmu_is_ok(u.fmi2FreeFMUstate(c, &kept));
    assert_null(kept);
    u.fmi2FreeInstance(c);
    const fmi2Component other = fmu_make(&u, fmi2CoSimulation);
    fmu_is_ok(u.fmi2DeSerializeFMUstate(other, bytes + 1, n, &kept));
    fmu_is_ok(u.fmi2SetFMUstate(other, kept));
    three(&u, other, 0.08, again);
    assert_memory_equal(first, again, sizeof first);
    // what is damaged is refused, wherever, and the instance can be set again
    fmi2FMUstate bad = NULL;
    for (size_t at = 1; at < n; at += 997) {
        bytes[at] = (fmi2Byte)(bytes[at] ^ 4);
        assert_int_equal(u.fmi2DeSerializeFMUstate(other, bytes + 1, n, &bad) == fmi2OK &&
                             u.fmi2SetFMUstate(other, bad) == fmi2OK,
                         0);
        bytes[at] = (fmi2Byte)(bytes[at] ^ 4);
    }
    assert_int_equal(u.fmi2DeSerializeFMUstate(other, bytes + 1, n - 8, &bad), fmi2Error);
    fmu_is_ok(u.fmi2FreeFMUstate(other, &bad));
    fmu_is_ok(u.fmi2SetFMUstate(other, kept));
    fmu_is_ok(u.fmi2FreeFMUstate(other, &kept));
    u.fmi2FreeInstance(other);
    free(bytes);
    fmu_close(&u);
}

static void test_repeat(void **state) {
    (void)state;
    repeat("controlled", NULL, NULL);
    repeat("fixed", "analysis.step", "4.0e-3");
    repeat("radau", "analysis.integrator", "radau");
}

static void test_repeat_bdf(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *sys = NULL;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "arm", NULL, &m), GOS_OK);
    fmu_with(ctx, m, "analysis.integrator", "bdf");
    const gos_status status = gos_system_create(ctx, m, &sys);
    gos_options o = {0};
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    if (status == GOS_OK) {
        gos_options_get(sys, &o);
        assert_int_equal(gos_state_create(ctx, sys, &x), GOS_OK);
    }
    const bool there = status == GOS_OK && gos_integrator_create(ctx, sys, &o, x, &g) == GOS_OK;
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    gos_system_destroy(sys);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
    if (!there) {
        print_message("skipped: no integrator bdf in this build (SUNDIALS)\n");
        skip();
    }
    repeat("bdf", "analysis.integrator", "bdf");
}

/* two instances beside each other know nothing of each other, and one that is reset is as new */
static void test_instances(void **state) {
    (void)state;
    fmu u;
    double first[3][NOUT], second[3][NOUT];
    make_unit("two", NULL, NULL, &u);
    const fmi2Component a = started(&u, 2), b = started(&u, 2);
    fmu_set(&u, a, "push.y", 7);
    fmu_is_ok(u.fmi2DoStep(a, 0.04, 0.04, fmi2False));
    three(&u, b, 0.04, second);
    fmu_is_ok(u.fmi2Reset(a));
    fmu_begin(&u, a, 0);
    fmu_is_ok(u.fmi2DoStep(a, 0, 0.02, fmi2False));
    fmu_is_ok(u.fmi2DoStep(a, 0.02, 0.02, fmi2False));
    three(&u, a, 0.04, first);
    assert_memory_equal(first, second, sizeof first);
    u.fmi2FreeInstance(a);
    u.fmi2FreeInstance(b);
    fmu_close(&u);
}

/* instances in two threads at once have the digits of one alone */
typedef struct alone {
    const fmu *u;
    fmi2Component c;
    unsigned reference;
    bool good;
    double value[30];
} alone;

static void *run_alone(void *user) {
    alone *a = user;
    a->good = true;
    for (int k = 0; k < 30; k++) {
        a->good = a->good && a->u->fmi2DoStep(a->c, 0.02 * k, 0.02, fmi2False) == fmi2OK &&
                  a->u->fmi2GetReal(a->c, &a->reference, 1, &a->value[k]) == fmi2OK;
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    fmu u;
    alone a[3];
    pthread_t thread[2];
    make_unit("threads", NULL, NULL, &u);
    for (int i = 0; i < 3; i++) {
        a[i] = (alone){.u = &u, .c = started(&u, 0), .reference = fmu_reference(&u, "tip.y")};
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, run_alone, &a[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    run_alone(&a[2]);
    for (int i = 0; i < 3; i++) {
        assert_true(a[i].good);
        assert_memory_equal(a[i].value, a[2].value, sizeof a[2].value);
        u.fmi2FreeInstance(a[i].c);
    }
    fmu_close(&u);
}

/* parameters and inputs set by a master are those of a model that says them */
static void test_settings(void **state) {
    (void)state;
    fmu u, v;
    double first[NOUT], second[NOUT];
    make_unit("set", NULL, NULL, &u);
    make_unit("said", "parameters", "{m: 3, E: 1.0e7}", &v);
    const fmi2Component a = fmu_make(&u, fmi2CoSimulation), b = started(&v, 0);
    fmu_set(&u, a, "parameters.m", 3);
    fmu_is_ok(u.fmi2SetupExperiment(a, fmi2False, 0, 0, fmi2False, 0));
    fmu_is_ok(u.fmi2EnterInitializationMode(a));
    look(&u, a, first);
    fmu_set(&u, a, "parameters.E", 1e7);
    fmu_is_ok(u.fmi2ExitInitializationMode(a));
    fmu_is_ok(u.fmi2DoStep(a, 0, 0.1, fmi2False));
    fmu_is_ok(v.fmi2DoStep(b, 0, 0.1, fmi2False));
    look(&u, a, first);
    look(&v, b, second);
    assert_memory_equal(first, second, sizeof first);
    assert_true(fmu_get(&u, a, "parameters.m") == 3 && fmu_get(&u, a, "push.y") == 0.5);
    // fixed parameters are fixed
    const unsigned r = fmu_reference(&u, "parameters.m");
    const double value = 4;
    assert_int_equal(u.fmi2SetReal(a, &r, 1, &value), fmi2Error);
    assert_non_null(strstr(fmu_said, "fixed parameter"));
    u.fmi2FreeInstance(a);
    v.fmi2FreeInstance(b);
    fmu_close(&u);
    fmu_close(&v);
}

/* steps longer than the model's own end, and communication points that are added up */
static void test_beyond(void **state) {
    (void)state;
    fmu u;
    make_unit("beyond", "analysis", "{end: 0.05, tolerance: 1.0e-6}", &u);
    const fmi2Component a = started(&u, 0), b = fmu_make(&u, fmi2CoSimulation);
    fmu_begin(&u, b, 0.4);
    double t = 0;
    for (int k = 0; k < 40; k++, t += 0.01) {
        fmu_is_ok(u.fmi2DoStep(a, t, 0.01, fmi2False));
        fmu_is_ok(u.fmi2DoStep(b, t, 0.01, fmi2False));
    }
    assert_true(fabs(fmu_get(&u, a, "time") - 0.4) < 1e-12);
    assert_true(fabs(fmu_get(&u, a, "turn.value") - fmu_get(&u, b, "turn.value")) < 1e-5);
    u.fmi2FreeInstance(a);
    u.fmi2FreeInstance(b);
    fmu_close(&u);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* outputs after a step by inputs: accelerations and reactions follow them at once, positions do
   not */
static void test_directional(void **state) {
    (void)state;
    fmu u;
    make_unit("directional", NULL, NULL, &u);
    const fmi2Component c = started(&u, 5);
    static const char *const input[] = {"push.x", "push.y", "drive.z"};
    unsigned unknown[NOUT - 1], known[3];
    for (int i = 0; i < NOUT - 1; i++) {
        unknown[i] = fmu_reference(&u, output[i]);
    }
    for (int k = 0; k < 3; k++) {
        known[k] = fmu_reference(&u, input[k]);
        const double value = fmu_get(&u, c, input[k]);
        fmu_is_ok(u.fmi2SetReal(c, &known[k], 1, &value)); // held from here on
    }
    const double seed[] = {0.3, -1, 2};
    double change[NOUT - 1], plus[NOUT], minus[NOUT], base[3];
    fmu_is_ok(u.fmi2GetReal(c, known, 3, base));
    fmu_is_ok(u.fmi2GetDirectionalDerivative(c, unknown, NOUT - 1, known, 3, seed, change));
    for (int side = 0; side < 2; side++) {
        const double h = side == 0 ? 0.1 : -0.1;
        double moved[3];
        for (int k = 0; k < 3; k++) {
            moved[k] = base[k] + h * seed[k];
        }
        fmu_is_ok(u.fmi2SetReal(c, known, 3, moved));
        look(&u, c, side == 0 ? plus : minus);
    }
    for (int i = 0; i < NOUT - 1; i++) {
        const double want = (plus[i] - minus[i]) / 0.2;
        assert_true(fabs(change[i] - want) <= 1e-6 * fmax(1, fabs(want)));
        if (i >= 4 && i != 7) { // in the plane
            assert_true(fabs(want) > 1e-3);
        }
    }
    assert_int_equal(u.fmi2GetDirectionalDerivative(c, known, 1, known, 1, seed, change),
                     fmi2Error);
    assert_int_equal(u.fmi2GetDirectionalDerivative(c, unknown, 1, unknown, 1, seed, change),
                     fmi2Error);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* ---- wrong use ------------------------------------------------------------------------------- */

static void expect_error(fmi2Status status, const char *text) {
    if (status != fmi2Error || !strstr(fmu_said, text)) {
        fail_msg("status %d, expected an error with '%s': %s", status, text, fmu_said);
    }
    fmu_said[0] = '\0';
}

static void test_wrong(void **state) {
    (void)state;
    fmu u;
    const unsigned far = 12345;
    double value = 1;
    fmi2FMUstate none = NULL;
    make_unit("wrong", NULL, NULL, &u);
    // other tokens and places
    fmu_said[0] = '\0';
    assert_null(u.fmi2Instantiate("a", fmi2CoSimulation, "{no}", u.location, &fmu_calls, fmi2False,
                                  fmi2False));
    assert_non_null(strstr(fmu_said, "token"));
    assert_null(u.fmi2Instantiate("a", fmi2CoSimulation, NULL, "http://here", &fmu_calls, fmi2False,
                                  fmi2False));
    assert_null(u.fmi2Instantiate("a", fmi2CoSimulation, "{no}", "file:///nowhere", &fmu_calls,
                                  fmi2False, fmi2False));
    assert_null(
        u.fmi2Instantiate("a", fmi2CoSimulation, "{no}", u.location, NULL, fmi2False, fmi2False));
    assert_int_equal(u.fmi2DoStep(NULL, 0, 1, fmi2False), fmi2Error);
    u.fmi2FreeInstance(NULL);

    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    expect_error(u.fmi2DoStep(c, 0, 0.1, fmi2False), "not allowed");
    expect_error(u.fmi2ExitInitializationMode(c), "not allowed");
    expect_error(u.fmi2SetupExperiment(c, fmi2False, 0, 1, fmi2False, 0), "begins at 0");
    expect_error(u.fmi2SetupExperiment(c, fmi2True, -1, 0, fmi2False, 0), "tolerance");
    expect_error(u.fmi2GetReal(c, &far, 1, &value), "variable 12345 does not exist");
    fmu_begin(&u, c, 1);
    expect_error(u.fmi2GetReal(c, &far, 1, &value), "variable 12345 does not exist");
    expect_error(u.fmi2SetReal(c, &far, 1, &value), "variable 12345 does not exist");
    const unsigned tip = fmu_reference(&u, "tip.x"), push = fmu_reference(&u, "push.y");
    expect_error(u.fmi2SetReal(c, &tip, 1, &value), "cannot be set");
    value = (double)NAN;
    expect_error(u.fmi2SetReal(c, &push, 1, &value), "cannot be set to");
    const fmi2Integer two = 2;
    value = 1;
    expect_error(u.fmi2SetRealInputDerivatives(c, &push, 1, &two, &value), "order 1");
    expect_error(u.fmi2GetInteger(c, &tip, 1, &(fmi2Integer){0}), "type Real");
    expect_error(u.fmi2DoStep(c, 0.5, 0.1, fmi2False), "the unit is at");
    expect_error(u.fmi2DoStep(c, 0, -0.1, fmi2False), "not a valid step size");
    expect_error(u.fmi2DoStep(c, 0, (double)NAN, fmi2False), "not a valid step size");
    expect_error(u.fmi2SetFMUstate(c, none), "not a state");
    expect_error(u.fmi2SetFMUstate(c, &value), "not a state");
    expect_error(u.fmi2GetDerivatives(c, &value, 1), "model exchange");
    expect_error(u.fmi2CancelStep(c), "no step");
    // and none of it has done any harm
    fmu_is_ok(u.fmi2DoStep(c, 0, 0.05, fmi2False));
    // a force that is no physics any more ends in an error, and a reset helps
    fmu_set(&u, c, "push.y", 1e200);
    assert_int_equal(u.fmi2DoStep(c, 0.05, 0.05, fmi2False), fmi2Error);
    fmu_said[0] = '\0';
    expect_error(u.fmi2DoStep(c, 0.05, 0.05, fmi2False), "after an error");
    fmu_is_ok(u.fmi2Reset(c));
    fmu_begin(&u, c, 1);
    fmu_is_ok(u.fmi2DoStep(c, 0, 0.05, fmi2False));
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

static void test_wrong_parameters(void **state) {
    (void)state;
    fmu u;
    make_unit("parameters", NULL, NULL, &u);
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    fmu_set(&u, c, "parameters.m", -1);
    fmu_is_ok(u.fmi2EnterInitializationMode(c));
    expect_error(u.fmi2ExitInitializationMode(c), "mass");
    fmu_is_ok(u.fmi2Reset(c));
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2DoStep(c, 0, 0.01, fmi2False));
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeat),          cmocka_unit_test(test_repeat_bdf),
        cmocka_unit_test(test_instances),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_settings),        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_directional),     cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_wrong_parameters)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
