/* Decks of shells S6, S8 and S8R, which become solids of one layer: patch test, strips in bending
   by forces, moments, rotations and heat, a fold, nodal thickness, offset, and the obstacle course
   (barrel roof, pinched cylinder, hemisphere). Turned, in mm, t, s, and as a linear model. */
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

/* 2 n by 2 m intervals of nodes, numbered along the first direction */
typedef struct grid {
    const char *type;
    int n, m;
    void (*place)(double a, double b, double x[3]);
    double unit;
} grid;

static int node_at(const grid *g, int i, int j) {
    return 1 + i + j * (2 * g->n + 1);
}

static void put_nodes(FILE *f, const grid *g) {
    const bool triangles = g->type[1] == '6';
    (void)fputs("*NODE, NSET=ALL\n", f);
    for (int j = 0; j <= 2 * g->m; j++) {
        for (int i = 0; i <= 2 * g->n; i++) {
            double x[3];
            g->place(0.5 * i / g->n, 0.5 * j / g->m, x);
            if (triangles || i % 2 == 0 || j % 2 == 0) {
                (void)fprintf(f, "%d, %.17g, %.17g, %.17g\n", node_at(g, i, j), x[0] / g->unit,
                              x[1] / g->unit, x[2] / g->unit);
            }
        }
    }
}

static void put_mesh(FILE *f, const grid *g) {
    static const int quad[8][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}};
    static const int one[6][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0}, {2, 1}, {1, 1}};
    static const int two[6][2] = {{0, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 2}, {0, 1}};
    const bool triangles = g->type[1] == '6';
    put_nodes(f, g);
    (void)fprintf(f, "*ELEMENT, TYPE=%s, ELSET=E\n", g->type);
    for (int k = 0; k < (triangles ? 2 : 1) * g->n * g->m; k++) {
        const int cell = triangles ? k / 2 : k, i = 2 * (cell % g->n), j = 2 * (cell / g->n);
        const int(*at)[2] = !triangles ? quad : k % 2 == 0 ? one : two;
        (void)fprintf(f, "%d", k + 1);
        for (int l = 0; l < (triangles ? 6 : 8); l++) {
            (void)fprintf(f, ", %d", node_at(g, i + at[l][0], j + at[l][1]));
        }
        (void)fputs("\n", f);
    }
}

static FILE *open_deck(const grid *g) {
    FILE *f = fopen(folder_path("s.inp"), "w");
    assert_non_null(f);
    put_mesh(f, g);
    return f;
}

/* supports of a line of nodes along the first direction, or along the second */
static void put_line(FILE *f, const grid *g, bool along, int at, const char *dofs) {
    for (int k = 0; k <= 2 * (along ? g->n : g->m); k++) {
        (void)fprintf(f, "%d, %s\n", along ? node_at(g, k, at) : node_at(g, at, k), dofs);
    }
}

/* along the axes of a body turned by r = (0.3, -0.5, 0.8): R^T y by Rodrigues' formula */
static void turn_back(const double y[3], double u[3]) {
    const double r[3] = {0.3, -0.5, 0.8}, square = 0.98, angle = sqrt(square);
    const double along = (r[0] * y[0] + r[1] * y[1] + r[2] * y[2]) * (1 - cos(angle)) / square;
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        u[c] = cos(angle) * y[c] - sin(angle) / angle * (r[p] * y[q] - r[q] * y[p]) + along * r[c];
    }
}

/* displacement of a node in the axes of the mesh */
static void solve_in(const char *mesh, bool turned, int node, double u[3]) {
    char text[800];
    double y[GOS_PROBE_MAX];
    verify v;
    (void)snprintf(
        text, sizeof text,
        "meshes: {m: {type: deck, file: s.inp%s}}\n"
        "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "probes: {u: {at: b.node(%d), quantity: displacement}}\n"
        "analysis: {type: static}\n",
        mesh, turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "", node);
    calculix_open(&v, text, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "u", y);
    verify_close(&v);
    if (turned) {
        turn_back(y, u);
    } else {
        memcpy(u, y, 3 * sizeof *u);
    }
}

static void solve(int node, double u[3]) {
    solve_in("", false, node, u);
}

/* ---- patch ----------------------------------------------------------------------------------- */

