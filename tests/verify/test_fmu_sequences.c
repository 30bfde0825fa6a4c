/* Calls of a master in legal, illegal and random order, of both versions and kinds. A unit may
   refuse a call, always with a message; it must not crash, and it must be usable after a reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/base.h"
#include "support/fmu_master.h"
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

static void make_unit(const char *name, const char *text, int version, gos_fmu_kind kind, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    if (gos_model_parse(ctx, text, strlen(text), "unit", folder, &m) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    fmu_of(ctx, m, (gos_fmu_options){.version = version, .kind = kind}, name, u);
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
    master_unit("tuned", 2, GOS_FMU_MODEL_EXCHANGE, &u);
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
    master_unit("through", 2, GOS_FMU_MODEL_EXCHANGE, &u);
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
    master_unit("refused", 2, GOS_FMU_MODEL_EXCHANGE, &u);
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
    master_unit("restored", 2, GOS_FMU_MODEL_EXCHANGE, &u);
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
    master_unit("tiny", 2, GOS_FMU_CO_SIMULATION, &u);
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

static void random_orders(void **state) {
    (void)state;
    const int sequences = suite_long() ? 2500 : SANITIZED ? 15 : 40, length = 60;
    for (int kind = 0; kind < 4; kind++) {
        fmu u;
        const bool two = kind % 2 == 0, exchange = kind / 2 == 0;
        char name[20];
        (void)snprintf(name, sizeof name, "random-%d", kind);
        master_unit(name, two ? 2 : 3, exchange ? GOS_FMU_MODEL_EXCHANGE : GOS_FMU_CO_SIMULATION,
                    &u);
        for (int i = 0; i < sequences; i++) {
            master m = {.u = &u, .seed = (uint64_t)(1000 * kind + i), .exchange = exchange};
            master_begin(&m, two);
            for (int j = 0; j < length; j++) {
                master_call(&m, two);
            }
            master_finish(&m, two);
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
