/* Places of solids: means of sets that joints, loads and probes act on, sets that are clamped node
   by node, and reduced models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/gossamer.h"
#include "support/suite.h"
#include "support/verify.h"

#define MATERIAL "materials: {m: {density: 1000, young: 1.0e9, poisson: 0}}\n"

/* A moment on the end of a bar turns it by M L/(E I), measured by the mean of the end's nodes,
   and bends it by M L^2/(2 E I); nu = 0, so that nothing but the places where it enters is off. Its
   reaction is the moment. */
static void moment_on_a_set(void **state) {
    GOS_UNUSED(state);
    static const char model[] = MATERIAL
        "meshes: {bar: {type: box, size: [2, 0.1, 0.1], cells: [20, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
        "loads: {bend: {type: moment, on: bar.right, moment: [0, 3, 0]}}\n"
        "analysis: {type: static, newton_tolerance: 1.0e-6}\n"
        "probes:\n"
        "  turn: {quantity: rotation_vector, at: bar.right}\n"
        "  node: {quantity: rotation_vector, at: \"bar.at(1, 0.05, 0.05)\"}\n"
        "  u: {quantity: displacement, at: bar.right}\n";
    const double EI = 1e9 * 1e-4 / 12;
    verify v;
    verify_text(&v, model, NULL);
    verify_static(&v);
    verify_near("turn of the end", verify_value(&v, NULL, "turn.y") / (3 * 2 / EI), 1, 1e-6);
    verify_near("turn half way", verify_value(&v, NULL, "node.y") / (3 * 1 / EI), 1, 1e-6);
    verify_near("deflection", verify_value(&v, NULL, "u.z") / (-3 * 4 / (2 * EI)), 1, 1e-6);
    verify_close(&v);
}

/* A bar hinged by the mean of its upper end swings as a rigid one: w^2 = g (L/2)/(L^2/3 +
   h^2/12) */
static void hinge_of_a_set(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "gravity: [9.81, 0, 0]\n" MATERIAL
        "meshes: {bar: {type: box, size: [1, 0.1, 0.2], cells: [4, 1, 2], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "joints: {pin: {type: revolute, between: [ground, bar.left], axis: [0, 1, 0]}}\n"
        "analysis: {type: dynamic, end: 1, start: equilibrium}\n";
    verify v;
    gos_linear *linear = NULL;
    gos_mode mode[2];
    int found;
    verify_text(&v, model, NULL);
    verify_static(&v);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 2, false, mode, &found));
    const double w = sqrt(9.81 * 0.5 / (1.0 / 3 + 0.04 / 12));
    verify_near("frequency of a hinged bar [rad/s]", mode[0].omega, w, 1e-5 * w);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* two bars whose ends are clamped to each other, for any order of their nodes, are one bar */
static void clamped_sets(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        MATERIAL "meshes:\n"
                 "  one: {type: box, size: [2, 0.2, 0.1], cells: [4, 2, 1], order: quadratic}\n"
                 "  half: {type: box, size: [1, 0.2, 0.1], cells: [2, 2, 1], order: quadratic}\n"
                 "bodies:\n"
                 "  one: {type: solid, material: m, mesh: one}\n"
                 "  near: {type: solid, material: m, mesh: half}\n"
                 "  far: {type: solid, material: m, mesh: half, position: [2, 0.2, 0],\n"
                 "        rotation_vector: [0, 0, pi]}\n"
                 "joints:\n"
                 "  root: {type: clamp, between: [ground, one.left]}\n"
                 "  foot: {type: clamp, between: [ground, near.left]}\n"
                 "  weld: {type: clamp, between: [near.right, far.right]}\n"
                 "loads:\n"
                 "  a: {type: force, on: one.right, value: [3.0e4, 50, 20]}\n"
                 "  b: {type: force, on: far.left, value: [3.0e4, 50, 20]}\n"
                 "analysis: {type: static, newton_tolerance: 1.0e-6}\n"
                 "probes:\n"
                 "  a: {quantity: displacement, at: one.right}\n"
                 "  b: {quantity: displacement, at: far.left}\n";
    verify v;
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    verify_text(&v, model, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "a", a);
    verify_probe(&v, NULL, "b", b);
    assert_true(fabs(a[1]) > 1e-4);
    verify_below("two clamped bars against one [m]", verify_distance(a, b), 1e-12);
    verify_close(&v);
}