/* four cells around a node off the middle, with straight edges */
static void patch(double a, double b, double x[3]) {
    const double hat_a = 1 - fabs(2 * a - 1), hat_b = 1 - fabs(2 * b - 1);
    x[0] = 2 * (a + 0.1 * hat_a * hat_b);
    x[1] = b - 0.07 * hat_a * hat_b;
    x[2] = 0;
}

static void stretch(const double x[3], double u[2]) {
    u[0] = 1e-3 * (x[0] + 0.4 * x[1]);
    u[1] = 1e-3 * (0.2 * x[0] - 0.7 * x[1]);
}

/* constant strain with prescribed edges */
static void test_patch(void **state) {
    (void)state;
    static const char *const type[] = {"S8R", "S8", "S6"};
    for (int k = 0; k < GOS_COUNT(type); k++) {
        const grid g = {type[k], 2, 2, patch, 1};
        double x[3], u[3], e[2];
        FILE *f = open_deck(&g);
        (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n210e9, 0.3\n"
                    "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01\n*BOUNDARY\nALL, 3, 3\n"
                    "1, 1, 2\n*STEP\n*STATIC\n*BOUNDARY\n",
                    f);
        for (int j = 0; j <= 4; j++) {
            for (int i = 0; i <= 4; i++) {
                patch(i / 4.0, j / 4.0, x);
                stretch(x, e);
                if ((i % 4 == 0 || j % 4 == 0) && i + j > 0) {
                    (void)fprintf(f, "%d, 1, 1, %.17g\n%d, 2, 2, %.17g\n", node_at(&g, i, j), e[0],
                                  node_at(&g, i, j), e[1]);
                }
            }
        }
        (void)fputs("*END STEP\n", f);
        assert_int_equal(fclose(f), 0);
        solve(node_at(&g, 2, 2), u);
        patch(0.5, 0.5, x);
        stretch(x, e);
        verify_below(type[k], fmax(fabs(u[0] - e[0]), fabs(u[1] - e[1])) / 2e-3, 1e-8);
    }
}

/* ---- strips of 1 x 0.1 x 0.01 m -------------------------------------------------------------- */

static void strip(double a, double b, double x[3]) {
    x[0] = a;
    x[1] = 0.1 * b;
    x[2] = 0;
}

#define EI (210e9 * 0.1 * 1e-6 / 12)

/* the end x = 0 is clamped; `rest`: cards of the step, whose end nodes are the arguments */
static void bend_in(const char *type, const char *section, const char *before, const char *step,
                    const char *mesh, bool turned, double unit, double mass, double u[3]) {
    const grid g = {type, 5, 2, strip, unit};
    FILE *f = open_deck(&g);
    (void)fprintf(f,
                  "*NSET, NSET=CORNERS\n%d, %d\n*NSET, NSET=SIDES\n%d, %d\n"
                  "*NSET, NSET=MIDDLE\n%d\n*NSET, NSET=END\nCORNERS, SIDES, MIDDLE\n"
                  "*NSET, NSET=FIX\n%d, %d, %d, %d, %d\n",
                  node_at(&g, 10, 0), node_at(&g, 10, 4), node_at(&g, 10, 1), node_at(&g, 10, 3),
                  node_at(&g, 10, 2), node_at(&g, 0, 0), node_at(&g, 0, 1), node_at(&g, 0, 2),
                  node_at(&g, 0, 3), node_at(&g, 0, 4));
    (void)fprintf(f,
                  "*MATERIAL, NAME=M\n*ELASTIC\n%.17g, 0.\n*DENSITY\n%.17g\n*EXPANSION\n1.2e-5\n"
                  "*SHELL SECTION, ELSET=E, MATERIAL=M%s\n%.17g\n%s*BOUNDARY\nFIX, 1, 6\n%s",
                  210e9 * unit / mass, 7850 * unit * unit * unit / mass, section, 0.01 / unit,
                  before, step);
    assert_int_equal(fclose(f), 0);
    solve_in(mesh, turned, node_at(&g, 10, 2), u);
}

static void bend(const char *type, const char *section, const char *before, const char *step,
                 double u[3]) {
    bend_in(type, section, before, step, "", false, 1, 1, u);
}

