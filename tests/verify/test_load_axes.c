/* Forces and moments in the axes of their own body or of another one (theory guide 3.1): motions
   known in closed form, or from Euler's equations; linear models, laws of probes, reduced models
   and turned ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/sanitized.h"
#include "support/suite.h"
#include "support/turn_model.h"

#define TIGHT "analysis.newton_tolerance=1e-8 "

/* a hub that spins at 3 rad/s and feels nothing, its axes turned beforehand by 0.4 rad; a ball
 * beside it */
static const char pair[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 5, inertia: [1, 1, 2], position: [0.3, 0, 0],\n"
    "        rotation_vector: [0, 0, 0.4], angular_velocity: [0, 0, 3]}\n"
    "  ball: {type: rigid, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 1, 0],\n"
    "         points: {side: [0, 0, 0.2]}}\n"
    "probes:\n"
    "  ball: {at: ball, quantity: position}\n"
    "  velocity: {at: ball, quantity: velocity}\n"
    "  spin: {at: ball, quantity: angular_velocity}\n"
    "  hub: {at: hub, quantity: position}\n"
    "  turn: {at: hub, quantity: angular_velocity}\n"
    "  own: {at: ball, quantity: position, frame: hub}\n"
    "  energy: {quantity: energy}\n"
    "analysis: {type: dynamic, end: 1}\n";

static void run(verify *v, const char *model, const char *more, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%s%s", model, more);
    verify_text(v, text, settings);
    verify_run(v);
}

static double value(const verify *v, const char *what) {
    return verify_value(v, NULL, what);
}

/* F in turning axes: m v = F/w (sin(a + w t) - sin a, cos a - cos(a + w t)) with a = 0.4; the hub
   stays as it is. Error: the trapezoidal rule's, h^2 w^2/12 = 7.5e-7 at 1 ms of what turns, times a
   few for numerical damping. */
static void force_of_another(void **state) {
    GOS_UNUSED(state);
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        run(&v, pair, "loads: {jet: {type: force, on: ball, value: [0.7, 0, 0], frame: hub}}\n",
            i ? TIGHT "analysis.step=1e-3" : TIGHT "analysis.step=2e-3");
        const double f = 0.7 / 2 / 3;
        const double vx = f * (sin(3.4) - sin(0.4)), vy = f * (cos(0.4) - cos(3.4));
        error[i] = hypot(value(&v, "velocity.x") - vx, value(&v, "velocity.y") - vy);
        verify_near("the ball does not turn [rad/s]", value(&v, "spin.z"), 0, 1e-12);
        verify_near("the hub stays where it is [m]", value(&v, "hub.x"), 0.3, 1e-12);
        verify_near("and turns as before [rad/s]", value(&v, "turn.z"), 3, 1e-6);
        verify_near("work of the force", value(&v, "energy.work"), (vx * vx + vy * vy), 2e-6);
        verify_close(&v);
    }
    verify_below("velocity, error [m/s]", error[1], 1e-6);
    verify_within("its order", verify_order(error[0], error[1], 2), 1.9, 2.1);
}

/* M in turning axes, on a body with equal moments of inertia: I w = L, L' = R_hub M */
static void moment_of_another(void **state) {
    GOS_UNUSED(state);
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        run(&v, pair, "loads: {twist: {type: moment, on: ball, moment: [0.7, 0, 0], frame: hub}}\n",
            i ? TIGHT "analysis.step=1e-3" : TIGHT "analysis.step=2e-3");
        const double f = 0.7 / 0.5 / 3;
        const double wx = f * (sin(3.4) - sin(0.4)), wy = f * (cos(0.4) - cos(3.4));
        error[i] = hypot(value(&v, "spin.x") - wx, value(&v, "spin.y") - wy);
        verify_near("the ball stays [m]", value(&v, "ball.x"), 0, 1e-12);
        verify_near("the hub turns as before [rad/s]", value(&v, "turn.z"), 3, 1e-6);
        verify_near("work of the moment", value(&v, "energy.work"), 0.25 * (wx * wx + wy * wy),
                    2e-6);
        verify_close(&v);
    }
    verify_below("angular velocity, error [rad/s]", error[1], 2e-6);
    verify_within("its order", verify_order(error[0], error[1], 2), 1.9, 2.1);
}

