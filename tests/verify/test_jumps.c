/* Forces and heat that jump, or change their rate, where steps end: the motion continues without a
   start again, and is of second order as without. References: Runge-Kutta coded here, sums of
   impulses, finer runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* an amount that jumps at every multiple of EVERY, or runs linearly from one value to the next */
#define EVERY 0.05 // [s]
enum { PARTS = 20 };

static double value_of(int k) {
    return 3 * sin(1.3 * k) + (k % 3 ? 1 : -2);
}

/* set the input at the beginning of part k */
static void set_part(verify *v, int input, int k, bool linear) {
    const double t = gos_state_time(v->state);
    verify_good(v, gos_state_set_input(v->ctx, v->state, input, value_of(linear ? k + 1 : k),
                                       linear ? (k + 1) * EVERY : t));
}

/* through all parts, in steps of `step` (0: error control); linear ones begin at value_of(0) */
static void run_parts(verify *v, const char *input, bool linear, double step) {
    const int i = gos_system_input_find(v->sys, input);
    assert_true(i >= 0);
    v->opt.step = step;
    v->opt.end = PARTS * EVERY;
    verify_good(v, gos_state_set_input(v->ctx, v->state, i, value_of(0), 0));
    for (int k = 0; k < PARTS; k++) {
        set_part(v, i, k, linear);
        if (k == 0) {
            verify_start(v);
        }
        while (gos_state_time(v->state) < (k + 1) * EVERY) {
            verify_good(v, gos_integrator_step(v->run, (k + 1) * EVERY));
        }
    }
    gos_integrator_statistics(v->run, &v->stats);
}

/* ---- mechanisms ------------------------------------------------------------------------------ */