#define STATIC(cards) "*STEP\n*STATIC\n" cards "*END STEP\n"
/* by the shape functions: 12 N, 12 N m */
#define FORCE STATIC("*CLOAD\nCORNERS, 3, 1.\nSIDES, 3, 4.\nMIDDLE, 3, 2.\n")
#define MOMENT STATIC("*CLOAD\nCORNERS, 5, -1.\nSIDES, 5, -4.\nMIDDLE, 5, -2.\n")

static void test_strip(void **state) {
    (void)state;
    static const char *const type[] = {"S8R", "S8", "S6"};
    const double force = 12 / (3 * EI), moment = 12 / (2 * EI); // of beam theory
    for (int k = 0; k < GOS_COUNT(type); k++) {
        double u[3], t[3];
        bend(type[k], "", "", FORCE, u);
        // 5 cells; S8 and S6 are stiffer: bounds set after the figures
        verify_near_rel("end force", u[2], force, k == 0 ? 5e-4 : 1e-2);
        bend_in(type[k], "", "", FORCE, ", scale: 1e-3, mass_scale: 1000", true, 1e-3, 1000, t);
        verify_near_rel("in mm and turned", t[2], u[2], 1e-7);
        bend(type[k], "", "", MOMENT, u);
        verify_near_rel("end moment", u[2], moment, k == 0 ? 1e-6 : 1e-2);
    }
}

/* a rotation of the end is pure bending, also about two oblique axes */
static void test_rotation(void **state) {
    (void)state;
    double u[3];
    bend("S8R", "", "", STATIC("*BOUNDARY\nEND, 5, 5, -0.001\n"), u);
    verify_near_rel("turned end", u[2], 0.5e-3, 1e-5);
    bend("S8R", "", "*TRANSFORM, NSET=END, TYPE=R\n1., 1., 0., -1., 1., 0.\n",
         STATIC("*BOUNDARY\nEND, 4, 4, -0.000707106781186548\nEND, 5, 5, -0.000707106781186548\n"),
         u);
    verify_near_rel("by two components", u[2], 0.5e-3, 1e-5);
}

/* free curvature alpha g by a gradient g */
static void test_gradient(void **state) {
    (void)state;
    double u[3];
    bend("S8R", "", "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n",
         STATIC("*TEMPERATURE\nALL, 20., -1000.\n"), u);
    // the clamped end restrains growth across the strip; bound set after the figure
    verify_near_rel("curvature", u[2], 0.5 * 1.2e-5 * 1000, 2e-3);
    bend("S8R", "", "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n",
         STATIC("*TEMPERATURE\nALL, 120.\n"), u);
    verify_near_rel("growth", u[0], 1.2e-5 * 100, 2e-3);
}

/* the same thickness at the nodes; nodes on the upper face */
static void test_section(void **state) {
    (void)state;
    double u[3], t[3];
    bend("S8R", "", "", FORCE, u);
    bend("S8R", ", NODAL THICKNESS", "*NODAL THICKNESS\nALL, 0.01\n", FORCE, t);
    verify_near_rel("nodal thickness", t[2], u[2], 1e-10);
    bend("S8R", ", OFFSET=SPOS", "", FORCE, t);
    verify_near_rel("offset", t[2], u[2], 1e-7);
    bend("S8R", ", NODAL THICKNESS", "*NODAL THICKNESS\nALL, 0.02\n", FORCE, t);
    verify_near_rel("twice as thick", t[2], u[2] / 8, 1e-3);
}

/* an L of two strips of 1 m: the corner is rigid over half the thickness of each */
static void fold(double a, double b, double x[3]) {
    x[0] = a < 0.5 ? 2 * a : 1;
    x[1] = 0.1 * b;
    x[2] = a < 0.5 ? 0 : 2 * a - 1;
}

