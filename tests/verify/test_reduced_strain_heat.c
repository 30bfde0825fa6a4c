/* Reduced models with thermoelastic heat under error control: strain rates drive the temperatures,
   and Newton's iteration needs their derivatives in the rows of heat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "support/verify.h"

/* A cable on a ball joint, a beam at its end and a tip of heat capacity, which falls and swings */
static const char model[] =
    "materials: {r: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1.0,\n"
    "  specific_heat: 200, expansion: 1.0e-4, damping: {normal: 0.0045, shear: 0.0004}}}\n"
    "sections: {b: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: r, section: b, from: [0, 0, 0], to: [0.7, -0.5, 0.3],\n"
    "    elements: 20}\n"
    "  rod2: {type: ancf_beam, material: r, section: b, from: [0.7, -0.5, 0.3],\n"
    "    to: [1.2, -0.5, 0.3], elements: 8}\n"
    "  tip: {type: rigid, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4],\n"
    "    position: [1.2, -0.5, 0.3], heat_capacity: 20}\n"
    "joints:\n"
    "  p: {type: spherical, between: [ground, rod.start]}\n"
    "  q: {type: spherical, between: [rod.end, rod2.start], temperature: true}\n"
    "  w: {type: clamp, between: [rod2.end, tip]}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 1.8e4, direction: [0, -1, 0], on: [rod, rod2]}}\n"
    "probes:\n"
    "  th: {at: tip, quantity: position}\n"
    "  T: {at: rod.at(0.3), quantity: temperature}\n"
    "analysis: {end: 0.2, tolerance: 1.0e-5, thermoelastic_heat: true}\n";

/* Newton's matrix of the reduced system is the derivative of its equations, heat of strain rates
 * too */
static void test_matrix(void **state) {
    verify v;
    gos_system *s;
    (void)state;
    verify_text(&v, model,
                "reduction.method=rotation_closed reduction.fields=modes reduction.number=5 "
                "reduction.thermal_fields=4");
    verify_good(&v, gos_reduce(v.ctx, v.sys, &s));
    check_newton_matrix(s, "reduced", 0, true);
    gos_system_destroy(s);
    verify_close(&v);
}

static double run(verify *v, double tip[3], double *T) {
    verify_run(v);
    verify_probe(v, NULL, "th", tip);
    *T = verify_value(v, NULL, "T.T");
    return (double)v->stats.steps;
}

/* Under error control the run ends, with at most 1.5 times the steps of the full model at the same
 * tolerance, and its motion and temperatures */
static void test_run(void **state) {
    verify v;
    gos_system *s, *full;
    double tip[2][3], T[2];
    (void)state;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &s));
    const double steps_full = run(&v, tip[0], &T[0]);
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    v.run = NULL;
    full = v.sys;
    v.sys = s;
    verify_good(&v, gos_state_create(v.ctx, s, &v.state));
    const double steps = run(&v, tip[1], &T[1]);
    print_message("  %d of %d coordinates, %d of %d temperatures, tip moves to %.4g m\n", s->nq,
                  full->nq, s->nt, full->nt, tip[0][1]);
    verify_below("steps, relative to those of the full model", steps / steps_full, 1.5);
    verify_below("tip [m]", verify_distance(tip[0], tip[1]), 1e-3); // the reduction's tolerance
    verify_near("temperature [K]", T[1], T[0], 1e-2);
    v.sys = full;
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    v.run = NULL;
    v.state = NULL;
    gos_system_destroy(s);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
