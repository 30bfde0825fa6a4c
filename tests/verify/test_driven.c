/* Mechanisms that drives move along a given course: the tolerance must hold for their velocities,
   accelerations and reactions too, which no equation of motion limits. Closed forms; each as it is,
   turned in mm, t, s, and twice as large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

enum { TIMES = 777, FORMS = 3 };

/* what the copies of a model are made with */
typedef struct form {
    const char *name;
    double R[9];  // rotation of everything
    double unit;  // lengths in the model of one metre
    double large; // size
} form;

static void rotation(double x, double y, double z, double R[9]) {
    const double u[3] = {x, y, z}, a = gos__norm3(u);
    double S[9], S2[9];
    gos__skew3(u, S);
    gos__mul33(S, S, S2);
    for (int i = 0; i < 9; i++) {
        R[i] = (i % 4 == 0) + sin(a) / a * S[i] + (1 - cos(a)) / (a * a) * S2[i];
    }
}

static form form_of(int i) {
    form f = {.name = i == 0   ? "as it is"
                      : i == 1 ? "turned, in mm, t, s"
                               : "twice as large",
              .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
              .unit = i == 1 ? 1000 : 1,
              .large = i == 2 ? 2 : 1};
    if (i == 1) {
        rotation(0.7, -1.1, 0.4, f.R);
    }
    return f;
}

static void turned(const form *f, double x, double y, double z, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = f->R[3 * i] * x + f->R[3 * i + 1] * y + f->R[3 * i + 2] * z;
    }
}

static double off(const double *y, const double *want) {
    const double d[3] = {y[0] - want[0], y[1] - want[1], y[2] - want[2]};
    return gos__norm3(d);
}

/* ---- a body on a circle ---------------------------------------------------------------------- */

static void circle_text(const form *f, char *text, size_t size) {
    const double L = f->unit * f->large, m = 2 / (f->unit > 1 ? 1000.0 : 1.0);
    double x[3];
    char p[3][200];
    turned(f, L, 0, 0, x);
    for (int i = 0; i < 3; i++) {
        snprintf(p[i], sizeof p[i], "%.17g*cos(2*pi*t) + %.17g*sin(2*pi*t)", f->R[3 * i] * L,
                 f->R[3 * i + 1] * L);
    }
    snprintf(text, size,
             "bodies:\n  b: {type: rigid, mass: %.17g, inertia: [%g, %g, %g], position: [%.17g, "
             "%.17g, %.17g]}\n"
             "joints:\n  d: {type: driven, between: [ground, b], position: [\"%s\", \"%s\", "
             "\"%s\"]}\n"
             "probes: {x: {at: b, quantity: position}, v: {at: b, quantity: velocity}, F: {joint: "
             "d, quantity: joint_force}}\n"
             "analysis: {end: 1}\n",
             m, m * L * L, m * L * L, m * L * L, x[0], x[1], x[2], p[0], p[1], p[2]);
}

/* largest errors of place, velocity and force, relative to the range of each */
static void circle_errors(const form *f, double tolerance, double error[3]) {
    char text[2000], set[60];
    verify v;
    circle_text(f, text, sizeof text);
    snprintf(set, sizeof set, "analysis.tolerance=%g", tolerance);
    verify_text(&v, text, set);
    verify_start(&v);
    const double r = f->unit * f->large, w = 2 * M_PI, m = f->unit > 1 ? 2e-3 : 2;
    memset(error, 0, 3 * sizeof *error);
    for (int k = 1; k <= TIMES; k++) {
        const double t = (double)k / TIMES;
        const gos_state *x = verify_at(&v, t);
        double got[3], want[3];
        verify_probe(&v, x, "x", got);
        turned(f, r * cos(w * t), r * sin(w * t), 0, want);
        error[0] = fmax(error[0], off(got, want) / (2 * r));
        verify_probe(&v, x, "v", got);
        turned(f, -r * w * sin(w * t), r * w * cos(w * t), 0, want);
        error[1] = fmax(error[1], off(got, want) / (2 * r * w));
        verify_probe(&v, x, "F", got);
        turned(f, m * r * w * w * cos(w * t), m * r * w * w * sin(w * t), 0, want); // on the ground
        error[2] = fmax(error[2], off(got, want) / (2 * m * r * w * w));
    }
    gos_integrator_statistics(v.run, &v.stats);
    print_message("    %s, tolerance %g: %ld steps, %ld rejected\n", f->name, tolerance,
                  v.stats.steps, v.stats.rejected);
    assert_true(v.stats.rejected <= 3);
    verify_close(&v);
}

