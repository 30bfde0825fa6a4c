/* Fourier temperatures around a thin tube (theory guide 2.8) against closed forms and against a
   fine finite volume solution of the circle's heat equation. The sun travels across the tube, which
   lies along x; phi counts from y to z. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

static const char tube[] =
    "parameters: {L: 0.2, n: 2, M: 8, k: 0.5, c: 400, rho: 8000, q: 1.0e3, alpha: 0}\n"
    "reference_temperature: 300\n"
    "materials:\n"
    "  m: {density: rho, young: 1.0e5, conductivity: k, specific_heat: c, absorptivity: 0.7,\n"
    "      emissivity: 0.6, expansion: alpha}\n"
    "sections: {pipe: {type: annulus, outer: 0.01, inner: 0.009, modes: M}}\n"
    "bodies:\n"
    "  tube: {type: ancf_cable, material: m, section: pipe, from: [0, 0, 0], to: [L, 0, 0],\n"
    "         elements: n}\n"
    "joints: {root: {type: clamp, between: [ground, tube.start]}}\n"
    "probes:\n"
    "  mid: {at: tube.at(L/2), quantity: temperature}\n"
    "  bow: {at: tube.at(L/2), quantity: curvature}\n"
    "analysis: {type: static}\n";

#define GROUNDED "  base: {type: temperature, on: tube.start, value: 0, gradients: free}\n"
#define MODES 8
#define FAMILIES (2 * MODES + 1)

static const double k = 0.5, rho_c = 400 * 8000, Ro = 0.01, w = 0.001, R = 0.0095;
static const double absorbed = 0.7 * 1e3, STEFAN = 5.670374419e-8;
static const char *const names[FAMILIES] = {"T",  "T_y", "T_z", "a2", "b2", "a3", "b3", "a4", "b4",
                                            "a5", "b5",  "a6",  "b6", "a7", "b7", "a8", "b8"};

static void open_tube(verify *v, const char *heat, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%sheat:\n%s", tube, heat);
    verify_text(v, text, settings);
}

static double value(const verify *v, const char *family) {
    char what[40];
    snprintf(what, sizeof what, "mid.%s", family);
    return verify_value(v, NULL, what);
}

/* coefficient m of max(0, cos x): 1/pi, 1/2, 2/(3 pi), 0, -2/(15 pi), 0, ... */
static double coefficient(int m) {
    if (m < 2) {
        return m == 0 ? 1 / M_PI : 0.5;
    }
    return m % 2 ? 0 : 2 * (m % 4 ? 1 : -1) / (M_PI * (m * m - 1));
}

/* k w m^2/R^2 a_m = (Ro/R) a q c_perp q_m cos(m phi_0): the outer circle is lit, the mean one
 * conducts */
static void steady_flux(void **state) {
    GOS_UNUSED(state);
    static const char *const direction[] = {"[0, -1, 0]", "[0, -0.8, -0.6]", "[0.6, -0.64, 0.48]"};
    const double angle[] = {0, atan2(0.6, 0.8), -atan2(0.6, 0.8)}, across[] = {1, 1, 0.8};
    for (int i = 0; i < 3; i++) {
        verify v;
        char heat[300], text[100];
        snprintf(heat, sizeof heat,
                 "  sun: {type: sun, flux: q, direction: %s, on: tube}\n" GROUNDED, direction[i]);
        open_tube(&v, heat, "");
        verify_static(&v);
        for (int f = 1; f < FAMILIES; f++) {
            const int m = (f + 1) / 2;
            const double phase = f % 2 ? cos(m * angle[i]) : sin(m * angle[i]);
            double want = Ro * R / (k * w * m * m) * absorbed * across[i] * coefficient(m) * phase;
            want /= m == 1 ? R : 1;
            snprintf(text, sizeof text, "sun along %s, %s", direction[i], names[f]);
            verify_near(text, value(&v, names[f]), want, 1e-9 * fmax(fabs(want), 1));
        }
        verify_close(&v);
    }
    /* a section of linear temperatures conducts across the hollow, twice as well as the wall
       does */
    verify v;
    open_tube(&v, "  sun: {type: sun, flux: q, direction: [0, -1, 0], on: tube}\n" GROUNDED,
              "sections.pipe.modes=~");
    verify_static(&v);
    const double wall = 0.5 * Ro / (k * w) * absorbed;
    verify_near("T_y of linear temperatures, of the wall's", value(&v, "T_y") / wall, Ro / (2 * R),
                1e-9);
    verify_close(&v);
}

