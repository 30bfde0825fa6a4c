/* A floating beam on a hub that turns: linear models about that motion against rotating beams,
   whose frequencies are those of Ritz's method with polynomials, int EI w''^2 + N w'^2 over int rho
   A w^2 with the axial force N = rho A Omega^2 ((L^2 - x^2)/2 + r0 (L - x)); in the plane of the
   rotation Omega^2 less, and a hub that is free to turn takes part. At zeroth order N is left
   out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/modes.h"
#include "support/suite.h"
#include "support/verify.h"

/* L, rho A, EI are 1 */
static const char model[] =
    "parameters: {Omega: 6, r0: 0}\n"
    "materials: {unit: {density: 1, young: 1, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 1, Iy: 1, Iz: 1, J: 1}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, %g], angular_velocity: [0, 0, Omega],\n"
    "        points: {rim: [r0, 0, 0]}}\n"
    "  arm: {type: floating_beam, material: unit, section: bar, from: [r0, 0, 0],\n"
    "        to: ['r0+1', 0, 0], coupling: %s, axial: rigid, torsion: rigid, rotary_inertia: "
    "false,\n"
    "        velocity: [0, 'Omega*r0', 0], angular_velocity: [0, 0, Omega]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "%s"
    "analysis: {end: 1}\n";
static const char driven[] =
    "  drive: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: 'Omega*t'}\n";

/* ---- Ritz's method --------------------------------------------------------------------------- */

#define NR 8 // polynomials x^2 .. x^9

/* of deflections across the plane of the rotation, or in it beside a hub of inertia J about the
   axis (0: it turns as told), whose motion takes part */
static void matrices(double Omega, double r0, bool first, bool lag, double J, double K[NR][NR],
                     double M[NR][NR]) {
    const double all = J + (pow(r0 + 1, 3) - pow(r0, 3)) / 3;
    for (int i = 0; i < NR; i++) {
        for (int j = 0; j < NR; j++) {
            const double a = i + 2, b = j + 2, n = a + b - 1; // w'_i w'_j = a b x^(n - 1)
            const double force = (1 / n - 1 / (n + 2)) / 2 + r0 * (1 / n - 1 / (n + 1));
            const double arm_i = 1 / (a + 2) + r0 / (a + 1), arm_j = 1 / (b + 2) + r0 / (b + 1);
            K[i][j] = a * (a - 1) * b * (b - 1) / (a + b - 3) +
                      (first ? Omega * Omega * a * b * force : 0) -
                      (lag ? Omega * Omega / (a + b + 1) : 0);
            M[i][j] = 1 / (a + b + 1) - (lag && J > 0 ? arm_i * arm_j / all : 0);
        }
    }
}

/* A x = b by elimination, A is lost */
static void solve(double A[NR][NR], double b[NR]) {
    for (int k = 0; k < NR; k++) {
        for (int i = k + 1; i < NR; i++) {
            const double f = A[i][k] / A[k][k];
            b[i] -= f * b[k];
            for (int j = k; j < NR; j++) {
                A[i][j] -= f * A[k][j];
            }
        }
    }
    for (int i = NR - 1; i >= 0; i--) {
        for (int k = i + 1; k < NR; k++) {
            b[i] -= A[i][k] * b[k];
        }
        b[i] /= A[i][i];
    }
}

/* square of the lowest frequency by inverse iteration */
static double ritz(double Omega, double r0, bool first, bool lag, double J) {
    double x[NR] = {1}, y[NR], value = 0;
    for (int step = 0; step < 60; step++) {
        double K[NR][NR], M[NR][NR], up = 0, down = 0;
        matrices(Omega, r0, first, lag, J, K, M);
        for (int i = 0; i < NR; i++) {
            y[i] = 0;
            for (int j = 0; j < NR; j++) {
                y[i] += M[i][j] * x[j];
                up += x[i] * K[i][j] * x[j];
            }
            down += x[i] * y[i];
        }
        value = up / down;
        solve(K, y);
        memcpy(x, y, sizeof x);
        for (int i = 0; i < NR; i++) {
            x[i] /= y[0];
        }
    }
    return value;
}

/* ---- the program's models -------------------------------------------------------------------- */

/* The lowest modes about the motion at its beginning, in axes fixed in space and in turning ones:
   the one across the plane is the one whose frequency is near `flap`, the other one in the plane is
   that near `lag` (a growth where its square is below 0). */
static void check(double Omega, double r0, const char *coupling, double J, bool turning) {
    char text[sizeof model + 300];
    const bool first = coupling[0] == 'f';
    snprintf(text, sizeof text, model, J > 0 ? J : 1, coupling, J > 0 ? "" : driven);
    const double spin[3] = {0, 0, Omega}, pivot[3] = {0, 0, 0};
    fixture f = read_model(text, NAMES("Omega", "r0"), VALUES(Omega, r0));
    if (turning) {
        gos_options o;
        gos_options_get(f.sys, &o);
        o.analysis = GOS_STATIC;
        o.end = 0;
        o.spin_z = Omega;
        need(f.ctx, gos_solve_static(f.ctx, f.sys, &o, f.state, NULL));
        need(f.ctx, gos_linearise_rotating(f.ctx, f.sys, f.state, spin, pivot, &f.linear));
    } else {
        linearise(&f);
    }
    const double want[2] = {ritz(Omega, r0, first, false, 0), ritz(Omega, r0, first, true, J)};
    double off[2] = {HUGE_VAL, HUGE_VAL};
    gos_mode modes[8];
    int found;
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, 8, true, modes, &found));
    for (int i = 0; i < found; i++) {
        const double square = modes[i].im * modes[i].im - modes[i].re * modes[i].re;
        for (int k = 0; k < 2; k++) {
            off[k] = fmin(off[k], fabs(square - want[k]) / want[0]);
        }
    }
    print_message("%s, Omega %g, r0 %g, hub %g: across %.7g, in the plane %.7g rad/s\n", coupling,
                  Omega, r0, J, sqrt(want[0]), copysign(sqrt(fabs(want[1])), want[1]));
    verify_below("across", off[0], 2e-5); // of squares, by 20 cubic elements
    verify_below("in the plane", off[1], 2e-5);
    done(&f);
}

