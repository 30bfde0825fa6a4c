/* Amounts of loads and heat that depend on probes: a hub held by a PD law, against the damped
   oscillator that it is, its poles, a spring and a damper in its place, energies, several turns,
   flexible and reduced models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- a rigid hub ----------------------------------------------------------------------------- */

/* I a'' = -k (a - ref) - c a', I = 0.8: omega = 5, damping ratio 0.375 */
#define HUB(load)                                                                                  \
    "parameters: {ref: 0, w: 0, M: 0}\n"                                                           \
    "bodies: {hub: {type: rigid, mass: 2, inertia: [0.5, 0.5, 0.8], position: [1, 2, 3]}}\n"       \
    "joints: {pin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}}\n"                   \
    "loads: {law: {type: " load "}}\n"                                                             \
    "initial: {hub: {angular_velocity: [0, 0, w], about: [1, 2, 3]}}\n"                            \
    "probes:\n"                                                                                    \
    "  angle: {at: hub, quantity: angle}\n"                                                        \
    "  rate: {at: hub, quantity: angular_velocity, direction: [0, 0, 1]}\n"                        \
    "  E: {quantity: energy}\n"                                                                    \
    "analysis: {end: 2, step: 1e-3, newton_tolerance: 1e-6}\n"

static const char hub[] = HUB("moment, on: hub, moment: [0, 0, \"M - 20*(angle - ref) - 3*rate\"]");
static const char spring[] = HUB("torsion_spring, between: [ground, hub], axis: [0, 0, 1], "
                                 "stiffness: 20, damping: 3");

static double hub_at(double t, double ref, double w0) {
    const double d = 0.375 * 5, w = sqrt(25 - d * d);
    return ref + exp(-d * t) * (-ref * cos(w * t) + (w0 - d * ref) / w * sin(w * t));
}

static double hub_error(const char *settings, double ref, double w0) {
    verify v;
    double worst = 0;
    verify_text(&v, hub, settings);
    verify_start(&v);
    for (double t = 0.1; t < 2; t += 0.1) {
        const double a = verify_value(&v, verify_at(&v, t), "angle.value");
        // read at a state and not in the record of a run, whole turns are not counted
        worst = fmax(worst, fabs(remainder(a - hub_at(t, ref, w0), 2 * M_PI)));
    }
    verify_close(&v);
    return worst;
}

static void oscillator(void **state) {
    (void)state;
    const double coarse = hub_error("w=7 analysis.step=2e-3", 0, 7);
    const double fine = hub_error("w=7", 0, 7);
    verify_below("angle of a hub held by a PD law [rad]", fine, 2e-5);
    verify_within("its order", verify_order(coarse, fine, 2), 1.9, 2.1);
    const double far = hub_error("ref=8", 8, 0);
    verify_below("over more than a turn, from rest to 8 rad", far, 1e-3);
    verify_within("its order", verify_order(hub_error("ref=8 analysis.step=2e-3", 8, 0), far, 2),
                  1.9, 2.1);
}

/* the work of the law is that of its moment: kinetic energy is all there is */
static void energies(void **state) {
    (void)state;
    verify v;
    verify_text(&v, hub, "w=7");
    verify_run(&v);
    const double kinetic = verify_value(&v, NULL, "E.kinetic");
    verify_near("work of the law [J]", verify_value(&v, NULL, "E.work"), kinetic - 0.4 * 49, 2e-3);
    verify_below("balance of energies, of 19.6 J", verify_value(&v, NULL, "E.balance"), 2e-3);
    verify_close(&v);
}

/* Newton has the derivative of the law: it needs the iterations that a spring and a damper need in
 * its place */
static void iterations(void **state) {
    (void)state;
    long n[2];
    double angle[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, i ? spring : hub, "w=7 analysis.step=0.02");
        verify_run(&v);
        n[i] = v.stats.iterations;
        angle[i] = verify_value(&v, NULL, "angle.value");
        verify_close(&v);
    }
    verify_near("iterations, as with a spring", (double)n[0], (double)n[1], 0.1 * (double)n[1]);
    verify_near("angle at the end, as with a spring [rad]", angle[0], angle[1], 1e-6);
}