static const char arm[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {turn: {type: moment, on: b, moment: [0, 0, 0]}}\n"
    "probes: {angle: {joint: h, quantity: joint_coordinates}, F: {joint: h, quantity: "
    "joint_force}}\n"
    "analysis: {end: 1}\n";

/* angle below the horizontal, with the moment u(t) about z */
static void arm_rates(double moment, const double y[2], double d[2]) {
    d[0] = y[1];
    d[1] = (moment - 2 * 9.81 * cos(y[0])) / 2.1;
}

static void arm_exactly(bool linear, double y[2]) {
    enum { STEPS = 200 };
    y[0] = y[1] = 0;
    for (int k = 0; k < PARTS; k++) {
        for (int j = 0; j < STEPS; j++) {
            const double h = EVERY / STEPS, way[4] = {0, 0.5, 0.5, 1};
            double sum[2] = {0, 0}, d[2] = {0, 0};
            for (int s = 0; s < 4; s++) {
                const double f = linear ? (j + way[s]) / STEPS : 0;
                const double u = (1 - f) * value_of(k) + f * value_of(k + 1);
                const double z[2] = {y[0] + way[s] * h * d[0], y[1] + way[s] * h * d[1]};
                arm_rates(u, z, d);
                for (int c = 0; c < 2; c++) {
                    sum[c] += (s == 1 || s == 2 ? 2 : 1) * d[c];
                }
            }
            y[0] += h / 6 * sum[0];
            y[1] += h / 6 * sum[1];
        }
    }
}

static double angle_of(const verify *v) {
    double y[GOS_PROBE_MAX];
    verify_probe(v, NULL, "angle", y);
    return y[0];
}

/* a revolute joint is a constraint that turns; its force at the end jumps with the moment, too */
static void mechanism(void **state) {
    GOS_UNUSED(state);
    for (int linear = 0; linear < 2; linear++) {
        double want[2], error[3], energy[3];
        arm_exactly(linear, want);
        for (int i = 0; i < 3; i++) {
            const double h = EVERY / (5 << i);
            verify v;
            verify_text(&v, arm, NULL);
            run_parts(&v, "turn.z", linear, h);
            assert_int_equal(v.stats.steps, PARTS * (5 << i));
            assert_int_equal(v.stats.restarts, linear ? 0 : PARTS - 1);
            error[i] = angle_of(&v) - want[0];
            gos_energy e;
            gos_system_energy(v.sys, v.state, &e);
            energy[i] = fabs(e.balance);
            verify_close(&v);
        }
        print_message("    energy off by %.3g, %.3g, %.3g J\n", energy[0], energy[1], energy[2]);
        verify_within("order", verify_order(energy[0], energy[1], 2), 1.8, 2.3);
        verify_within("order", verify_order(energy[1], energy[2], 2), 1.8, 2.3);
        print_message("    %s: errors %.3g, %.3g, %.3g rad\n", linear ? "kinks" : "jumps", error[0],
                      error[1], error[2]);
        verify_within("order", verify_order(fabs(error[0]), fabs(error[1]), 2), 1.8, 2.3);
        verify_within("order", verify_order(fabs(error[1]), fabs(error[2]), 2), 1.8, 2.3);
    }
}

/* two links that turn against each other; forces and a moment that jump at every 1/800 s */
static const char links[] =
    "bodies:\n"
    "  a: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0],\n"
    "    points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "  b: {type: rigid, mass: 1, inertia: [0.02, 0.1, 0.1], position: [1.5, 0, 0],\n"
    "    points: {o: [-0.5, 0, 0], e: [0.5, 0.1, 0]}}\n"
    "joints:\n"
    "  h: {type: revolute, between: [ground, a.o], axis: [0, 0, 1]}\n"
    "  j: {type: revolute, between: [a.e, b.o], axis: [0, 0, 1]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  push: {type: force, on: b.e, value: [0, 0, 0]}\n"
    "  turn: {type: moment, on: b, moment: [0, 0, 0]}\n"
    "probes: {tip: {at: b.e, quantity: position}}\n"
    "analysis: {end: 1}\n";
enum { JUMPS = 800 };

static void links_tip(int steps, double tip[3], gos_statistics *stats) {
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v, links, NULL);
    v.opt.step = 1.0 / steps;
    const int x = gos_system_input_find(v.sys, "push.x"),
              turn = gos_system_input_find(v.sys, "turn.z");
    for (int k = 0; k < JUMPS; k++) {
        const double t = (double)k / JUMPS;
        const double force[2] = {20 * sin(7 * t) + 3 * sin(91.0 * k), 10 * cos(3 * t) + 30 * t};
        for (int i = 0; i < 2; i++) {
            verify_good(&v, gos_state_set_input(v.ctx, v.state, x + i, force[i], t));
        }
        verify_good(&v,
                    gos_state_set_input(v.ctx, v.state, turn, 2 * sin(5 * t) + sin(77.0 * k), t));
        if (k == 0) {
            verify_start(&v);
        }
        while (gos_state_time(v.state) < (k + 1.0) / JUMPS) {
            verify_good(&v, gos_integrator_step(v.run, (k + 1.0) / JUMPS));
        }
    }
    gos_integrator_statistics(v.run, stats);
    verify_probe(&v, NULL, "tip", y);
    memcpy(tip, y, 3 * sizeof *tip);
    verify_close(&v);
}

/* An old factorisation contains constraints that have turned since, here one link's by the angle
   between them. Jumps that were each made by a factorisation of their own left 20.1, 20.3 and 20.3
   m / steps^2; what the constraints' turn leaves out is of first order. */
static void turned(void **state) {
    GOS_UNUSED(state);
    double fine[3], tip[3];
    gos_statistics stats;
    links_tip(64 * JUMPS, fine, &stats);
    for (int i = 0; i < 3; i++) {
        const int steps = JUMPS << i;
        links_tip(steps, tip, &stats);
        print_message("    %d steps: %ld jumps, %ld factorisations\n", steps, stats.restarts,
                      stats.factorisations);
        assert_int_equal(stats.restarts, JUMPS - 1);
        assert_true(stats.factorisations < JUMPS / 3);
        verify_within("error times steps^2 [m]", verify_distance(tip, fine) * steps * steps, 16,
                      25);
    }
}

/* ---- impulse --------------------------------------------------------------------------------- */

static const char cable[] =
    "materials: {m: {density: 2000, young: 1e7, damping: {normal: 1e-3}}}\n"
    "sections: {s: {type: circle, radius: 0.01}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 8}}\n"
    "loads: {kick: {type: force, on: rod.end, value: [0, 0, 0]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 1}\n";

static double impulse_of(bool linear) {
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        sum += EVERY * (linear ? 0.5 * (value_of(k) + value_of(k + 1)) : value_of(k));
    }
    return sum;
}

static double impulse_error(bool linear, double step) {
    double p[3], l[3];
    verify v;
    verify_text(&v, cable, NULL);
    v.opt.rho_infinity = 0.6;
    run_parts(&v, "kick.y", linear, step);
    gos_system_momentum(v.sys, v.state, p, l);
    verify_close(&v);
    return p[1] - impulse_of(linear);
}

/* The momentum of a free cable that bends and turns is the impulse of what pushes it, for any
   step: the scheme sums forces as trapezoids. After a kink u' -> u' + s the algorithmic
   acceleration is off by d h s/m, d = am - af = (rho - 1)/(rho + 1), which decays; in the velocity
   it leaves -d (1/2 - af) h^2 s/m, 1/2 - af = -d/2. The sum of all kinks is u'(end) - u'(0). */
