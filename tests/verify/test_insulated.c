/* Bodies of meshes that nothing cools: reduced ones keep their heat, and are as warm as they
   are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define MODEL(more)                                                                                \
    "parameters: {warm: 0}\n"                                                                      \
    "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, expansion: 2.3e-5,\n"               \
    "  conductivity: 160, specific_heat: 900, emissivity: 0.8}}\n"                                 \
    "meshes: {bar: {type: box, size: [0.3, 0.02, 0.01], cells: [6, 1, 1], order: quadratic,\n"     \
    "  sets: {tip: {near: [0.3, 0, 0.01]}}}}\n"                                                    \
    "bodies: {bar: {type: floating, mesh: bar, material: m, reference: clamped, at: left,\n"       \
    "  rayleigh: [0, 1e-5], reduce: {method: krylov, order: 6}}}\n"                                \
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"                                \
    "initial: {bar: {temperature: warm}}\n"                                                        \
    "probes: {T: {at: bar.tip, quantity: temperature},\n"                                          \
    "  tip: {at: bar.right, quantity: displacement}}\n" more

static const double mass = 2700 * 0.3 * 0.02 * 0.01, heat_of = 900;

/* A flux into one face alone: conduction has a pole at s = 0, and moments about it were those of
   rounding (the tip was 0.27 K of 0.35 K too cold after 0.1 s). The heat that is stored is the
   flux, to rounding; the tip's temperature that of the whole body. */
static void flux(void **state) {
    GOS_UNUSED(state);
    static const char heated[] = MODEL(
        "heat: {q: {type: flux, value: 2e4, on: bar.top}}\nanalysis: {end: 0.1, step: 1e-3}\n");
    static const char *const of[] = {"floating_bodies=whole", "floating_bodies=reduced"};
    double T[2], tip[2][3];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        gos_heat heat;
        verify_text(&v, heated, of[i]);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &heat);
        verify_near("stored", heat.stored, 2e4 * 0.3 * 0.02 * 0.1, 1e-8);
        verify_near("balance", heat.balance, 0, 1e-8);
        T[i] = verify_value(&v, v.state, "T.T");
        verify_probe(&v, v.state, "tip", tip[i]);
        if (i == 1) {
            assert_true(gos_ctx_ndiag(v.ctx) >
                        0); // the point about which the vectors are made is reported
            assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "insulated"));
        }
        verify_close(&v);
    }
    verify_within("above the mean", T[0], 1.2 * 2e4 * 0.3 * 0.02 * 0.1 / (mass * heat_of), 1);
    verify_near("temperature", T[1], T[0], 1e-5);
    verify_near("deflection", verify_distance(tip[1], tip[0]), 0, 1e-3 * fabs(tip[0][2]));
}

/* Warm from the start, and nothing acts on it: it is as long as a body of that temperature (at
   rest: alpha T L, with what its held end takes away), and stays warm. Without a heat entry the
   reduction was refused. */
static void warm(void **state) {
    GOS_UNUSED(state);
    static const char *const of[] = {"warm=50 floating_bodies=whole",
                                     "warm=50 floating_bodies=reduced"};
    double tip[2][3];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v, MODEL("analysis: {end: 0.02, step: 1e-5}\n"), of[i]);
        verify_run(&v);
        verify_near("temperature", verify_value(&v, v.state, "T.T"), 50, 1e-9);
        verify_probe(&v, v.state, "tip", tip[i]);
        verify_near("elongation", tip[i][0], 2.3e-5 * 50 * 0.3, 0.03 * 2.3e-5 * 50 * 0.3);
        verify_close(&v);
    }
    verify_near("reduced", tip[1][0], tip[0][0], 1e-6 * tip[0][0]);
}

/* With heat of strains alone a method that makes temperatures by heat entries has none that would
 * be right. */
static void strained(void **state) {
    GOS_UNUSED(state);
    verify v = {0};
    v.ctx = gos_ctx_create();
    const char *const text = MODEL("analysis: {end: 0.02, thermoelastic_heat: true}\n"
                                   "floating_bodies: reduced\n");
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "method: modes"));
    verify_close(&v);
}

/* Steps that resolve none of the modes which sudden warmth sets off: the tip never goes further
   than to twice its new place (it did by (w h)^2 times as much). */
static void sudden(void **state) {
    GOS_UNUSED(state);
    static const char *const of[] = {"warm=50 floating_bodies=whole",
                                     "warm=50 floating_bodies=reduced"};
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        double most = 0;
        verify_text(&v, MODEL("analysis: {end: 0.05, step: 1e-3}\n"), of[i]);
        verify_start(&v);
        while (gos_state_time(v.state) < v.opt.end) {
            double tip[3];
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            verify_probe(&v, v.state, "tip", tip);
            most = fmax(most, fabs(tip[0]));
        }
        verify_below("elongation", most, 2 * 2.3e-5 * 50 * 0.3);
        verify_close(&v);
    }
}

/* Damping of floating bodies heats nothing, which is reported. */
static void losses(void **state) {
    GOS_UNUSED(state);
    verify v = {0};
    verify_text(&v, MODEL("analysis: {end: 0.02, viscous_heating: true}\n"), NULL);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 1);
    assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "viscous_heating"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flux), cmocka_unit_test(warm),
                                       cmocka_unit_test(strained), cmocka_unit_test(sudden),
                                       cmocka_unit_test(losses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
