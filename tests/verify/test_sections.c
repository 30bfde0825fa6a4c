/* Sections that vary along a body, and beams whose nodes are not on the axis of the centroids:
   statics and frequencies of tapered cantilevers, conduction; eccentric pull, layers, a pendulum
   about its own edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

static const char *const types[2] = {"ancf_cable", "ancf_beam"};

/* ---- tapered cantilevers --------------------------------------------------------------------- */

/* root and tip sections, load or what else, type of the body */
static const char cantilever[] =
    "parameters: {n: 8, P: 1.0e-3, g: 0, E: 2.0e11, rho: 7800, k: 0}\n"
    "gravity: [0, -g, 0]\n"
    "materials: {m: {density: rho, young: E, poisson: 0.3, conductivity: k, specific_heat: 500}}\n"
    "sections: {root: %s, tip: %s}\n"
    "bodies: {rod: {type: %s, material: m, section: root, taper: tip, from: [0, 0, 0],\n"
    "               to: [1, 0, 0], elements: n%s}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "%s"
    "probes: {tip: {at: rod.end, quantity: displacement}, root: {joint: root, quantity: "
    "joint_force},\n"
    "         N: {at: rod.at(0.6), quantity: section_force}, M: {at: rod.at(0.6), quantity: "
    "section_moment}}\n"
    "analysis: {type: static, newton_tolerance: 1.0e-12}\n";

static void open_cantilever(verify *v, const char *root, const char *tip, const char *type,
                            const char *more, const char *entries, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, cantilever, root, tip, type, more, entries);
    verify_text(v, text, settings);
}

#define LOAD(value) "loads: {f: {type: force, on: rod.end, value: " value "}}\n"
#define WIDE "{type: rectangle, height: 0.01, width: 0.04}"
#define NARROW "{type: rectangle, height: 0.01, width: 0.02}"

/* width from 1 to r = 1/2, c = 1 - r: w = P l^3/(E I) [1/(2 c) - r/c^2 + r^2/c^3 ln(1/r)] = (2 ln 2
   - 1) ..., u = P l/(E A) ln(1/r)/c; beams have P l/(k_s G A) ln(1/r)/c of shear, too */
static void width(void **state) {
    GOS_UNUSED(state);
    const double E = 2e11, A = 4e-4, I = 0.04e-6 / 12, P = 1e-3, GAk = E / 2.6 * A * 13 / 15.3;
    for (int k = 0; k < 2; k++) {
        verify v;
        const double w = P / (E * I) * (2 * log(2) - 1) + (k ? P / GAk * 2 * log(2) : 0);
        double error[2];
        for (int i = 0; i < 2; i++) {
            open_cantilever(&v, WIDE, NARROW, types[k], "", LOAD("[0, P, 0]"), i ? "n=8" : "n=4");
            verify_static(&v);
            error[i] = fabs(verify_value(&v, NULL, "tip.y") / w - 1);
            if (i) {
                verify_near("bending moment at 0.6 over P (l - x)",
                            verify_value(&v, NULL, "M.M2") / (0.4 * P), 1, 2e-2);
            }
            verify_close(&v);
        }
        verify_below("tip across over the closed form - 1", error[1], 2e-5);
        verify_within("order", verify_order(error[0], error[1], 2), 3, 5.5);
        open_cantilever(&v, WIDE, NARROW, types[k], "", LOAD("[P, 0, 0]"), NULL);
        verify_static(&v);
        verify_near("extension over the closed form",
                    verify_value(&v, NULL, "tip.x") / (P / (E * A) * 2 * log(2)), 1, 1e-5);
        verify_near("force at 0.6 over P", verify_value(&v, NULL, "N.N") / P, 1, 1e-2);
        verify_close(&v);
    }
}

/* a cone from r to r/2: w = P l^3/(3 E I) 2; twist T l/(G J) (8 - 1)/(3/2); of a general section
   with the same numbers the same; then a third section: constant from the middle on */
