/* Controllers in runs that are not plain: beside drives, several with periods of their own, going
 * on, from files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* ---- beside a drive -------------------------------------------------------------------------- */

/* What a sample does to a moment, the drive that holds the body gives back: the works of both are
   those of one power, so that the jump of one without the other's would open the balance by h/2
   times that at each sample, an error of first order (0.13 J at 0.01 s). */
static const char driven[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 10, inertia: [3, 4, 5], angular_velocity: [0, 0, 0.7]}\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: \"0.7*t + "
    "0.1*t^2\"}\n"
    "  pin: {type: spherical, between: [ground, hub]}\n"
    "loads: {pull: {type: moment, on: hub, moment: [0, 0, 0]}}\n"
    "probes: {E: {quantity: energy}}\n"
    "controllers: {law: {type: expression, sample: {period: 0.25}, inputs: pull.z, amounts: "
    "20*sin(7*t)}}\n"
    "analysis: {end: 4}\n";

static double open_balance(const char *step) {
    verify v;
    verify_text(&v, driven, step);
    verify_run(&v);
    const double balance = fabs(verify_value(&v, NULL, "E.balance"));
    verify_close(&v);
    return balance;
}

static void test_beside_a_drive(void **state) {
    GOS_UNUSED(state);
    const double coarse = open_balance("analysis.step=0.01"),
                 fine = open_balance("analysis.step=0.005");
    verify_below("balance of energy [J]", fine, 1e-3);
    verify_within("order", verify_order(coarse, fine, 2), 1.8, 2.2);
}

/* ---- how a derivative begins ----------------------------------------------------------------- */

/* What is off the setpoint at the start has not just jumped there: u(0) = kp e(0) = 8 (0.5 - 0.3),
   without kd e(0) / Tf = 60 more (sampled kd e(0) / T). A state that continues is not begun again.
 */
#define PID(more)                                                                                  \
    "bodies: {box: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}}\n"           \
    "joints: {guide: {type: prismatic, between: [ground, box], axis: [1, 0, 0]}}\n"                \
    "loads: {push: {type: force, on: box, value: [0, 0, 0]}}\n"                                    \
    "probes: {x: {at: box, quantity: position, direction: [1, 0, 0]}}\n"                           \
    "controllers: {law: {type: pid, signal: x, setpoint: 0.5, inputs: push.x, kp: 8, ki: 1, kd: "  \
    "3, filter: 0.01" more "}}\n"                                                                  \
    "analysis: {end: 1, tolerance: 1.0e-6}\n"

static void check_beginning(const char *text, double want) {
    verify v;
    double y[2];
    for (int i = 0; i < 2; i++) {
        verify_text(&v, text, NULL);
        verify_start(&v);
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        verify_near("first amount [N]", verify_value(&v, gos_integrator_at(v.run, 0), "law.push_x"),
                    want, 1e-9);
        while (gos_state_time(v.state) < 0.5) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        if (i == 1) { // what is not kept of the steps before begins again, at the same state
            gos_integrator_destroy(v.run);
            verify_start(&v);
        }
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        y[i] = verify_value(&v, NULL, "x.value");
        verify_close(&v);
    }
    verify_near("going on [m]", y[1], y[0], 1e-6);
}

