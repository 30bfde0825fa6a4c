/* What a run must not lose without a word: fixed steps, energy, momentum, the impulse at a kink of
 * a drive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/integrator.h"

static bool warned(const verify *v, const char *what) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (d->status == GOS_OK && strstr(d->text, what)) {
            print_message("    %s: %s\n", d->object ? d->object : "-", d->text);
            return true;
        }
    }
    return false;
}

/* An arm that a body-fixed force pushes, on a hub that spins: by itself, turned and in mm, t, s,
   and twice as long. Modes of the arm are up to a hundred times as fast as the step. */
static const char hub_arm[] =
    "parameters: {n: 20, L: 1.8, I: 1.302e-10, A: 2.5e-4, E: 6.895e10, rho: 2767, JH: 0.25, r0: "
    "0.1, w0: 1}\n"
    "materials: {al: {density: rho, young: E}}\n"
    "sections: {s: {type: general, area: A, Iy: I, Iz: I, J: 2*I}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [JH, JH, JH], points: {root: [r0, 0, 0]}, "
    "angular_velocity: [0, 0, w0]}\n"
    "  arm: {type: ancf_cable, material: al, section: s, from: [r0, 0, 0], to: [r0+L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.root, arm.start]}\n"
    "loads: {tip: {type: force, on: arm.end, value: [4, 0.2, 0], frame: body}}\n"
    "initial: {arm: {angular_velocity: [0, 0, w0], about: [0, 0, 0]}}\n"
    "probes: {theta: {at: hub, quantity: angle, axis: [0, 0, 1]}}\n"
    "analysis: {end: 2, step: 1e-3}\n";

static const char hub_arm_turned[] =
    "parameters: {n: 20, L: 1800, I: 130.2, A: 250, E: 6.895e4, rho: 2.767e-9, JH: 250, r0: "
    "100, w0: 1}\n"
    "materials: {al: {density: rho, young: E}}\n"
    "sections: {s: {type: general, area: A, Iy: I, Iz: I, J: 2*I}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1e-3, inertia: [JH, JH, JH], points: {root: [0, 0.6*r0, 0.8*r0]}, "
    "angular_velocity: [w0, 0, 0]}\n"
    "  arm: {type: ancf_cable, material: al, section: s, from: [0, 0.6*r0, 0.8*r0], to: [0, "
    "0.6*(r0+L), 0.8*(r0+L)], normal: [1, 0, 0], elements: n}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub.node], axis: [1, 0, 0]}\n"
    "  root: {type: clamp, between: [hub.root, arm.start]}\n"
    "loads: {tip: {type: force, on: arm.end, value: [4, 0.2, 0], frame: body}}\n"
    "initial: {arm: {angular_velocity: [w0, 0, 0], about: [0, 0, 0]}}\n"
    "probes: {theta: {at: hub, quantity: angle, axis: [1, 0, 0]}}\n"
    "analysis: {end: 2, step: 1e-3}\n";

/* Fixed steps are kept: the run takes as many as were requested, but for parts of the first, and
   nothing is lost. An angle of the hub is that of steps a fifth as long. */
static double run_arm(const char *text, const char *settings) {
    verify v;
    gos_energy e;
    verify_text(&v, text, settings);
    verify_run(&v);
    const double theta = verify_value(&v, NULL, "theta.value");
    gos_system_energy(v.sys, v.state, &e);
    print_message("    %ld steps of %g s, %ld rejected; theta %.9g\n", v.stats.steps, v.opt.step,
                  v.stats.rejected, theta);
    verify_below("energy balance, of the kinetic energy", fabs(e.balance) / e.kinetic, 1e-3);
    assert_true((double)v.stats.steps < v.opt.end / v.opt.step + 40);
    assert_true(v.stats.rejected <= 20);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
    verify_close(&v);
    return theta;
}

static void fixed_step(void **state) {
    GOS_UNUSED(state);
    const double one = run_arm(hub_arm, ""), fine = run_arm(hub_arm, "analysis.step=2e-4");
    verify_near("with steps a fifth as long", one, fine, 1e-4 * fine);
    verify_near("with steps ten times as long", run_arm(hub_arm, "analysis.step=1e-2"), fine,
                1e-2 * fine);
    verify_near("turned, in mm, t, s", run_arm(hub_arm_turned, ""), one, 1e-6 * one);
    verify_near("twice as long", run_arm(hub_arm, "L=3.6 n=24"),
                run_arm(hub_arm, "L=3.6 n=24 analysis.step=2e-4"), 1e-3);
}

/* A clamped rod that only conducts: rounding of what does not move is no derivative, nor an open
 * balance. */
static void at_rest(void **state) {
    GOS_UNUSED(state);
    static const char rod[] =
        "parameters: {L: 0.1}\n"
        "materials: {m: {density: 7200, young: 1.0e9, conductivity: 35, specific_heat: 440.5}}\n"
        "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [L, 0, 0], "
        "elements: 80}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
        "heat:\n"
        "  cold: {type: temperature, on: rod.start, value: 0}\n"
        "  hot: {type: temperature, on: rod.end, value: \"100*sin(pi*t/40)\"}\n"
        "analysis: {type: dynamic, end: 8, step: 0.05}\n";
    verify v;
    verify_text(&v, rod, "");
    verify_run(&v);
    print_message("    %ld steps, %ld rejected, %ld iterations\n", v.stats.steps, v.stats.rejected,
                  v.stats.iterations);
    assert_int_equal(v.stats.steps, 160);
    assert_int_equal(v.stats.rejected, 0);
    assert_true(v.stats.iterations < 4 * v.stats.steps);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
    verify_close(&v);
}