static void cone(void **state) {
    GOS_UNUSED(state);
    static const char *const root[2] = {"{type: circle, radius: 0.02}",
                                        "{type: general, area: pi*4.0e-4, Iy: pi/4*1.6e-7, Iz: "
                                        "pi/4*1.6e-7}"};
    static const char *const tip[2] = {"{type: circle, radius: 0.01}",
                                       "{type: general, area: pi*1.0e-4, Iy: pi/4*1.0e-8, Iz: "
                                       "pi/4*1.0e-8}"};
    const double E = 2e11, I = M_PI / 4 * 1.6e-7, P = 1e-3;
    verify v;
    for (int k = 0; k < 2; k++) {
        open_cantilever(&v, root[k], tip[k], "ancf_cable", "", LOAD("[0, P, 0]"), "n=16");
        verify_static(&v);
        verify_near("tip of a cone over the closed form",
                    verify_value(&v, NULL, "tip.y") / (2 * P / (3 * E * I)), 1, 1e-5);
        verify_close(&v);
    }
    open_cantilever(&v, root[0], tip[0], "ancf_beam", "",
                    "loads: {t: {type: moment, on: rod.end, moment: [P, 0, 0]}}\n",
                    "n=16 probes.tip.quantity=rotation_vector");
    verify_static(&v);
    verify_near("twist of a cone over the closed form",
                verify_value(&v, NULL, "tip.x") / (P / (E / 2.6 * 2 * I) * 14 / 3), 1, 1e-5);
    verify_close(&v);
    // cone up to the middle, I/16 from there: int eta^2/I = 1/(3 I) [2^4 (1/2)^3 + rest]
    open_cantilever(&v, root[0], tip[0], "ancf_cable", ", taper_at: [0.5]", LOAD("[0, P, 0]"),
                    "n=16");
    verify_static(&v);
    double rest = 0; // x from 0 to 1/2, radius 1 - x: Simpson's rule of 2000 intervals
    for (int i = 0; i <= 2000; i++) {
        const double x = 0.5 * i / 2000, f = (1 - x) * (1 - x) / pow(1 - x, 4);
        rest += f * (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2) / (3 * 2000) * 0.5;
    }
    verify_near("cone up to the middle",
                verify_value(&v, NULL, "tip.y") / (P / (E * I) * (rest + 2.0 / 3)), 1, 1e-4);
    verify_close(&v);
}

/* B. Downs, J. Appl. Mech. 44 (1977) 737: depth from 1 to 1/2: 3.8238, 18.317; depth and
   width: 4.6252, 19.548, times sqrt(E I/(rho A l^4)) of the root */
static void frequencies(void **state) {
    GOS_UNUSED(state);
    static const char *const tip[2] = {"{type: rectangle, height: 5.0e-3, width: 0.08}",
                                       "{type: rectangle, height: 5.0e-3, width: 0.04}"};
    static const double want[2][2] = {{3.8238, 18.317}, {4.6252, 19.548}};
    const double unit = sqrt(2e11 * 1e-4 / 12 / 7800);
    for (int k = 0; k < 4; k++) {
        verify v;
        gos_linear *linear = NULL;
        gos_mode mode[6];
        int found = 0;
        open_cantilever(&v, "{type: rectangle, height: 0.01, width: 0.08}", tip[k / 2],
                        types[k % 2], "", "", "n=16");
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 6, false, mode, &found));
        for (int i = 0; i < 2; i++) {
            double best = HUGE_VAL;
            for (int m = 0; m < found; m++) {
                const double off = mode[m].omega / unit / want[k / 2][i] - 1;
                best = fabs(off) < fabs(best) ? off : best;
            }
            verify_near("frequency over that of Downs", 1 + best, 1, i ? 1.5e-3 : 3e-4);
        }
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* its weight at the clamp; steady temperature between its ends, T = dT ln(1 - c x)/ln(r) */
static void weight_and_heat(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 2; k++) {
        verify v;
        open_cantilever(&v, WIDE, NARROW, types[k], "", "", "g=10 E=2.0e13");
        verify_static(&v);
        verify_near("weight at the clamp [N]", fabs(verify_value(&v, NULL, "root.y")),
                    7800 * 10 * 3e-4, 1e-6);
        verify_close(&v);
        open_cantilever(&v, WIDE, NARROW, types[k], "",
                        "heat: {a: {type: temperature, on: rod.start, value: 0},\n"
                        "       b: {type: temperature, on: rod.end, value: 100}}\n",
                        "n=16 k=50 probes.tip.quantity=temperature probes.tip.at=rod.at(0.5)");
        verify_static(&v);
        verify_near("temperature in the middle [K]", verify_value(&v, NULL, "tip.T"),
                    100 * log(0.75) / log(0.5), k ? 1e-4 : 2e-2);
        verify_close(&v);
    }
}

