/* Small free vibrations: frequency, Kelvin-Voigt damping, thermoelastic damping after Zener, and
   where the energy goes (theory guide 1.5, 2.6, 5.2). A simply supported beam is kicked with its
   first mode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

static const char beam[] =
    "parameters: {n: 8, L: 1, b: 0.02, h: 0.01, E: 1.0e9, rho: 1000, gamma: 0, k: 0, c: 0, alpha: "
    "0,\n"
    "             end: 1, J: 1}\n"
    "reference_temperature: 300\n"
    "materials: {m: {density: rho, young: E, conductivity: k, specific_heat: c, expansion: alpha,\n"
    "                damping: {normal: gamma}}}\n"
    "sections: {s: {type: rectangle, width: b, height: h, depth_modes: J}}\n"
    "bodies: {beam: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [L, 0, 0],\n"
    "                elements: n}}\n"
    "probes: {mid: {at: beam.at(L/2), quantity: position},\n"
    "         end: {at: beam.end, quantity: displacement}}\n"
    "analysis: {type: dynamic, end: end, rho_infinity: 1, newton_tolerance: 1.0e-6}\n"
    "joints:\n";

static const char supported[] =
    "  pin: {type: revolute, between: [ground, beam.start], axis: [0, 0, 1]}\n"
    "  roller: {type: roller, between: [beam.end, ground], normal: [0, 1, 0]}\n";
static const char fixed_free[] =
    "  root: {type: clamp, between: [ground, beam.start], rigid: false}\n";

static const double L = 1, h = 0.01, E = 1e9, RHO = 1000;
#define KICK 1e-4 // velocity at midspan [m/s]: deflections of 1e-6 m, nothing is nonlinear

static double omega_1(void) {
    return M_PI * M_PI / (L * L) * h * sqrt(E / (12 * RHO));
}

static void open_beam(verify *v, const char *joints, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%s%s", beam, joints);
    verify_text(v, text, settings);
}

/* Kicked with the velocities of the first bending mode; 400 steps a period without numerical
   damping (rho_infinity = 1), `periods` of them. */
static void kick_beam(verify *v, const char *settings, double periods) {
    char all[400];
    const double period = 2 * M_PI / omega_1();
    snprintf(all, sizeof all, "end=%.17g analysis.step=%.17g %s", periods * period, period / 400,
             settings);
    open_beam(v, supported, all);
    for (int i = 0; i < v->sys->nv; i += 2) {
        const double x = v->state->q[3 * i];
        v->state->v[3 * i + 1] = KICK * sin(M_PI * x / L);
        v->state->v[3 * (i + 1) + 1] = KICK * M_PI / L * cos(M_PI * x / L);
    }
    verify_start(v);
}

typedef struct ringing {
    double omega; // from the crossings of zero
    double decay; // of the amplitude per time, from the first and the last extreme
} ringing;