static void test_derivative_begins(void **state) {
    GOS_UNUSED(state);
    check_beginning(PID(""), 8 * 0.2);
    check_beginning(PID(", sample: {period: 0.02}"), 8 * 0.2);
    check_beginning(PID(", derivative: signal"), 8 * 0.2);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* Two laws whose periods divide neither each other nor the step, one with outputs under way for
   more than two periods, with converters and a filter; on two bodies, with a continuous one that
   reads both. */
static const char together[] =
    "bodies:\n"
    "  box: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}\n"
    "  car: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.1, 1, 0]}\n"
    "joints:\n"
    "  one: {type: prismatic, between: [ground, box], axis: [1, 0, 0]}\n"
    "  two: {type: prismatic, between: [ground, car], axis: [1, 0, 0]}\n"
    "loads:\n"
    "  push: {type: force, on: box, value: [\"0.1*sin(3*t)\", 0, 0]}\n"
    "  pull: {type: force, on: car, value: [0, 0, 0]}\n"
    "  more: {type: force, on: car, value: [0, 0, 0]}\n"
    "probes:\n"
    "  x: {at: box, quantity: position, direction: [1, 0, 0]}\n"
    "  v: {at: box, quantity: velocity, direction: [1, 0, 0]}\n"
    "  x2: {at: car, quantity: position, direction: [1, 0, 0]}\n"
    "controllers:\n"
    "  late: {type: pid, signal: x2, setpoint: 0.5, inputs: pull.x, kp: 4, ki: 1, kd: 2, filter: "
    "0.05,\n"
    "         sample: {period: 0.013, delay: 0.031, quantisation: {signals: 1.0e-4, inputs: "
    "1.0e-3}}}\n"
    "  hold: {type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4], limit: 1.5, "
    "sample: {period: 0.03}}\n"
    "  drag: {type: pid, signal: v, setpoint: x2, inputs: more.x, kp: 1, ki: 0.5, limit: 2}\n"
    "analysis: {end: 1}\n";

static void check_going_on(const char *settings, double most) {
    double y[2][2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, together, settings);
        verify_start(&v);
        while (gos_state_time(v.state) < 0.397) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        if (i == 1) {
            gos_state *copy;
            verify_good(&v, gos_integrator_store_history(v.run));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
            verify_good(&v, gos_state_copy(copy, v.state));
            gos_integrator_destroy(v.run);
            gos_state_destroy(v.state);
            v.state = copy;
            verify_start(&v);
        }
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        y[i][0] = verify_value(&v, NULL, "x.value");
        y[i][1] = verify_value(&v, NULL, "x2.value");
        verify_close(&v);
    }
    verify_below("going on from a copy [m]", fmax(fabs(y[1][0] - y[0][0]), fabs(y[1][1] - y[0][1])),
                 most);
}

/* To the last bit; BDF starts again there, and is off by its tolerance. */
static void test_going_on(void **state) {
    GOS_UNUSED(state);
    const double bits = 5e-324; // the smallest number: none
    check_going_on("analysis.tolerance=1e-6", bits);
    check_going_on("analysis.step=0.007", bits);
    check_going_on("analysis.integrator=radau analysis.tolerance=1e-8", bits);
    check_going_on("analysis.integrator=bdf analysis.tolerance=1e-8", 1e-8);
}

/* the same course by all ways to step */
static void test_ways_to_step(void **state) {
    GOS_UNUSED(state);
    static const char *const ways[] = {"analysis.integrator=bdf analysis.tolerance=1e-9",
                                       "analysis.tolerance=1e-7", "analysis.step=0.0005",
                                       "analysis.integrator=radau analysis.tolerance=1e-9"};
    double want = 0;
    for (int i = 0; i < GOS_COUNT(ways); i++) {
        verify v;
        verify_text(&v, together, ways[i]);
        verify_run(&v);
        const double x = verify_value(&v, NULL, "x.value");
        if (i > 0) {
            verify_near(ways[i], x, want, 1e-5);
        }
        want = i == 0 ? x : want;
        verify_close(&v);
    }
}

/* ---- matrices from files --------------------------------------------------------------------- */

/* u = D y at the start: -8 (0.3) - 4 (0.1) = -2.8, -0.5 (0.3) + 0.25 (0.1) = -0.125 */
static void test_rows_of_a_file(void **state) {
    GOS_UNUSED(state);
    static const char *const settings[] = {"", "controllers.law.D=feedback.csv"};
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_open(&v, "tests/verify/models/feedback.yaml", settings[i]);
        verify_near("along x [N]", verify_value(&v, v.state, "law.push_x"), -2.8, 1e-15);
        verify_near("along y [N]", verify_value(&v, v.state, "law.push_y"), -0.125, 1e-16);
        verify_close(&v);
    }
}

/* ---- wheels at small tolerances -------------------------------------------------------------- */

