/* Motion of bodies, free and on joints, against what mechanics says: momenta and energy in free
   flight, tops against Euler's equations integrated on their own, pendulums (theory guide 5.3,
   5.5). Newton is iterated to round-off where only the scheme shall be seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

#define TIGHT "analysis.newton_tolerance=1e-8 "

/* ---- free cables ----------------------------------------------------------------------------- */

/* a soft cable of 1 m without supports; tests give it velocities */
static const char cable[] =
    "parameters: {n: 6, E: 1.0e5, damping: 0, alpha: 0, flux: 0, g: 0, k: 0, c: 0}\n"
    "materials: {m: {density: 1000, young: E, conductivity: k, specific_heat: c, expansion: "
    "alpha,\n"
    "                damping: {normal: damping}}}\n"
    "sections: {s: {type: circle, radius: 0.05}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0.2, -0.1, 0.3],\n"
    "               to: [0.2, 0.9, 0.3], elements: n}}\n"
    "gravity: [0, 0, -g]\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.5}\n";

/* rigid motion and bending in two planes, all of some metres a second */
static void throw(const verify *v, bool plane) {
    const double w[3] = {plane ? 0 : 2, plane ? 0 : 1, 3}, v0[3] = {1, 0.5, plane ? 0 : -0.3};
    for (int i = 0; i < v->sys->nv; i++) {
        const double *r = v->state->q + 3 * i, s = (v->state->q[3 * (i - i % 2) + 1] + 0.1);
        double x[3], *to = v->state->v + 3 * i;
        gos__cross3(w, r, x);
        for (int c = 0; c < 3; c++) {
            to[c] = x[c] + v->sys->trans[i] * v0[c];
        }
        /* u = cos(2 pi s) along x and sin(3 pi s) along z, with their slopes */
        to[0] += v->sys->trans[i] != 0 ? cos(2 * M_PI * s) : -2 * M_PI * sin(2 * M_PI * s);
        to[2] += plane                   ? 0
                 : v->sys->trans[i] != 0 ? sin(3 * M_PI * s)
                                         : 3 * M_PI * cos(3 * M_PI * s);
    }
}

typedef struct flight {
    double p, l, energy; // relative changes of linear, angular momentum and energy
} flight;

static flight fly(const char *settings, bool plane, double step) {
    verify v;
    char all[300];
    double p0[3], l0[3], p[3], l[3];
    gos_energy e0, e;
    snprintf(all, sizeof all, TIGHT "analysis.step=%.17g %s", step, settings);
    verify_text(&v, cable, all);
    throw(&v, plane);
    verify_start(&v);
    gos_system_momentum(v.sys, v.state, p0, l0);
    gos_system_energy(v.sys, v.state, &e0);
    flight f = {0};
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        gos_system_momentum(v.sys, v.state, p, l);
        gos_system_energy(v.sys, v.state, &e);
        f.p = fmax(f.p, verify_distance(p, p0) / gos__norm3(p0));
        f.l = fmax(f.l, verify_distance(l, l0) / gos__norm3(l0));
        f.energy = fmax(f.energy, fabs(e.balance) / e0.kinetic);
    }
    verify_close(&v);
    return f;
}

static void check_flight(const char *what, const char *settings, bool plane) {
    const flight a = fly(settings, plane, 1e-3), b = fly(settings, plane, 5e-4);
    print_message("    %s: angular momentum %.2e, %.2e; energy %.2e, %.2e\n", what, a.l, b.l,
                  a.energy, b.energy);
    verify_below("linear momentum, relative change", a.p, 1e-11);
    verify_within("order of the angular momentum", verify_order(a.l, b.l, 2), 1.9, 2.2);
    verify_within("order of the energy", verify_order(a.energy, b.energy, 2), 1.8, 3.2);
}

