/* Hinges: springs, stops and latches of torsion_spring, driven_rotation, forces of driven places,
   against closed forms of one degree of freedom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

#define TIGHT "analysis.tolerance=1e-6 "
#define STEP "analysis.step=5e-4 analysis.newton_tolerance=1e-6 "
#define FINE "analysis.newton_tolerance=1e-6 "
#define I_HUB 0.5 // [kg m^2]

/* A hub on a hinge, inertia 0.5 about its axis, which is oblique; `spring` is filled in. */
#define HUB(spring, more)                                                                          \
    "parameters: {w: 0, L: 3}\n"                                                                   \
    "bodies: {hub: {type: rigid, mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 2, 3]}}\n"       \
    "joints: {pin: {type: revolute, between: [ground, hub], axis: [1, 2, 2]}}\n"                   \
    "loads: {s: {type: torsion_spring, between: [ground, hub], axis: [1, 2, 2], " spring "}}\n"    \
    "initial: {hub: {angular_velocity: [w/3, 2*w/3, 2*w/3], about: [1, 2, 3]}}\n"                  \
    "probes:\n"                                                                                    \
    "  s: {quantity: hinge, load: s}\n"                                                            \
    "  a: {at: hub, quantity: angle, axis: [1, 2, 2]}\n"                                           \
    "  W: {at: hub, quantity: angular_velocity, direction: [1, 2, 2]}\n"                           \
    "  E: {quantity: energy}\n" more "analysis: {type: dynamic, end: 3}\n"

/* ---- spring, damper, turns ------------------------------------------------------------------- */

static const char pendulum[] = HUB("stiffness: 8, damping: 0.2, rest_angle: 9, moment: 4", "");

/* I a'' + c a' + k (a - rest) = M0 from rest at 0: k/I = 16, c/(2 I) = 0.2, equilibrium 9.5; the
   angle reaches more than two turns */
static double pendulum_at(double t, double w0) {
    const double d = 0.2, w = sqrt(16 - d * d), eq = 9.5;
    return eq + exp(-d * t) * (-eq * cos(w * t) + (w0 - d * eq) / w * sin(w * t));
}

static double pendulum_error(const char *settings, double *most) {
    verify v;
    double worst = 0;
    *most = 0;
    verify_text(&v, pendulum, settings);
    verify_start(&v);
    for (double t = 0.1; t < 3; t += 0.1) {
        const gos_state *x = verify_at(&v, t);
        const double a = verify_value(&v, x, "s.angle");
        worst = fmax(worst, fabs(a - pendulum_at(t, 2)));
        *most = fmax(*most, a);
    }
    const double rate = verify_value(&v, NULL, "W.value"), a = verify_value(&v, NULL, "s.angle");
    verify_near("moment on the hub [N m]", verify_value(&v, NULL, "s.moment"),
                8 * (9 - a) + 4 - 0.2 * rate, 1e-9);
    verify_below("balance of energies, of 400 J", verify_value(&v, NULL, "E.balance"), 0.5);
    verify_close(&v);
    return worst;
}

/* Index 3 leaves velocities that do not quite fit the hinge, which accelerations make good in the
   next step: the estimated error of a step must not contain them. Steps of order 2 grow with the
   root of the tolerance, and few are in vain. */
static void natural_steps(void **state) {
    GOS_UNUSED(state);
    long steps[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, pendulum, i ? "analysis.tolerance=1e-5" : "analysis.tolerance=1e-3");
        verify_run(&v);
        steps[i] = v.stats.steps;
        print_message("    %ld steps, %ld rejected\n", v.stats.steps, v.stats.rejected);
        verify_below("rejected steps, part", (double)v.stats.rejected / (double)steps[i], 0.1);
        verify_close(&v);
    }
    verify_within("steps at a hundredth of the tolerance", (double)steps[1] / (double)steps[0], 8.5,
                  11.5);
}

