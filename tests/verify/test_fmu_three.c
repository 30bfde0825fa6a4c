/* Units of version 3: the digits of version 2 in both kinds, event mode, intermediate updates,
 * early return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/fmu.h"
#include "support/suite.h"

/* a ball that falls past a limit, and a rod for the rest */
static const char model[] =
    "materials: {m: {density: 1000, young: 2.0e7, damping: {normal: 1.0e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.03}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "3,\n"
    "        frame: reference}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, '2*sin(9*t)', 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "events: {low: {signal: tip.y, limit: -0.1, direction: falling}}\n"
    "analysis: {end: 1, tolerance: 1.0e-5}\n";

static void make_unit(const char *name, gos_fmu_options o, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "rod", NULL, &m), GOS_OK);
    fmu_of(ctx, m, o, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* ---- a master of version 3 ------------------------------------------------------------------- */

static void hear(fmi3InstanceEnvironment user, fmi3Status status, fmi3String category,
                 fmi3String message) {
    (void)user, (void)status, (void)category;
    const size_t n = strlen(fmu_said);
    (void)snprintf(fmu_said + n, sizeof fmu_said - n, "%s\n", message);
}

static void is_ok(fmi3Status status) {
    if (status != fmi3OK) {
        fail_msg("status %d: %s", status, fmu_said);
    }
}

/* what an instance is asked on its way */
typedef struct watcher {
    const fmu *u;
    fmi3Instance c;
    int calls;
    double last, tip; // time and output of the last call
    double stop;      // end the step from here on
    bool may;         // it was allowed
} watcher;

static double get(const fmu *u, fmi3Instance c, const char *name) {
    const unsigned r = fmu_reference(u, name);
    double value;
    is_ok(u->fmi3GetFloat64(c, &r, 1, &value, 1));
    return value;
}

static void watch(fmi3InstanceEnvironment user, fmi3Float64 time, fmi3Boolean set_requested,
                  fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return_early,
                  fmi3Boolean *return_early, fmi3Float64 *return_time) {
    watcher *w = user;
    assert_true(!set_requested && get_allowed && step_finished && time > w->last);
    w->calls++;
    w->last = time;
    w->tip = get(w->u, w->c, "tip.y");
    w->may = w->may || can_return_early;
    *return_early = can_return_early && time >= w->stop;
    *return_time = time;
}

static fmi3Instance make(const fmu *u, bool events, bool early, watcher *w) {
    char token[200], place[300];
    fmu_attribute(u->xml, "instantiationToken", token);
    (void)snprintf(place, sizeof place, "%s/resources/", u->place);
    fmu_said[0] = '\0';
    fmi3Instance c = u->fmi3InstantiateCoSimulation("one", token, place, false, true, events, early,
                                                    NULL, 0, w, hear, w ? watch : NULL);
    if (!c) {
        fail_msg("no instance: %s", fmu_said);
    }
    if (w) {
        *w = (watcher){.u = u, .c = c, .last = -1, .stop = HUGE_VAL};
    }
    is_ok(u->fmi3EnterInitializationMode(c, false, 0, 0, true, 1));
    is_ok(u->fmi3ExitInitializationMode(c));
    return c;
}

/* ---- tests
 * --------------------------------------------------------------------------------------------------
 */

static void test_same(void **state) {
    (void)state;
    fmu two, three;
    bool event, end, early;
    double last, value[2];
    void *kept = NULL;
    size_t n;
    make_unit("two", (gos_fmu_options){.version = 2}, &two);
    make_unit("three", (gos_fmu_options){.version = 3}, &three);
    const fmi2Component a = fmu_make(&two, fmi2CoSimulation);
    const fmi3Instance b = make(&three, false, false, NULL);
    assert_string_equal(three.fmi3GetVersion(), "3.0");
    fmu_begin(&two, a, 1);
    for (int k = 0; k < 10; k++) {
        const double in = k;
        const unsigned ra = fmu_reference(&two, "push.y"), rb = fmu_reference(&three, "push.y");
        if (k % 3 == 1) {
            fmu_is_ok(two.fmi2SetReal(a, &ra, 1, &in));
            is_ok(three.fmi3SetFloat64(b, &rb, 1, &in, 1));
        }
        fmu_is_ok(two.fmi2DoStep(a, 0.04 * k, 0.04, fmi2False));
        is_ok(three.fmi3DoStep(b, 0.04 * k, 0.04, false, &event, &end, &early, &last));
        assert_true(!event && !end && !early && fabs(last - 0.04 * (k + 1)) < 1e-12);
        value[0] = fmu_get(&two, a, "tip.y");
        value[1] = get(&three, b, "tip.y");
        assert_true(value[0] == value[1]);
        if (k == 4) {
            is_ok(three.fmi3GetFMUState(b, &kept));
        }
    }
    // back, by bytes
    is_ok(three.fmi3SerializedFMUStateSize(b, kept, &n));
    fmi3Byte *bytes = malloc(n);
    assert_non_null(bytes);
    is_ok(three.fmi3SerializeFMUState(b, kept, bytes, n));
    is_ok(three.fmi3FreeFMUState(b, &kept));
    is_ok(three.fmi3DeserializeFMUState(b, bytes, n, &kept));
    is_ok(three.fmi3SetFMUState(b, kept));
    is_ok(three.fmi3FreeFMUState(b, &kept));
    free(bytes);
    for (int k = 5; k < 10; k++) {
        const double in = k;
        const unsigned rb = fmu_reference(&three, "push.y");
        if (k % 3 == 1) {
            is_ok(three.fmi3SetFloat64(b, &rb, 1, &in, 1));
        }
        is_ok(three.fmi3DoStep(b, 0.04 * k, 0.04, false, &event, &end, &early, &last));
    }
    assert_true(get(&three, b, "tip.y") == value[0]);
    // rates of outputs
    const unsigned tip = fmu_reference(&three, "tip.y");
    const fmi3Int32 order = 1;
    double rate, again;
    is_ok(three.fmi3GetOutputDerivatives(b, &tip, 1, &order, &rate, 1));
    is_ok(three.fmi3DoStep(b, 0.4, 1e-4, false, &event, &end, &early, &last));
    again = (get(&three, b, "tip.y") - value[0]) / 1e-4;
    assert_true(fabs(rate - again) < 0.01 * fabs(rate) && fabs(rate) > 0.1);
    two.fmi2FreeInstance(a);
    three.fmi3FreeInstance(b);
    fmu_close(&two);
    fmu_close(&three);
}

static void test_events(void **state) {
    (void)state;
    fmu u;
    watcher w;
    bool event, end, early, need, nominals, states, next;
    double last, time;
    make_unit("events", (gos_fmu_options){.version = 3}, &u);
    const fmi3Instance c = make(&u, true, true, &w);
    // event mode comes first
    assert_int_equal(u.fmi3DoStep(c, 0, 1, false, &event, &end, &early, &last), fmi3Error);
    is_ok(u.fmi3UpdateDiscreteStates(c, &need, &end, &nominals, &states, &next, &time));
    assert_true(!need && !end && !next);
    is_ok(u.fmi3EnterStepMode(c));
    is_ok(u.fmi3DoStep(c, 0, 1, false, &event, &end, &early, &last));
    assert_true(event && early && !end && last < 0.5 && w.calls > 3 && w.last == last && w.may);
    assert_true(get(&u, c, "tip.y") <= -0.1 && w.tip == get(&u, c, "tip.y"));
    is_ok(u.fmi3EnterEventMode(c));
    const unsigned push = fmu_reference(&u, "push.y");
    const double in = 50;
    is_ok(u.fmi3SetFloat64(c, &push, 1, &in, 1));
    is_ok(u.fmi3UpdateDiscreteStates(c, &need, &end, &nominals, &states, &next, &time));
    is_ok(u.fmi3EnterStepMode(c));
    // the master ends a step by itself
    w.stop = last + 0.02;
    const double from = last;
    is_ok(u.fmi3DoStep(c, from, 0.2, false, &event, &end, &early, &last));
    assert_true(!event && early && last >= from + 0.02 && last < from + 0.2 && last == w.last);
    w.stop = HUGE_VAL;
    is_ok(u.fmi3DoStep(c, last, 0.1, false, &event, &end, &early, &last));
    assert_true(!early);
    is_ok(u.fmi3Terminate(c));
    u.fmi3FreeInstance(c);
    // without early return the step continues, and says that there was an event
    const fmi3Instance d = make(&u, true, false, NULL);
    is_ok(u.fmi3EnterStepMode(d));
    is_ok(u.fmi3DoStep(d, 0, 0.5, false, &event, &end, &early, &last));
    assert_true(event && !early && last == 0.5);
    u.fmi3FreeInstance(d);
    fmu_close(&u);
}

/* model exchange: rates and their derivatives are those of version 2 */
static void test_exchange(void **state) {
    (void)state;
    enum { MOST = 100 };
    fmu two, three;
    char token[200], place[300];
    double y[MOST], dy[2][MOST], change[2][MOST], z;
    unsigned known[MOST], unknown[MOST];
    size_t n, nz;
    bool need, end, nominals, states, next;
    double time;
    make_unit("exchange-two", (gos_fmu_options){.version = 2, .kind = GOS_FMU_MODEL_EXCHANGE},
              &two);
    make_unit("exchange-three", (gos_fmu_options){.version = 3, .kind = GOS_FMU_MODEL_EXCHANGE},
              &three);
    const fmi2Component a = fmu_make(&two, fmi2ModelExchange);
    fmu_attribute(three.xml, "instantiationToken", token);
    (void)snprintf(place, sizeof place, "%s/resources/", three.place);
    const fmi3Instance b =
        three.fmi3InstantiateModelExchange("b", token, place, false, false, NULL, hear);
    assert_non_null(b);
    fmu_begin(&two, a, 0);
    is_ok(three.fmi3EnterInitializationMode(b, false, 0, 0, false, 0));
    is_ok(three.fmi3ExitInitializationMode(b));
    is_ok(three.fmi3UpdateDiscreteStates(b, &need, &end, &nominals, &states, &next, &time));
    is_ok(three.fmi3EnterContinuousTimeMode(b));
    fmu_is_ok(two.fmi2EnterContinuousTimeMode(a));
    is_ok(three.fmi3GetNumberOfContinuousStates(b, &n));
    is_ok(three.fmi3GetNumberOfEventIndicators(b, &nz));
    assert_true(n == 48 && nz == 1); // 4 nodes of two vectors, with their rates
    is_ok(three.fmi3GetContinuousStates(b, y, n));
    for (size_t i = 0; i < n; i++) {
        y[i] += 0.01 * sin((double)i);
    }
    is_ok(three.fmi3SetTime(b, 0.1));
    is_ok(three.fmi3SetContinuousStates(b, y, n));
    is_ok(three.fmi3GetContinuousStateDerivatives(b, dy[1], n));
    fmu_is_ok(two.fmi2SetTime(a, 0.1));
    fmu_is_ok(two.fmi2SetContinuousStates(a, y, n));
    fmu_is_ok(two.fmi2GetDerivatives(a, dy[0], n));
    assert_memory_equal(dy[0], dy[1], n * sizeof(double));
    is_ok(three.fmi3GetEventIndicators(b, &z, 1));
    assert_true(z == get(&three, b, "tip.y") + 0.1);
    // one derivative by each state, against differences
    const unsigned first = fmu_reference(&three, "rod.node(0).position.x");
    double seed[MOST], moved[MOST], scale = 0;
    for (unsigned i = 0; i < n; i++) {
        known[i] = first + i;
        unknown[i] = first + (unsigned)n + i;
        seed[i] = cos((double)i);
    }
    is_ok(three.fmi3GetDirectionalDerivative(b, unknown, n, known, n, seed, n, change[0], n));
    assert_int_equal(
        three.fmi3GetDirectionalDerivative(b, unknown, n, known, n, seed, n - 1, change[0], n),
        fmi3Error);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++) {
            moved[i] = y[i] + (side == 0 ? 1e-5 : -1e-5) * seed[i];
        }
        is_ok(three.fmi3SetContinuousStates(b, moved, n));
        is_ok(three.fmi3GetContinuousStateDerivatives(b, dy[side], n));
    }
    for (size_t i = 0; i < n; i++) {
        scale = fmax(scale, fabs(change[0][i]));
    }
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(change[0][i] - (dy[0][i] - dy[1][i]) / 2e-5) < 1e-6 * scale);
    }
    two.fmi2FreeInstance(a);
    three.fmi3FreeInstance(b);
    fmu_close(&two);
    fmu_close(&three);
}