static void free_flight(void **state) {
    GOS_UNUSED(state);
    check_flight("elastic, in space", "", false);
    /* with a section frame only motion in its plane is objective (theory guide 5.3) */
    check_flight("damped, in a plane", "damping=1e-3", true);
    check_flight("damped and hot, in a plane",
                 "damping=1e-3 k=1 c=10 alpha=1e-3 initial.all.temperature=50 "
                 "initial.all.velocity=[0,0,0]",
                 true);
}

/* the centre of mass follows g t^2/2 whatever else happens: momentum m g t, exact in any step */
static void free_fall(void **state) {
    GOS_UNUSED(state);
    static const double steps[] = {1e-3, 7e-3};
    for (int i = 0; i < 2; i++) {
        verify v;
        char all[200];
        double p0[3], l[3], p[3];
        gos_sizes sizes;
        gos_energy e0, e;
        snprintf(all, sizeof all, TIGHT "g=9.81 damping=1e-3 analysis.step=%.17g", steps[i]);
        verify_text(&v, cable, all);
        throw(&v, true);
        verify_start(&v);
        gos_system_momentum(v.sys, v.state, p0, l);
        gos_system_energy(v.sys, v.state, &e0);
        gos_system_sizes(v.sys, &sizes);
        verify_near("mass", sizes.mass, 1000 * M_PI * 0.05 * 0.05, 1e-12);
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        gos_system_momentum(v.sys, v.state, p, l);
        gos_system_energy(v.sys, v.state, &e);
        const double m = sizes.mass, fall = p0[2] / m * 0.5 - 0.5 * 9.81 * 0.25;
        verify_near("momentum of the fall", p[2], p0[2] - m * 9.81 * 0.5, 1e-10 * m * 9.81);
        verify_near("momentum sideways", p[0], p0[0], 1e-10 * m);
        verify_near("height lost, from the potential energy", (e.gravity - e0.gravity) / (m * 9.81),
                    fall, 1e-10);
        verify_close(&v);
    }
}

/* ---- tops ------------------------------------------------------------------------------------ */