/* ---- Euler's equations ----------------------------------------------------------------------- */

static const double inertia[3] = {0.3, 0.5, 0.7}, torque[3] = {0.4, -0.2, 0.3};

static void euler(const double w[3], double dw[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        dw[i] = (torque[i] + (inertia[j] - inertia[k]) * w[j] * w[k]) / inertia[i];
    }
}

/* by Runge and Kutta in 2000 steps: (5e-4)^4 */
static void reference(double w[3]) {
    const double h = 1.0 / 2000, at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int n = 0; n < 2000; n++) {
        double k[3] = {0}, sum[3] = {0}, y[3];
        for (int s = 0; s < 4; s++) {
            for (int c = 0; c < 3; c++) {
                y[c] = w[c] + at[s] * h * k[c];
            }
            euler(y, k);
            for (int c = 0; c < 3; c++) {
                sum[c] += weight[s] * k[c] * h / 6;
            }
        }
        for (int c = 0; c < 3; c++) {
            w[c] += sum[c];
        }
    }
}

/* a moment that is constant in the axes of an unsymmetric body; the body's name says the same as
 * `body` */
static void moment_in_body_axes(void **state) {
    GOS_UNUSED(state);
    static const char *const frames[] = {"body", "box"};
    double w[3] = {1, 2, -1}, error[2];
    reference(w);
    for (int n = 0; n < 4; n++) {
        char text[1000];
        double y[GOS_PROBE_MAX];
        verify v;
        snprintf(text, sizeof text,
                 "bodies: {box: {type: rigid, mass: 2, inertia: [0.3, 0.5, 0.7],\n"
                 "         rotation_vector: [0.3, -0.8, 0.5],\n"
                 "         angular_velocity: [\"%.17g\", \"%.17g\", \"%.17g\"]}}\n"
                 "probes:\n"
                 "  spin: {at: box, quantity: angular_velocity, frame: box}\n"
                 "  energy: {quantity: energy}\n"
                 "loads: {m: {type: moment, on: box, moment: [0.4, -0.2, 0.3], frame: %s}}\n"
                 "analysis: {type: dynamic, end: 1}\n",
                 0.0, 0.0, 0.0, frames[n / 2]);
        // the initial angular velocity is given in global axes
        const double u[3] = {0.3, -0.8, 0.5}, own[3] = {1, 2, -1};
        double R[9], g[3];
        turn_rotation(u, R);
        turn_times(R, own, g);
        char settings[400];
        snprintf(settings, sizeof settings,
                 TIGHT "analysis.step=%g bodies.box.angular_velocity=[%.17g,%.17g,%.17g]",
                 n % 2 ? 1e-3 : 2e-3, g[0], g[1], g[2]);
        verify_text(&v, text, settings);
        verify_run(&v);
        verify_probe(&v, NULL, "spin", y);
        error[n % 2] = verify_distance(y, w);
        verify_below("its energy balance [J]", value(&v, "energy.balance"), 1e-4);
        verify_close(&v);
        if (n % 2) {
            // 3 rad/s in steps of 1e-3: (3e-3)^2 of 3 rad/s
            verify_below("angular velocity in body axes, error [rad/s]", error[1], 2.7e-5);
            verify_within("its order", verify_order(error[0], error[1], 2), 1.9, 2.1);
        }
    }
}

/* ---- linear models --------------------------------------------------------------------------- */

/* Two arms of length L on pins with springs k, each pressed with P along the axis of one of them
   (dead, its own, the other's): I a_i'' = -k a_i - P L sin(a_j - a_i) with a_j the angle of the
   axes. */
static const char arms[] =
    "parameters: {P: 6, k: 20}\n"
    "bodies:\n"
    "  one: {type: rigid, mass: 1, inertia: [1, 1, 1.75], position: [0, 0, 0],\n"
    "        points: {tip: [0.5, 0, 0]}}\n"
    "  two: {type: rigid, mass: 1, inertia: [1, 1, 1.75], position: [0, 2, 0],\n"
    "        points: {tip: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  a: {type: revolute, between: [ground, one.centre], axis: [0, 0, 1]}\n"
    "  b: {type: revolute, between: [ground, two.centre], axis: [0, 0, 1]}\n"
    "loads:\n"
    "  ka: {type: torsion_spring, between: [ground, one], axis: [0, 0, 1], stiffness: k}\n"
    "  kb: {type: torsion_spring, between: [ground, two], axis: [0, 0, 1], stiffness: k}\n"
    "  pa: {type: force, on: one.tip, value: [-P, 0, 0]}\n"
    "  pb: {type: force, on: two.tip, value: [-P, 0, 0]}\n"
    "probes: {one: {at: one, quantity: angle}}\n"
    "analysis: {end: 1}\n";

