/* Decks of S3 triangles: frequencies of a cantilever strip against the beam (bending, and in its
   plane), and the barrel roof of Scordelis and Lo under its weight. Finer meshes, turned, and in
   mm, t, s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "gossamer/linearise.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

/* a grid of n x m rectangles, each of two triangles, with nodes from 1 along the first direction */
static void put_mesh(FILE *f, int n, int m, void (*place)(double a, double b, double x[3]),
                     double unit) {
    (void)fputs("*NODE, NSET=ALL\n", f);
    for (int j = 0; j <= m; j++) {
        for (int i = 0; i <= n; i++) {
            double x[3];
            place((double)i / n, (double)j / m, x);
            (void)fprintf(f, "%d, %.17g, %.17g, %.17g\n", 1 + i + j * (n + 1), x[0] / unit,
                          x[1] / unit, x[2] / unit);
        }
    }
    (void)fputs("*ELEMENT, TYPE=S3, ELSET=E\n", f);
    for (int k = 0; k < n * m; k++) {
        const int a = 1 + k % n + k / n * (n + 1), b = a + n + 1;
        (void)fprintf(f, "%d, %d, %d, %d\n%d, %d, %d, %d\n", 2 * k + 1, a, a + 1, b + 1, 2 * k + 2,
                      a, b + 1, b);
    }
}

/* ---- strip ----------------------------------------------------------------------------------- */

static void strip(double a, double b, double x[3]) {
    x[0] = a;
    x[1] = 0.1 * b;
    x[2] = 0;
}

/* 1 x 0.1 x 0.01 m of steel; frequencies [Hz] */
static void frequencies(int n, bool turned, double unit, double mass, gos_mode mode[3]) {
    FILE *f = fopen(folder_path("s.inp"), "w");
    char text[600];
    gos_linear *linear;
    int found = 0;
    verify v;
    assert_non_null(f);
    put_mesh(f, n, 1, strip, unit);
    (void)fprintf(
        f,
        "*NSET, NSET=FIX\n1, %d\n*MATERIAL, NAME=M\n*ELASTIC\n%.17g, 0.\n*DENSITY\n%.17g\n"
        "*SHELL SECTION, ELSET=E, MATERIAL=M\n%.17g\n*BOUNDARY\nFIX, 1, 6\n",
        n + 2, 210e9 * unit / mass, 7850 * unit * unit * unit / mass, 0.01 / unit);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(text, sizeof text,
                   "meshes: {m: {type: deck, file: s.inp, scale: %.17g, mass_scale: %.17g}}\n"
                   "bodies: {b: {type: floating, mesh: m, reference: clamped%s}}\n"
                   "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                   "analysis: {end: 1}\n",
                   unit, mass, turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "");
    calculix_open(&v, text, folder);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 3, false, mode, &found));
    assert_int_equal(found, 3);
    gos_linear_destroy(linear);
    verify_close(&v);
}

static void test_strip(void **state) {
    (void)state;
    const double c = sqrt(210e9 / 12 / 7850) / (2 * M_PI);
    const double bending = 3.516015 * c * 0.01, second = 22.034492 * c * 0.01;
    gos_mode a[3], b[3], t[3];
    frequencies(10, false, 1, 1, a);
    frequencies(20, false, 1, 1, b);
    frequencies(10, true, 1e-3, 1000, t);
    for (int i = 0; i < 3; i++) {
        verify_near_rel("turned, in mm", t[i].frequency, a[i].frequency, 1e-7);
    }
    // bounds of 10 and 20 cells set after the figures; the order of the second mode is 2
    verify_near_rel("first, 10 cells", a[0].frequency, bending, 1.5e-3);
    verify_near_rel("second, 10 cells", a[1].frequency, second, 1.2e-2);
    verify_near_rel("second, 20 cells", b[1].frequency, second, 4e-3);
    // in its plane: Timoshenko's shear lowers it by about 0.9 %
    verify_near_rel("in its plane", a[2].frequency, 10 * bending, 1.5e-2);
}

/* ---- Scordelis-Lo roof ----------------------------------------------------------------------- */

/* a quarter: angle 0 ... 40 degrees, half length 25, radius 25 */
static void roof(double a, double b, double x[3]) {
    const double angle = a * 40 * M_PI / 180;
    x[0] = 25 * sin(angle);
    x[1] = 25 * b;
    x[2] = 25 * cos(angle);
}

/* deflection of the free edge in the middle; the diaphragm is at b = 1 */
static double sinks(int n, bool turned) {
    FILE *f = fopen(folder_path("r.inp"), "w");
    char text[600];
    double u[GOS_PROBE_MAX];
    verify v;
    assert_non_null(f);
    put_mesh(f, n, n, roof, 1);
    (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n4.32E8, 0.\n*DENSITY\n36.7346938775510\n"
                "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.25\n*BOUNDARY\n",
                f);
    for (int i = 0; i <= n; i++) {
        (void)fprintf(f, "%d, 1, 1\n%d, 5, 6\n", 1 + i * (n + 1), 1 + i * (n + 1)); // crown
        (void)fprintf(f, "%d, 2, 2\n%d, 4, 4\n%d, 6, 6\n", 1 + i, 1 + i, 1 + i);    // middle
        (void)fprintf(f, "%d, 1, 1\n%d, 3, 3\n", 1 + i + n * (n + 1), 1 + i + n * (n + 1));
    }
    (void)fputs("*STEP\n*STATIC\n*DLOAD\nE, GRAV, 9.8, 0, 0, -1\n*END STEP\n", f); // 90 per area
    assert_int_equal(fclose(f), 0);
    (void)snprintf(
        text, sizeof text,
        "meshes: {m: {type: deck, file: r.inp}}\n"
        "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "probes: {u: {at: b.node(%d), quantity: displacement}}\n"
        "analysis: {type: static}\n",
        turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "", n + 1);
    calculix_open(&v, text, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "u", u);
    verify_close(&v);
    // along the turned axis z
    const double r[3] = {0.3, -0.5, 0.8}, angle = sqrt(0.98), c = cos(angle),
                 s = sin(angle) / angle;
    const double z[3] = {r[1] * s + r[2] * r[0] * (1 - c) / 0.98,
                         -r[0] * s + r[2] * r[1] * (1 - c) / 0.98,
                         c + r[2] * r[2] * (1 - c) / 0.98};
    return turned ? -(u[0] * z[0] + u[1] * z[1] + u[2] * z[2]) : -u[2];
}

static void test_roof(void **state) {
    (void)state;
    // the mesh of 32 cells takes 30 s: the long form has it
    const int n = suite_long() ? 8 : 4;
    const double w[3] = {sinks(n, false), sinks(2 * n, false), sinks(4 * n, false)};
    print_message("    %.5f %.5f %.5f (0.3006 of shallow, 0.3024 of deep shell theory)\n", w[0],
                  w[1], w[2]);
    // bounds set after the figures
    verify_near_rel("finest mesh", w[2], 0.3012, suite_long() ? 5e-3 : 1.5e-2);
    assert_true(fabs(w[2] - w[1]) < 0.5 * fabs(w[1] - w[0]));
    verify_near_rel("turned", sinks(n, true), w[0], 1e-9);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strip),
        cmocka_unit_test(test_roof),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