static void expect_error(fmi3Status status, const char *text) {
    if (status != fmi3Error || !strstr(fmu_said, text)) {
        fail_msg("status %d, expected an error with '%s': %s", status, text, fmu_said);
    }
    fmu_said[0] = '\0';
}

static void test_wrong(void **state) {
    (void)state;
    fmu u;
    const unsigned r = 1, far = 999;
    double value = 0, last;
    bool event, end, early;
    size_t n;
    make_unit("wrong", (gos_fmu_options){.version = 3}, &u);
    fmu_said[0] = '\0';
    assert_null(u.fmi3InstantiateCoSimulation("a", "{no}", u.place, false, false, false, false,
                                              NULL, 0, NULL, hear, NULL));
    assert_null(u.fmi3InstantiateModelExchange("a", "{no}", NULL, false, false, NULL, hear));
    assert_null(u.fmi3InstantiateScheduledExecution("a", "{no}", NULL, false, false, NULL, hear,
                                                    NULL, NULL, NULL));
    assert_non_null(strstr(fmu_said, "scheduled"));
    u.fmi3FreeInstance(NULL);
    assert_int_equal(u.fmi3Terminate(NULL), fmi3Error);
    const fmi3Instance c = make(&u, false, false, NULL);
    expect_error(u.fmi3EnterInitializationMode(c, false, 0, 0, false, 0), "not allowed");
    expect_error(u.fmi3GetFloat64(c, &far, 1, &value, 1), "variable 999 does not exist");
    expect_error(u.fmi3GetFloat64(c, &r, 1, &value, 2), "1 variables, but room for 2");
    expect_error(u.fmi3SetFloat64(c, &r, 1, NULL, 1), "1 numbers");
    expect_error(u.fmi3GetInt32(c, &r, 1, &(int32_t){0}, 1), "type Float64");
    expect_error(u.fmi3GetBinary(c, &r, 1, &n, &(const uint8_t *){NULL}, 1), "type Float64");
    expect_error(u.fmi3GetClock(c, &r, 1, &event), "type Float64");
    expect_error(u.fmi3EnterEventMode(c), "without event mode");
    expect_error(u.fmi3EnterConfigurationMode(c), "structural");
    expect_error(u.fmi3ActivateModelPartition(c, 1, 0), "scheduled");
    expect_error(u.fmi3GetNumberOfVariableDependencies(c, 1, &n), "dependencies");
    expect_error(u.fmi3GetAdjointDerivative(c, &r, 1, &r, 1, &value, 1, &value, 1), "directional");
    expect_error(u.fmi3SetTime(c, 1), "model exchange");
    expect_error(u.fmi3SetFMUState(c, NULL), "not a state");
    assert_int_equal(u.fmi3DoStep(c, 0, 0.1, false, NULL, &end, &early, &last), fmi3Error);
    is_ok(u.fmi3GetInt8(c, NULL, 0, NULL, 0));
    is_ok(u.fmi3DoStep(c, 0, 0.1, false, &event, &end, &early, &last));
    u.fmi3FreeInstance(c);
    fmu_close(&u);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_exchange),
                                       cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
