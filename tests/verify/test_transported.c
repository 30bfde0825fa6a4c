/* Section frames that are carried along with the tangent by smallest rotations (theory guide 2.2
 * B). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "line/cable_law.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

enum { N = GOS_LANES };

/* ---- holonomy -------------------------------------------------------------------------------- */

/* angle by which d2 has turned about t when the tangent went round a cone of half angle `half`
   about z in n steps; every lane another phase */
static double cone(double half, int n) {
    _Alignas(64) double z[6 * N] = {0}, mem[6 * N];
    double first[3] = {0}, t0[3] = {0}, x[3];
    for (int k = 0; k <= n; k++) {
        for (int l = 0; l < N; l++) {
            const double a = 2 * M_PI * ((double)k / n + (double)l / N);
            const double t[3] = {sin(half) * cos(a), sin(half) * sin(a), cos(half)};
            for (int i = 0; i < 3; i++) {
                z[i * N + l] = 1.3 * t[i]; // stretched: only the direction counts
                mem[i * N + l] = k ? mem[i * N + l] : t[i];
            }
            for (int i = 0; k == 0 && i < 3; i++) { // d2 towards the axis
                mem[(3 + i) * N + l] =
                    (i == 2 ? sin(half) : 0) - (i < 2 ? cos(half) * t[i] / sin(half) : 0);
            }
            for (int i = 0; i < 3 && k == 0 && l == 0; i++) {
                t0[i] = t[i];
                first[i] = mem[(3 + i) * N];
            }
        }
        const gos_batch b = {.z = z, .mem = mem};
        gos__cable_transported.accept(NULL, 0, &b, mem);
    }
    const double last[3] = {mem[3 * N], mem[4 * N], mem[5 * N]};
    gos__cross3(first, last, x);
    return atan2(gos__dot3(x, t0), gos__dot3(first, last));
}

/* Parallel transport round the cone turns by the enclosed solid angle 2 pi (1 - cos half), modulo
   2 pi; chords enclose less, by 2nd order. */
static void holonomy(void **state) {
    GOS_UNUSED(state);
    for (double half = 0.4; half < 1.6; half += 0.5) {
        double want = 2 * M_PI * (1 - cos(half));
        want -= want > M_PI ? 2 * M_PI : 0;
        const double coarse = fabs(cone(half, 200) - want), fine = fabs(cone(half, 400) - want);
        verify_below("turn of the section less the solid angle, 400 steps", fine, 3e-4);
        verify_within("its order", verify_order(coarse, fine, 2), 1.95, 2.05);
    }
}

/* ---- pendulum -------------------------------------------------------------------------------- */

/* A thick bar whose thickness lies in the plane of motion, in the sun. `normal` and the section say
   the same in two ways: local z across the plane, or in it. */
static const char form[] =
    "parameters: {h: 1.0e-3, end: 1.2, side: 0}\n"
    "materials: {m: {density: 1000, young: 1.0e7, conductivity: 1, specific_heat: 200,\n"
    "                expansion: 1.0e-3, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: %g, width: %g}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "               elements: 8, normal: %s, frame: %s}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 2.0e4, direction: [0, -1, 0], on: rod}}\n"
    "initial: {all: {angular_velocity: [0, side, 0], about: [0, 0, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position},\n"
    "         bend: {at: rod.at(0.53), quantity: curvature},\n"
    "         warm: {at: rod.at(0.53), quantity: temperature}}\n"
    "analysis: {end: end, step: h, newton_tolerance: 1.0e-9}\n";

typedef struct outcome {
    double tip[3], bend[2], warm[3], lowest;
} outcome;