static void poles(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    gos_mode mode[2];
    int found;
    verify_text(&v, hub, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 1, true, mode, &found));
    assert_int_equal(found, 1);
    verify_near("natural frequency [rad/s]", mode[0].omega, 5, 1e-9);
    verify_near("damping ratio", mode[0].damping, 0.375, 1e-9);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* The law is a part of a structure that moves, too, as of one that is at rest: its rates alone
 * are left out. */
static void moving(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    gos_mode mode[2];
    int found;
    verify_text(&v, hub, "w=7");
    verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 1, true, mode, &found));
    verify_near("natural frequency [rad/s]", mode[0].omega, 5, 1e-9);
    verify_near("damping ratio", mode[0].damping, 0.375, 1e-9);
    assert_non_null(strstr(gos_ctx_diag(v.ctx, gos_ctx_ndiag(v.ctx) - 1)->text,
                           "the velocities of the state are omitted"));
    gos_linear_destroy(linear);
    verify_close(&v);
    // the law is out of balance there: it is left out by name
    verify_text(&v, hub, "w=7 ref=1");
    verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &linear));
    assert_non_null(strstr(gos_ctx_diag(v.ctx, gos_ctx_ndiag(v.ctx) - 1)->text,
                           "linearised without load 'law' and at rest"));
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- a motor between two bodies -------------------------------------------------------------- */

/* Two bodies that are free to turn against each other, I = 1.5 and 0.5: J = I_1 I_2/(I_1 + I_2) =
   0.375 is what a law of their relative motion moves, J a'' = -20 a - 0.6 a'. A slide likewise,
   with masses of 1.5 and 0.5 kg. */
#define TWO(joint, law)                                                                            \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 1.5, inertia: [1, 1, 1.5]}\n"                                      \
    "  arm: {type: rigid, mass: 0.5, inertia: [0.3, 0.3, 0.5]}\n"                                  \
    "joints:\n"                                                                                    \
    "  pin: {type: " joint ", between: [hub.centre, arm], axis: [0, 0, 1]}\n"                      \
    "  drive: {type: motor, between: [hub, arm], axis: [0, 0, 1], " law "}\n"                      \
    "initial: {arm: {angular_velocity: [0, 0, w], velocity: [0, 0, u]}}\n"                         \
    "probes:\n"                                                                                    \
    "  a: {joint: pin, quantity: joint_coordinates}\n"                                             \
    "  r: {joint: pin, quantity: joint_rates}\n"                                                   \
    "analysis: {end: 1, step: 1e-3, newton_tolerance: 1e-6}\n"

static double relative_error(const char *text, const char *probe, const char *settings) {
    const double J = 0.375, d = 0.3 / J, w = sqrt(20 / J - d * d);
    verify v;
    double worst = 0;
    verify_text(&v, text, settings);
    verify_start(&v);
    for (double t = 0.1; t < 1; t += 0.1) {
        const double a = verify_value(&v, verify_at(&v, t), probe);
        worst = fmax(worst, fabs(a - exp(-d * t) * sin(w * t) / w));
    }
    verify_close(&v);
    return worst;
}

