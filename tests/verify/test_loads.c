/* Loads, springs, driven joints and switching times in motion and at rest: what they do to a body
   is known in closed form, and their work must close the energy balance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define TIGHT "analysis.newton_tolerance=1e-8 "

/* a free body of 2 kg; tests add joints and loads */
static const char body[] =
    "bodies: {box: {type: rigid, mass: 2, inertia: [0.3, 0.5, 0.7], points: {arm: [0.5, 0, 0]}}}\n"
    "probes:\n"
    "  box: {at: box, quantity: position}\n"
    "  velocity: {at: box, quantity: velocity}\n"
    "  spin: {at: box, quantity: angular_velocity}\n"
    "  energy: {quantity: energy}\n"
    "analysis: {type: dynamic, end: 1}\n";

static void run_body(verify *v, const char *more, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%s%s", body, more);
    verify_text(v, text, settings);
    verify_run(v);
}

static double value(const verify *v, const char *what) {
    return verify_value(v, NULL, what);
}

/* ---- switching times ------------------------------------------------------------------------- */

/* A pulse of 20 N from 0.1 to 0.11 s on 2 kg: exactly 0.1 m/s afterwards, for any steps, and
   then 0.1 (1 - 0.105) m: a scheme of second order is exact for piecewise constant accelerations
   whose jumps are step boundaries. Missing or smearing a switch would be off by a step, 10 %% and
   more. */
static void pulse(void **state) {
    GOS_UNUSED(state);
    static const char load[] =
        "loads: {kick: {type: force, on: box, value: [\"20*(t>0.1)*(t<0.11)\", 0, 0]}}\n";
    static const char *const settings[] = {"analysis.step=0.03", "analysis.step=0.004",
                                           "analysis.tolerance=1e-2", "analysis.tolerance=1e-6"};
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        verify v;
        run_body(&v, load, settings[i]);
        print_message("    %s: %ld steps, %ld restarts\n", settings[i], v.stats.steps,
                      v.stats.restarts);
        assert_int_equal(v.stats.restarts, 2);
        verify_near("velocity after the pulse", value(&v, "velocity.x"), 0.1, 1e-9);
        verify_near("way after the pulse", value(&v, "box.x"), 0.1 * (1 - 0.105), 1e-9);
        verify_near("work of the pulse", value(&v, "energy.work"), 0.5 * 2 * 0.01, 1e-9);
        verify_close(&v);
    }
}

/* ---- forces and moments ---------------------------------------------------------------------- */

/* a force with a lever arm in body axes turns with the body: about z the body turns under F d
   alone */
static void follower(void **state) {
    GOS_UNUSED(state);
    static const char load[] =
        "loads: {jet: {type: force, on: box.arm, value: [0, 0.7, 0], frame: body}}\n";
    verify v;
    run_body(&v, load, TIGHT "analysis.step=1e-3");
    /* I w' = F d: w = 0.35/0.7 t */
    verify_near("spin under a follower force", value(&v, "spin.z"), 0.5, 1e-6);
    /* m v' = F (-sin(t^2/4), cos(t^2/4)): Fresnel-like integrals by fine Simpson quadrature */
    double vx = 0, vy = 0;
    enum { PARTS = 2000 };
    for (int i = 0; i <= PARTS; i++) {
        const double t = (double)i / PARTS, w = (i == 0 || i == PARTS ? 1
                                                 : i % 2              ? 4
                                                                      : 2) /
                                                (3.0 * PARTS);
        vx -= w * 0.35 * sin(0.25 * t * t);
        vy += w * 0.35 * cos(0.25 * t * t);
    }
    verify_near("velocity x", value(&v, "velocity.x"), vx, 1e-6);
    verify_near("velocity y", value(&v, "velocity.y"), vy, 1e-6);
    verify_below("its energy balance", value(&v, "energy.balance"), 1e-6);
    verify_close(&v);
    /* the dead force makes v_y = F t/m exactly */
    run_body(&v, "loads: {pull: {type: force, on: box, value: [0, 0.7, 0]}}\n",
             TIGHT "analysis.step=1e-2");
    verify_near("velocity under a dead force", value(&v, "velocity.y"), 0.35, 1e-9);
    verify_close(&v);
}

