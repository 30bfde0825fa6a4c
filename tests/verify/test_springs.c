/* Springs and dampers with given characteristics, along a line and about a hinge, against closed
   forms; what they store and dissipate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* a mass of 2 kg on the x axis, held by a spring to the ground at x = -1; its length is 1 at
   rest */
#define LINE(spring, v0)                                                                           \
    "parameters: {x: 0}\n"                                                                         \
    "bodies: {box: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [x, 0, 0], velocity: [" v0 \
    ", 0, 0]}}\n"                                                                                  \
    "loads: {s: {type: spring, between: [box, ground], at: [-1, 0, 0], free_length: 1, " spring    \
    "}}\n"                                                                                         \
    "probes: {x: {at: box}, v: {at: box, quantity: velocity}, E: {quantity: energy}}\n"            \
    "analysis: {end: 3, step: 1e-3, newton_tolerance: 1e-6}\n"

/* the same about a hinge: inertia 2, angle for x */
#define HINGE(spring, w0)                                                                          \
    "bodies: {box: {type: rigid, mass: 2, inertia: [2, 2, 2], angular_velocity: [0, 0, " w0        \
    "]}}\n"                                                                                        \
    "joints: {pin: {type: revolute, between: [ground, box], axis: [0, 0, 1]}}\n"                   \
    "loads: {s: {type: torsion_spring, between: [ground, box], axis: [0, 0, 1], " spring "}}\n"    \
    "probes: {s: {quantity: hinge, load: s}, x: {at: box, quantity: angle},\n"                     \
    "         v: {at: box, quantity: angular_velocity}, E: {quantity: energy}}\n"                  \
    "analysis: {end: 3, step: 1e-3, newton_tolerance: 1e-6}\n"

/* Jacobi's cn(u | m), by descending Landen transformations of the amplitude */
static double cn(double u, double m) {
    double a[16] = {1}, c[16], b = sqrt(1 - m);
    int n = 0;
    c[0] = sqrt(m);
    while (fabs(c[n]) > 1e-16 && n < 14) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--) {
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    }
    return cos(phi);
}

/* m x'' = -k x - k3 x^3 from rest at A: x = A cn(W t | (k3 A^2 / m) / (2 W^2)), W^2 = (k + k3
 * A^2)/m */
static double duffing(double t, double A, double k, double k3) {
    const double W2 = (k + k3 * A * A) / 2;
    return A * cn(sqrt(W2) * t, k3 * A * A / 2 / (2 * W2));
}

static double duffing_error(const char *settings) {
    verify v;
    double worst = 0;
    verify_text(&v, LINE("elastic: \"50*stretch + 400*stretch^3\"", "0"), settings);
    verify_start(&v);
    for (double t = 0.1; t < 3; t += 0.1) {
        const double x = verify_value(&v, verify_at(&v, t), "x.x");
        worst = fmax(worst, fabs(x - duffing(t, 0.5, 50, 400)));
    }
    verify_close(&v);
    return worst;
}

static void duffing_oscillator(void **state) {
    (void)state;
    const double coarse = duffing_error("x=0.5 analysis.step=2e-3");
    const double fine = duffing_error("x=0.5");
    verify_below("Duffing's oscillator, of 0.5 m", fine, 5e-4);
    verify_within("its order", verify_order(coarse, fine, 2), 1.9, 2.1);
}

/* energy of E = 50 s + 400 s^3 + 90 s^2, which is not odd: pulled and pushed it is not the same */
static void stored(void **state) {
    (void)state;
    verify v;
    const double s[] = {0.3, -0.3};
    for (int i = 0; i < 2; i++) {
        char x[40];
        snprintf(x, sizeof x, "x=%g", s[i]);
        verify_text(
            &v, LINE("stiffness: 20, elastic: \"50*stretch + 400*stretch^3 + 90*stretch^2\"", "0"),
            x);
        verify_run(&v);
        const double q = verify_value(&v, NULL, "x.x");
        verify_near("energy of a spring without symmetry [J]", verify_value(&v, NULL, "E.strain"),
                    35 * q * q + 100 * pow(q, 4) + 30 * pow(q, 3), 1e-12);
        verify_near("work [J]", verify_value(&v, NULL, "E.work"), 0, 0);
        verify_below("balance, of 3.9 J", verify_value(&v, NULL, "E.balance"), 2e-4);
        verify_close(&v);
    }
}

/* m v' = -c v |v|: v = v0/(1 + c v0 t/m), x = m/c ln(1 + c v0 t/m) */
static void quadratic_damper(void **state) {
    (void)state;
    const double c = 3, v0 = 4, m = 2, p = 1 + c * v0 * 3 / m;
    static const char *const text[] = {LINE("damper: \"3*rate*abs(rate)\"", "4"),
                                       HINGE("damper: \"3*rate*abs(rate)\"", "4")};
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, text[i], NULL);
        verify_run(&v);
        const double rate = verify_value(&v, NULL, i ? "v.z" : "v.x");
        const double x = verify_value(&v, NULL, i ? "s.angle" : "x.x");
        verify_near("rate with a quadratic damper", rate, v0 / p, 1e-6);
        verify_near("its way", x, m / c * log(p), 2e-5);
        verify_near("dissipated [J]", verify_value(&v, NULL, "E.dissipated"),
                    0.5 * m * (v0 * v0 - rate * rate), 5e-4);
        verify_near("work [J]", verify_value(&v, NULL, "E.work"), 0, 0);
        verify_close(&v);
    }
}