/* Across the plane, r0 = 0: 3.6816, 4.1373, 7.3604, 13.1702 rad/s (Wright and others, J. Appl.
 * Mech. 49, 1982). */
static void test_frequencies(void **state) {
    static const double rate[] = {1, 2, 6, 12}, wright[] = {3.6816, 4.1373, 7.3604, 13.1702};
    (void)state;
    for (int i = 0; i < 4; i++) {
        verify_near("Ritz", sqrt(ritz(rate[i], 0, true, false, 0)), wright[i], 1e-4);
        for (int k = 0; k < 4; k++) {
            check(rate[i], k % 2 ? 0.5 : 0, "first", k < 2 ? 0 : 2, false);
            check(rate[i], k % 2 ? 0.5 : 0, "first", k < 2 ? 0 : 2, true);
        }
        check(rate[i], 0.5, "zeroth", 0, false);
        check(rate[i], 0.5, "zeroth", 0, true);
    }
}

/* ---- steady rotation ------------------------------------------------------------------------- */

/* a beam that stretches, with a mass beside its axis at the end, so that it bends, too */
static const char steady[] =
    "materials: {simo: {density: 1.2, young: 2.8e7, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 1, Iy: 5e-4, Iz: 5e-4, J: 1e-3}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: simo, section: bar, from: [0, 0, 0], to: [10, 0, 0],\n"
    "        elements: 6, coupling: %s, reference: %s}\n"
    "  tip: {type: rigid, mass: %g, inertia: [0.01, 0.01, 0.01], position: [10.2, 0.1, 0.2],\n"
    "        points: {hold: [-0.2, -0.1, -0.2]}}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}\n"
    "  end: {type: clamp, between: [arm.end, tip.hold]}\n"
    "probes:\n"
    "  out: {at: 'arm.at(4)', quantity: displacement, frame: arm}\n"
    "  tip: {at: arm.end, quantity: displacement, frame: arm}\n"
    "  angle: {at: arm.start, quantity: angle, axis: [0, 0, 1]}\n"
    "analysis: {start: equilibrium, spin: {axis: [0, 0, 1], rate: %g}, end: 0.5, step: 2.5e-3}\n";

static void settle(verify *v) {
    gos_options o = v->opt;
    o.analysis = GOS_STATIC;
    o.end = 0;
    verify_good(v, gos_solve_static(v->ctx, v->sys, &o, v->state, &v->stats));
}

/* The equilibrium in turning axes is a motion that continues as it is; without a tip it stretches
   by L (tan x / x - 1), x^2 = rho Omega^2 L^2 / E (5.143e-4 m for Simo's data). */
static void test_steady(void **state) {
    static const char *const reference[] = {"clamped", "chord", "mean_axis"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        const double rate = i % 2 ? 6 : 1.5; // at zeroth order below the first frequency, 3.8 rad/s
        char text[sizeof steady + 100];
        double begin[GOS_PROBE_MAX], end[GOS_PROBE_MAX];
        verify v;
        print_message("%s, %s\n", reference[i / 2], i % 2 ? "first" : "zeroth");
        snprintf(text, sizeof text, steady, i % 2 ? "first" : "zeroth", reference[i / 2], 0.5,
                 rate);
        verify_text(&v, text, NULL);
        settle(&v);
        assert_true(v.stats.iterations <=
                    12); // quadratic: 9, without any of the centrifugal terms 25
        const double angle = verify_value(&v, NULL, "angle.value"); // nothing holds it
        verify_probe(&v, NULL, "out", begin);
        verify_run(&v);
        verify_probe(&v, NULL, "out", end);
        assert_true(fabs(begin[1]) > 1e-5 && fabs(begin[2]) > 1e-5);
        verify_below("the shape keeps [m]", verify_distance(begin, end), 1e-6);
        verify_near("angle [rad]",
                    remainder(verify_value(&v, NULL, "angle.value") - angle - 0.5 * rate, 2 * M_PI),
                    0, 0.2 * pow(2.5e-3 * rate, 2) * 0.5 * rate); // of second order in the step
        verify_close(&v);
    }
}

static void test_stretch(void **state) {
    char text[sizeof steady + 100];
    double out[GOS_PROBE_MAX];
    verify v;
    (void)state;
    snprintf(text, sizeof text, steady, "first", "clamped", 1e-9, 6.0);
    verify_text(&v, text, NULL);
    settle(&v);
    verify_probe(&v, NULL, "tip", out);
    const double lambda = sqrt(1.2 * 36 * 100 / 2.8e7);
    verify_near("stretch [m]", out[0], 10 * (tan(lambda) / lambda - 1), 1e-6 * out[0]);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequencies),
                                       cmocka_unit_test(test_steady),
                                       cmocka_unit_test(test_stretch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
