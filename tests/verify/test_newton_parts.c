/* Newton's iteration with the symmetric part of the matrix of motion, and heat by itself (analysis:
   solver: auto), against that with the whole matrix: the same motion to what Newton may leave, with
   as many iterations; and the whole matrix where the parts do not serve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/satellite.h"
#include "support/suite.h"
#include "support/verify.h"

#define AUTO "analysis.solver=auto "
#define WHOLE "analysis.solver=unsymmetric "

typedef struct outcome {
    gos_statistics stats;
    double probe[GOS_PROBE_MAX];
} outcome;

static outcome run(const char *text, const char *solver, const char *settings, const char *probe) {
    verify v;
    outcome o;
    char all[500];
    snprintf(all, sizeof all, "%s%s", solver, settings);
    if (text) {
        verify_text(&v, text, all);
    } else {
        satellite_open(&v, all);
    }
    verify_run(&v);
    verify_probe(&v, NULL, probe, o.probe);
    o.stats = v.stats;
    verify_close(&v);
    print_message("%s%s: %ld steps, %ld iterations, %ld factorisations, %ld of them whole\n",
                  solver, settings, o.stats.steps, o.stats.iterations, o.stats.factorisations,
                  o.stats.unsymmetric);
    return o;
}

static double distance(const outcome *a, const outcome *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a->probe[i] - b->probe[i]));
    }
    return most;
}

/* 1,100 unknowns of motion with heat, joints and rigid bodies: the parts serve in every step, but
   for one of these long ones. Newton may leave newton_tolerance, 1e-2, of 1e-7 of the extent of 29
   m in the positions of a run with fixed steps, and what it leaves in velocities acts on: 1e-7 of
   29 m all in all. */
static void the_satellite_needs_no_more(void **state) {
    (void)state;
    static const char fixed[] = "t_end=2 analysis.step=0.02";
    const outcome parts = run(NULL, AUTO, fixed, "a"), whole = run(NULL, WHOLE, fixed, "a");
    verify_below("positions apart [m]", distance(&parts, &whole, 3), 2.9e-6);
    // two attempts at the start fall back to whole matrices
    verify_below("whole matrices", (double)parts.stats.unsymmetric, 7.5);
    verify_within("iterations, to those with the whole matrix",
                  (double)parts.stats.iterations / (double)whole.stats.iterations, 0.5, 1.25);
    verify_within("factorisations", (double)parts.stats.factorisations, 1,
                  2 * (double)whole.stats.factorisations);
    assert_int_equal(whole.stats.unsymmetric, 0); // none was to be spared
}

/* A rod whose tip is pushed across by what it moves: k [0, z, -y], a matrix without symmetry.
   Beside the mass over h^2 it is nothing at first; at k = 100 N/m and steps of 2 ms symmetric parts
   do not serve everywhere. */
static const char circulating[] =
    "parameters: {k: 1, damping: 2.0e-3}\n"
    "materials: {rubber: {density: 1000, young: 1.0e7, poisson: 0.3, damping: {normal: damping}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 8, normal: [0, 0, 1]}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  across: {type: force, on: rod.end, value: [0, 0, '-k*tip.y']}\n"
    "  back: {type: force, on: rod.end, value: [0, 'k*tip.z', 0]}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.2, step: 2.0e-3}\n";

/* Fixed steps: Newton may leave 1e-2 of 1e-7 of the extent in each step, so that velocities are off
   by h^-1 of it; 100 steps of growing motion make of it less than 1e-2 * 1e-7 * 100 = 1e-7. */
static void forces_without_symmetry_take_the_whole(void **state) {
    (void)state;
    const outcome weak = run(circulating, AUTO, "", "tip"),
                  weak_whole = run(circulating, WHOLE, "", "tip"),
                  strong = run(circulating, AUTO, "k=100", "tip"),
                  strong_whole = run(circulating, WHOLE, "k=100", "tip");
    verify_below("weak: apart [m]", distance(&weak, &weak_whole, 3), 1e-7);
    verify_below("strong: apart [m]", distance(&strong, &strong_whole, 3), 1e-7);
    verify_below("weak: whole matrices", (double)weak.stats.unsymmetric, 0.5);
    verify_within("strong: whole matrices", (double)strong.stats.unsymmetric, 4,
                  (double)strong.stats.factorisations - 1);
    verify_within("strong: iterations, to those with the whole matrix",
                  (double)strong.stats.iterations / (double)strong_whole.stats.iterations, 0.7,
                  1.5);
}

/* Damping of a thousand times what stops the fastest vibration of an element: symmetric, but for
 * what turns. */