/* h' = sin(2 t) from rest: its second derivative alone requested first steps of 1e-10 s at 1e-9, in
   which rounding of the attitude makes accelerations of any size: there was "no solution of the
   step" at 1e-8 s. */
static void test_small_tolerance(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v,
                "bodies: {hub: {type: rigid, mass: 10, inertia: [3, 4, 5]}}\n"
                "loads: {roll: {type: wheel, on: hub, axis: [0, 0, 1], inertia: 0.2, moment: "
                "\"3*sin(2*t)\"}}\n"
                "initial: {all: {angular_velocity: [0.5, 0.3, -0.4]}}\n"
                "probes: {roll: {quantity: wheel, load: roll}}\n"
                "analysis: {end: 0.1, tolerance: 1.0e-9}\n",
                NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "roll", y);
    verify_near("momentum [N m s]", y[1], 1.5 * (1 - cos(0.2)), 1e-9);
    verify_below("steps", (double)v.stats.steps, 5e4);
    verify_close(&v);
}

/* Commands to bodies that are held, so that reactions show them: a sine and a controller that winds
 * up. */
static const char codes[] =
    "parameters: {q: 0.4, most: 1.5, N: 1}\n"
    "bodies:\n"
    "  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  ha: {type: clamp, between: [ground, a.node]}\n"
    "  hb: {type: clamp, between: [ground, b.node]}\n"
    "loads:\n"
    "  fa: {type: force, on: a, value: [0, 0, 0]}\n"
    "  fb: {type: force, on: b, value: [0, 0, 0]}\n"
    "probes:\n"
    "  A: {joint: ha, quantity: joint_force}\n"
    "  B: {joint: hb, quantity: joint_force}\n"
    "  x: {at: a, quantity: position, direction: [1, 0, 0]}\n"
    "controllers:\n"
    "  one: {type: expression, inputs: fa.x, amounts: \"N*9*sin(7*t) + 0*x\", limit: \"most*N\",\n"
    "        sample: {period: 0.01, quantisation: {inputs: \"q*N\"}}}\n"
    "  two: {type: pid, signal: x, setpoint: -1, inputs: fb.x, kp: \"3*N\", ki: \"2*N\",\n"
    "        limit: \"most*N\", sample: {period: 0.01, quantisation: {inputs: \"q*N\"}}}\n"
    "analysis: {end: 1, tolerance: 1.0e-3}\n";

/* every command is a code, and the largest is `top` */
static void check_codes(double q, double most, double top, double newton) {
    char settings[200];
    verify v;
    double largest[2] = {0, 0}, off = 0;
    (void)snprintf(settings, sizeof settings,
                   "parameters.q=%.17g parameters.most=%.17g parameters.N=%.17g", q, most, newton);
    verify_text(&v, codes, settings);
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        const double f[] = {verify_value(&v, NULL, "A.x"), verify_value(&v, NULL, "B.x")};
        for (int i = 0; i < 2; i++) {
            const double code = f[i] / (q * newton);
            off = fmax(off, fabs(code - rint(code)));
            largest[i] = fmax(largest[i], fabs(f[i]) / newton);
        }
    }
    verify_near("largest command of a sine [N]", largest[0], top, 1e-9 * top);
    verify_near("largest command of a pid [N]", largest[1], top, 1e-9 * top);
    verify_below("off a code, of a step", off, 1e-9);
    verify_close(&v);
}

static void test_codes(void **state) {
    GOS_UNUSED(state);
    check_codes(0.4, 1.5, 1.2, 1);
    check_codes(0.4, 1.5, 1.2, 1e6); // other units
    check_codes(0.1, 0.3, 0.3, 1);   // 0.3 / 0.1 is below 3
    check_codes(0.25, 1.99, 1.75, 1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_a_drive), cmocka_unit_test(test_derivative_begins),
        cmocka_unit_test(test_going_on),       cmocka_unit_test(test_ways_to_step),
        cmocka_unit_test(test_rows_of_a_file), cmocka_unit_test(test_small_tolerance),
        cmocka_unit_test(test_codes),
    };
    return cmocka_run_group_tests_name("sampled runs", tests, NULL, NULL);
}
SUITE(suite)