static void motors(void **state) {
    (void)state;
    static const char turn[] =
        "parameters: {w: 1, u: 0}\n" TWO("revolute", "moment: '-20*a - 0.6*r'");
    static const char slide[] =
        "parameters: {w: 0, u: 1}\n" TWO("prismatic", "force: '-20*a - 0.6*r'");
    const char *const text[] = {turn, slide}, *const probe[] = {"a.angle", "a.slide"};
    for (int i = 0; i < 2; i++) {
        const double fine = relative_error(text[i], probe[i], NULL);
        verify_below("a motor with a PD law", fine, 1e-5);
        verify_within(
            "its order",
            verify_order(relative_error(text[i], probe[i], "analysis.step=2e-3"), fine, 2), 1.9,
            2.1);
        verify v;
        gos_linear *linear;
        gos_mode mode[12];
        int found;
        verify_text(&v, text[i], "w=0 u=0");
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 7, true, mode, &found));
        assert_int_equal(found, 7); // six rigid ones
        verify_near("its pole", mode[6].omega, sqrt(20 / 0.375), 1e-9);
        verify_near("its damping ratio", mode[6].damping, 0.3 / sqrt(20 * 0.375), 1e-9);
        gos_linear_destroy(linear);
        verify_close(&v);
        // falling, it is linearised without loads: the law is named although it is 0 there
        verify_text(&v, text[i], "w=0 u=0 gravity=[0,0,-9.81]");
        verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &linear));
        assert_non_null(strstr(gos_ctx_diag(v.ctx, gos_ctx_ndiag(v.ctx) - 1)->text,
                               "linearised without gravity, load 'drive'"));
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* statics: the torque of 4 N m turns the hub by 4/20 rad, and a constant offset stays one */
static void equilibrium(void **state) {
    (void)state;
    verify v;
    verify_text(&v, hub, "analysis.type=static ref=0.1 M=4");
    verify_static(&v);
    verify_near("angle at rest [rad]", verify_value(&v, NULL, "angle.value"), 0.3, 1e-9);
    verify_close(&v);
}

/* ---- flexible, reduced ----------------------------------------------------------------------- */

/* an arm on a hub that is turned by a law and strikes out; the tip damps its own vibration */
static const char arm[] =
    "materials: {m: {density: 2000, young: 2.0e9, damping: {normal: 1e-4}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.05, 0.05, 0.08]}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 6}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub, rod.start]}\n"
    "loads:\n"
    "  law: {type: moment, on: hub, moment: [0, 0, \"20*(min(t, 1) - a) - 5*w\"]}\n"
    "  fan: {type: force, on: rod.end, value: [0, \"-0.3*v.y\", 0], frame: body}\n"
    "probes:\n"
    "  a: {at: hub, quantity: angle}\n"
    "  w: {at: hub, quantity: angular_velocity, direction: [0, 0, 1]}\n"
    "  v: {at: rod.end, quantity: velocity, frame: hub}\n"
    "  tip: {at: rod.end}\n"
    "  E: {quantity: energy}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 8}\n"
    "analysis: {end: 2, tolerance: 1e-6}\n";

static void reduced(void **state) {
    (void)state;
    verify full, rom;
    double x[3], y[3];
    verify_text(&full, arm, NULL);
    verify_text(&rom, arm, NULL);
    gos_system *all = rom.sys;
    gos_state_destroy(rom.state);
    verify_good(&rom, gos_reduce(rom.ctx, all, &rom.sys));
    verify_good(&rom, gos_state_create(rom.ctx, rom.sys, &rom.state));
    verify_run(&full);
    verify_run(&rom);
    verify_probe(&full, NULL, "tip", x);
    verify_probe(&rom, NULL, "tip", y);
    verify_below("tip of an arm under control, reduced [m]", verify_distance(x, y), 1e-4);
    verify_near("angle, on its way to 1", verify_value(&rom, NULL, "a.value"), 1, 0.1);
    verify_below("balance of energies, of 10 J", verify_value(&full, NULL, "E.balance"), 1e-2);
    gos_integrator_destroy(rom.run);
    gos_state_destroy(rom.state);
    gos_system_destroy(rom.sys);
    rom.run = NULL;
    rom.state = NULL;
    rom.sys = all;
    verify_close(&rom);
    verify_close(&full);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(oscillator),  cmocka_unit_test(energies),
                                       cmocka_unit_test(iterations),  cmocka_unit_test(poles),
                                       cmocka_unit_test(equilibrium), cmocka_unit_test(reduced),
                                       cmocka_unit_test(moving),      cmocka_unit_test(motors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