/* At 1e-8 (16,000 steps a turn) the force is that of rounding: places of size 1 are known to 1e-16,
   and the scheme makes up to 50/h^2 of it. */
static void circle(void **state) {
    GOS_UNUSED(state);
    static const double tolerance[] = {1e-4, 1e-6, 1e-8};
    for (int i = 0; i < FORMS; i++) {
        const form f = form_of(i);
        double e[3][3];
        for (int k = 0; k < 3; k++) {
            circle_errors(&f, tolerance[k], e[k]);
            verify_below("place, tolerances", e[k][0] / tolerance[k], 3);
            verify_below("velocity, tolerances", e[k][1] / tolerance[k], 10);
            verify_below("force, tolerances", e[k][2] / tolerance[k], k < 2 ? 10 : 20);
        }
        verify_within("order of velocities", log10(e[0][1] / e[2][1]) / 4, 0.9, 1.1);
        verify_within("order of forces", log10(e[0][2] / e[1][2]) / 2, 0.9, 1.1);
    }
}

/* ---- along directions of a rotating body ----------------------------------------------------- */

/* A hub turns about n by 0.7 t; a mass at x0 moves in it by (0.1 t, 0, 0.05 t) along e1 = (1, 2, 2)
   / 3, e2 = e3_global orthogonalised, e1 x e2: x = R(n, 0.7 t) (x0 + 0.1 t e1 + 0.05 t e3). */
static void directions(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < FORMS; i++) {
        const form f = form_of(i);
        const double L = f.unit * f.large, s = sqrt(5.0) / 3;
        const double e2[3] = {-2 / (9 * s), -4 / (9 * s), 5 / (9 * s)};
        const double e3[3] = {2 * (e2[2] - e2[1]) / 3, (2 * e2[0] - e2[2]) / 3,
                              (e2[1] - 2 * e2[0]) / 3};
        double x0[3], n[3], a[3], b[3], got[3];
        char text[2000];
        verify v;
        turned(&f, L, 0.5 * L, 0, x0);
        turned(&f, 0, 0, 1, n);
        turned(&f, 1, 2, 2, a);
        turned(&f, 0, 0, 1, b);
        snprintf(text, sizeof text,
                 "bodies:\n  hub: {type: rigid, mass: 1, inertia: [%g, %g, %g]}\n"
                 "  b: {type: rigid, mass: 1, inertia: [%g, %g, %g], position: [%.17g, %.17g, "
                 "%.17g]}\n"
                 "joints:\n  m: {type: driven_rotation, between: [ground, hub], axis: [%.17g, "
                 "%.17g, %.17g], angle: \"0.7*t\"}\n"
                 "  o: {type: revolute, between: [ground, hub], axis: [%.17g, %.17g, %.17g]}\n"
                 "  d: {type: driven, between: [hub, b], direction: [%.17g, %.17g, %.17g], "
                 "direction2: [%.17g, %.17g, %.17g], displacement: [\"%.17g*t\", 0, "
                 "\"%.17g*t\"]}\n"
                 "probes: {x: {at: b, quantity: position}}\nanalysis: {end: 1, tolerance: 1e-6}\n",
                 L * L, L * L, L * L, L * L, L * L, L * L, x0[0], x0[1], x0[2], n[0], n[1], n[2],
                 n[0], n[1], n[2], a[0], a[1], a[2], b[0], b[1], b[2], 0.1 * L, 0.05 * L);
        verify_text(&v, text, NULL);
        verify_start(&v);
        for (int k = 1; k <= 4; k++) {
            const double t = k / 4.0, c = cos(0.7 * t), d = sin(0.7 * t);
            const double x = 1 + 0.1 * t / 3 + 0.05 * t * e3[0];
            const double y = 0.5 + 0.2 * t / 3 + 0.05 * t * e3[1];
            const double z = 0.2 * t / 3 + 0.05 * t * e3[2];
            double want[3];
            turned(&f, L * (c * x - d * y), L * (d * x + c * y), L * z, want);
            verify_probe(&v, verify_at(&v, t), "x", got);
            verify_below("place", off(got, want) / L, 1e-9);
        }
        verify_close(&v);
    }
}