static void torsion_pendulum(void **state) {
    GOS_UNUSED(state);
    double most;
    const double coarse = pendulum_error(FINE "w=2 analysis.step=2e-3", &most);
    const double fine = pendulum_error(FINE "w=2 analysis.step=1e-3", &most);
    verify_below("angle of a torsion pendulum [rad]", fine, 1e-2);
    verify_within("its order", verify_order(coarse, fine, 2), 1.9, 2.1);
    verify_within("largest angle: more than two turns [rad]", most, 4 * M_PI, 6 * M_PI);
}

/* the other way round: the ground is the second place, so that angle and moment change sign */
static void reversed(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, pendulum,
                FINE "loads.s.between=[hub,ground] loads.s.rest_angle=-9 loads.s.moment=-4 "
                     "analysis.step=1e-3");
    verify_run(&v);
    verify_near("angle of the ground against the hub [rad]", verify_value(&v, NULL, "s.angle"),
                -pendulum_at(3, 0), 1e-2);
    verify_close(&v);
}

/* ---- stops ----------------------------------------------------------------------------------- */

static const char stopped[] =
    HUB("stops: [-0.5, 1], stop_stiffness: 400, stop_onset: 0.02, stop_damping: 0", "");

/* The hub runs into the stop with w = 3 and goes in by d: I w^2/2 = ks ((d - b/2)^2/2 + b^2/24) for
   the onset b < d. It comes back as fast, and to the other stop. */
static void elastic_stop(void **state) {
    GOS_UNUSED(state);
    const double depth = 0.01 + sqrt(I_HUB * 9 / 400 - 0.02 * 0.02 / 12);
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        double most = 0;
        verify_text(&v, stopped,
                    i ? "w=3 analysis.step=5e-4 analysis.rho_infinity=0.9"
                      : "w=3 analysis.step=1e-3 analysis.rho_infinity=0.9");
        verify_start(&v);
        while (v.state->t < 0.7) {
            verify_good(&v, gos_integrator_step(v.run, 3));
            most = fmax(most, verify_value(&v, NULL, "s.angle"));
        }
        verify_near("angle at the end of the stop's give [rad]", most, 1 + depth, 2e-5);
        error[i] = verify_value(&v, NULL, "W.value") + 3;
        verify_below("balance of energies after the stop [J]", verify_value(&v, NULL, "E.balance"),
                     1e-5);
        const gos_state *x = verify_at(&v, 1.4);
        verify_near("angular velocity after the other stop", verify_value(&v, x, "W.value"), 3,
                    1e-3);
        verify_close(&v);
    }
    verify_below("angular velocity after the stop: error [rad/s]", error[1], 1e-5);
    verify_within("its order", verify_order(fabs(error[0]), fabs(error[1]), 2), 1.7, 3.3);
}

/* Steps of error control end where the hub meets the stop, just behind 1/3 s, and where a latch
   catches it: within 4e-3 of a step of the length that is requested, and so do both ways to step of
   complex_modes. Fixed steps of the others are kept, which is reported. The way there is a straight
   one, without an error of its own, but complex_modes turns in chords: there it is the angle that
   counts. */