/* ---- offsets --------------------------------------------------------------------------------- */

static const char offset[] =
    "parameters: {n: 4, P: 3.0e-3, y: 0.02, z: 0, E: 2.0e11}\n"
    "materials: {m: {density: 7800, young: E, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "               elements: n, offset: [y, z]}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {f: {type: force, on: rod.end, value: [P, 0, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: displacement},\n"
    "         N: {at: rod.at(0.4), quantity: section_force},\n"
    "         M: {at: rod.at(0.4), quantity: section_moment}}\n"
    "analysis: {type: static, newton_tolerance: 1.0e-12}\n";

/* a pull on the nodes' axis, y below the centroids: u = P l/(E A) + P y^2 l/(E I), it bends up by
   P y l^2/(2 E I), and to local z likewise; section forces are those at the centroid */
static void eccentric(void **state) {
    GOS_UNUSED(state);
    const double E = 2e11, A = 2e-4, P = 3e-3, Iz = 0.02e-6 / 12, Iy = 0.01 * 8e-6 / 12;
    verify v;
    verify_text(&v, offset, "y=0.02 z=-0.03");
    verify_static(&v);
    const double u = P / (E * A) + P * 4e-4 / (E * Iz) + P * 9e-4 / (E * Iy);
    verify_near("pull, along", verify_value(&v, NULL, "tip.x") / u, 1, 1e-5);
    verify_near("bends to local y", verify_value(&v, NULL, "tip.y") / (P * 0.02 / (2 * E * Iz)), 1,
                1e-5);
    verify_near("and away from local z",
                verify_value(&v, NULL, "tip.z") / (-P * 0.03 / (2 * E * Iy)), 1, 1e-5);
    verify_near("axial force [N]", verify_value(&v, NULL, "N.N"), P, 1e-5 * P);
    verify_near("moment M2 [N m]", verify_value(&v, NULL, "M.M2"), 0.02 * P, 1e-5 * P);
    verify_near("moment M3 [N m]", verify_value(&v, NULL, "M.M3"), -0.03 * P, 1e-5 * P);
    verify_close(&v);
}

/* two layers on the same nodes are one beam of both thicknesses, by Steiner's theorem: in statics
   and in the first frequencies */
static void layers(void **state) {
    GOS_UNUSED(state);
    static const char one[] =
        "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.03, torsion_constant: 1.0e-7}}\n"
        "bodies: {a: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "             elements: 2}}\n"
        "joints: {r0: {type: clamp, between: [ground, a.start]}}\n"
        "loads: {f: {type: force, on: a.end, value: [0.01, 0.01, 0.02]}}\n"
        "probes: {tip: {at: a.end, quantity: displacement}}\nanalysis: {type: static, "
        "newton_tolerance: 1.0e-12}\n";
    static const char two[] =
        "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.03, torsion_constant: 0.5e-7}}\n"
        "bodies: {a: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "             elements: 2, offset: [0.005, 0]},\n"
        "         b: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "             elements: 2, offset: [-0.005, 0]}}\n"
        "joints: {r0: {type: clamp, between: [ground, a.start]},\n"
        "         r1: {type: clamp, between: [a.start, b.start]}, r2: {type: clamp, between: "
        "[a.node(1), b.node(1)]},\n"
        "         r3: {type: clamp, between: [a.node(2), b.node(2)]}, r4: {type: clamp, between: "
        "[a.node(3), b.node(3)]},\n"
        "         r5: {type: clamp, between: [a.end, b.end]}}\n"
        "loads: {f: {type: force, on: a.end, value: [0.01, 0.01, 0.02]}}\n"
        "probes: {tip: {at: a.end, quantity: displacement}}\nanalysis: {type: static, "
        "newton_tolerance: 1.0e-12}\n";
    double tip[2][GOS_PROBE_MAX];
    gos_mode mode[2][4];
    for (int k = 0; k < 2; k++) {
        verify v;
        gos_linear *linear = NULL;
        int found = 0;
        verify_text(&v, k ? two : one, NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 4, false, mode[k], &found));
        verify_static(&v);
        verify_probe(&v, NULL, "tip", tip[k]);
        gos_linear_destroy(linear);
        verify_close(&v);
    }
    verify_below("two layers less one beam, tip",
                 verify_distance(tip[0], tip[1]) / gos__norm3(tip[0]), 1e-6);
    for (int i = 0; i < 4; i++) {
        verify_near("frequency of two layers", mode[1][i].omega / mode[0][i].omega, 1, 1e-6);
    }
}