/* the model whole and reduced: largest distance of a probe at 20 times over `scale` */
static double reduced_error(const char *text, const char *probe, double scale) {
    verify full, part;
    double worst = 0;
    verify_text(&full, text, NULL);
    verify_text(&part, text, NULL);
    gos_system *small = NULL;
    verify_good(&part, gos_reduce_auto(part.ctx, part.sys, &small));
    gos_system *whole = part.sys;
    gos_state_destroy(part.state);
    part.sys = small;
    gos_options_get(small, &part.opt);
    verify_good(&part, gos_state_create(part.ctx, small, &part.state));
    verify_start(&full);
    verify_start(&part);
    for (int i = 1; i <= 20; i++) {
        double a[GOS_PROBE_MAX] = {0}, b[GOS_PROBE_MAX] = {0};
        const double t = full.opt.end * i / 20;
        verify_probe(&full, verify_at(&full, t), probe, a);
        verify_probe(&part, verify_at(&part, t), probe, b);
        worst = fmax(worst, verify_distance(a, b));
    }
    verify_close(&full);
    gos_integrator_destroy(part.run);
    gos_state_destroy(part.state);
    gos_system_destroy(small);
    part = (verify){.ctx = part.ctx, .model = part.model, .sys = whole};
    verify_close(&part);
    return worst / scale;
}

/* A heavy bar falls into a large swing, and a bar in the sun bends away from it: reduced by `auto`,
   both keep the tolerance. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char swing[] =
        "gravity: [0, 0, -9.81]\n"
        "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3,\n"
        "                damping: {normal: 2.0e-3, shear: 2.0e-3}}}\n"
        "meshes: {bar: {type: box, size: [1, 0.1, 0.1], cells: [10, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
        "analysis: {end: 1, tolerance: 1.0e-4}\n"
        "reduction: {method: auto, tolerance: 1.0e-3}\n"
        "probes: {tip: {at: bar.right}}\n";
    static const char sun[] =
        "reference_temperature: 300\n"
        "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 20,\n"
        "                specific_heat: 10, expansion: 1.0e-4,\n"
        "                damping: {normal: 2.0e-3, shear: 2.0e-3}}}\n"
        "meshes: {bar: {type: box, size: [1, 0.1, 0.1], cells: [6, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
        "heat:\n"
        "  sun: {type: flux, value: \"3.0e4*min(t, 1)\", direction: [0, 0, -1], on: bar}\n"
        "  film: {type: convection, coefficient: 100, ambient: 0, on: bar}\n"
        "analysis: {end: 2, tolerance: 1.0e-4, thermoelastic_heat: true}\n"
        "reduction: {method: auto, tolerance: 1.0e-3}\n"
        "probes:\n"
        "  tip: {quantity: displacement, at: bar.right}\n"
        "  T: {quantity: temperature, at: bar.top}\n";
    verify_below("reduced swing of a bar, of its length", reduced_error(swing, "tip", 1), 1e-3);
    verify_below("reduced bar in the sun, of its length", reduced_error(sun, "tip", 1), 1e-3);
    verify_below("... temperature of its top, of 100 K", reduced_error(sun, "T", 100), 3e-3);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moment_on_a_set),
        cmocka_unit_test(hinge_of_a_set),
        cmocka_unit_test(clamped_sets),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("places of solids", tests, NULL, NULL);
}
SUITE(suite)