static void stiffness(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what, *settings;
        double k[2];
    } all[] = {
        {"dead", NULL, {17, 17}},
        {"their own", "loads.pa.frame=body loads.pb.frame=body", {20, 20}},
        {"the other's", "loads.pa.frame=two loads.pb.frame=one", {14, 20}},
    };
    for (int i = 0; i < 3; i++) {
        verify v;
        gos_linear *linear;
        gos_mode mode[3];
        int found;
        verify_text(&v, arms, all[i].settings);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 2, true, mode, &found));
        assert_int_equal(found, 2);
        for (int k = 0; k < 2; k++) {
            verify_near(all[i].what, mode[k].omega, sqrt(all[i].k[k] / 1.75), 1e-9);
        }
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* ---- laws of probes -------------------------------------------------------------------------- */

/* -k R^T x in the axes of the hub is -k x in space, however the hub turns: an oscillator about the
 * hub's node */
static void laws_of_probes(void **state) {
    GOS_UNUSED(state);
    verify v;
    run(&v, pair,
        "loads: {law: {type: force, on: ball, value: [-50*own.x, -50*own.y, -50*own.z],\n"
        "              frame: hub}}\n",
        TIGHT "analysis.step=1e-3");
    const double w = 5; // sqrt(50/2)
    // the phase w t is off by h^2 w^2/12, and some more by numerical damping
    verify_near("x of the ball [m]", value(&v, "ball.x"), 0.3 - 0.3 * cos(w), 2e-5);
    verify_near("y of the ball [m]", value(&v, "ball.y"), cos(w), 2e-5);
    verify_near("the hub stays where it is [m]", value(&v, "hub.x"), 0.3, 1e-12);
    verify_close(&v);
}

/* ---- elastic bodies -------------------------------------------------------------------------- */

/* Loads at the end of a cable or beam in the axes of a clamped body, which never turn, are dead
 * loads. */
static void elastic(void **state) {
    GOS_UNUSED(state);
    static const char *const types[] = {"ancf_cable", "ancf_beam"};
    for (int i = 0; i < 4; i++) {
        char text[2000];
        double tip[2][3];
        for (int k = 0; k < 2; k++) {
            // (1, 2, 3) turned by 90 degrees about z is (-2, 1, 3)
            verify v;
            const char *const load =
                i / 2 == 0
                    ? (k ? "force, value: [-2, 1, 3]" : "force, value: [1, 2, 3], frame: hub")
                    : (k ? "moment, moment: [-2, 1, 3]" : "moment, moment: [1, 2, 3], frame: hub");
            snprintf(text, sizeof text,
                     "materials: {rubber: {density: 1000, young: 1e7, poisson: 0.3}}\n"
                     "sections: {bar: {type: rectangle, height: 0.05, width: 0.05}}\n"
                     "bodies:\n"
                     "  rod: {type: %s, material: rubber, section: bar, from: [0, 0, 0],\n"
                     "        to: [1, 0, 0], elements: 4, normal: [0, 0, 1]}\n"
                     "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 3, 0],\n"
                     "        rotation_vector: [0, 0, \"pi/2\"]}\n"
                     "joints:\n"
                     "  root: {type: clamp, between: [ground, rod.start]}\n"
                     "  fix: {type: clamp, between: [ground, hub]}\n"
                     "loads: {tip: {on: rod.end, type: %s}}\n"
                     "probes: {tip: {at: rod.end, quantity: position}}\n"
                     "analysis: {type: static}\n",
                     types[i % 2], load);
            verify_text(&v, text, NULL);
            verify_static(&v);
            verify_probe(&v, NULL, "tip", tip[k]);
            verify_close(&v);
        }
        verify_below(i / 2 ? "moment, difference of the tip [m]"
                           : "force, difference of the tip [m]",
                     verify_distance(tip[0], tip[1]), 1e-7);
        assert_true(fabs(tip[0][1]) > 0.01 && fabs(tip[0][2]) > 0.01);
    }
}