static void located(void **state) {
    GOS_UNUSED(state);
    static const char latch_only[] = HUB("latch: {angle: 1, stiffness: 400}", "");
    static const char *const ways[] = {
        "analysis.tolerance=1e-3",
        "analysis.tolerance=1e-4",
        "analysis.tolerance=1e-5",
        "analysis.step=0.05",
        "reduction.method=complex_modes analysis.step=1e-3",
        "reduction.method=complex_modes reduction.intervals=error reduction.tolerance=1e-3"};
    enum { FIXED = 3, LOCAL = 4, WAYS = 6 };
    for (int i = 0; i < 2 * WAYS; i++) {
        const int way = i % WAYS;
        char set[160], what[160];
        verify v;
        gos_system *full = NULL;
        double before = 0, h = 0;
        snprintf(set, sizeof set, "w=3 %s", ways[way]);
        verify_text(&v, i < WAYS ? stopped : latch_only, set);
        if (way >= LOCAL) {
            full = v.sys;
            gos_state_destroy(v.state);
            verify_good(&v, gos_reduce(v.ctx, full, &v.sys));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
        }
        verify_start(&v);
        while (verify_value(&v, NULL, "s.angle") < 1) {
            h = fmax(h, gos_state_time(v.state) - before); // grows up to the event
            before = gos_state_time(v.state);
            verify_good(&v, gos_integrator_step(v.run, 3));
        }
        snprintf(what, sizeof what, "%s met late, part of a step of %.3g s",
                 i < WAYS ? "stop" : "latch", h);
        const double late = way < LOCAL ? (gos_state_time(v.state) - 1.0 / 3) / h
                                        : (verify_value(&v, NULL, "s.angle") - 1) / (3 * h);
        verify_within(what, late, 0, way == FIXED ? 1 : 4e-3);
        assert_true(i < WAYS || verify_value(&v, NULL, "s.latched") == 1);
        const gos_diag *note = gos_ctx_diag(v.ctx, gos_ctx_ndiag(v.ctx) - 1);
        const bool told =
            note && note->count == 0 && strstr(note->text, "inside a fixed step, at about t = 0.3");
        assert_int_equal(told, way == FIXED);
        if (way == FIXED || way == LOCAL) { // the latter goes back to the grid
            verify_good(&v, gos_integrator_step(v.run, 3));
            verify_near("grid", gos_state_time(v.state), way == FIXED ? 0.4 : 0.334, 1e-15);
        }
        if (full) { // before what it was made of, and after its state
            gos_integrator_destroy(v.run);
            gos_state_destroy(v.state);
            gos_system_destroy(v.sys);
            v.run = NULL;
            v.state = NULL;
            v.sys = full;
        }
        verify_close(&v);
    }
}

/* the damper of a stop takes energy, and only there */
static void damped_stop(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, stopped, TIGHT "w=3 loads.s.stop_damping=5");
    verify_start(&v);
    const gos_state *x = verify_at(&v, 0.32);
    verify_near("angular velocity before the stop", verify_value(&v, x, "W.value"), 3, 1e-7);
    x = verify_at(&v, 0.7);
    const double w = verify_value(&v, x, "W.value");
    /* Kelvin-Voigt from touching to leaving, z = c/(2 sqrt(I ks)) = 0.1768: exp(-pi z/sqrt(1 -
       z^2)); the onset changes it by less than a percent */
    verify_near("restitution", -w / 3, 0.5687, 0.006);
    verify_near("dissipated in the stop [J]", verify_value(&v, x, "E.dissipated"),
                0.25 * (9 - w * w), 2e-4);
    verify_near("work [J]", verify_value(&v, x, "E.work"), 0, 0);
    verify_close(&v);
}

/* ---- latch ----------------------------------------------------------------------------------- */

static const char latched[] =
    HUB("stiffness: 2, rest_angle: 2, latch: {angle: 1.5, stiffness: 200}", "");

/* A hub unfolds by a spring, a = 2 (1 - cos(2 t)), and is caught at 1.5, from where on
   I a'' = 2 (2 - a) - 200 (a - 1.5). */
typedef struct unfolding {
    double t, w, eq, om; // when it is caught, how fast; what it swings about then, how fast
} unfolding;

static unfolding unfold(double kl) {
    unfolding u = {.t = 0.5 * acos(0.25), .om = sqrt((2 + kl) / I_HUB)};
    u.w = 4 * sin(2 * u.t);
    u.eq = (2 * 2 + kl * 1.5) / (2 + kl);
    return u;
}