/* the tangent meets the reference vector, where the section spins and its damping with it: said,
 * with what was got until then */
static void not_kept(void **state) {
    GOS_UNUSED(state);
    static const char rod[] =
        "materials: {m: {density: 1000, young: 1.0e6, damping: {normal: 2.0e-3}}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 4}}\n"
        "gravity: [0, -9.81, 0]\n"
        "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
        "loads: {push: {type: force, on: rod.end, value: [0, 0, 1/(t - 0.1)]}}\n"
        "analysis: {end: 1, step: 2e-4}\n";
    verify v;
    gos_status status = GOS_OK;
    verify_text(&v, rod, "");
    verify_start(&v);
    while (status == GOS_OK && gos_state_time(v.state) < v.opt.end) {
        status = gos_integrator_step(v.run, v.opt.end);
    }
    gos_integrator_statistics(v.run, &v.stats);
    const char *message = gos_ctx_message(v.ctx);
    print_message("    after %ld steps: %s\n", v.stats.steps, message);
    assert_int_equal(status, GOS_E_DIVERGED);
    assert_non_null(strstr(message, "fixed step of 0.0002 s at t = 0.05"));
    assert_non_null(strstr(message, "body 'rod', node "));
    assert_non_null(strstr(message, "Use a smaller `step`, or remove it to use error control"));
    verify_close(&v);
}

/* two bodies joined by a hinge that spin freely: long steps lose angular momentum, short ones do
 * not */
static const char spinning[] =
    "bodies:\n"
    "  a: {type: rigid, mass: 2, inertia: [1, 2, 2.5], position: [0, 0, 0], points: {h: [1, 0, "
    "0]}, angular_velocity: [0.5, 3, 1]}\n"
    "  b: {type: rigid, mass: 1, inertia: [1, 1, 1.5], position: [2, 0, 0], points: {h: [-1, "
    "0, 0]}}\n"
    "joints: {h: {type: spherical, between: [a.h, b.h]}}\n"
    "initial: {b: {angular_velocity: [0.5, 3, 1], about: [0, 0, 0]}}\n"
    "analysis: {end: 10}\n";

static void momentum(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, spinning, "analysis.step=0.08 analysis.rho_infinity=0");
    verify_run(&v);
    assert_true(warned(&v, "momentum drifts"));
    verify_close(&v);
    verify_text(&v, spinning, "analysis.step=0.002");
    verify_run(&v);
    assert_false(warned(&v, "momentum drifts"));
    assert_false(warned(&v, "energy balance has an error"));
    verify_close(&v);
}

/* The drift counts from the start of the run, also when another integrator continues with its
   second half, in which it is less than half as large. */
static void resumed(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, spinning, "analysis.step=0.08 analysis.rho_infinity=0");
    verify_run(&v);
    const gos_conservation whole = ((gos_alpha *)v.run)->watch;
    verify_close(&v);
    verify_text(&v, spinning, "analysis.step=0.08 analysis.rho_infinity=0");
    verify_start(&v);
    while (gos_state_time(v.state) < 5) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_good(&v, gos_integrator_store_history(v.run));
    gos_integrator *first = v.run;
    verify_start(&v); // continues
    gos_integrator_destroy(first);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    assert_true(whole.dl > 0);
    assert_memory_equal(&((gos_alpha *)v.run)->watch, &whole, sizeof whole);
    assert_true(warned(&v, "momentum drifts"));
    verify_close(&v);
}

/* a body swung round by a drive whose rate halves at 0.2 s; drives that are smooth are not named */
static void kink(void **state) {
    GOS_UNUSED(state);
    static const char *const models[] = {
        "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], points: {o: "
        "[-1, 0, 0]}}}\n"
        "joints:\n"
        "  h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}\n"
        "  m: {type: driven_rotation, between: [ground, b.o], axis: [0, 0, 1], angle: "
        "\"10*t*min(t/0.2,1)\"}\n"
        "analysis: {end: 0.5}\n",
        "bodies: {b: {type: rigid, mass: 0.002, inertia: [1000, 1000, 1000], position: [0, 0, "
        "1000], points: {o: [0, 0, -1000]}}}\n"
        "joints:\n"
        "  h: {type: revolute, between: [ground, b.o], axis: [0, 1, 0]}\n"
        "  m: {type: driven_rotation, between: [ground, b.o], axis: [0, 1, 0], angle: "
        "\"10*t*min(t/0.2,1)\"}\n"
        "analysis: {end: 0.5}\n"};
    for (int i = 0; i < GOS_COUNT(models); i++) {
        verify v;
        verify_text(&v, models[i], NULL);
        verify_run(&v);
        assert_true(warned(&v, "its rate jumps by 10 at t = 0.2 s"));
        verify_close(&v);
        verify_text(&v, models[i], "joints.m.angle=10*t*t");
        verify_run(&v);
        assert_false(warned(&v, "its rate jumps"));
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_step), cmocka_unit_test(at_rest),
                                       cmocka_unit_test(not_kept),   cmocka_unit_test(momentum),
                                       cmocka_unit_test(resumed),    cmocka_unit_test(kink)};
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
SUITE(suite)