/* torque about a principal axis, space and body axes: w = tau t/I */
static void torque(void **state) {
    GOS_UNUSED(state);
    static const char *const frames[] = {"global", "body"};
    for (int i = 0; i < 2; i++) {
        double spin[2], balance[2];
        for (int k = 0; k < 2; k++) {
            verify v;
            char load[200];
            snprintf(load, sizeof load,
                     "loads: {turn: {type: moment, on: box, moment: [0, \"1+t\", 0], frame: %s}}\n",
                     frames[i]);
            run_body(&v, load, k ? TIGHT "analysis.step=1e-3" : TIGHT "analysis.step=2e-3");
            spin[k] = fabs(value(&v, "spin.y") - 1.5 / 0.5);
            balance[k] = fabs(value(&v, "energy.balance"));
            verify_close(&v);
        }
        /* 3 rad/s in steps of 1e-3: (3e-3)^2 of 3 rad/s */
        verify_below("spin under a torque, error", spin[1], 2.7e-5);
        verify_within("its order", verify_order(spin[0], spin[1], 2), 1.9, 2.1);
        verify_within("order of its energy balance", verify_order(balance[0], balance[1], 2), 1.9,
                      2.1);
    }
}

/* ---- springs --------------------------------------------------------------------------------- */

/* mass on a spring with damper, released 0.1 m out of its free length: x'' + 2 z w x' + w^2 x =
   0 */
static void oscillator(void **state) {
    GOS_UNUSED(state);
    static const char spring[] =
        "loads: {spring: {type: spring, between: [ground, box], at: [-1, 0, 0], stiffness: 200,\n"
        "                 damping: 4, free_length: 0.9}}\n";
    const double w = sqrt(100), z = 4 / (2 * 2 * w), wd = w * sqrt(1 - z * z);
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        run_body(&v, spring, i ? TIGHT "analysis.step=1e-3" : TIGHT "analysis.step=2e-3");
        const double want = 0.1 * exp(-z * w) * (cos(wd) + z * w / wd * sin(wd)) - 0.1;
        error[i] = fabs(value(&v, "box.x") - want);
        verify_close(&v);
    }
    verify_below("mass on a spring, error after 1 s [m]", error[1], 1e-5);
    verify_within("its order", verify_order(error[0], error[1], 2), 1.9, 2.1);
}

/* ---- driven joints --------------------------------------------------------------------------- */

/* the drive carries 2 kg: x = 0.1 sin 3 t, force on the body m x'', work = kinetic energy */
static void driven(void **state) {
    GOS_UNUSED(state);
    static const char drive[] =
        "joints: {shaker: {type: driven, between: [ground, box],\n"
        "                  displacement: [\"0.1*sin(3*t)\", \"t^2\", 0]}}\n";
    verify v;
    run_body(&v, drive, TIGHT "analysis.step=1e-3");
    /* functions of time are taken 1e-12 of the run before its end, as before a switch */
    verify_near("driven place x", value(&v, "box.x"), 0.1 * sin(3), 1e-11);
    verify_near("driven place y", value(&v, "box.y"), 1, 1e-11);
    verify_near("its velocity x", value(&v, "velocity.x"), 0.3 * cos(3), 1e-5);
    verify_near("its velocity y", value(&v, "velocity.y"), 2, 1e-5);
    /* c = x0 + u - x, M a + C^T lambda = 0: lambda = m u'' */
    verify_near("force of the drive x", v.state->lam[6], -2 * 0.9 * sin(3), 1e-4);
    verify_near("force of the drive y", v.state->lam[7], 2 * 2, 1e-4);
    verify_below("energy balance", value(&v, "energy.balance") / value(&v, "energy.kinetic"), 1e-5);
    verify_close(&v);
}