/* Approach to the steady state: the difference of a_m from it decays with k m^2/(rho c R^2). */
static void relaxation(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = "  sun: {type: sun, flux: q, direction: [0, -1, 0], on: tube}\n";
    static const int order[] = {1, 2, 4};
    const double unit = R * R * rho_c / k;
    double left[2][3];
    for (int i = 0; i < 2; i++) {
        verify v;
        char settings[200];
        snprintf(settings, sizeof settings,
                 "n=1 M=4 analysis.type=dynamic analysis.end=%.17g analysis.step=%.17g",
                 (0.2 + 0.1 * i) * unit, 1e-4 * unit);
        open_tube(&v, heat, settings);
        verify_run(&v);
        for (int j = 0; j < 3; j++) {
            const int m = order[j];
            const double at = Ro * R / (k * w * m * m) * absorbed * coefficient(m);
            left[i][j] = at - value(&v, names[2 * m - 1]) * (m == 1 ? R : 1);
        }
        verify_near("mean, a q 2 Ro t/(rho c A) [K]", value(&v, "T"),
                    absorbed * Ro / (M_PI * R * w * rho_c) * (0.2 + 0.1 * i) * unit, 1e-6);
        verify_close(&v);
    }
    for (int j = 0; j < 3; j++) {
        const int m = order[j];
        char text[60];
        snprintf(text, sizeof text, "rate of order %d, of k/(rho c R^2)", m);
        // the scheme: (m^2 1e-4)^2/12 of it
        verify_near(text, log(left[0][j] / left[1][j]) / 0.1, m * m, 1e-5 * m * m);
    }
}

/* A uniform section at the start; behind it a_m'' = (m/R)^2 (a_m - steady), insulated at the
   end. */
static void axial(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = "  sun: {type: sun, flux: q, direction: [0, -1, 0], on: tube}\n"
                               "  base: {type: temperature, on: tube.start, value: 0}\n";
    static const int order[] = {1, 2, 4};
    const double L = 0.02;
    double a[2][3];
    for (int i = 0; i < 2; i++) {
        verify v;
        open_tube(&v, heat, i ? "L=0.02 n=32" : "L=0.02 n=16");
        verify_static(&v);
        for (int j = 0; j < 3; j++) {
            a[i][j] = value(&v, names[2 * order[j] - 1]) * (order[j] == 1 ? R : 1);
        }
        verify_close(&v);
    }
    for (int j = 0; j < 3; j++) {
        const int m = order[j];
        const double at = Ro * R / (k * w * m * m) * absorbed * coefficient(m);
        const double want = at * (1 - cosh(0.5 * L * m / R) / cosh(L * m / R));
        char text[60];
        snprintf(text, sizeof text, "order %d behind a uniform start [K]", m);
        verify_near(text, a[1][j], want, 5e-3 * fabs(want));
        verify_within("its convergence",
                      verify_order(fabs(a[0][j] - want), fabs(a[1][j] - want), 2), 1.8, 2.2);
    }
}

/* the tube bows away from the sun with alpha T_y, as any section */
static void bow(void **state) {
    GOS_UNUSED(state);
    verify v;
    open_tube(&v, "  sun: {type: sun, flux: q, direction: [0, -1, 0], on: tube}\n" GROUNDED,
              "alpha=1.0e-6");
    verify_static(&v);
    const double T_y = 0.5 * Ro / (k * w) * absorbed;
    verify_near("curvature [1/m]", verify_value(&v, NULL, "bow.k2"), -1e-6 * T_y,
                1e-5 * 1e-6 * T_y);
    verify_close(&v);
}

/* ---- against a fine solution around the circle ----------------------------------------------- */

#define CELLS 360
#define SPEED 0.015 // of the sun around the tube [rad/s]
#define SECONDS 500.0