/* one step of the classical Runge-Kutta method for y (n <= 16) */
static void runge_kutta(void (*f)(const double *y, double *yd), int n, double h, double *y) {
    double k[4][16], m[16];
    static const double at[4] = {0, 0.5, 0.5, 1};
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < n; i++) {
            m[i] = y[i] + (j ? h * at[j] * k[j - 1][i] : 0);
        }
        f(m, k[j]);
    }
    for (int i = 0; i < n; i++) {
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* heavy symmetric top of the example about its fixed point: y = (u, l), u the axis, l the angular
   momentum; u' = l x u / I, l' = m d u x g, I = I_t + m d^2 */
enum { TOP = 6 };
static const double TOP_M = 2, TOP_IA = 0.04, TOP_IT = 0.02, TOP_D = 0.25, TOP_G = 9.81;

static void heavy(const double *y, double *yd) {
    const double g[3] = {0, 0, -TOP_G}, inertia = TOP_IT + TOP_M * TOP_D * TOP_D;
    gos__cross3(y + 3, y, yd);
    gos__cross3(y, g, yd + 3);
    for (int i = 0; i < 3; i++) {
        yd[i] /= inertia;
        yd[3 + i] *= TOP_M * TOP_D;
    }
}

/* axis after `end` seconds, released from rest of the axis at 60 degrees with 60 rad/s about it */
static void heavy_reference(double end, double u[3]) {
    double y[TOP] = {sqrt(3) / 2, 0, 0.5};
    for (int i = 0; i < 3; i++) {
        y[3 + i] = TOP_IA * 60 * y[i];
    }
    for (int i = 0; i < 100000; i++) {
        runge_kutta(heavy, TOP, end / 100000, y);
    }
    memcpy(u, y, 3 * sizeof *u);
}

static double heavy_error(double step) {
    verify v;
    char all[200];
    double u[3], centre[GOS_PROBE_MAX], axis[GOS_PROBE_MAX];
    snprintf(all, sizeof all, TIGHT "analysis.end=1 analysis.step=%.17g", step);
    verify_example(&v, "heavy-top", all);
    verify_run(&v);
    heavy_reference(1, u);
    verify_probe(&v, NULL, "axis", axis);
    verify_probe(&v, NULL, "centre", centre);
    for (int i = 0; i < 3; i++) { // the probes are on one line from the fixed point
        assert_true(fabs(centre[i] - 0.25 * axis[i]) < 1e-9);
    }
    const double error = verify_distance(axis, u);
    verify_close(&v);
    return error;
}

static void heavy_top(void **state) {
    GOS_UNUSED(state);
    const double coarse = heavy_error(1e-3), fine = heavy_error(5e-4);
    verify_below("heavy top after 1 s, error of the axis", fine, 2e-3);
    verify_within("its order", verify_order(coarse, fine, 2), 1.9, 2.2);
}

/* Steady precession: (I_a - I) W^2 cos(tilt) + I_a spin W = m g d with the body's angular velocity
   spin a_3 + W e_3; the axis keeps its height and turns by W t. */
static void steady_precession(void **state) {
    GOS_UNUSED(state);
    const double I = TOP_IT + TOP_M * TOP_D * TOP_D, C = 0.5, S = sqrt(3) / 2, spin = 60;
    const double a = (TOP_IA - I) * C, b = TOP_IA * spin, c = -TOP_M * TOP_G * TOP_D;
    const double W = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
    verify v;
    char all[300];
    snprintf(all, sizeof all,
             TIGHT "analysis.end=1 analysis.step=5e-4 bodies.top.angular_velocity=[%.17g,0,%.17g]",
             spin * S, spin * C + W);
    verify_example(&v, "heavy-top", all);
    verify_start(&v);
    double height = 0, turn = 0;
    for (int i = 1; i <= 20; i++) {
        double axis[GOS_PROBE_MAX];
        const double t = 0.05 * i;
        verify_probe(&v, verify_at(&v, t), "axis", axis);
        height = fmax(height, fabs(axis[2] - C));
        turn = fmax(turn, fabs(remainder(atan2(axis[1], axis[0]) - W * t, 2 * M_PI)));
    }
    print_message("    precession %g rad/s\n", W);
    /* (spin h)^2/12 = 7.5e-5 is the relative error of the axes' turning in a step */
    verify_below("steady precession, change of height", height, 1e-4);
    verify_below("steady precession, error of the angle", turn, 2e-3);
    verify_close(&v);
}

/* torque-free asymmetric body, node away from the centre of mass: Euler's equations in body axes
   and the kinematics of the axes, y = (w, a1, a2, a3) */
static const double FREE_I[3] = {0.3, 0.5, 0.7};

static void free_body(const double *y, double *yd) {
    const double *w = y;
    double spatial[3] = {0, 0, 0};
    yd[0] = (FREE_I[1] - FREE_I[2]) / FREE_I[0] * w[1] * w[2];
    yd[1] = (FREE_I[2] - FREE_I[0]) / FREE_I[1] * w[2] * w[0];
    yd[2] = (FREE_I[0] - FREE_I[1]) / FREE_I[2] * w[0] * w[1];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            spatial[i] += w[j] * y[3 + 3 * j + i];
        }
    }
    for (int j = 0; j < 3; j++) {
        gos__cross3(spatial, y + 3 + 3 * j, yd + 3 + 3 * j);
    }
}

static const char top[] = "bodies: {top: {type: rigid, mass: 3, inertia: [0.3, 0.5, 0.7], "
                          "centre_of_mass: [0.1, 0.2, -0.3],\n"
                          "               angular_velocity: [0.2, 4, 0.3], velocity: [1, 0, 0.5],\n"
                          "               points: {far: [1.1, 0.2, -0.3]}}}\n"
                          "probes:\n"
                          "  centre: {at: top.centre, quantity: position}\n"
                          "  far: {at: top.far, quantity: position}\n"
                          "  spin: {at: top, quantity: angular_velocity}\n"
                          "analysis: {type: dynamic, end: 3}\n";