static void directions_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *between, *rest, *has;
    } bad[] = {
        {"[ground, b]", "direction: [1, 1, 0]", "apply relative to a rigid body or a frame"},
        {"[hub, b]", "direction: [0, 2, 0], direction2: [0, -1, 0]", "are parallel"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "bodies: {hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}, b: {type: rigid, mass: "
                 "1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                 "joints: {d: {type: driven, between: %s, displacement: [t, 0, 0], %s}}\n"
                 "analysis: {end: 1}\n",
                 bad[i].between, bad[i].rest);
        verify v = {.ctx = gos_ctx_create()};
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(v.ctx), bad[i].has));
        verify_close(&v);
    }
}

/* ---- slider-crank ---------------------------------------------------------------------------- */

#define CRANK 0.3 // [m]
#define ROD 0.8
#define RATE 5.0 // [rad/s]

static void slider_text(const form *f, char *text, size_t size) {
    const double L = f->unit * f->large, M = f->unit > 1 ? 1e-3 : 1, I = M * L * L;
    double c[3], r[3], p[3], x[3], z[3];
    turned(f, 0.15 * L, 0, 0, c);
    turned(f, 0.7 * L, 0, 0, r);
    turned(f, 1.1 * L, 0, 0, p);
    turned(f, 1, 0, 0, x);
    turned(f, 0, 0, 1, z);
    double u[3] = {0, 0, 0};
    if (f->unit > 1) {
        u[0] = 0.7, u[1] = -1.1, u[2] = 0.4;
    }
    char axis[100], along[100], body[120];
    snprintf(axis, sizeof axis, "[%.17g, %.17g, %.17g]", z[0], z[1], z[2]);
    snprintf(along, sizeof along, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
    snprintf(body, sizeof body, "rotation_vector: [%.17g, %.17g, %.17g]", u[0], u[1], u[2]);
    snprintf(
        text, size,
        "bodies:\n"
        "  crank: {type: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, "
        "%.17g, %.17g], %s, points: {o: [%.17g, 0, 0], a: [%.17g, 0, 0]}}\n"
        "  rod: {type: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, "
        "%.17g, %.17g], %s, points: {a: [%.17g, 0, 0], b: [%.17g, 0, 0]}}\n"
        "  piston: {type: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, "
        "%.17g, %.17g], %s}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [ground, crank.o], axis: %s}\n"
        "  motor: {type: driven_rotation, between: [ground, crank.o], axis: %s, angle: \"5*t\"}\n"
        "  pin: {type: spherical, between: [crank.a, rod.a]}\n"
        "  wrist: {type: revolute, between: [rod.b, piston], axis: %s}\n"
        "  guide: {type: point_on_line, between: [piston, ground], direction: %s}\n"
        "initial:\n  crank: {angular_velocity: [%.17g, %.17g, %.17g], about: [0, 0, 0]}\n"
        "probes:\n"
        "  x: {at: piston, quantity: position}\n  v: {at: piston, quantity: velocity}\n"
        "  a: {at: piston, quantity: acceleration}\n  T: {joint: motor, quantity: joint_moment}\n"
        "analysis: {end: 4}\n",
        M, 0.01 * I, 0.02 * I, 0.03 * I, c[0], c[1], c[2], body, -0.15 * L, 0.15 * L, 2 * M,
        0.02 * I, 0.05 * I, 0.06 * I, r[0], r[1], r[2], body, -0.4 * L, 0.4 * L, 3 * M, 0.1 * I,
        0.1 * I, 0.1 * I, p[0], p[1], p[2], body, axis, axis, axis, along, RATE * z[0], RATE * z[1],
        RATE * z[2]);
}

/* kinetic energy at a unit rate of the crank, for a unit size and mass */
static double inertia(double th) {
    const double s = CRANK / ROD * sin(th), c = sqrt(1 - s * s), ph = -CRANK / ROD * cos(th) / c;
    const double x = -CRANK * sin(th) + ROD * s / c * (-CRANK / ROD * cos(th));
    const double cx = -CRANK * sin(th) + 0.5 * ROD * s / c * (-CRANK / ROD * cos(th));
    const double cy = 0.5 * CRANK * cos(th);
    return 0.5 * (2 * (cx * cx + cy * cy) + 0.06 * ph * ph + 3 * x * x);
}

static double stroke(double th) {
    return CRANK * cos(th) + sqrt(ROD * ROD - CRANK * CRANK * sin(th) * sin(th));
}

/* place, velocity and acceleration of the piston, moment of the motor: errors relative to their
 * ranges */
static void slider_errors(const form *f, double tolerance, double error[4]) {
    char text[4000], set[60];
    verify v;
    slider_text(f, text, sizeof text);
    snprintf(set, sizeof set, "analysis.tolerance=%g", tolerance);
    verify_text(&v, text, set);
    verify_start(&v);
    const double L = f->unit * f->large, M = f->unit > 1 ? 1e-3 : 1, d = 1e-3;
    static const double range[] = {0.6, 3.2, 16, 9.7};
    memset(error, 0, 4 * sizeof *error);
    for (int k = 1; k <= TIMES; k++) {
        const double t = 4.0 * k / TIMES, th = RATE * t;
        const gos_state *x = verify_at(&v, t);
        static const char *const probe[] = {"x", "v", "a"};
        const double p1 = stroke(th + d), m1 = stroke(th - d), p2 = stroke(th + 2 * d),
                     m2 = stroke(th - 2 * d), x0 = stroke(th);
        const double motion[] = {x0, RATE * (8 * (p1 - m1) - (p2 - m2)) / (12 * d),
                                 RATE * RATE * (16 * (p1 + m1) - (p2 + m2) - 30 * x0) /
                                     (12 * d * d)};
        double got[GOS_PROBE_MAX], want[3];
        for (int i = 0; i < 3; i++) {
            verify_probe(&v, x, probe[i], got);
            turned(f, L * motion[i], 0, 0, want);
            error[i] = fmax(error[i], off(got, want) / (range[i] * L));
        }
        verify_probe(&v, x, "T", got);
        const double T = RATE * RATE *
                         (8 * (inertia(th + d) - inertia(th - d)) -
                          (inertia(th + 2 * d) - inertia(th - 2 * d))) /
                         (12 * d);
        error[3] = fmax(error[3], fabs(got[0] + M * L * L * T) / (range[3] * M * L * L));
    }
    gos_integrator_statistics(v.run, &v.stats);
    print_message("    %s, tolerance %g: %ld steps, %ld rejected\n", f->name, tolerance,
                  v.stats.steps, v.stats.rejected);
    verify_close(&v);
}

static void slider_crank(void **state) {
    GOS_UNUSED(state);
    static const double tolerance[] = {1e-4, 1e-6};
    static const char *const what[] = {"place, tolerances", "velocity, tolerances",
                                       "acceleration, tolerances", "moment, tolerances"};
    for (int i = 0; i < FORMS; i++) {
        const form f = form_of(i);
        double e[2][4];
        for (int k = 0; k < 2; k++) {
            slider_errors(&f, tolerance[k], e[k]);
            for (int j = 0; j < 4; j++) {
                verify_below(what[j], e[k][j] / tolerance[k], j == 0 ? 3 : 10);
            }
        }
        for (int j = 1; j < 4; j++) {
            verify_within("order", log10(e[0][j] / e[1][j]) / 2, 0.85, 1.15);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(directions),
                                       cmocka_unit_test(directions_refused),
                                       cmocka_unit_test(circle), cmocka_unit_test(slider_crank)};
    return cmocka_run_group_tests_name("driven", tests, NULL, NULL);
}
SUITE(suite)
