/* Slack cables and beams: longer than the distance of their ends, free of stress when straight.
   They begin as the catenary, and are in equilibrium there but for their stiffness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

/* Ends at (0, 0, 0) and (2, up, 0), gravity along -y, weight per length 1 N/m. Level, with the
   length 2 sinh 1: the catenary of the parameter a = 1, lowest in the middle, sag cosh 1 - 1. */
static const char form[] =
    "parameters: {n: 32, L: 2*sinh(1), up: 0, EA: 1.0e6, EI: 1.0e-6, k: 1, g: 10}\n"
    "gravity: [0, -g, 0]\n"
    "materials: {m: {density: \"1/(g*1.0e-3)\", young: EA/1.0e-3}}\n"
    "sections: {s: {type: general, area: 1.0e-3, Iz: EI*1.0e-3/EA, Iy: k*EI*1.0e-3/EA}}\n"
    "bodies: {rope: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, up, 0],\n"
    "                length: L, elements: n, frame: %s}}\n"
    "joints: {a: {type: spherical, between: [ground, rope.start]}%s}\n"
    "probes: {mid: {at: rope.node(n/2)}, end: {at: rope.end},\n"
    "         pull: {joint: a, quantity: joint_force},\n"
    "         N: {at: rope.at(0.3*L), quantity: section_force},\n"
    "         M: {at: rope.at(0.3*L), quantity: section_moment}}\n"
    "analysis: {type: %s, newton_tolerance: 1.0e-10}\n";

#define HELD ", b: {type: spherical, between: [ground, rope.end]}"

static void open_rope(verify *v, const char *frame, const char *held, const char *analysis,
                      const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, form, frame, held, analysis);
    verify_text(v, text, settings);
}

/* nodes at equal lengths: s = sinh(1) + sinh(x - 1), y = cosh(x - 1) - cosh(1); a beam begins
 * there, too */
static void shape(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 2; k++) {
        verify v;
        if (k) {
            verify_text(&v,
                        "gravity: [0, -9.81, 0]\nmaterials: {m: {density: 1, young: 1}}\n"
                        "sections: {s: {type: circle, radius: 0.1}}\n"
                        "bodies: {rope: {type: ancf_beam, material: m, section: s, length: "
                        "2*sinh(1), from: [0, 0, 0], to: [2, 0, 0], elements: 5}}\n"
                        "analysis: {end: 1}\n",
                        NULL);
        } else {
            open_rope(&v, "auto", HELD, "static", "n=6");
        }
        const gos_body *b = v.sys->body[0];
        verify_near("length [m]", b->length, 2 * sinh(1), 1e-15);
        for (int i = 0; i < b->nnode; i++) {
            const double s = b->length * i / (b->nnode - 1), x = 1 + asinh(s - sinh(1));
            const double want[3] = {x, cosh(x - 1) - cosh(1), 0};
            assert_true(verify_distance(v.state->q + 3 * b->node_v[i], want) < 1e-13);
        }
        verify_close(&v);
    }
}

/* it hangs where it begins, but for its extension, H/EA = 1e-6 of the length, and layers of
   sqrt(EI/H) = 1e-3 m where it is bent; forces w a across, half the weight along gravity */
static void level(void **state) {
    GOS_UNUSED(state);
    verify v;
    open_rope(&v, "auto", HELD, "static", NULL);
    verify_static(&v);
    verify_near("horizontal force [N]", fabs(verify_value(&v, NULL, "pull.x")), 1, 2e-5);
    verify_near("vertical force [N]", fabs(verify_value(&v, NULL, "pull.y")), sinh(1), 1e-9);
    verify_near("lowest point [m]", verify_value(&v, NULL, "mid.y"), 1 - cosh(1), 1e-5);
    const double s =
        0.4 * sinh(1); // of the section from the middle: tension is sqrt(H^2 + (w s)^2)
    verify_near("tension at 0.3 of the length [N]", verify_value(&v, NULL, "N.N"), sqrt(1 + s * s),
                2e-3);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
    verify_close(&v);
}

/* ends at unlike heights: a by bisection of sqrt(l^2 - v^2) = 2 a sinh(H/(2 a)) */
static void inclined(void **state) {
    GOS_UNUSED(state);
    const double H = 2, up = 0.7, l = 2.8;
    double low = 0.05, high = 50;
    for (int i = 0; i < 200; i++) {
        const double a = 0.5 * (low + high);
        *(2 * a * sinh(H / (2 * a)) > sqrt(l * l - up * up) ? &low : &high) = a;
    }
    const double a = low, x0 = H / 2 - a * atanh(up / l);
    const double x = x0 + a * asinh(l / 2 / a - sinh(x0 / a));
    verify v;
    open_rope(&v, "auto", HELD, "static", "up=0.7 L=2.8 n=64");
    verify_static(&v);
    verify_near("horizontal force [N]", fabs(verify_value(&v, NULL, "pull.x")), a, 2e-5);
    verify_near("vertical force [N]", fabs(verify_value(&v, NULL, "pull.y")), a * sinh(x0 / a),
                2e-5);
    verify_near("middle of the length, x [m]", verify_value(&v, NULL, "mid.x"), x, 2e-5);
    verify_near("middle of the length, y [m]", verify_value(&v, NULL, "mid.y"),
                a * (cosh((x - x0) / a) - cosh(x0 / a)), 2e-5);
    verify_close(&v);
}

/* Free of stress when straight: at t = 0 it has the moment E I k of its shape, in the section's own
   direction whatever frame it has; k = 1/(a cosh^2) = 1/(1 + s^2). */
static void moments(void **state) {
    GOS_UNUSED(state);
    static const char *const frames[2] = {"reference", "transported"};
    const double s = 0.4 * sinh(1), want = 1 / (1 + s * s);
    for (int k = 0; k < 2; k++) {
        verify v;
        open_rope(&v, frames[k], HELD, "dynamic, end: 1", "EI=1 k=3 n=64");
        verify_near("curvature to local y [1/m]", verify_value(&v, NULL, "M.M2"), want, 1e-4);
        verify_near("curvature to local z", verify_value(&v, NULL, "M.M3"), 0, 1e-12);
        verify_close(&v);
    }
}

/* one end is let go: nothing that is stored is lost */
static void falls(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_energy e;
    double end[GOS_PROBE_MAX];
    open_rope(&v, "auto", "", "dynamic, end: 0.5, tolerance: 1.0e-4, rho_infinity: 1",
              "n=16 EA=1.0e3 EI=1.0e-2 analysis.newton_tolerance=0.01");
    verify_run(&v);
    gos_system_energy(v.sys, v.state, &e);
    verify_probe(&v, NULL, "end", end);
    verify_within("height of the end, below free fall [m]", end[1], -2, -1.25);
    verify_within("kinetic energy [J]", e.kinetic, 0.2, 10);
    verify_below("energy balance over the kinetic energy", e.balance / e.kinetic, 2e-3);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape),   cmocka_unit_test(level), cmocka_unit_test(inclined),
        cmocka_unit_test(moments), cmocka_unit_test(falls),
    };
    return cmocka_run_group_tests_name("slack", tests, NULL, NULL);
}
SUITE(suite)