/* m v' = -c v: v = v0 exp(-c t/m); what the motion loses the damper dissipates, and nothing is
 * stored */
static void linear_damper(void **state) {
    (void)state;
    const double c = 3, v0 = 4, m = 2;
    static const char *const text[] = {LINE("damping: 3", "4"), HINGE("damping: 3", "4")};
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, text[i], NULL);
        verify_run(&v);
        const double rate = verify_value(&v, NULL, i ? "v.z" : "v.x");
        verify_near("rate with a linear damper", rate, v0 * exp(-c * 3 / m), 1e-6);
        verify_near("dissipated [J]", verify_value(&v, NULL, "E.dissipated"),
                    0.5 * m * (v0 * v0 - rate * rate), 5e-4);
        verify_near("strain energy [J]", verify_value(&v, NULL, "E.strain"), 0, 0);
        verify_near("work [J]", verify_value(&v, NULL, "E.work"), 0, 0);
        verify_close(&v);
    }
}

/* about a hinge: the same oscillator as along the line, more than the stiffness beside it, a
 * constant moment */
static void hinge(void **state) {
    (void)state;
    verify v;
    verify_text(&v,
                HINGE("stiffness: 10, elastic: \"40*angle + 400*angle^3\", rest_angle: -0.5", "0"),
                NULL);
    verify_run(&v);
    const double a = verify_value(&v, NULL, "s.angle"), b = a + 0.5;
    verify_near("Duffing's oscillator about a hinge [rad]", b, duffing(3, 0.5, 50, 400), 5e-4);
    verify_near("its energy [J]", verify_value(&v, NULL, "E.strain"), 25 * b * b + 100 * pow(b, 4),
                1e-11);
    verify_below("balance, of 12.5 J", verify_value(&v, NULL, "E.balance"), 1e-3);
    verify_close(&v);
    verify_text(&v, HINGE("moment: 4, damper: \"rate^3\"", "0"), NULL);
    verify_run(&v);
    verify_near("work of a constant moment [J]", verify_value(&v, NULL, "E.work"),
                4 * verify_value(&v, NULL, "s.angle"), 1e-4);
    verify_below("balance, of 15 J", verify_value(&v, NULL, "E.balance"), 1e-3);
    verify_close(&v);
}

/* stops and latches store and dissipate what they take */
static void stops(void **state) {
    (void)state;
    verify v;
    verify_text(
        &v,
        HINGE("stops: [-0.2, 0.3], stop_stiffness: 900, stop_damping: 0.5, stop_onset: 0.02", "3"),
        NULL);
    verify_run(&v);
    verify_near("work [J]", verify_value(&v, NULL, "E.work"), 0, 0);
    verify_below("balance at stops, of 9 J", verify_value(&v, NULL, "E.balance"), 2e-3);
    verify_within("dissipated at stops [J]", verify_value(&v, NULL, "E.dissipated"), 1, 9);
    verify_close(&v);
    verify_text(&v, HINGE("latch: {angle: 0.3, stiffness: 900, damping: 2}", "3"), NULL);
    verify_run(&v);
    verify_below("balance at a latch, of 9 J", verify_value(&v, NULL, "E.balance"), 2e-2);
    verify_within("dissipated at a latch [J]", verify_value(&v, NULL, "E.dissipated"), 5, 9);
    verify_close(&v);
}

/* statics: 50 a + 400 a^3 - 7 = 13 N m; what turns at the angle 0 comes on gradually */
static void equilibrium(void **state) {
    (void)state;
    verify v;
    verify_text(&v, HINGE("elastic: \"50*angle + 400*angle^3 - 7\", moment: 13", "0"),
                "analysis.type=static");
    verify_static(&v);
    const double a = verify_value(&v, NULL, "s.angle");
    verify_near("moment of the spring at rest [N m]", 50 * a + 400 * a * a * a - 7, 13, 1e-6);
    verify_close(&v);
}

/* a table: its slopes are stiffnesses, its area is the energy; beyond its ends the force stays */
static void table(void **state) {
    (void)state;
    verify v;
    verify_open(&v, "tests/verify/models/table-spring.yaml", NULL);
    verify_run(&v);
    const double x = verify_value(&v, NULL, "x.x");
    verify_within("stretched into the second piece [m]", x, 0.1, 0.4);
    verify_near("energy of a table [J]", verify_value(&v, NULL, "E.strain"),
                0.5 * 20 * 0.1 + 20 * (x - 0.1) + 0.5 * 100 * (x - 0.1) * (x - 0.1), 1e-12);
    verify_below("balance, of 9 J", verify_value(&v, NULL, "E.balance"), 1e-3);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(duffing_oscillator),
                                       cmocka_unit_test(stored),
                                       cmocka_unit_test(quadratic_damper),
                                       cmocka_unit_test(linear_damper),
                                       cmocka_unit_test(hinge),
                                       cmocka_unit_test(stops),
                                       cmocka_unit_test(equilibrium),
                                       cmocka_unit_test(table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