static void latch(void **state) {
    GOS_UNUSED(state);
    const unfolding u = unfold(200);
    verify v;
    double worst = 0, least = 9;
    verify_text(&v, latched, STEP);
    verify_start(&v);
    const gos_state *x = verify_at(&v, u.t - 0.01);
    verify_near("angle just before it is caught [rad]", verify_value(&v, x, "s.angle"),
                2 * (1 - cos(2 * (u.t - 0.01))), 1e-5);
    assert_true(verify_value(&v, x, "s.latched") == 0);
    for (double t = u.t + 0.02; t < 3; t += 0.03) {
        x = verify_at(&v, t);
        const double s = u.om * (t - u.t), a = verify_value(&v, x, "s.angle");
        const double want = u.eq + (1.5 - u.eq) * cos(s) + u.w / u.om * sin(s);
        worst = fmax(worst, fabs(a - want));
        least = fmin(least, a);
        assert_true(verify_value(&v, x, "s.latched") == 1);
    }
    /* 22 swings at sqrt((k + kl)/I); amplitude 0.19 */
    verify_below("swings in the latch [rad]", worst, 1e-3);
    verify_within("smallest angle: below the latch, which holds [rad]", least, 1.3, 1.33);
    verify_below("balance of energies [J]", verify_value(&v, NULL, "E.balance"), 2e-3);
    verify_close(&v);
}

/* the damper of the latch brings it to rest where spring and latch balance; the other direction */
static void damped_latch(void **state) {
    GOS_UNUSED(state);
    const unfolding u = unfold(200);
    verify v;
    verify_text(&v, latched,
                STEP "loads.s.rest_angle=-2 loads.s.latch.angle=-1.5 loads.s.latch.damping=6");
    verify_start(&v);
    const gos_state *x = verify_at(&v, u.t + 0.1);
    /* decay 6, frequency sqrt(404 - 36), from the moment it is caught */
    const double om = sqrt(u.om * u.om - 36), s = 0.1, d = 1.5 - u.eq;
    const double want = u.eq + exp(-6 * s) * (d * cos(om * s) + (u.w + 6 * d) / om * sin(om * s));
    verify_near("angle 0.1 s after it was caught [rad]", verify_value(&v, x, "s.angle"), -want,
                1e-3);
    x = verify_at(&v, 3);
    verify_near("angle at rest [rad]", verify_value(&v, x, "s.angle"), -u.eq, 1e-6);
    verify_close(&v);
}

/* A latch that is just not reached stays open, in a run from rest whose steps must shrink at once;
   static solutions catch it too. */
static void open_latch(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, latched, TIGHT "loads.s.latch.angle=4.001"); // the swing goes to 4
    verify_run(&v);
    assert_true(verify_value(&v, NULL, "s.latched") == 0);
    verify_near("angle of the free swing [rad]", verify_value(&v, NULL, "s.angle"),
                2 * (1 - cos(6)), 1e-5);
    verify_close(&v);
    verify_text(&v, latched, "analysis.type=static analysis.load_steps=4");
    verify_static(&v);
    assert_true(verify_value(&v, NULL, "s.latched") == 1);
    verify_near("static angle [rad]", verify_value(&v, NULL, "s.angle"), (4 + 300) / 202.0, 1e-9);
    verify_close(&v);
}

/* ---- drives ---------------------------------------------------------------------------------- */

static const char driven_hub[] =
    "bodies: {hub: {type: rigid, mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 2, 3]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, hub], axis: [1, 2, 2]}\n"
    "  motor: {type: driven_rotation, between: [ground, hub], axis: [1, 2, 2],\n"
    "          angle: \"2*t + 3*t^2 + 0.2*sin(5*t)\"}\n"
    "probes:\n"
    "  a: {at: hub, quantity: angle, axis: [1, 2, 2]}\n"
    "  W: {at: hub, quantity: angular_velocity, direction: [1, 2, 2]}\n"
    "  M: {quantity: joint_moment, joint: motor}\n"
    "analysis: {type: dynamic, end: 2, step: 2.0e-3}\n";

/* Angle, rate at the start (C_t), moments at the start (C_tt) and later: I phi'' on the hub, so the
   opposite on the ground, which is the first side. */