static outcome swing(const char *frame, const char *normal, double height, double width,
                     const char *settings) {
    char text[VERIFY_TEXT];
    double y[GOS_PROBE_MAX];
    outcome o = {.lowest = 0};
    verify v;
    snprintf(text, sizeof text, form, height, width, normal, frame);
    verify_text(&v, text, settings);
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        verify_probe(&v, NULL, "tip", y);
        o.lowest = fmin(o.lowest, atan2(y[1], y[0]) - (y[1] > 0 ? 2 * M_PI : 0));
    }
    verify_probe(&v, NULL, "tip", o.tip);
    verify_probe(&v, NULL, "bend", o.bend);
    verify_probe(&v, NULL, "warm", o.warm);
    verify_close(&v);
    return o;
}

/* Released horizontally it swings through the vertical to the other side. In a plane all frames are
   the same: with local z across the plane those of the reference vector, which is right there, and
   with local z in the plane, where a reference vector would meet the tangent, the same motion with
   y and z exchanged: k2 = -k3, T_y = -T_z. The probe, which stands between points, agrees too. */
static void pendulum(void **state) {
    GOS_UNUSED(state);
    const outcome a = swing("reference", "[0, 0, 1]", 0.03, 0.02, NULL);
    const outcome b = swing("transported", "[0, 0, 1]", 0.03, 0.02, NULL);
    const outcome c = swing("transported", "[0, 1, 0]", 0.02, 0.03, NULL);
    verify_within("lowest angle of the tip [rad]", a.lowest, -M_PI - 0.5, -M_PI + 0.5);
    verify_below("local z across the plane: tip off [m]", verify_distance(a.tip, b.tip), 1e-8);
    verify_below("local z in the plane: tip off [m]", verify_distance(a.tip, c.tip), 1e-8);
    verify_near("curvature there, across [1/m]", b.bend[0], a.bend[0], 1e-7);
    verify_near("curvature there, in the plane [1/m]", c.bend[1], a.bend[0], 1e-7);
    verify_near("gradient there, in the plane [K/m]", c.warm[2], a.warm[1], 1e-5);
    assert_true(fabs(a.bend[0]) > 0.05 && fabs(a.warm[1]) > 100);
}

/* In space, unlike second moments, temperature gradients in both directions: second order, which
   forces with the frame's turn within a step would make first */
static void second_order(void **state) {
    GOS_UNUSED(state);
    static const char *const steps[] = {"side=2 end=0.5 h=4e-3", "side=2 end=0.5 h=2e-3",
                                        "side=2 end=0.5 h=1e-3"};
    outcome o[3];
    for (int i = 0; i < 3; i++) {
        o[i] = swing("transported", "[0, 0.6, 0.8]", 0.03, 0.02, steps[i]);
    }
    const double a = verify_distance(o[0].tip, o[1].tip), b = verify_distance(o[1].tip, o[2].tip);
    verify_below("tip, from 2 ms to 1 ms [m]", b, 1e-3);
    verify_within("order in the step", verify_order(a, b, 2), 1.8, 2.3);
}

/* ---- section forces -------------------------------------------------------------------------- */

/* a straight bar pulled and bent: the force and the moment of the load at the clamp */
static void section_probes(void **state) {
    GOS_UNUSED(state);
    static const char text[] = "materials: {m: {density: 7800, young: 2.0e11}}\n"
                               "sections: {s: {type: circle, radius: 0.01}}\n"
                               "bodies: {rod: {type: ancf_cable, material: m, section: s, from: "
                               "[0, 0, 0], to: [1, 0, 0],\n"
                               "               frame: transported}}\n"
                               "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
                               "loads: {f: {type: force, on: rod.end, value: [5, 3.0e-3, 0]}}\n"
                               "probes: {N: {at: rod.start, quantity: section_force},\n"
                               "         M: {at: rod.start, quantity: section_moment}}\n"
                               "analysis: {type: static}\n";
    verify v;
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_near("axial force at the clamp [N]", verify_value(&v, NULL, "N.N"), 5, 5e-3);
    verify_near("moment there [N m]", verify_value(&v, NULL, "M.M2"), 3e-3, 3e-5);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holonomy),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(second_order),
        cmocka_unit_test(section_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