/* A bar that hangs by its edge swings about it: omega^2 = m g y/(I_p + m y^2), I_p = rho (Iy + Iz)
 * l. */
static void pendulum(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "materials: {m: {density: 7800, young: 2.0e15, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.2, width: 0.1}}\n"
        "bodies: {bar: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "               elements: 4, offset: [-0.3, 0]}}\n"
        "joints: {a: {type: revolute, between: [ground, bar.start], axis: [1, 0, 0]}}\n"
        "analysis: {end: 1}\n";
    verify v;
    gos_linear *linear = NULL;
    gos_mode mode[2];
    int found = 0;
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 2, false, mode, &found));
    verify_near("swing about the edge [1/s]", mode[0].omega,
                sqrt(9.81 * 0.3 / ((0.04 + 0.01) / 12 + 0.09)), 5e-4);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* Nodes on a circle of 1 m and centroids on one of 1.1 m are a beam there whose ends have rigid
   arms: displacement of the nodes' end by that of the centroid and the turn. Free of stress at
   rest. */
static void curved_offset(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {R: 1, y: -0.1, M: 0, n: 8}\n"
        "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_beam, material: m, section: s, from: [R, 0, 0], to: [0, R, 0],\n"
        "               arc: [\"R/sqrt(2)\", \"R/sqrt(2)\", 0], elements: n, offset: [y, 0]}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
        "loads: {f: {type: force, on: rod.end, value: [1.0e-3, 2.0e-3, 3.0e-3]},\n"
        "        m: {type: moment, on: rod.end, moment: [\"-M*3.0e-3\", 0, \"M*1.0e-3\"]}}\n"
        "probes: {tip: {at: rod.end, quantity: displacement},\n"
        "         turn: {at: rod.end, quantity: rotation_vector}}\n"
        "analysis: {type: static, newton_tolerance: 1.0e-12}\n";
    double tip[2][GOS_PROBE_MAX], turn[2][GOS_PROBE_MAX], cross[3];
    for (int k = 0; k < 2; k++) {
        verify v;
        // the force at (0, 1, 0) makes the moment (0, -0.1, 0) x f about (0, 1.1, 0)
        verify_text(&v, text, k ? "R=1.1 y=0 M=0.1" : NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", tip[k]);
        verify_probe(&v, NULL, "turn", turn[k]);
        verify_close(&v);
    }
    gos__cross3(turn[1], (const double[]){0, -0.1, 0}, cross);
    for (int i = 0; i < 3; i++) {
        tip[1][i] += cross[i];
    }
    verify_below("end of the offset arc less that of the arm",
                 verify_distance(tip[0], tip[1]) / gos__norm3(tip[1]), 2e-4);
    verify_below("its turn", verify_distance(turn[0], turn[1]) / gos__norm3(turn[1]), 2e-4);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width),       cmocka_unit_test(cone),
        cmocka_unit_test(frequencies), cmocka_unit_test(weight_and_heat),
        cmocka_unit_test(eccentric),   cmocka_unit_test(layers),
        cmocka_unit_test(pendulum),    cmocka_unit_test(curved_offset),
    };
    return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
SUITE(suite)