static void impulse(void **state) {
    GOS_UNUSED(state);
    verify_near("impulse of jumps [N s]", impulse_error(false, EVERY / 20), 0, 1e-8);
    const double h = EVERY / 20, d = (0.6 - 1) / (0.6 + 1);
    const double first = value_of(1) - value_of(0), last = value_of(PARTS) - value_of(PARTS - 1);
    verify_near("impulse of kinks, of what theory has", // sums of the last steps have not decayed
                impulse_error(true, h) / (0.5 * d * d * h * h * (last - first) / EVERY), 1, 1e-3);
}

/* ---- flexible bodies ------------------------------------------------------------------------- */

/* tip of the cable at the end */
static void tip_of(bool linear, double step, double y[3]) {
    verify v;
    double r[GOS_PROBE_MAX];
    verify_text(&v, cable, NULL);
    run_parts(&v, "kick.y", linear, step);
    verify_probe(&v, NULL, "tip", r);
    memcpy(y, r, 3 * sizeof *y);
    verify_close(&v);
}

static void flexible(void **state) {
    GOS_UNUSED(state);
    for (int linear = 0; linear < 2; linear++) {
        double fine[3], error[3];
        tip_of(linear, EVERY / 1600, fine);
        for (int i = 0; i < 3; i++) {
            double y[3];
            tip_of(linear, EVERY / (50 << i), y);
            error[i] = verify_distance(y, fine);
        }
        print_message("    %s: errors %.3g, %.3g, %.3g m\n", linear ? "kinks" : "jumps", error[0],
                      error[1], error[2]);
        verify_within("order", verify_order(error[0], error[1], 2), 1.7, 2.4);
        verify_within("order", verify_order(error[1], error[2], 2), 1.7, 2.4);
    }
}

/* ---- heat ------------------------------------------------------------------------------------ */

static const char rod[] =
    "materials: {m: {density: 1000, young: 1e7, conductivity: 0.1, specific_heat: 200}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "heat: {lamp: {type: flux, value: 0, on: rod.top}}\n"
    "probes: {T: {at: rod.end, quantity: temperature}}\n"
    "analysis: {end: 1}\n";

/* Flux q into a face h away from the other: T' = q / (rho c h); what it supplies is what is stored.
   Kinks leave half of what they leave in the momentum, as tm - tf = (am - af)/2. */
static void heat(void **state) {
    GOS_UNUSED(state);
    for (int linear = 0; linear < 2; linear++) {
        const double want = impulse_of(linear);
        double T[GOS_PROBE_MAX];
        gos_heat balance;
        verify v;
        verify_text(&v, rod, NULL);
        v.opt.rho_infinity = 0.6;
        run_parts(&v, "lamp", linear, EVERY / 10);
        verify_probe(&v, NULL, "T", T);
        gos_system_heat(v.sys, v.state, &balance);
        const double step = EVERY / 10, d = (0.6 - 1) / (0.6 + 1);
        const double slopes =
            (value_of(PARTS) - value_of(PARTS - 1) - value_of(1) + value_of(0)) / EVERY;
        const double left = linear ? 0.25 * d * d * step * step * slopes : 0;
        verify_near(linear ? "T of a course with kinks" : "T of jumps [K]",
                    T[0] * 1000 * 200 * 0.02, want + left, linear ? 1e-3 * fabs(left) : 1e-9);
        verify_below("heat balance, of what is stored", balance.balance / balance.stored, 1e-12);
        verify_close(&v);
    }
}

/* ---- error control --------------------------------------------------------------------------- */

/* Steps of error control end at the times at which inputs are set; they continue with the same
   length and follow the tolerance. */
static void by_error(void **state) {
    GOS_UNUSED(state);
    for (int linear = 0; linear < 2; linear++) {
        static const double tolerance[] = {1e-3, 1e-4, 1e-5};
        double want[2];
        arm_exactly(linear, want);
        for (int i = 0; i < 3; i++) {
            verify v;
            verify_text(&v, arm, NULL);
            v.opt.tolerance = tolerance[i];
            run_parts(&v, "turn.z", linear, 0);
            const double error = angle_of(&v) - want[0];
            print_message("    %s: %ld steps, %ld rejected, %ld restarts, error %.3g rad\n",
                          linear ? "kinks" : "jumps", v.stats.steps, v.stats.rejected,
                          v.stats.restarts, error);
            verify_below("angle, tolerances", error / tolerance[i], 3);
            verify_close(&v);
        }
    }
}

/* ---- steep ramps under fixed steps ----------------------------------------------------------- */

/* The amount is 4 t up to 0.5 s, falls from 2 to -3 within w, and rises to 5 at 2 s: its integral
 * and that of the integral from 0 to 2 s. */