static void driven_rotation(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, driven_hub, NULL);
    verify_start(&v);
    verify_near("angular velocity at the start [rad/s]", verify_value(&v, NULL, "W.value"), 3,
                1e-12);
    verify_near("moment on the ground at the start [N m]", verify_value(&v, NULL, "M.value"),
                -I_HUB * 6, 1e-9);
    const gos_state *x = verify_at(&v, 1.5);
    const double phi = 3 + 6.75 + 0.2 * sin(7.5);
    verify_near("angle, modulo full turns [rad]", verify_value(&v, x, "a.value"), phi - 4 * M_PI,
                1e-7);
    verify_near("moment on the ground at 1.5 s [N m]", verify_value(&v, x, "M.value"),
                -I_HUB * (6 - 5 * sin(7.5)), 2e-3);
    verify_close(&v);
    verify_text(&v, driven_hub, "joints.motor.between=[hub,ground] joints.motor.angle=-3*t^2");
    verify_start(&v);
    verify_near("moment on the hub, named first [N m]", verify_value(&v, NULL, "M.value"),
                -I_HUB * -6, 1e-9);
    verify_close(&v);
}

static const char pushed_box[] =
    "bodies: {box: {type: rigid, mass: 2, inertia: [1, 1, 1], points: {face: [1, 0, 0]}}}\n"
    "joints: {push: {type: driven, between: [ground, box], displacement: [\"3*t^2\", 0, 0]}}\n"
    "probes: {f: {quantity: joint_force, joint: push}}\n"
    "analysis: {type: dynamic, end: 1}\n";

/* a mass of 2 kg that is driven with 6 m/s^2: force of the joint on its first side */
static void driven_force(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, pushed_box, NULL);
    verify_start(&v);
    verify_near("force on the ground [N]", verify_value(&v, NULL, "f.x"), -12, 1e-10);
    verify_close(&v);
    verify_text(&v, pushed_box, "joints.push.between=[box,ground]");
    verify_start(&v);
    verify_near("force on the box [N]", verify_value(&v, NULL, "f.x"), 12, 1e-10);
    verify_close(&v);
}

/* ---- bodies that move ------------------------------------------------------------------------ */

static const char tumbling[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.5, 0.3, 0.4], position: [0, 0, 0]}\n"
    "  panel: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.25], position: [1, 0.5, 0]}\n"
    "joints: {pin: {type: revolute, between: [hub, panel], at: [0.5, 0, 0], axis: [0, 1, 1]}}\n"
    "loads: {s: {type: torsion_spring, between: [hub, panel], axis: [0, 1, 1], stiffness: 5,\n"
    "            damping: 0.1, rest_angle: 2, latch: {angle: 1.8, stiffness: 50, damping: 0.3}}}\n"
    "initial: {hub: {angular_velocity: [1, 2, -1], about: [0, 0, 0]},\n"
    "          panel: {angular_velocity: [1, 2, -1], about: [0, 0, 0]}}\n"
    "probes: {E: {quantity: energy}, s: {quantity: hinge, load: s}}\n"
    "analysis: {type: dynamic, end: 3}\n";

/* spring and latch act between the bodies: no force or moment on both together */
static void momentum(void **state) {
    GOS_UNUSED(state);
    double p[2][3], l[2][3];
    verify v;
    verify_text(&v, tumbling, TIGHT);
    verify_start(&v);
    gos_system_momentum(v.sys, v.state, p[0], l[0]);
    const gos_state *x = verify_at(&v, 3);
    gos_system_momentum(v.sys, x, p[1], l[1]);
    assert_true(verify_value(&v, x, "s.latched") == 1);
    verify_below("change of momentum [N s]", verify_distance(p[0], p[1]), 1e-9);
    verify_below("change of angular momentum of 2.6 [N m s]", verify_distance(l[0], l[1]), 1e-5);
    verify_below("balance of energies [J]", verify_value(&v, x, "E.balance"), 1e-3);
    verify_close(&v);
}

