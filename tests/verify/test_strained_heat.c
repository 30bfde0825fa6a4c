/* Heat that strain makes beside vibration that no step resolves: error control has to get
   through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* a hot bar swings on a hinge */
static const char bar[] =
    "gravity: [0, 0, -9.81]\n"
    "materials: {al: {density: 2700, young: 7e10, poisson: 0.3, expansion: 2.3e-5,\n"
    "  conductivity: 160, specific_heat: 900}}\n"
    "meshes: {bar: {type: box, size: [0.3, 0.02, 0.01], cells: [8, 1, 1], order: quadratic,\n"
    "  sets: {tip: {near: [0.3, 0, 0.01]}}}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: al, reference: clamped, at: left,\n"
    "  rayleigh: [0, 1e-5], reduce: {method: krylov, order: 6}}}\n"
    "joints: {hinge: {type: revolute, between: [ground, bar.left], axis: [0, 1, 0]}}\n"
    "heat: {q: {type: flux, value: 2e4, on: bar.top},\n"
    "  f: {type: convection, coefficient: 100, ambient: -10, on: bar.bottom}}\n"
    "probes: {tip: {at: bar.tip, quantity: position}, T: {at: bar.tip, quantity: temperature}}\n"
    "analysis: {end: 0.3, thermoelastic_heat: true}\n";

/* Rates of temperatures have the vibration of the bar in them, which its heat does not lose. Steps
   used to become shorter without end for it ("no solution of the step"). Reference: fixed steps of
   50 us; in the short form, which ends earlier, of 100 us. */
static void vibrating(void **state) {
    GOS_UNUSED(state);
    static const char *const of[] = {"floating_bodies=whole", "floating_bodies=reduced"};
    for (int i = 0; i < 2; i++) {
        double T[2], tip[2][3];
        for (int fixed = 0; fixed < 2; fixed++) {
            verify v = {0};
            char settings[120];
            (void)snprintf(
                settings, sizeof settings, "%s%s%s", of[i], suite_long() ? "" : " analysis.end=0.1",
                fixed ? (suite_long() ? " analysis.step=5e-5" : " analysis.step=1e-4") : "");
            verify_text(&v, bar, settings);
            verify_run(&v);
            T[fixed] = verify_value(&v, v.state, "T.T");
            verify_probe(&v, v.state, "tip", tip[fixed]);
            if (!fixed) {
                verify_within("steps", (double)v.stats.steps, 100, suite_long() ? 2500 : 1000);
            }
            verify_close(&v);
        }
        verify_near("temperature", T[0], T[1], 1e-4 * 8);
        verify_near("position", verify_distance(tip[0], tip[1]), 0, 1e-4 * 0.3 * 8);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(vibrating)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
