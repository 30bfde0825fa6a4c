/* The integrator radau: its coefficients and matrices, orders of convergence against closed forms,
   what is stiff, balances, agreement with the other integrators, which solve the equations in other
   forms, and going on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "steppers/radau/radau.h"
#include "gossamer/reduce.h"
#include "support/history.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "system/assemble.h"

/* ---- a pendulum ------------------------------------------------------------------------------ */

static const char pendulum[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {at: {at: b.centre, quantity: position}, F: {joint: h, quantity: joint_force},\n"
    "         v: {at: b.centre, quantity: velocity}, open: {quantity: constraint_violation}}\n"
    "analysis: {end: 2, integrator: radau}\n";

/* arithmetic-geometric mean: the period of a pendulum from rest at the amplitude A is 2 pi / (w
 * M(1, cos(A/2))) */
static double agm(double a, double b) {
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* ---- coefficients ---------------------------------------------------------------------------- */

/* Collocation: A is exact for powers up to 2 (that of the stages) and its last row up to 4 (order
   5); D is its inverse, and T turns D into its eigenvalues. */
static void coefficients(void **state) {
    GOS_UNUSED(state);
    gos_radau_tableau k;
    gos__radau_tableau(&k);
    for (int i = 0; i < 3; i++) {
        for (int p = 0; p < (i == 2 ? 5 : 3); p++) {
            double sum = 0;
            for (int j = 0; j < 3; j++) {
                sum += k.A[i][j] * pow(k.c[j], p);
            }
            verify_near("integral of a power", sum, pow(k.c[i], p + 1) / (p + 1), 1e-14);
        }
        const double L[3][3] = {{k.gamma, 0, 0}, {0, k.alpha, k.beta}, {0, -k.beta, k.alpha}};
        for (int j = 0; j < 3; j++) {
            double ad = 0, dt = 0, tt = 0;
            for (int l = 0; l < 3; l++) {
                ad += k.A[i][l] * k.D[l][j];
                dt += k.D[i][l] * k.T[l][j] - k.T[i][l] * L[l][j];
                tt += k.T[i][l] * k.T_inverse[l][j];
            }
            verify_near("A D", ad, i == j, 1e-13);
            verify_near("D T - T L", dt, 0, 1e-13);
            verify_near("T T^-1", tt, i == j, 1e-13);
        }
    }
    /* polynomials of third degree from 0: derivative at the start, value anywhere, coefficient */
    double slope = 0, value[3], at = 0, cubic = 0;
    gos__radau_cubics(&k, 1.7, value);
    for (int j = 0; j < 3; j++) {
        const double c = k.c[j], y = 2 * c - 3 * c * c + 0.5 * c * c * c;
        slope += k.start[j] * y;
        at += value[j] * y;
        cubic += k.cubic[j] * y;
    }
    verify_near("slope", slope, 2, 1e-13);
    verify_near("beyond the end", at, 2 * 1.7 - 3 * 1.7 * 1.7 + 0.5 * 1.7 * 1.7 * 1.7, 1e-13);
    verify_near("third power", cubic, 0.5, 1e-13);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* steps of the same length, whatever they make of errors, and Newton's iteration to rounding */
static void fixed_steps(verify *v, double h) {
    v->opt.tolerance = 0.1;
    v->opt.newton_tolerance = 1e-10;
    v->opt.initial_step = v->opt.max_step = h;
}

/* The third time at the bottom, twice passed: position and speed have order 5, and so has what
   energy is lost, and the force of the joint, a multiplier, at least 3. */
static void orders_of_a_pendulum(void **state) {
    GOS_UNUSED(state);
    enum { LEVELS = 3 };
    const double w = sqrt(2 * 9.81 / 2.1), quarter = 0.5 * M_PI / (w * agm(1, cos(M_PI / 4)));
    double error[4][LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        verify v;
        gos_energy e;
        verify_text(&v, pendulum, NULL);
        v.opt.end = 5 * quarter;
        fixed_steps(&v, v.opt.end / (80 << k));
        verify_run(&v);
        assert_int_equal(v.stats.steps, 80 << k);
        gos_system_energy(v.sys, v.state, &e);
        error[0][k] = fabs(verify_value(&v, NULL, "at.x"));
        error[1][k] = fabs(fabs(verify_value(&v, NULL, "v.x")) - w * sqrt(2));
        error[2][k] = fabs(e.balance);
        /* the weight and m l w^2 at the bottom, where rate^2 = 2 m g l / J */
        error[3][k] = fabs(fabs(verify_value(&v, NULL, "F.y")) - 2 * 9.81 - 2 * 2 * w * w);
        verify_below("constraints", verify_value(&v, NULL, "open.value"), 1e-13);
        verify_close(&v);
    }
    static const char *const what[] = {"order of the position", "of the velocity", "of the energy",
                                       "of the force of the joint"};
    for (int i = 0; i < 4; i++) {
        for (int k = 1; k < LEVELS; k++) {
            verify_within(what[i], verify_order(error[i][k - 1], error[i][k], 2), i < 3 ? 4.9 : 3,
                          i < 3 ? 5.1 : 5);
        }
    }
    verify_below("position after 80 steps [m]", error[0][0], 2.5e-6);
}

/* A beam that swings and stretches between a hinge and a mass, cools as it is stretched and warms
   as it is bent fast, with an end of prescribed temperature: heat and motion act on each other. (In
   a plane: in space the directions of a section turn along from step to step, to second order.)
   Against steps a quarter of the smallest. */
static const char beam[] =
    "materials: {m: {density: 1000, young: 1e5, poisson: 0.3, conductivity: 20, specific_heat: "
    "100, expansion: 2e-3, damping: {normal: 2e-2, shear: 1e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.05, width: 0.1}}\n"
    "reference_temperature: 300\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "2}\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [1.2, 0, 0], points: {p: "
    "[-0.2, 0, 0]}}\n"
    "joints:\n"
    "  a: {type: spherical, between: [ground, rod.start]}\n"
    "  b: {type: spherical, between: [rod.end, hub.p]}\n"
    "heat: {T: {type: temperature, on: rod.start, value: \"5*sin(3*t)^2\"}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {at: {at: hub, quantity: position}, v: {at: hub, quantity: velocity},\n"
    "  T: {at: rod.end, quantity: temperature}}\n"
    "analysis: {end: 0.4, integrator: radau, thermoelastic_heat: true, viscous_heating: true}\n";

typedef struct ending {
    double x[3], v[3], T;
} ending;

static ending beam_to_the_end(double h) {
    verify v;
    ending e;
    double y[GOS_PROBE_MAX];
    verify_text(&v, beam, NULL);
    fixed_steps(&v, h);
    verify_run(&v);
    assert_int_equal(v.stats.rejected, 0);
    verify_probe(&v, NULL, "at", y);
    memcpy(e.x, y, sizeof e.x);
    verify_probe(&v, NULL, "v", y);
    memcpy(e.v, y, sizeof e.v);
    verify_probe(&v, NULL, "T", y);
    e.T = y[0];
    verify_close(&v);
    return e;
}

static void orders_of_a_heated_beam(void **state) {
    GOS_UNUSED(state);
    enum { LEVELS = 3 };
    const ending fine = beam_to_the_end(0.4 / 1280);
    double error[3][LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        const ending e = beam_to_the_end(0.4 / (40 << k));
        error[0][k] = verify_distance(e.x, fine.x);
        error[1][k] = verify_distance(e.v, fine.v);
        error[2][k] = fabs(e.T - fine.T);
        print_message("    %.3g m, %.3g m/s, %.3g K\n", error[0][k], error[1][k], error[2][k]);
    }
    static const char *const what[] = {"order of the position", "of the velocity",
                                       "of the temperature"};
    for (int i = 0; i < 3; i++) {
        verify_within(what[i], verify_order(error[i][1], error[i][2], 2), 4.5, 5.6);
    }
}

static const char oscillator[] =
    "bodies: {mass: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
    "joints: {slide: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}}\n"
    "loads: {spring: {type: spring, between: [ground, mass], at: [-5, 0, 0],\n"
    "  stiffness: (2*pi)^2, free_length: 5}}\n"
    "probes: {at: {at: mass, quantity: position}, v: {at: mass, quantity: velocity},\n"
    "  a: {at: mass, quantity: acceleration}}\n"
    "analysis: {end: 5, integrator: radau}\n";

/* ---- errors ---------------------------------------------------------------------------------- */

static void errors_follow_the_tolerance(void **state) {
    GOS_UNUSED(state);
    const double w = sqrt(2 * 9.81 / 2.1), quarter = 0.5 * M_PI / (w * agm(1, cos(M_PI / 4)));
    long steps[2];
    for (int k = 0; k < 4; k++) {
        verify v;
        gos_energy e;
        const double tolerance = pow(10, -3 - 2 * k);
        verify_text(&v, pendulum, NULL);
        v.opt.tolerance = tolerance;
        v.opt.end = 5 * quarter;
        verify_run(&v);
        gos_system_energy(v.sys, v.state, &e);
        print_message("    tolerance %g: %ld steps, %ld rejected, %ld iterations\n", tolerance,
                      v.stats.steps, v.stats.rejected, v.stats.iterations);
        verify_below("place at the bottom after 5/4 periods, tolerances",
                     fabs(verify_value(&v, NULL, "at.x")) / tolerance, 1.5);
        verify_below("energy, tolerances", fabs(e.balance) / (2 * 9.81) / tolerance, 3);
        verify_below("constraints", verify_value(&v, NULL, "open.value"), 0.01 * tolerance);
        steps[k == 3] = v.stats.steps;
        assert_in_range(v.stats.rejected, 0, 3);
        verify_close(&v);
    }
    /* six digits more by a method of order 5 */
    verify_within("steps for 1e-9 against 1e-3", (double)steps[1] / (double)steps[0], 1, 20);
}

/* What the errors of all steps add up to is reported: of an oscillator, x = cos(2 pi t), it is that
   of the amplitude at the end (0.5, 0.7 of it; 3.4 where Newton's iteration leaves as much as the
   steps). */
static void errors_are_told(void **state) {
    GOS_UNUSED(state);
    static const char words[] = "the estimated step errors add up to about ";
    for (int k = 0; k < 3; k++) {
        verify v;
        double told = 0;
        verify_text(&v, oscillator, NULL);
        v.opt.tolerance = pow(10, -3 - 2 * k);
        verify_start(&v);
        verify_good(&v, gos_integrator_track_errors(v.run));
        const double off = fabs(verify_value(&v, verify_at(&v, 5), "at.x") - 1);
        for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
            const char *at = strstr(gos_ctx_diag(v.ctx, i)->text, words);
            told = at ? strtod(at + strlen(words), NULL) : told;
        }
        verify_within("told error, of the true one", told / off, 0.3, 5);
        verify_close(&v);
    }
}

/* Between the ends of steps, which are long: an oscillator, x = cos(2 pi t), at 200 times. */
static void errors_inside_steps(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 3; k++) {
        verify v;
        double most[3] = {0};
        verify_text(&v, oscillator, NULL);
        v.opt.tolerance = pow(10, -3 - 2 * k);
        verify_start(&v);
        for (int i = 1; i <= 200; i++) {
            const double t = 0.025 * i, w = 2 * M_PI;
            const gos_state *x = verify_at(&v, t);
            most[0] = fmax(most[0], fabs(verify_value(&v, x, "at.x") - cos(w * t)));
            most[1] = fmax(most[1], fabs(verify_value(&v, x, "v.x") / w + sin(w * t)));
            most[2] = fmax(most[2], fabs(verify_value(&v, x, "a.x") / (w * w) + cos(w * t)));
        }
        gos_integrator_statistics(v.run, &v.stats);
        print_message("    tolerance %g: %ld steps\n", v.opt.tolerance, v.stats.steps);
        verify_below("position, tolerances", most[0] / v.opt.tolerance, 3);
        verify_below("velocity, tolerances", most[1] / v.opt.tolerance, 3);
        /* of one order less, of steps that go with the fourth root */
        verify_below("acceleration", most[2] / pow(v.opt.tolerance, 0.75), 1);
        verify_close(&v);
    }
}

/* Stiff heat (Prothero and Robinson): a rod in a strong wind whose temperature changes, C T' = -H
   (T - a(t)) with H / C = 1e4 / s and a = 50 sin(3 t): T = a(t) - a'/s + ..., exactly a sum of sine
   and cosine once what decays within 1 ms is gone. Steps are those of a(t), a thousand times longer
   than 1 / s. */
static void stiff_heat(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {m: {density: 1000, young: 1e7, poisson: 0.3, conductivity: 10, specific_heat: "
        "100}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 1}}\n"
        "joints: {a: {type: clamp, between: [ground, rod.start]}}\n"
        "heat: {wind: {type: convection, on: rod, coefficient: 5e6, ambient: \"50*sin(3*t)\"}}\n"
        "probes: {T: {at: rod.at(0.5), quantity: temperature}}\n"
        "analysis: {end: 2, integrator: radau, temperature_range: 50}\n";
    const double s = 5e6 * 0.08 / (1000 * 100 * 4e-4), w = 3; // surface over capacity, per length
    for (int k = 0; k < 3; k++) {
        verify v;
        double most = 0, y[GOS_PROBE_MAX];
        verify_text(&v, text, NULL);
        v.opt.tolerance = pow(10, -3 - 2 * k);
        verify_start(&v);
        for (int i = 1; i <= 40; i++) {
            const double t = 0.05 * i;
            const double T = 50 * s * (s * sin(w * t) - w * cos(w * t)) / (s * s + w * w);
            verify_probe(&v, verify_at(&v, t), "T", y);
            most = fmax(most, fabs(y[0] - T));
        }
        gos_integrator_statistics(v.run, &v.stats);
        print_message("    tolerance %g: %ld steps, %ld rejected\n", v.opt.tolerance, v.stats.steps,
                      v.stats.rejected);
        verify_below("temperature, tolerances", most / 50 / v.opt.tolerance, 3);
        assert_in_range(v.stats.steps, 5, 400);
        verify_close(&v);
    }
}

/* Angles that were published (test set of Mazzia and Magherini 2008), of the bodies as in
 * verify/test_bdf, at 0.03 s. */
static void published_angles(void **state) {
    GOS_UNUSED(state);
    static const char *const name[] = {"beta", "k2", "k3", "k4", "k5", "k6", "k7"};
    const double phi0 = 0.222668390165885884, delta0 = 0.487364979543842550,
                 epsilon0 = 1.230547444549821192, beta0 = -0.061713890014276449;
    const double start[] = {beta0,           beta0,   0.455279819163070380, phi0 + delta0, delta0,
                            epsilon0 - phi0, epsilon0};
    const double phi = -0.5347301163226948, delta = 0.5244099658805304, epsilon = 1.048080741042263,
                 beta = 15.81077119629904;
    const double end[] = {
        beta,   beta - 15.75637105984298, 0.04082224013073101, phi + delta, delta, epsilon - phi,
        epsilon};
    verify v;
    verify_open(&v, "tests/verify/models/andrews.yaml",
                "analysis.integrator=radau analysis.tolerance=1e-8");
    verify_run(&v);
    print_message("    %ld steps, %ld rejected\n", v.stats.steps, v.stats.rejected);
    for (int i = 0; i < 7; i++) {
        char what[20];
        snprintf(what, sizeof what, "%s.value", name[i]);
        const double off = verify_value(&v, NULL, what) - (end[i] - start[i]);
        verify_below(name[i], fabs(remainder(off, 2 * M_PI)), 1e-8);
    }
    verify_close(&v);
}

/* ---- balances -------------------------------------------------------------------------------- */

/* A free tumbling body, ten turns: nothing acts, and what is lost of momentum and energy is less
 * than the tolerance. */
static void free_body(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "bodies: {b: {type: rigid, mass: 1, inertia: [1, 2, 2.5]}}\n"
        "initial: {b: {angular_velocity: [1, 3, 0.1], velocity: [1, 2, 0]}}\n"
        "analysis: {end: 20, integrator: radau}\n";
    for (int k = 0; k < 2; k++) {
        verify v;
        double p0[3], l0[3], p[3], l[3];
        gos_energy e0, e;
        verify_text(&v, text, NULL);
        v.opt.tolerance = k == 0 ? 1e-4 : 1e-7;
        verify_start(&v);
        gos_system_momentum(v.sys, v.state, p0, l0);
        gos_system_energy(v.sys, v.state, &e0);
        (void)verify_at(&v, v.opt.end);
        gos_system_momentum(v.sys, v.state, p, l);
        gos_system_energy(v.sys, v.state, &e);
        verify_below("momentum, of it", verify_distance(p, p0) / sqrt(5), 1e-10);
        verify_below("angular momentum, of it, tolerances",
                     verify_distance(l, l0) / sqrt(37) / v.opt.tolerance, 1);
        verify_below("energy, of it, tolerances", // it goes with the square
                     fabs(e.kinetic / e0.kinetic - 1) / v.opt.tolerance, 2);
        verify_close(&v);
    }
}

/* Work, losses and heat are integrated with the weights of the method: all that a driven, damped,
 * heated beam gets is somewhere. */
static void balances_of_a_heated_beam(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_energy e;
    gos_heat heat;
    verify_text(&v, beam, NULL);
    v.opt.tolerance = 1e-7;
    verify_run(&v);
    gos_system_energy(v.sys, v.state, &e);
    gos_system_heat(v.sys, v.state, &heat);
    print_message("    %ld steps; dissipated %.3g, thermal %.3g of %.3g J; heat %.3g J\n",
                  v.stats.steps, e.dissipated, e.thermal_work, e.kinetic, heat.supplied);
    assert_true(e.dissipated > 1e-3 * e.kinetic);
    verify_below("balance of energy, of the kinetic one", fabs(e.balance) / e.kinetic, 3e-7);
    verify_below("balance of heat, of what is stored", fabs(heat.balance) / fabs(heat.stored),
                 1e-7);
    verify_close(&v);
}

/* ---- the other integrators ------------------------------------------------------------------- */

/* radau within `tolerance`, generalised-alpha within `part` of it; `example` or text */
static double difference_of(const char *example, const char *text, const char *settings,
                            double tolerance, double part, bool reduced) {
    static history c[2];
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        verify v;
        if (example) {
            verify_example(&v, example, settings);
        } else {
            verify_text(&v, text, settings);
        }
        gos_system *full = v.sys;
        if (reduced) {
            verify_good(&v, gos_reduce(v.ctx, full, &v.sys));
            gos_state_destroy(v.state);
            verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
        }
        v.opt.integrator = k == 0 ? GOS_GENERALISED_ALPHA : GOS_RADAU;
        v.opt.tolerance = k == 0 ? part * tolerance : tolerance;
        history_of_probes(&v, &c[k]);
        worst = k == 1 ? history_difference(&v, &c[0], &c[1]) : 0;
        if (reduced) {
            gos_integrator_destroy(v.run);
            gos_state_destroy(v.state);
            gos_system_destroy(v.sys);
            v.run = NULL;
            v.state = NULL;
            v.sys = full;
        }
        verify_close(&v);
    }
    return worst;
}

static void agrees_with_generalised_alpha(void **state) {
    GOS_UNUSED(state);
    verify_below("heavy top, tolerances",
                 difference_of("heavy-top", NULL, NULL, 1e-5, 1, false) / 1e-5, 2);
    verify_below("pendulum in the sun, tolerances",
                 difference_of("thermal-pendulum", NULL, "t_end=0.5", 1e-5, 0.1, false) / 1e-5, 2);
    /* ranges are parts of the extent, 31.4 m: the least, of p3, is 0.18 m */
    verify_below("dumbbell satellite, tolerances",
                 difference_of("dumbbell-satellite", NULL, "t_end=1", 1e-6, 0.1, false) / 1e-6, 40);
}

/* a dense matrix, of another size: LAPACK's complex factors */
static void agrees_when_reduced(void **state) {
    GOS_UNUSED(state);
    verify_below("reduced pendulum in the sun, tolerances",
                 difference_of("thermal-pendulum", NULL, "t_end=0.5", 1e-5, 0.1, true) / 1e-5, 2);
}

/* a force that jumps twice, a drive whose rate changes, a latch that catches */
static const char switched[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "loads: {turn: {type: moment, on: b, moment: [0, 0, \"t < 0.3 ? 2 : (t < 0.7 ? -1 : 0.5)\"]},\n"
    "  s: {type: torsion_spring, between: [ground, b.o], axis: [0, 0, 1], stiffness: 3, damping: "
    "0.2,"
    " rest_angle: 1, latch: {angle: 0.5, stiffness: 60, damping: 0.5}}}\n"
    "probes: {angle: {joint: h, quantity: joint_coordinates}, rate: {joint: h, quantity: "
    "joint_rates}}\n"
    "analysis: {end: 2}\n";

static void jumps_and_events(void **state) {
    GOS_UNUSED(state);
    verify_below("jumps and a latch, tolerances",
                 difference_of(NULL, switched, NULL, 1e-6, 1, false) / 1e-6, 4);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* A run that continues from any kept state makes the same steps, to the last bit. */
static void same_bits(const char *text, const char *settings, double until) {
    gos_state *kept = NULL;
    verify v;
    gos_statistics stats[2];
    double at[2][GOS_PROBE_MAX];
    const char *name = strstr(text, "angle:") ? "angle" : "at";
    verify_text(&v, text, settings);
    v.opt.integrator = GOS_RADAU;
    v.opt.tolerance = 1e-6;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
    verify_start(&v);
    while (v.state->t < until) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_good(&v, gos_integrator_store_history(v.run));
    verify_good(&v, gos_state_copy(kept, v.state));
    for (int k = 0; k < 2; k++) {
        if (k > 0) {
            gos_integrator_destroy(v.run);
            v.run = NULL;
            verify_good(&v, gos_state_copy(v.state, kept));
            verify_start(&v);
        }
        while (v.state->t < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        verify_probe(&v, NULL, name, at[k]);
        gos_integrator_statistics(v.run, &stats[k]);
    }
    assert_memory_equal(at[0], at[1], sizeof at[0][0]);
    assert_int_equal(stats[0].steps, stats[1].steps);
    assert_int_equal(stats[0].iterations, stats[1].iterations);
    assert_int_equal(stats[0].factorisations, stats[1].factorisations);
    gos_state_destroy(kept);
    verify_close(&v);
}

static void goes_on_with_the_same_bits(void **state) {
    GOS_UNUSED(state);
    for (int i = 1; i < 10; i++) {
        same_bits(switched, NULL, 0.2 * i);
    }
    same_bits(beam, NULL, 0.1);
    same_bits(beam, NULL, 0.3);
}

/* ---- the matrices ---------------------------------------------------------------------------- */

/* out (n) := the equations */
static void equations(gos_work *w, const gos_point_of *x, double *none, double *unused,
                      double *out) {
    const gos_system *s = w->sys;
    const gos_residual r = {.q = out, .th = out + s->at.th, .h = out + s->at.lamT};
    assert_int_equal(gos__residual(w, x, &r, NULL), GOS_OK);
    gos__stabilised_rows(w, x, none, out + s->at.lam, unused);
}

static void product(const gos_pattern *p, const double *values, const double *d, double *out) {
    memset(out, 0, (size_t)p->n * sizeof *out);
    for (int col = 0; col < p->n; col++) {
        for (int e = p->p[col]; e < p->p[col + 1]; e++) {
            out[p->i[e]] += values[e] * d[col];
        }
    }
}

/* P, R and M at a random place, by differences along random directions */
static void matrices_are_derivatives(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 5;
    const double step = 1e-3;
    gos_radau_matrix m;
    random_at at;
    gos_work *w;
    verify v;
    verify_text(&v, beam, NULL);
    const gos_system *s = v.sys;
    const size_t n = (size_t)s->n;
    verify_good(&v, gos__work_create(v.ctx, s, &w));
    verify_good(&v, gos__radau_matrix_make(v.ctx, w, &m));
    assert_true(s->nc > 6 && s->nh > 0 && s->nt > 0);
    random_state(s, &seed, 300, &at);
    const gos_point_of x = {.t = 0.2,
                            .scale = 1,
                            .q = at.q,
                            .v = at.v,
                            .a = at.a,
                            .th = at.th,
                            .thd = at.thd,
                            .lam = at.lam,
                            .lamT = at.lamT,
                            .mem = s->mem0};
    gos__radau_matrix_assemble(&m, w, &x);
    double *d = calloc(6 * n + (size_t)s->nc, sizeof *d), *exact = d + n, *sum = exact + n,
           *r = sum + n, *z = r + n, *unused = z + n, *none = unused + n;
    /* directions: unknowns of P; velocities and rates of temperatures of R; accelerations of M */
    double *const moved[] = {at.q, at.th, at.lam, at.lamT, at.v, at.thd, at.a};
    const int from[] = {s->at.q, s->at.th, s->at.lam, s->at.lamT, s->at.q, s->at.th, s->at.q};
    const int count[] = {s->nq, s->nt, s->nc, s->nh, s->nq, s->nt, s->nq};
    const double *const values[] = {m.places, m.places, m.places, m.places,
                                    m.rates,  m.rates,  m.inertia};
    static const char *const name[] = {"by q", "by th",  "by lam", "by lamT",
                                       "by v", "by thd", "by a"};
    const int rows[] = {0, s->at.th, s->at.lam, s->at.lamT, s->n};
    for (int k = 0; k < GOS_COUNT(moved); k++) {
        memset(d, 0, n * sizeof *d);
        memset(sum, 0, n * sizeof *sum);
        random_fill(&seed, count[k], 1, d + from[k]);
        product(&m.pattern, values[k], d, exact);
        memcpy(z, moved[k], (size_t)count[k] * sizeof *z);
        for (int p = 0; p < 4; p++) {
            static const double weight[4] = {1, -8, 8, -1};
            for (int i = 0; i < count[k]; i++) {
                moved[k][i] = z[i] + shifts[p] * step * d[from[k] + i];
            }
            equations(w, &x, none, unused, r);
            for (size_t i = 0; i < n; i++) {
                sum[i] += weight[p] * r[i] / (12 * step);
            }
        }
        memcpy(moved[k], z, (size_t)count[k] * sizeof *z);
        for (int b = 0; b < 4; b++) { // each block against its own size
            block one = {.what = name[k]};
            for (int i = rows[b]; i < rows[b + 1]; i++) {
                compare(&one, exact[i], sum[i]);
            }
            if (one.largest > 0) {
                check_block(&one);
            } else { // rounding of residuals
                assert_true(one.error < 1e-7);
            }
        }
    }
    free(d);
    free(at.block);
    gos__radau_matrix_free(&m);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused_by(const verify *v, gos_status status, const char *words) {
    assert_int_equal(status, GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v->ctx));
    assert_non_null(strstr(gos_ctx_message(v->ctx), words));
}

/* in a model with its line; of options as words */
static void refusals(void **state) {
    GOS_UNUSED(state);
    static const char *const wrong[] = {"step: 0.01", "probe_tolerance: 0.01", "rho_infinity: 0.5",
                                        "max_order: 3", "heat: steady"};
    char text[2000];
    for (int i = 0; i < GOS_COUNT(wrong); i++) {
        verify v = {.ctx = gos_ctx_create()};
        snprintf(text, sizeof text,
                 "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
                 "analysis: {\n  %sintegrator: radau%s%s}\n",
                 i == 4 ? "heat: steady,\n  " : "", i < 4 ? ",\n  " : "", i < 4 ? wrong[i] : "");
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        refused_by(&v, gos_system_create(v.ctx, v.model, &v.sys), "test:4:");
        verify_close(&v);
    }
    verify v;
    verify_text(&v, pendulum, NULL);
    v.opt.step = 0.01;
    refused_by(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run), "`step`");
    verify_close(&v);
}

/* A stiff rod that spins about its own axis and precesses about its angular momentum H at the rate
   |H|/J_t. Newton's matrix rotates with the rod: with a fixed one the iteration needs ten times
   these steps. Elastic strain changes the rate by 1e-6. The bounds of steps were set after seeing
   the figures (some 190, of which 54 rejected). */
static void spinning_rod(const double axis[3], const double side[3], double scale) {
    const double spin = 60, tumble = 8, L = 0.5, r = 0.03, end = 0.2;
    const double inertia = 0.5 * r * r, across = (3 * r * r + L * L) / 12;
    const double along = inertia * spin, aside = across * tumble, size = hypot(along, aside);
    double w[3], H[3], e[3], y[GOS_PROBE_MAX];
    for (int i = 0; i < 3; i++) {
        w[i] = spin * axis[i] + tumble * side[i];
        H[i] = (along * axis[i] + aside * side[i]) / size;
        e[i] = 0.5 * L * axis[i] * scale;
    }
    const double angle = size / across * end, c = cos(angle), d = sin(angle);
    const double he = H[0] * e[0] + H[1] * e[1] + H[2] * e[2];
    const double he_cross[3] = {H[1] * e[2] - H[2] * e[1], H[2] * e[0] - H[0] * e[2],
                                H[0] * e[1] - H[1] * e[0]};
    verify v;
    char text[1000];
    snprintf(text, sizeof text,
             "materials: {m: {density: %g, young: %g, poisson: 0.3}}\n"
             "sections: {s: {type: circle, radius: %g}}\n"
             "bodies: {r: {type: ancf_beam, material: m, section: s, elements: 4,\n"
             "  from: [%.15g, %.15g, %.15g], to: [%.15g, %.15g, %.15g],\n"
             "  normal: [%.15g, %.15g, %.15g]}}\n"
             "initial: {r: {angular_velocity: [%.15g, %.15g, %.15g]}}\n"
             "probes: {x: {at: r.end}}\n"
             "analysis: {end: %g, tolerance: 1e-4, integrator: radau}\n",
             scale > 1 ? 7850e-12 : 7850.0, scale > 1 ? 2.1e5 : 2.1e11, r * scale, -e[0], -e[1],
             -e[2], e[0], e[1], e[2], side[0], side[1], side[2], w[0], w[1], w[2], end);
    verify_text(&v, text, NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "x", y);
    for (int i = 0; i < 3; i++) {
        const double right = e[i] * c + he_cross[i] * d + H[i] * he * (1 - c);
        verify_near("end of the rod, of half its length", (y[i] - right) / (0.5 * L * scale), 0,
                    1e-4);
    }
    verify_below("steps", (double)v.stats.steps, 600);
    verify_below("rejected steps", (double)v.stats.rejected, 120);
    verify_close(&v);
}

static void stiff_rods_that_spin(void **state) {
    GOS_UNUSED(state);
    spinning_rod((const double[]){1, 0, 0}, (const double[]){0, 1, 0}, 1);
    spinning_rod((const double[]){0, 0, 1}, (const double[]){1, 0, 0}, 1);
    spinning_rod((const double[]){1.0 / 3, 2.0 / 3, 2.0 / 3},
                 (const double[]){0, M_SQRT1_2, -M_SQRT1_2}, 1);
    spinning_rod((const double[]){0, 1, 0}, (const double[]){0, 0, 1}, 1000);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coefficients),
                                       cmocka_unit_test(orders_of_a_pendulum),
                                       cmocka_unit_test(orders_of_a_heated_beam),
                                       cmocka_unit_test(errors_follow_the_tolerance),
                                       cmocka_unit_test(errors_are_told),
                                       cmocka_unit_test(errors_inside_steps),
                                       cmocka_unit_test(stiff_heat),
                                       cmocka_unit_test(stiff_rods_that_spin),
                                       cmocka_unit_test(published_angles),
                                       cmocka_unit_test(free_body),
                                       cmocka_unit_test(balances_of_a_heated_beam),
                                       cmocka_unit_test(agrees_with_generalised_alpha),
                                       cmocka_unit_test(agrees_when_reduced),
                                       cmocka_unit_test(jumps_and_events),
                                       cmocka_unit_test(goes_on_with_the_same_bits),
                                       cmocka_unit_test(matrices_are_derivatives),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("radau", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