/* ---- reduced and turned ---------------------------------------------------------------------- */

/* an arm on a hub, its tip pushed across in the hub's axes: the hub spins up under it */
static const char arm[] =
    "materials: {rubber: {density: 1000, young: 5e7}}\n"
    "sections: {bar: {type: rectangle, height: 0.05, width: 0.05}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 5, inertia: [1, 1, 1]}\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 8, normal: [0, 0, 1]}\n"
    "  far: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 3, 0],\n"
    "        angular_velocity: [0, 0, 2]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub, rod.start]}\n"
    "  axle: {type: revolute, between: [ground, far.centre], axis: [0, 0, 1]}\n"
    "loads:\n"
    "  push: {type: force, on: rod.end, value: [0, \"5*(1-cos(2*t))\", 0], frame: hub}\n"
    "  other: {type: force, on: \"rod.at(0.5)\", value: [0, 4, 0], frame: far}\n"
    "  twist: {type: moment, on: rod.end, moment: [0, 0, 0.5], frame: far}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  own: {at: rod.end, quantity: position, frame: hub}\n"
    "  energy: {quantity: energy}\n"
    "analysis: {end: 1, step: 2e-3, newton_tolerance: 1e-8}\n";

static void reduced(void **state) {
    GOS_UNUSED(state);
    double tip[2][GOS_PROBE_MAX], own[GOS_PROBE_MAX];
    verify v;
    verify_text(&v, arm,
                "reduction.method=rotation_closed reduction.fields=polynomials reduction.number=8");
    verify_run(&v);
    verify_probe(&v, NULL, "tip", tip[0]);
    verify_probe(&v, NULL, "own", own);
    verify_below("energy balance of the full model, of the work",
                 value(&v, "energy.balance") / value(&v, "energy.work"), 1e-3);
    verify_close(&v);
    verify r;
    gos_system *small;
    verify_text(&r, arm,
                "reduction.method=rotation_closed reduction.fields=polynomials reduction.number=8");
    verify_good(&r, gos_reduce(r.ctx, r.sys, &small));
    gos_state_destroy(r.state);
    gos_system *const whole = r.sys; // the reduced one refers to it
    r.sys = small;
    verify_good(&r, gos_state_create(r.ctx, r.sys, &r.state));
    verify_run(&r);
    verify_probe(&r, NULL, "tip", tip[1]);
    gos_state_destroy(r.state);
    gos_integrator_destroy(r.run);
    gos_system_destroy(small);
    r.state = NULL;
    r.run = NULL;
    r.sys = whole;
    verify_close(&r);
    print_message("    tip %g %g %g, in the axes of the hub %g %g\n", tip[0][0], tip[0][1],
                  tip[0][2], own[0], own[1]);
    assert_true(fabs(own[1]) > 0.01);
    verify_below("tip of the reduced model, difference [m]", verify_distance(tip[0], tip[1]), 1e-3);
}

static void turned_model(void **state) {
    GOS_UNUSED(state);
    const double r[3] = {0.4, -1.1, 0.7};
    double tip[2][GOS_PROBE_MAX], R[9], want[3];
    for (int i = 0; i < 2; i++) {
        verify v = {.ctx = gos_ctx_create()};
        verify_good(&v, gos_model_parse(v.ctx, arm, strlen(arm), "test", NULL, &v.model));
        if (i) {
            turn_model(&v, r, 1000, 1e-3);
        }
        verify_compile(&v);
        verify_run(&v);
        verify_probe(&v, NULL, "tip", tip[i]);
        verify_close(&v);
    }
    turn_rotation(r, R);
    turn_times(R, tip[0], want);
    for (int c = 0; c < 3; c++) {
        tip[1][c] /= 1000;
    }
    verify_below("turned, in mm and t, difference of the tip [m]", verify_distance(tip[1], want),
                 1e-7);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_of_another),
                                       cmocka_unit_test(moment_of_another),
                                       cmocka_unit_test(moment_in_body_axes),
                                       cmocka_unit_test(stiffness),
                                       cmocka_unit_test(laws_of_probes),
                                       cmocka_unit_test(elastic),
                                       cmocka_unit_test(reduced),
                                       cmocka_unit_test(turned_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