static const char boom[] =
    "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  inner: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 4,\n"
    "          normal: [0, 0, 1]}\n"
    "  outer: {type: ancf_cable, material: m, section: s, from: [1, 0, 0], to: [2, 0, 0], "
    "elements: 4,\n"
    "          normal: [0, 0, 1]}\n"
    "joints:\n"
    "  root: {type: revolute, between: [ground, inner.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: spherical, between: [inner.end, outer.start]}\n"
    "  flat: {type: point_on_plane, between: [ground, outer.end], normal: [0, 0, 1]}\n"
    "loads:\n"
    "  root: {type: torsion_spring, between: [ground, inner.start], axis: [0, 0, 1], stiffness: "
    "10}\n"
    "  elbow: {type: torsion_spring, between: [inner.end, outer.start], axis: [0, 0, 1],\n"
    "          stiffness: 4}\n"
    "  M: {type: moment, on: outer.end, moment: [0, 0, 6]}\n"
    "probes:\n"
    "  root: {quantity: hinge, load: root}\n"
    "  elbow: {quantity: hinge, load: elbow}\n"
    "analysis: {type: static}\n";

/* a moment at the tip passes through both cables, however they bend: 6/10 and 6/4 rad */
static void cables(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, boom, NULL);
    verify_static(&v);
    verify_near("angle at the ground [rad]", verify_value(&v, NULL, "root.angle"), 0.6, 1e-7);
    verify_near("angle between two cables [rad]", verify_value(&v, NULL, "elbow.angle"), 1.5, 1e-7);
    verify_close(&v);
}

static const char panels[] =
    "materials: {m: {density: 1000, young: 1.0e9, poisson: 0}}\n"
    "bodies:\n"
    "  inner: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "          y: [0, 0.5, 0], elements: [2, 2], quadrature: reduced}\n"
    "  outer: {type: ancf_plate, material: m, thickness: 0.02, corner: [1, 0.5, 0],\n"
    "          x: [0, -0.5, 0], y: [1, 0, 0], elements: [2, 2], quadrature: reduced}\n"
    "joints:\n"
    "  root: {type: spherical, between: [ground, inner.edge.x0]}\n"
    "  elbow: {type: spherical, between: [inner.edge.x1, outer.edge.y0]}\n"
    "loads:\n"
    "  root: {type: torsion_spring, between: [ground, inner.edge.x0], axis: [0, 1, 0],\n"
    "         stiffness: 10}\n"
    "  elbow: {type: torsion_spring, between: [inner.edge.x1, outer.edge.y0], axis: [0, 1, 0],\n"
    "          stiffness: 4}\n"
    "  M: {type: edge_moment, on: outer.edge.y1, moment: 6}\n"
    "probes:\n"
    "  root: {quantity: hinge, load: root}\n"
    "  elbow: {quantity: hinge, load: elbow}\n"
    "analysis: {type: static}\n";

/* The moment of 6 N over the last edge, 0.5 m long, is 3 N m about -y. It passes through both
   plates and both hinges, though the edges of the second count in opposite directions: 3/10 and 3/4
   rad. Moments at the nodes bend the plates a little across. */
static void plates(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, panels, NULL);
    verify_static(&v);
    verify_near("angle at the ground [rad]", verify_value(&v, NULL, "root.angle"), -0.3, 1e-7);
    verify_near("angle between two plates [rad]", verify_value(&v, NULL, "elbow.angle"), -0.75,
                1e-5);
    verify_near("moment there, of the whole edge [N m]", verify_value(&v, NULL, "elbow.moment"), 3,
                5e-5);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_steps), cmocka_unit_test(torsion_pendulum),
        cmocka_unit_test(reversed),      cmocka_unit_test(elastic_stop),
        cmocka_unit_test(located),       cmocka_unit_test(damped_stop),
        cmocka_unit_test(latch),         cmocka_unit_test(damped_latch),
        cmocka_unit_test(open_latch),    cmocka_unit_test(driven_rotation),
        cmocka_unit_test(driven_force),  cmocka_unit_test(momentum),
        cmocka_unit_test(cables),        cmocka_unit_test(plates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