static void test_fold(void **state) {
    (void)state;
    const grid g = {"S8R", 10, 2, fold, 1};
    double u[3];
    FILE *f = open_deck(&g);
    (void)fprintf(f, "*MATERIAL, NAME=M\n*ELASTIC\n210e9, 0.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n"
                     "0.01\n*BOUNDARY\n");
    put_line(f, &g, false, 0, "1, 6");
    (void)fprintf(f,
                  "*STEP\n*STATIC\n*CLOAD\n%d, 1, 1.\n%d, 1, 4.\n%d, 1, 2.\n%d, 1, 4.\n"
                  "%d, 1, 1.\n*END STEP\n",
                  node_at(&g, 20, 0), node_at(&g, 20, 1), node_at(&g, 20, 2), node_at(&g, 20, 3),
                  node_at(&g, 20, 4));
    assert_int_equal(fclose(f), 0);
    solve(node_at(&g, 20, 2), u);
    verify_near_rel("end", u[0], 12 * (1.0 / 3 + 1) / EI, 1e-2); // F L^3/(3 EI) + (F L) L L/EI
}

/* the deck as a linear model, and as a body */
static void test_modes(void **state) {
    (void)state;
    const grid g = {"S8R", 5, 2, strip, 1};
    const double c = sqrt(210e9 / 12 / 7850) / (2 * M_PI) * 0.01;
    gos_mode mode[2][3];
    for (int k = 0; k < 2; k++) {
        gos_linear *l;
        gos_mesh *mesh = NULL;
        int found;
        verify v;
        FILE *f = open_deck(&g);
        (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n210e9, 0.\n*DENSITY\n7850.\n"
                    "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01\n*BOUNDARY\n",
                    f);
        put_line(f, &g, false, 0, "1, 6");
        assert_int_equal(fclose(f), 0);
        calculix_open(&v,
                      "meshes: {m: {type: deck, file: s.inp}}\n"
                      "bodies: {b: {type: floating, mesh: m, reference: clamped}}\n"
                      "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                      "analysis: {end: 1}\n",
                      folder);
        if (k == 0) {
            verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
        } else {
            verify_good(&v, gos_mesh_create(v.ctx, v.model, "m", &mesh));
            verify_good(&v, gos_linear_from_mesh(v.ctx, mesh, &l));
        }
        verify_good(&v, gos_linear_modes(v.ctx, l, 3, false, mode[k], &found));
        assert_int_equal(found, 3);
        gos_linear_destroy(l);
        if (mesh) {
            gos_mesh_destroy(mesh);
        }
        verify_close(&v);
    }
    verify_near_rel("first", mode[0][0].frequency, 3.516015 * c, 1e-3);
    verify_near_rel("second", mode[0][1].frequency, 22.034492 * c, 1e-2);
    for (int i = 0; i < 3; i++) {
        verify_near_rel("linear model", mode[1][i].frequency, mode[0][i].frequency, 1e-8);
    }
}

/* ---- obstacle course ------------------------------------------------------------------------- */

/* a quarter: angle 0 ... 40 degrees, half length 25, radius 25 */
static void roof(double a, double b, double x[3]) {
    const double angle = a * 40 * M_PI / 180;
    x[0] = 25 * sin(angle);
    x[1] = 25 * b;
    x[2] = 25 * cos(angle);
}

static double sinks(const char *type, int n) {
    const grid g = {type, n, n, roof, 1};
    double u[3];
    FILE *f = open_deck(&g);
    (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n4.32E8, 0.\n*DENSITY\n36.7346938775510\n"
                "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.25\n*BOUNDARY\n",
                f);
    put_line(f, &g, false, 0, "1, 1"); // crown
    put_line(f, &g, false, 0, "5, 6");
    put_line(f, &g, true, 0, "2, 2"); // middle
    put_line(f, &g, true, 0, "4, 4");
    put_line(f, &g, true, 0, "6, 6");
    put_line(f, &g, true, 2 * n, "1, 1"); // diaphragm
    put_line(f, &g, true, 2 * n, "3, 3");
    (void)fputs("*STEP\n*STATIC\n*DLOAD\nE, GRAV, 9.8, 0, 0, -1\n*END STEP\n", f);
    assert_int_equal(fclose(f), 0);
    solve(node_at(&g, 2 * n, 0), u);
    return -u[2];
}

/* an eighth: angle 0 ... 90 degrees, half length 300, radius 300 */
static void cylinder(double a, double b, double x[3]) {
    x[0] = 300 * sin(a * M_PI / 2);
    x[1] = 300 * b;
    x[2] = 300 * cos(a * M_PI / 2);
}

