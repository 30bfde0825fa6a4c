/* Where a model is linearised: initial state, at a time, in equilibrium, turning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

/* A mass on a hardening spring along x, F = k x + c x^3, pushed by 3 N. */
static const char sprung[] =
    "parameters: {k: 100, push: 3}\n"
    "bodies: {mass: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}}\n"
    "loads:\n"
    "  push: {type: force, on: mass, value: [push, 0, 0]}\n"
    "  hold: {type: spring, between: [ground, mass], at: [-1, 0, 0], stiffness: k, damping: 4,\n"
    "         elastic: '1000*stretch^3'}\n"
    "probes: {x: {at: mass, quantity: position, direction: [1, 0, 0]}}\n"
    "analysis: {type: dynamic, end: 2, tolerance: 1.0e-8}\n";

static double frequency(const verify *v, const gos_operating_point *point, double *x) {
    gos_state *state = NULL;
    gos_linear *linear = NULL;
    gos_mode mode;
    int n;
    verify_good(v, gos_state_create(v->ctx, v->sys, &state));
    verify_good(v, gos_state_find_operating_point(v->ctx, v->sys, &v->opt, point, state));
    verify_good(v, gos_system_probe(v->ctx, v->sys, state, 0, x, NULL));
    verify_good(v, gos_linearise_at(v->ctx, v->sys, &v->opt, point, state, &linear));
    verify_good(v, gos_linear_modes(v->ctx, linear, 1, false, &mode, &n));
    if (point->kind == GOS_OPERATING_TIME) {
        assert_true(gos_state_time(state) == point->time);
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    return mode.omega;
}

/* sqrt((k + 3 c x^2) / m) at whatever x it is */
static void test_kinds(void **state) {
    GOS_UNUSED(state);
    verify v;
    double x[3], omega[3];
    verify_text(&v, sprung, NULL);
    const gos_operating_point point[] = {{.kind = GOS_OPERATING_INITIAL},
                                         {.kind = GOS_OPERATING_TIME, .time = 0.13},
                                         {.kind = GOS_OPERATING_EQUILIBRIUM}};
    for (int i = 0; i < 3; i++) {
        omega[i] = frequency(&v, &point[i], &x[i]);
        const double expected = sqrt((100 + 3000 * x[i] * x[i]) / 2);
        verify_below("frequency", fabs(omega[i] - expected) / expected, 1e-8);
    }
    assert_true(x[0] == 0);
    // at rest 3 = 100 x + 1000 x^3; on the way at 0.13 s it has come near to it
    verify_below("equilibrium", fabs(100 * x[2] + 1000 * x[2] * x[2] * x[2] - 3), 1e-6);
    assert_true(x[1] > 0.005 && fabs(x[1] - x[2]) > 1e-3);
    double start;
    const gos_operating_point first = {.kind = GOS_OPERATING_TIME, .time = 0};
    verify_below("frequency at the beginning", fabs(frequency(&v, &first, &start) / sqrt(50) - 1),
                 1e-8);
    assert_true(start == 0);
    const gos_operating_point before = {.kind = GOS_OPERATING_TIME, .time = -1};
    gos_state *at = NULL;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &at));
    assert_int_equal(gos_state_find_operating_point(v.ctx, v.sys, &v.opt, &before, at), GOS_E_USE);
    gos_state_destroy(at);
    // from the equilibrium on it stays there
    v.opt.start_equilibrium = true;
    (void)frequency(&v, &point[1], &x[1]);
    verify_below("stays", fabs(x[1] - x[2]), 1e-7);
    verify_close(&v);
}

/* Turning about its middle with w a rod is stretched by its own inertia. */
static void test_turning(void **state) {
    GOS_UNUSED(state);
    static const char rotor[] =
        "materials: {steel: {density: 7850, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: steel, section: bar, from: [-1, 0, 0], to: [1, 0, 0], "
        "elements: 4}\n"
        "probes: {tip: {at: rod.end, quantity: position, direction: [1, 0, 0]}}\n"
        "analysis: {end: 1, step: 1.0e-3}\n";
    verify v;
    verify_text(&v, rotor, NULL);
    v.opt.spin_z = 100;
    const gos_operating_point point = {.kind = GOS_OPERATING_EQUILIBRIUM};
    gos_state *at = NULL;
    gos_linear *linear = NULL;
    gos_linear_info info;
    double tip[3], velocity[1];
    verify_good(&v, gos_state_create(v.ctx, v.sys, &at));
    verify_good(&v, gos_state_find_operating_point(v.ctx, v.sys, &v.opt, &point, at));
    verify_good(&v, gos_system_probe(v.ctx, v.sys, at, 0, tip, velocity));
    // by rho w^2 l^3 / (3 E) in each half l, for small strains
    const double longer = 7850 * 1e4 / (3 * 2e11);
    verify_below("extension", fabs(tip[0] - 1 - longer) / longer, 1e-3);
    verify_good(&v, gos_linearise_at(v.ctx, v.sys, &v.opt, &point, at, &linear));
    gos_linear_info_get(linear, &info);
    assert_true(info.gyroscopic);
    gos_linear_destroy(linear);
    gos_state_destroy(at);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_turning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