/* rate of cell temperatures: conduction, the sun's mean over a cell, radiation to 100 K */
static void circle_rate(double t, const double *T, double *rate) {
    const double d = 2 * M_PI / CELLS, cell = rho_c * w * R * d;
    for (int i = 0; i < CELLS; i++) {
        const double left = T[(i + CELLS - 1) % CELLS], right = T[(i + 1) % CELLS];
        const double mean = 2 * sin(d / 2) / d; // of a cosine over the cell
        const double cosine = mean * cos((i + 0.5) * d - SPEED * t);
        rate[i] = k * w / (R * d) * (left - 2 * T[i] + right);
        rate[i] += Ro * d * absorbed * fmax(0, cosine);
        rate[i] -= Ro * d * 0.6 * STEFAN * (pow(300 + T[i], 4) - pow(100, 4));
        rate[i] /= cell;
    }
}

static void circle_solve(double *T) {
    const int steps = 5000;
    const double h = SECONDS / steps;
    double s[4][CELLS], at[CELLS];
    memset(T, 0, CELLS * sizeof *T);
    for (int n = 0; n < steps; n++) {
        for (int stage = 0; stage < 4; stage++) { // Runge and Kutta
            const double f = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int i = 0; i < CELLS; i++) {
                at[i] = T[i] + (stage ? f * s[stage - 1][i] : 0);
            }
            circle_rate(n * h + f, at, s[stage]);
        }
        for (int i = 0; i < CELLS; i++) {
            T[i] += h / 6 * (s[0][i] + 2 * s[1][i] + 2 * s[2][i] + s[3][i]);
        }
    }
}

/* largest difference around the circle, of the range of the fine solution */
static double difference(int modes, const double *fine) {
    static const char heat[] = "  sun: {type: sun, flux: q, on: tube,\n"
                               "        direction: [0, \"-cos(0.015*t)\", \"-sin(0.015*t)\"]}\n"
                               "  space: {type: radiation, on: tube, sink: 100}\n";
    verify v;
    char settings[200];
    snprintf(settings, sizeof settings,
             "n=1 M=%d analysis.type=dynamic analysis.end=%g analysis.step=0.5", modes, SECONDS);
    open_tube(&v, heat, settings);
    verify_run(&v);
    double worst = 0, lo = fine[0], hi = fine[0];
    for (int i = 0; i < CELLS; i++) {
        const double angle = (i + 0.5) * 2 * M_PI / CELLS;
        double T = value(&v, "T");
        for (int m = 1; m <= modes; m++) {
            const double unit = m == 1 ? R : 1;
            T += unit * (value(&v, names[2 * m - 1]) * cos(m * angle) +
                         value(&v, names[2 * m]) * sin(m * angle));
        }
        worst = fmax(worst, fabs(T - fine[i]));
        lo = fmin(lo, fine[i]);
        hi = fmax(hi, fine[i]);
    }
    print_message("    %d modes: %.3g K of %.3g K\n", modes, worst, hi - lo);
    verify_close(&v);
    return worst / (hi - lo);
}

static void fine_circle(void **state) {
    GOS_UNUSED(state);
    static double fine[CELLS];
    circle_solve(fine);
    verify_within("1 mode against 360 cells", difference(1, fine), 0.05, 0.2);
    verify_below("2 modes", difference(2, fine), 0.02);
    verify_below("4 modes", difference(4, fine), 5e-3);
    verify_below("8 modes", difference(8, fine), 1.5e-3);
}

/* stored = supplied to round-off */
static void balance(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = "  sun: {type: sun, flux: q, direction: [0.3, -1, \"sin(t/9)\"],\n"
                               "        on: [tube, tube.end], eclipse: [[20, 30]], penumbra: 5}\n"
                               "  space: {type: radiation, on: [tube, tube.end], sink: 100}\n"
                               "  air: {type: convection, on: tube, coefficient: 5, ambient: -9}\n";
    verify v;
    gos_heat sum;
    open_tube(&v, heat,
              "analysis.type=dynamic analysis.end=60 analysis.step=1 "
              "analysis.newton_tolerance=1e-13");
    verify_run(&v);
    gos_system_heat(v.sys, v.state, &sum);
    print_message("    stored %g, supplied %g J in %ld steps\n", sum.stored, sum.supplied,
                  v.stats.steps);
    assert_true(fabs(sum.supplied) > 1);
    verify_below("heat balance, of the heat stored", sum.balance / sum.stored, 1e-12);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_flux), cmocka_unit_test(relaxation),  cmocka_unit_test(axial),
        cmocka_unit_test(bow),         cmocka_unit_test(fine_circle), cmocka_unit_test(balance),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
SUITE(suite)