static void heavy_damping_is_symmetric(void **state) {
    (void)state;
    const char damped[] = "k=0 damping=10 analysis.end=0.05";
    const outcome parts = run(circulating, AUTO, damped, "tip"),
                  whole = run(circulating, WHOLE, damped, "tip");
    verify_below("apart [m]", distance(&parts, &whole, 3), 1e-7);
    verify_within("iterations, to those with the whole matrix",
                  (double)parts.stats.iterations / (double)whole.stats.iterations, 0.7, 1.5);
}

/* A chain without heat and damping has a symmetric matrix. In steps of 2 ms, in which its elements
   swing through (steps begin with accelerations of the last one), one matrix contracts badly or not
   at all: the whole one would do no better, and none is made. What Newton may leave is as above,
   1e-2 * 1e-7 * 100 of the length. */
static const char chain[] = "materials: {rubber: {density: 7200, young: 2.0e7}}\n"
                            "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
                            "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, "
                            "from: [0, 0, 0], to: [1, 0, 0], elements: 256}}\n"
                            "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
                            "gravity: [0, -9.81, 0]\n"
                            "probes: {tip: {at: rod.end, quantity: position}}\n"
                            "analysis: {type: dynamic, end: 0.2, step: 2.0e-3}\n";

static void bending_is_not_for_the_whole(void **state) {
    (void)state;
    const outcome parts = run(chain, AUTO, "", "tip"), whole = run(chain, WHOLE, "", "tip");
    verify_below("apart [m]", distance(&parts, &whole, 3), 1e-7);
    assert_int_equal(parts.stats.unsymmetric, 0);
    verify_within("factorisations: one does not serve all", (double)parts.stats.factorisations, 5,
                  1.5 * (double)whole.stats.factorisations);
    verify_within("iterations, to those with the whole matrix",
                  (double)parts.stats.iterations / (double)whole.stats.iterations, 0.5, 1.25);
}

/* Heat of strains that is as stiff as the strains themselves: E a^2 T / (rho c) = 1e9 * 1e-6 * 300
   / (1000 * 200) = 1.5, where metals have 0.01. What motion does to heat is then no small part: the
   parts alone would contract badly in steps that follow the heat. */
static const char two_way[] =
    "reference_temperature: 300\n"
    "materials: {hot: {density: 1000, young: 1.0e9, poisson: 0.3, conductivity: 1,\n"
    "  specific_heat: 200, expansion: 1.0e-3, damping: {normal: 1.0e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: hot, section: bar, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 6, normal: [0, 0, 1]}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {pull: {type: force, on: rod.end, value: ['1000*(t - 0.1*t*t)', '5*t', 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, warm: {at: rod.end, quantity: temperature}}\n"
    "analysis: {type: dynamic, end: 0.2, step: 5.0e-3, thermoelastic_heat: true}\n";

static void strong_heat_of_strains(void **state) {
    (void)state;
    const outcome parts = run(two_way, AUTO, "", "warm"), whole = run(two_way, WHOLE, "", "warm");
    verify_within("whole matrices", (double)parts.stats.unsymmetric, 1,
                  (double)parts.stats.factorisations);
    verify_within("it cools [K]", whole.probe[0], -10, -0.1);
    verify_below("temperatures apart [K]", distance(&parts, &whole, 1),
                 1e-6 * fabs(whole.probe[0]));
}

/* Forces between bodies add up to nothing in any iterate, so what Newton leaves of the momentum is
   the error of places along which the matrix is the mass: linear momentum and that across the
   torque are as the whole matrix has them. */
static void momentum_is_kept(void **state) {
    (void)state;
    satellite_balance b[2];
    for (int k = 0; k < 2; k++) {
        verify v;
        satellite_open(&v, k ? AUTO "t_end=2" : WHOLE "t_end=2");
        b[k] = satellite_watch(&v, -0.1, -1000, 0);
        verify_close(&v);
    }
    verify_below("linear momentum [kg m/s]", b[1].linear, 2 * b[0].linear);
    verify_below("angular momentum across [kg m^2/s]", b[1].across, 1.5 * b[0].across);
    verify_below("... and along", b[1].angular, 1.5 * b[0].angular);
    verify_below("energy [J]", b[1].energy, 1.1 * b[0].energy);
    verify_below("heat", b[1].heat, 1e-11);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_satellite_needs_no_more),
        cmocka_unit_test(forces_without_symmetry_take_the_whole),
        cmocka_unit_test(heavy_damping_is_symmetric),
        cmocka_unit_test(bending_is_not_for_the_whole),
        cmocka_unit_test(strong_heat_of_strains),
        cmocka_unit_test(momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