/* crossings of zero and extremes of the midspan after time `from` */
static ringing listen(verify *v, double from) {
    double crossing[2] = {0, 0}, extreme[2] = {0, 0}, when[2] = {0, 0}, y0 = 0, v0 = KICK, t0 = 0;
    int crossings = 0, extremes = 0;
    const int probe = verify_find(v, "mid");
    while (gos_state_time(v->state) < v->opt.end) {
        double y[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
        verify_good(v, gos_system_probe(v->ctx, v->sys, v->state, probe, y, rate));
        const double t = gos_state_time(v->state), dt = t - t0;
        if (t0 > from && (y0 < 0) != (y[1] < 0)) {
            crossing[crossings++ > 0] = t0 + dt * y0 / (y0 - y[1]);
        }
        if (t0 > from && (v0 < 0) != (rate[1] < 0)) {
            const double s = v0 / (v0 - rate[1]); // velocities are close to linear in a step
            extreme[extremes > 0] = fabs(y0 + dt * s * (v0 + 0.5 * s * (rate[1] - v0)));
            when[extremes++ > 0] = t0 + s * dt;
        }
        y0 = y[1], v0 = rate[1], t0 = t;
    }
    assert_true(crossings > 2 && extremes > 2);
    return (ringing){.omega = M_PI * (crossings - 1) / (crossing[1] - crossing[0]),
                     .decay = log(extreme[0] / extreme[1]) / (when[1] - when[0])};
}

static void frequency(void **state) {
    GOS_UNUSED(state);
    verify v;
    kick_beam(&v, "", 5);
    const ringing r = listen(&v, 0);
    /* step: (omega h)^2/12 = 2e-5 at rho_infinity = 1 */
    verify_near("first bending frequency over the theory's", r.omega / omega_1(), 1, 1e-4);
    verify_below("decay without damping, over the frequency", r.decay / omega_1(), 1e-6);
    verify_close(&v);
}

/* ratio gamma omega/2, from the logarithmic decrement */
static void damping_ratio(void **state) {
    GOS_UNUSED(state);
    static const double gamma[] = {1e-4, 1e-3};
    for (int i = 0; i < 2; i++) {
        verify v;
        char settings[100];
        snprintf(settings, sizeof settings, "gamma=%g", gamma[i]);
        kick_beam(&v, settings, 5);
        const ringing r = listen(&v, 0);
        const double zeta = 0.5 * gamma[i] * omega_1();
        verify_near("damping ratio over gamma omega/2", r.decay / omega_1() / zeta, 1, 1e-3);
        verify_near("damped frequency", r.omega / omega_1(), sqrt(1 - zeta * zeta), 1e-4);
        verify_close(&v);
    }
}

/* ---- thermoelastic damping ------------------------------------------------------------------- */

/* Root of s^2 + w^2 (1 + D s tau/(1 + s tau)) = 0 near i w, by Newton's method in complex numbers
   by hand: the beam's first mode with one gradient, tau = 1/(12 kappa/h^2 + kappa pi^2/L^2). For
   small D this is Zener's 1/Q = D w tau/(1 + w^2 tau^2), decay w/(2 Q). */
static void zener_root(double w, double tau, double D, double s[2]) {
    s[0] = 0, s[1] = w;
    for (int i = 0; i < 50; i++) {
        /* f = s^2 + w^2 + w^2 D (1 - 1/(1 + s tau)), f' = 2 s + w^2 D tau/(1 + s tau)^2 */
        const double a = 1 + s[0] * tau, b = s[1] * tau, m = a * a + b * b;
        const double inv[2] = {a / m, -b / m};
        const double sq[2] = {inv[0] * inv[0] - inv[1] * inv[1], 2 * inv[0] * inv[1]};
        const double f[2] = {s[0] * s[0] - s[1] * s[1] + w * w * (1 + D * (1 - inv[0])),
                             2 * s[0] * s[1] - w * w * D * inv[1]};
        const double d[2] = {2 * s[0] + w * w * D * tau * sq[0],
                             2 * s[1] + w * w * D * tau * sq[1]};
        const double n = d[0] * d[0] + d[1] * d[1];
        s[0] -= (f[0] * d[0] + f[1] * d[1]) / n;
        s[1] -= (f[1] * d[0] - f[0] * d[1]) / n;
    }
}

/* omega tau below, at and above 1 by the conductivity; T0 = 300 K, D = E alpha^2 T0/(rho c) =
   0.03 */
static void zener(void **state) {
    GOS_UNUSED(state);
    static const double wt[] = {0.2, 1, 5};
    const double w = omega_1(), c = 100, alpha = sqrt(0.03 * RHO * c / (E * 300));
    for (int i = 0; i < 3; i++) {
        const double tau = wt[i] / w, kappa = 1 / (tau * (12 / (h * h) + M_PI * M_PI / (L * L)));
        verify v;
        char settings[300];
        double s[2];
        snprintf(settings, sizeof settings,
                 "k=%.17g c=%g alpha=%.17g analysis.thermoelastic_heat=true", kappa * RHO * c, c,
                 alpha);
        kick_beam(&v, settings, 16);
        /* after the temperatures have swung in */
        const ringing r = listen(&v, 8 * 2 * M_PI / w);
        zener_root(w, tau, 0.03, s);
        print_message("    omega tau %g: 1/Q %.5f, Zener %.5f\n", wt[i], 2 * r.decay / w,
                      0.03 * wt[i] / (1 + wt[i] * wt[i]));
        verify_near("decay over that of the mode's equation", r.decay / -s[0], 1, 1e-3);
        verify_near("frequency over that of the mode's equation", r.omega / s[1], 1, 1e-4);
        verify_close(&v);
    }
}

/* ---- where the energy goes ------------------------------------------------------------------- */

/* what damping takes, viscous heating gives to the temperatures; 1 J of vibration in a beam without
   expansion: all of it becomes heat in the end */
static void viscous_heat(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_energy e0, e;
    gos_heat heat;
    kick_beam(&v, "gamma=5e-3 k=1 c=100 analysis.viscous_heating=true", 8);
    gos_system_energy(v.sys, v.state, &e0);
    /* kinetic energy of the mode: rho A L/4 v^2 */
    verify_near("energy of the kick over rho A L v^2/4",
                e0.kinetic / (RHO * 2e-4 * KICK * KICK / 4), 1, 1e-4);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    gos_system_energy(v.sys, v.state, &e);
    gos_system_heat(v.sys, v.state, &heat);
    verify_below("energy left", (e.kinetic + e.strain) / e0.kinetic, 0.1);
    verify_near("energy dissipated and left, of the kick",
                (e.dissipated + e.kinetic + e.strain) / e0.kinetic, 1, 1e-4);
    verify_near("heat stored over the energy dissipated", heat.stored / e.dissipated, 1, 1e-4);
    verify_close(&v);
}

/* Stretching cools: dT = -T0 alpha E eps/(rho c) where no heat flows. The rod's end is driven
   slowly. */
static void gough_joule(void **state) {
    GOS_UNUSED(state);
    static const char rod[] =
        "reference_temperature: 300\n"
        "materials: {m: {density: 1000, young: 1.0e8, conductivity: 1.0e-9, specific_heat: 100,\n"
        "                expansion: 1.0e-3}}\n"
        "sections: {s: {type: circle, radius: 0.01}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, "
        "0],\n"
        "               elements: 2}}\n"
        "joints:\n"
        "  root: {type: clamp, between: [ground, rod.start], rigid: false}\n"
        "  pull: {type: driven, between: [ground, rod.end],\n"
        "         displacement: [\"0.005*(1 - cos(pi*t))\", 0, 0]}\n"
        "probes: {T: {at: rod.at(0.5), quantity: temperature},\n"
        "         strain: {at: rod.at(0.5), quantity: strain}}\n"
        "analysis: {type: dynamic, end: 1, step: 1.0e-2, thermoelastic_heat: true}\n";
    verify v;
    verify_text(&v, rod, NULL);
    verify_run(&v);
    const double eps = 0.5 * (1.01 * 1.01 - 1);
    verify_near("strain of the pulled rod", verify_value(&v, NULL, "strain.axial"), eps,
                1e-4 * eps);
    verify_near("temperature of the pulled rod", verify_value(&v, NULL, "T.T"),
                -300 * 1e-3 * 1e8 * eps / (1000 * 100), 1e-4 * 3);
    verify_close(&v);
}

/* axial vibration fixed-free, omega = pi/2 sqrt(E/rho)/L: the free end of a rod let go */
static void axial_frequency(void **state) {
    GOS_UNUSED(state);
    verify v;
    const double period = 4 * L / sqrt(E / RHO);
    char all[200];
    snprintf(all, sizeof all, "end=%.17g analysis.step=%.17g", 2.05 * period, period / 400);
    open_beam(&v, fixed_free, all);
    for (int i = 0; i < v.sys->nv; i += 2) {
        const double x = v.state->q[3 * i];
        v.state->v[3 * i] = KICK * sin(0.5 * M_PI * x / L);
        v.state->v[3 * (i + 1)] = KICK * 0.5 * M_PI / L * cos(0.5 * M_PI * x / L);
    }
    verify_start(&v);
    double last = 0, t0 = 0, at = 0;
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        const double u = verify_value(&v, NULL, "end.x"), t = gos_state_time(v.state);
        if (t0 > 0 && last < 0 && u >= 0) {
            at = t0 + (t - t0) * last / (last - u);
        }
        last = u, t0 = t;
    }
    verify_near("axial period over 4 L/c, after two", at / (2 * period), 1, 1e-4);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequency),   cmocka_unit_test(damping_ratio),
        cmocka_unit_test(zener),       cmocka_unit_test(viscous_heat),
        cmocka_unit_test(gough_joule), cmocka_unit_test(axial_frequency),
    };
    return cmocka_run_group_tests_name("damping", tests, NULL, NULL);
}
SUITE(suite)