static void integrals(double w, double sum[2]) {
    const double t[4] = {0, 0.5, 0.5 + w, 2}, u[4] = {0, 2, -3, 5};
    sum[0] = sum[1] = 0;
    for (int k = 0; k < 3; k++) {
        const double h = t[k + 1] - t[k];
        sum[1] += sum[0] * h + h * h * (2 * u[k] + u[k + 1]) / 6;
        sum[0] += 0.5 * h * (u[k] + u[k + 1]);
    }
}

static const char ramp[] =
    "parameters: {w: 1e-3}\n"
    "bodies:\n"
    "  b: {type: rigid, mass: 2, inertia: [1, 1, 1], heat_capacity: 100}\n"
    "  c: {type: rigid, mass: 2, inertia: [1, 1, 1]}\n"
    "loads:\n"
    "  f: {type: force, on: b, value: [0, 0, \"U\"]}\n"
    "  g: {type: force, on: c, value: [0, \"0*t\", 0]}\n"
    "  m: {type: wheel, on: b, axis: [0, 0, 1], inertia: 0.1, moment: \"U\"}\n"
    "heat: {q: {type: heat_flow, on: b, value: \"U\"}}\n"
    "controllers: {k: {type: expression, inputs: g.y, amounts: \"U + 0*c.y\"}}\n"
    "probes: {b: {at: b}, c: {at: c}, T: {at: b, quantity: temperature}, w: {quantity: wheel, "
    "load: m}}\n"
    "analysis: {end: 2, step: 0.01}\n";
static const char amount[] =
    "t < 0.5 ? 4*t : (t < 0.5 + w ? 2 - 5*(t - 0.5)/w : -3 + 8*(t - 0.5 - w)/(1.5 - w))";

/* Impulse and heat are accurate to what the first steps after a restart leave, 1e-3 (theory). */
static void steep_ramp(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 4; i++) {
        const double w = i < 2 ? 1e-3 : 1e-5, step = i % 2 ? 0.01 : 0.05;
        char text[4000], settings[80], *to = text;
        double sum[2];
        for (const char *c = ramp; *c; c++) {
            *to = *c;
            to += *c == 'U' ? sprintf(to, "%s", amount) : 1;
        }
        *to = '\0';
        (void)snprintf(settings, sizeof settings, "w=%g analysis.step=%g", w, step);
        verify v;
        verify_text(&v, text, settings);
        verify_run(&v);
        integrals(w, sum);
        const double bound = 0.1 * step;
        verify_near("position by a load [m]", verify_value(&v, NULL, "b.z"), sum[1] / 2, bound);
        verify_near("... by a controller [m]", verify_value(&v, NULL, "c.y"), sum[1] / 2, bound);
        verify_near("temperature [K]", verify_value(&v, NULL, "T.T"), sum[0] / 100, bound / 50);
        verify_near("momentum of a wheel [N m s]", verify_value(&v, NULL, "w.momentum"), sum[0],
                    bound);
        verify_close(&v);
    }
}

/* Amounts that jump at the ends of the run are those inside it. */
static void jumps_at_ends(void **state) {
    GOS_UNUSED(state);
    static const char *const u[] = {"2*(t>0)", "2*ceil(t)", "2*(t<1)", "2*(sin(3*t)>0)"};
    for (int i = 0; i < 3 * GOS_COUNT(u); i++) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], heat_capacity: 1}}\n"
            "loads: {f: {type: force, on: b, value: [\"%s\", 0, 0]}}\n"
            "heat: {h: {type: heat_flow, on: b, value: \"%s\"}}\n"
            "probes: {v: {at: b, quantity: velocity}, T: {at: b, quantity: temperature}}\n"
            "analysis: {end: 1, %s}\n",
            u[i / 3], u[i / 3],
            i % 3 == 0   ? "step: 0.01"
            : i % 3 == 1 ? "tolerance: 1e-4"
                         : "tolerance: 1e-6");
        verify v;
        verify_text(&v, text, NULL);
        verify_run(&v);
        verify_near("velocity [m/s]", verify_value(&v, NULL, "v.x"), 2, 1e-5);
        verify_near("temperature [K]", verify_value(&v, NULL, "T.T"), 2, 1e-5);
        for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
            print_message("%s\n", gos_ctx_diag(v.ctx, k)->text);
        }
        assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanism),  cmocka_unit_test(turned),       cmocka_unit_test(impulse),
        cmocka_unit_test(flexible),   cmocka_unit_test(heat),         cmocka_unit_test(by_error),
        cmocka_unit_test(steep_ramp), cmocka_unit_test(jumps_at_ends)};
    return cmocka_run_group_tests_name("jumps", tests, NULL, NULL);
}
SUITE(suite)