/* at t = 0, before any step, the driven place has the acceleration of its function */
static void driven_start(void **state) {
    GOS_UNUSED(state);
    static const char drive[] =
        "joints: {shaker: {type: driven, between: [ground, box],\n"
        "                  displacement: [\"0.05*(1 - cos(6*t))\", \"0.4*t\", 0]}}\n"
        "initial: {box: {velocity: [0, 0.4, 0]}}\n";
    verify v;
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%s%s", body, drive);
    verify_text(&v, text, NULL);
    verify_start(&v);
    /* second derivatives of functions of time are differences, exact to 1e-5 */
    verify_near("acceleration of the drive", v.state->a[0], 0.05 * 36, 2e-5);
    verify_near("velocity of the drive", v.state->v[1], 0.4, 1e-9);
    verify_close(&v);
    /* a velocity that does not fit the drive is corrected, and said to be */
    snprintf(text, sizeof text, "%s%s", body, drive);
    verify_text(&v, text, "initial.box.velocity=[0,0.3,0]");
    verify_start(&v);
    verify_near("corrected velocity", v.state->v[1], 0.4, 1e-9);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 1);
    verify_close(&v);
}

/* one component driven, given as a position; the others stay free */
static void driven_position(void **state) {
    GOS_UNUSED(state);
    static const char drive[] =
        "gravity: [0, -10, 0]\n"
        "joints: {lift: {type: driven, between: [box, ground], position: [\"0.5*t^2\", 0, 0],\n"
        "                components: x}}\n";
    verify v;
    run_body(&v, drive, TIGHT "analysis.step=1e-2");
    verify_near("driven x", value(&v, "box.x"), 0.5, 1e-11);
    verify_near("free y", value(&v, "box.y"), -5, 1e-9);
    verify_close(&v);
}

/* ---- at rest --------------------------------------------------------------------------------- */

static const char rope[] =
    "parameters: {n: 4, E: 1.0e5, g: 10, F: 20, k: 1.0e-9}\n"
    "gravity: [0, 0, -g]\n"
    "materials: {m: {density: 1000, young: E}}\n"
    "sections: {s: {type: circle, radius: 0.01}}\n"
    "bodies: {rope: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 0, -1],\n"
    "                elements: n}}\n"
    "joints: {hook: {type: spherical, between: [ground, rope.start]}}\n"
    "loads:\n"
    "  bob: {type: force, on: rope.end, value: [0, 0, -F]}\n"
    "  spring: {type: spring, between: [rope.end, ground], at: [0, 0, -2], stiffness: k,\n"
    "           free_length: 0.5}\n"
    "probes:\n"
    "  hook: {joint: hook, quantity: joint_force}\n"
    "  N: {at: rope.at(0.5), quantity: section_force}\n"
    "  end: {at: rope.end, quantity: position}\n"
    "analysis: {type: static}\n";

static const double ROPE_A = M_PI * 1e-4;

/* stretch under the force T: E A (l^2 - 1)/2 l = T, the resultant conjugate to Green-Lagrange
   strain being the force over the stretch */
static double stretch(double T) {
    double l = 1;
    for (int i = 0; i < 60; i++) {
        l -= (0.5e5 * ROPE_A * (l * l - 1) * l - T) / (0.5e5 * ROPE_A * (3 * l * l - 1));
    }
    return l;
}

/* A rope hangs under its weight and a bob, half as long again: length and forces, the sign of the
   joint force (on the first side, here the ground). */
static void hanging(void **state) {
    GOS_UNUSED(state);
    const double weight = 10 * 1000 * ROPE_A, l = stretch(20 + 0.5 * weight);
    double length = 0;
    enum { PARTS = 200 };
    for (int i = 0; i <= PARTS; i++) {
        const double w = (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) / (3.0 * PARTS);
        length += w * stretch(20 + weight * i / PARTS);
    }
    verify v;
    verify_text(&v, rope, NULL);
    verify_static(&v);
    verify_near("force on the ground", value(&v, "hook.z"), -(20 + weight), 1e-8);
    verify_near("length of the rope", -value(&v, "end.z"), length, 1e-8);
    /* inside an element the strain is of second order: (L/8)^2 of its change over the rope */
    verify_near("axial resultant in the middle", value(&v, "N.N"), 0.5e5 * ROPE_A * (l * l - 1),
                1e-4);
    verify_close(&v);
}