/* under two opposite forces of 1 in the middle */
static double pinched(int n) {
    const grid g = {"S8R", n, n, cylinder, 1};
    double u[3];
    FILE *f = open_deck(&g);
    (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n3.E6, 0.3\n"
                "*SHELL SECTION, ELSET=E, MATERIAL=M\n3.\n*BOUNDARY\n",
                f);
    put_line(f, &g, false, 0, "1, 1");
    put_line(f, &g, false, 0, "5, 6");
    put_line(f, &g, false, 2 * n, "3, 3");
    put_line(f, &g, false, 2 * n, "4, 5");
    put_line(f, &g, true, 0, "2, 2");
    put_line(f, &g, true, 0, "4, 4");
    put_line(f, &g, true, 0, "6, 6");
    put_line(f, &g, true, 2 * n, "1, 1");
    put_line(f, &g, true, 2 * n, "3, 3");
    (void)fprintf(f, "*STEP\n*STATIC\n*CLOAD\n%d, 3, -0.25\n*END STEP\n", node_at(&g, 0, 0));
    assert_int_equal(fclose(f), 0);
    solve(node_at(&g, 0, 0), u);
    return -u[2];
}

/* a quarter from the equator to 72 degrees, radius 10 */
static void hemisphere(double a, double b, double x[3]) {
    const double round = a * M_PI / 2, up = b * 72 * M_PI / 180;
    x[0] = 10 * cos(up) * cos(round);
    x[1] = 10 * cos(up) * sin(round);
    x[2] = 10 * sin(up);
}

/* pulled and pushed by 2 at the equator */
static double pulled(int n) {
    const grid g = {"S8R", n, n, hemisphere, 1};
    double u[3];
    FILE *f = open_deck(&g);
    (void)fputs("*MATERIAL, NAME=M\n*ELASTIC\n6.825E7, 0.3\n"
                "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.04\n*BOUNDARY\n",
                f);
    put_line(f, &g, false, 0, "2, 2");
    put_line(f, &g, false, 2 * n, "1, 1");
    for (int k = 0; k <= 2 * n; k++) { // about the meridian, by its larger component
        const bool low = k * 36 < 45 * n;
        (void)fprintf(f, low ? "%d, 6, 6\n%d, 6, 6\n" : "%d, 4, 4\n%d, 5, 5\n", node_at(&g, 0, k),
                      node_at(&g, 2 * n, k));
    }
    (void)fprintf(f, "%d, 3, 3\n*STEP\n*STATIC\n*CLOAD\n%d, 1, 1.\n%d, 2, -1.\n*END STEP\n",
                  node_at(&g, n, 0), node_at(&g, 0, 0), node_at(&g, 2 * n, 0));
    assert_int_equal(fclose(f), 0);
    solve(node_at(&g, 0, 0), u);
    return u[0];
}

static void test_obstacles(void **state) {
    (void)state;
    const int n = suite_long() ? 8 : 4;
    const double a[4] = {sinks("S8R", n / 2), sinks("S8R", n), sinks("S8", n), sinks("S8", 2 * n)};
    const double b[2] = {pinched(n), pinched(2 * n)}, c[2] = {pulled(n), pulled(2 * n)};
    print_message("    roof %.5f %.5f, S8 %.5f %.5f, cylinder %.5g %.5g, hemisphere %.5f %.5f\n",
                  a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1]);
    // published values, of which the last digit is uncertain; bounds set after the figures
    verify_near_rel("roof", a[1], 0.3012, 1e-2);
    assert_true(fabs(a[3] - 0.3012) < 0.5 * fabs(a[2] - 0.3012)); // S8 is stiff on coarse meshes
    verify_near_rel("cylinder", b[1], 1.8248e-5, suite_long() ? 5e-3 : 3e-2);
    verify_near_rel("hemisphere", c[1], 0.0940, 1.5e-2);
    assert_true(fabs(b[1] - 1.8248e-5) < 0.5 * fabs(b[0] - 1.8248e-5));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch),    cmocka_unit_test(test_strip),
        cmocka_unit_test(test_rotation), cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_section),  cmocka_unit_test(test_fold),
        cmocka_unit_test(test_modes),    cmocka_unit_test(test_obstacles),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