typedef struct top_errors {
    double axis, spin, p, l, energy;
} top_errors;

static top_errors free_top(double step) {
    verify v;
    char all[100];
    double p0[3], l0[3], p[3], l[3], centre[GOS_PROBE_MAX], far[GOS_PROBE_MAX], w[GOS_PROBE_MAX];
    double y[12] = {0.2, 4, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    gos_energy e0, e;
    snprintf(all, sizeof all, TIGHT "analysis.step=%.17g", step);
    verify_text(&v, top, all);
    verify_start(&v);
    gos_system_momentum(v.sys, v.state, p0, l0);
    gos_system_energy(v.sys, v.state, &e0);
    /* kinetic energy and momentum at the start, from the rigid body's formulas */
    const double om[3] = {0.2, 4, 0.3}, arm[3] = {0.1, 0.2, -0.3};
    double vc[3], want = 0;
    gos__cross3(om, arm, vc);
    vc[0] += 1, vc[2] += 0.5;
    for (int i = 0; i < 3; i++) {
        want += 0.5 * 3 * vc[i] * vc[i] + 0.5 * FREE_I[i] * om[i] * om[i];
        assert_true(fabs(p0[i] - 3 * vc[i]) < 1e-12);
    }
    assert_true(fabs(e0.kinetic - want) < 1e-12);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    for (int i = 0; i < 30000; i++) {
        runge_kutta(free_body, 12, 1e-4, y);
    }
    gos_system_momentum(v.sys, v.state, p, l);
    gos_system_energy(v.sys, v.state, &e);
    verify_probe(&v, NULL, "centre", centre);
    verify_probe(&v, NULL, "far", far);
    verify_probe(&v, NULL, "spin", w);
    double axis[3], spatial[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        axis[i] = far[i] - centre[i];
        for (int j = 0; j < 3; j++) {
            spatial[i] += y[j] * y[3 + 3 * j + i];
        }
        /* the centre of mass flies straight, to round-off */
        assert_true(fabs(centre[i] - arm[i] - 3 * vc[i]) < 1e-10);
    }
    const top_errors r = {verify_distance(axis, y + 3), verify_distance(w, spatial),
                          verify_distance(p, p0), verify_distance(l, l0) / gos__norm3(l0),
                          fabs(e.kinetic - e0.kinetic) / e0.kinetic};
    verify_close(&v);
    return r;
}

static void torque_free_top(void **state) {
    GOS_UNUSED(state);
    const top_errors a = free_top(4e-3), b = free_top(2e-3);
    verify_below("torque-free top after 3 s, error of an axis", b.axis, 2e-2);
    verify_within("order of the axis", verify_order(a.axis, b.axis, 2), 1.8, 2.3);
    verify_within("order of the angular velocity", verify_order(a.spin, b.spin, 2), 1.8, 2.3);
    verify_below("linear momentum", b.p, 1e-10);
    verify_within("order of the angular momentum", verify_order(a.l, b.l, 2), 1.8, 3.2);
    verify_within("order of the energy", verify_order(a.energy, b.energy, 2), 1.8, 3.2);
}

/* ---- pendulums ------------------------------------------------------------------------------- */

/* when the tip of a rod released level first hangs straight below, its end having started at +x */
static double quarter(verify *v) {
    double t0, t1, x;
    verify_start(v);
    do {
        t0 = gos_state_time(v->state);
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
        x = verify_value(v, NULL, "tip.x");
    } while (x > 0);
    t1 = gos_state_time(v->state);
    for (int i = 0; i < 60; i++) { // inside the last step
        const double mid = 0.5 * (t0 + t1);
        *(verify_value(v, gos_integrator_at(v->run, mid), "tip.x") > 0 ? &t0 : &t1) = mid;
    }
    return t0;
}

/* theory guide 5.5: 2.62206 sqrt(l/(3 g)), from 1/2 B(1/4, 1/2) = 2.6220575542921198 */
static void stiff_pendulum(void **state) {
    GOS_UNUSED(state);
    const double want = 2.6220575542921198 * sqrt(1.2 / (3 * 9.81));
    /* deflection of the rod ~ rho A g l^4/(8 E I): 2e-5 of l */
    verify v;
    verify_example(&v, "thermal-pendulum", "n=4 E=3e12 flux=0 analysis.step=5e-4");
    verify_near("quarter period of a stiff cable [s]", quarter(&v), want, 1e-4 * want);
    verify_close(&v);
}

static const char rigid_pendulum[] =
    "parameters: {l: 1.2, g: 9.81, m: 0.48}\n"
    "bodies: {rod: {type: rigid, mass: m, inertia: [1.0e-3, m*l^2/12, m*l^2/12],\n"
    "               position: [l/2, 0, 0], points: {pin: [-l/2, 0, 0], tip: [l/2, 0, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.pin], axis: [0, 0, 1]}}\n"
    "gravity: [0, -g, 0]\n"
    "probes:\n"
    "  tip: {at: rod.tip, quantity: position}\n"
    "  centre: {at: rod, quantity: acceleration}\n"
    "  angle: {at: rod, quantity: angle, axis: [0, 0, 1]}\n"
    "  pin: {joint: pin, quantity: joint_force}\n"
    "analysis: {type: dynamic, end: 1}\n";

/* accelerations and multipliers at t = 0, before any step: a level rod that turns with w about its
   pin, a = (-w^2 l/2, -3 g/4) of its centre, and (m w^2 l/2, -m g/4) on the ground */
static void consistent_start(void **state) {
    GOS_UNUSED(state);
    verify v;
    double a[GOS_PROBE_MAX], f[GOS_PROBE_MAX];
    verify_text(&v, rigid_pendulum,
                "initial.rod.about=[0,0,0] initial.rod.angular_velocity=[0,0,5]");
    verify_start(&v);
    verify_probe(&v, NULL, "centre", a);
    verify_probe(&v, NULL, "pin", f);
    verify_near("centripetal acceleration", a[0], -25 * 0.6, 1e-10);
    verify_near("acceleration of the fall", a[1], -0.75 * 9.81, 1e-10);
    verify_near("force on the ground, x", f[0], 0.48 * 25 * 0.6, 1e-10);
    verify_near("force on the ground, y", f[1], -0.25 * 0.48 * 9.81, 1e-10);
    verify_close(&v);
}

static void rigid_quarter(void **state) {
    GOS_UNUSED(state);
    const double want = 2.6220575542921198 * sqrt(1.2 / (3 * 9.81));
    double error[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, rigid_pendulum,
                    i ? TIGHT "analysis.step=1e-3" : TIGHT "analysis.step=2e-3");
        error[i] = quarter(&v) - want;
        /* as it hangs, 1/2 I w^2 = m g l/2: the pin carries m g + m w^2 l/2 = 5/2 m g; the probe is
           the force on the joint's first side, here the ground */
        const gos_state *x = gos_integrator_at(v.run, want);
        verify_near("angle of the hanging rod", verify_value(&v, x, "angle.value"), -M_PI / 2,
                    1e-3);
        verify_near("force on the ground over m g", verify_value(&v, x, "pin.y") / (0.48 * 9.81),
                    -2.5, 2e-3);
        verify_close(&v);
    }
    verify_below("quarter period of a rigid rod, error [s]", error[1], 1e-5);
    verify_within("its order", verify_order(fabs(error[0]), fabs(error[1]), 2), 1.9, 2.1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight),     cmocka_unit_test(free_fall),
        cmocka_unit_test(heavy_top),       cmocka_unit_test(steady_precession),
        cmocka_unit_test(torque_free_top), cmocka_unit_test(stiff_pendulum),
        cmocka_unit_test(rigid_quarter),   cmocka_unit_test(consistent_start),
    };
    return cmocka_run_group_tests_name("motion", tests, NULL, NULL);
}
SUITE(suite)