/* a spring pulls it down to 2 m: k (2 - z - 0.5) at the end */
static void on_a_spring(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, rope, "g=0 F=0 k=50");
    verify_static(&v);
    const double z = -value(&v, "end.z");
    verify_near("end on a spring", z, stretch(50 * (1.5 - z)), 1e-9);
    verify_near("force of the spring", value(&v, "hook.z"), -50 * (1.5 - z), 1e-9);
    assert_true(z > 1.1);
    verify_close(&v);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* A mechanism with everything that does work: driven joint, damped hot cable, rigid body, spring
   with damper, follower force, moments, gravity, a load that switches. Its energy balance closes
   with the second power of the step. */
static const char mechanism[] =
    "gravity: [0, -9.81, 0]\n"
    "materials:\n"
    "  m: {density: 1000, young: 1.0e6, conductivity: 1, specific_heat: 100, expansion: 1.0e-3,\n"
    "      damping: {normal: 5.0e-3}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.04}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0.8, 0, 0], "
    "elements: 4}\n"
    "  box: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.9, 0, 0],\n"
    "        points: {left: [-0.1, 0, 0], right: [0.1, 0, 0]}}\n"
    "joints:\n"
    "  shaker: {type: driven, between: [ground, rod.start],\n"
    "           displacement: [\"0.05*(1 - cos(6*t))\", \"0.1*t^2\", 0]}\n"
    "  grip: {type: clamp, between: [rod.end, box.left]}\n"
    "loads:\n"
    "  jet: {type: force, on: box.right, value: [0, 3, 0.1], frame: body}\n"
    "  pull: {type: force, on: rod.at(0.3), value: [1, \"2*(t>0.15)\", 0]}\n"
    "  turn: {type: moment, on: box, moment: [0, 0, 0.2], frame: body}\n"
    "  bend: {type: moment, on: rod.at(0.4), moment: [0, 0, -0.3]}\n"
    "  spring: {type: spring, between: [ground, box.right], at: [1, 1, 0], stiffness: 20, damping: "
    "2,\n"
    "           free_length: 0.7}\n"
    "heat: {lamp: {type: flux, on: rod.top, value: 2.0e4}}\n"
    "probes: {energy: {quantity: energy}}\n"
    "analysis: {type: dynamic, end: 0.4}\n";

static void all_together(void **state) {
    GOS_UNUSED(state);
    double balance[3];
    for (int i = 0; i < 3; i++) {
        verify v;
        char settings[100];
        snprintf(settings, sizeof settings, TIGHT "analysis.step=%.17g", 1e-3 / (1 << i));
        verify_text(&v, mechanism, settings);
        verify_run(&v);
        balance[i] = fabs(value(&v, "energy.balance"));
        if (i == 2) {
            print_message(
                "    kinetic %.4g, strain %.4g, gravity %.4g, dissipated %.4g, work %.4g, "
                "thermal work %.4g J\n",
                value(&v, "energy.kinetic"), value(&v, "energy.strain"),
                value(&v, "energy.gravity"), value(&v, "energy.dissipated"),
                value(&v, "energy.work"), value(&v, "energy.thermal_work"));
            verify_below("energy balance over the work",
                         balance[i] / fabs(value(&v, "energy.work")), 1e-4);
        }
        verify_close(&v);
    }
    verify_within("order of the energy balance", verify_order(balance[1], balance[2], 2), 1.9, 2.1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulse),        cmocka_unit_test(follower),
        cmocka_unit_test(torque),       cmocka_unit_test(oscillator),
        cmocka_unit_test(driven),       cmocka_unit_test(driven_position),
        cmocka_unit_test(driven_start), cmocka_unit_test(hanging),
        cmocka_unit_test(on_a_spring),  cmocka_unit_test(all_together),
    };
    return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
SUITE(suite)
