/* Plates of quadrilateral elements (theory guide, "The plate") against closed forms, published
   values, and Ritz's method: patch tests, mass, bending and vibration of skew plates, roll-up, heat
   and what it bends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "gossamer/gossamer.h"
#include "math/gauss.h"
#include "support/plate_mesh.h"
#include "support/suite.h"

/* ---- patch tests and mass -------------------------------------------------------------------- */

/* 3 x 3 elements of any shape, the inner nodes 5, 6, 9, 10 and some outer ones off the lines */
static const char irregular[] =
    "materials: {m: {density: 3, young: 1.0e4, poisson: 0.3}}\n"
    "bodies:\n"
    "  a: {type: ancf_plate, material: m, thickness: 0.1,\n"
    "      nodes: [[0, 0, 0], [1, 0, 0], [2.3, 0.2, 0], [3.5, 0, 0], [-0.2, 0.5, 0], [1.3, 0.3, "
    "0],\n"
    "              [2.1, 0.7, 0], [3.3, 0.5, 0], [0, 0.9, 0], [0.8, 0.7, 0], [2.5, 1.1, 0],\n"
    "              [3.6, 0.9, 0], [0, 1.2, 0], [1.1, 1.3, 0], [2.4, 1.4, 0], [3.4, 1.2, 0]],\n"
    "      quads: [[0, 1, 5, 4], [1, 2, 6, 5], [3, 7, 6, 2], [5, 9, 8, 4], [5, 6, 10, 9],\n"
    "              [6, 7, 11, 10], [8, 9, 13, 12], [9, 10, 14, 13], [10, 11, 15, 14]]}\n";

static const int rim[12] = {0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4}; // outer nodes in order around

enum { NODES = 16, ROWS = 9 * NODES };

/* int of 1, x, y, x^2, x y, y^2 over the polygon, by triangles from the origin */
static void polygon(const double (*x)[3], const int *order, int n, double J[6]) {
    memset(J, 0, 6 * sizeof *J);
    for (int i = 0; i < n; i++) {
        const double *a = x[order[i]], *b = x[order[(i + 1) % n]];
        const double A = (a[0] * b[1] - a[1] * b[0]) / 2;
        J[0] += A;
        J[1] += A * (a[0] + b[0]) / 3;
        J[2] += A * (a[1] + b[1]) / 3;
        J[3] += A * (a[0] * a[0] + b[0] * b[0] + a[0] * b[0]) / 6;
        J[4] += A * (2 * a[0] * a[1] + 2 * b[0] * b[1] + a[0] * b[1] + b[0] * a[1]) / 12;
        J[5] += A * (a[1] * a[1] + b[1] * b[1] + a[1] * b[1]) / 6;
    }
}

/* int of x^2/2 times y^2/2 over the polygon, by points s (a + t (b - a)) of the same triangles */
static double fourth_moment(const double (*x)[3], const int *order, int n) {
    double g[4], w[4], sum = 0;
    gos__gauss(4, g, w);
    for (int i = 0; i < 16 * n; i++) {
        const double *a = x[order[i / 16]], *b = x[order[(i / 16 + 1) % n]];
        const double s = g[i % 4], t = g[i / 4 % 4], p = s * (a[0] + t * (b[0] - a[0]));
        const double q = s * (a[1] + t * (b[1] - a[1]));
        sum += w[i % 4] * w[i / 4 % 4] * s * (a[0] * b[1] - a[1] * b[0]) * p * p * q * q / 4;
    }
    return sum;
}

/* r = A u and the size of its terms */
static void product(const gos_matrix_view *A, int n, const double *u, double *r, double *size) {
    for (int c = 0; c < n; c++) {
        for (int k = A->start[c]; k < A->start[c + 1]; k++) {
            r[A->row[k]] += A->value[k] * u[c];
            size[A->row[k]] += fabs(A->value[k] * u[c]);
        }
    }
}

/* displacement of component c: (value, by x, by y) of the polynomials x, y, x^2/2, y^2/2, x y, 1 */
static void patch_field(int kind, double x, double y, double u[3]) {
    const double f[6][3] = {{x, 1, 0},           {y, 0, 1},     {0.5 * x * x, x, 0},
                            {0.5 * y * y, 0, y}, {x * y, y, x}, {1, 0, 0}};
    memcpy(u, f[kind], sizeof f[kind]);
}

static void fill_patch(const verify *v, int kind, int component, double u[ROWS]) {
    memset(u, 0, ROWS * sizeof *u);
    for (int n = 0; n < NODES; n++) {
        double f[3];
        patch_field(kind, v->sys->e0[9 * n], v->sys->e0[9 * n + 1], f);
        for (int k = 0; k < 3; k++) {
            u[9 * n + 3 * k + component] = f[k];
        }
    }
}

/* Linear membrane and quadratic bending displacements: no force at the inner nodes, and the energy
 * is exact. */
static void patch(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what;
        int kind, component;
        double energy; // per area, of E = 1e4, nu = 0.3, h = 0.1
    } field[6] = {{"constant E11", 0, 0, 0.5 * 1e3 / 0.91},
                  {"constant E22", 1, 1, 0.5 * 1e3 / 0.91},
                  {"constant 2 E12", 1, 0, 0.5 * 1e3 / 2.6},
                  {"constant b11", 2, 2, 0.5 * 10.0 / 12 / 0.91},
                  {"constant b22", 3, 2, 0.5 * 10.0 / 12 / 0.91},
                  {"constant b12", 4, 2, 0.5 * 4 * 10.0 / 12 / 2.6}};
    static const int inner[4] = {5, 6, 9, 10};
    verify v;
    gos_linear *linear = NULL;
    gos_matrix_view K;
    double x[NODES][3], J[6];
    verify_text(&v, irregular, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_K, &K);
    for (int n = 0; n < NODES; n++) {
        memcpy(x[n], v.sys->e0 + 9 * n, sizeof x[n]);
    }
    polygon((const double(*)[3])x, rim, 12, J);
    for (int i = 0; i < 6; i++) {
        double u[ROWS], r[ROWS] = {0}, size[ROWS] = {0}, energy = 0, worst = 0, most = 0;
        fill_patch(&v, field[i].kind, field[i].component, u);
        product(&K, ROWS, u, r, size);
        for (int k = 0; k < ROWS; k++) {
            energy += 0.5 * r[k] * u[k];
        }
        for (int k = 0; k < 36; k++) {
            worst = fmax(worst, fabs(r[9 * inner[k / 9] + k % 9]));
            most = fmax(most, size[9 * inner[k / 9] + k % 9]);
        }
        verify_below(field[i].what, worst / most, 1e-13);
        verify_near("... energy", energy / (field[i].energy * J[0]), 1, 1e-10);
    }
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* mass, first and second moments of the polygon: products of linear displacements; a fourth one of
 * quadratic ones */
static void mass(void **state) {
    GOS_UNUSED(state);
    static const int pair[7][2] = {{5, 5}, {5, 0}, {5, 1}, {0, 0}, {0, 1}, {1, 1}, {2, 3}};
    verify v;
    gos_linear *linear = NULL;
    gos_matrix_view M;
    double x[NODES][3], J[7];
    verify_text(&v, irregular, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_M, &M);
    for (int n = 0; n < NODES; n++) {
        memcpy(x[n], v.sys->e0 + 9 * n, sizeof x[n]);
    }
    polygon((const double(*)[3])x, rim, 12, J);
    J[6] = fourth_moment((const double(*)[3])x, rim, 12);
    for (int i = 0; i < 7; i++) {
        double u[ROWS], w[ROWS], r[ROWS] = {0}, size[ROWS] = {0}, sum = 0;
        fill_patch(&v, pair[i][0], 1, u);
        fill_patch(&v, pair[i][1], 1, w);
        product(&M, ROWS, u, r, size);
        for (int k = 0; k < ROWS; k++) {
            sum += r[k] * w[k];
        }
        verify_near("moment of mass", sum / (3 * 0.1 * J[i]), 1, 1e-13);
    }
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* three points in each triangle leave no motion of an element without energy but the six rigid
   ones */
static void no_idle_motion(void **state) {
    GOS_UNUSED(state);
    static const char one[] =
        "materials: {m: {density: 3, young: 1.0e4, poisson: 0.3}}\n"
        "bodies:\n"
        "  a: {type: ancf_plate, material: m, thickness: 0.1, elements: [1, 1],\n"
        "      corners: [[0, 0, 0], [1, 0, 0], [1.3, 0.8, 0], [0.1, 0.6, 0]]}\n";
    verify v;
    gos_linear *linear = NULL;
    gos_matrix_view block[2];
    double A[36 * 36] = {0}, B[36 * 36] = {0}, w[36];
    verify_text(&v, one, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_K, &block[0]);
    gos_linear_block(linear, GOS_BLOCK_M, &block[1]);
    for (int b = 0; b < 2; b++) {
        for (int c = 0; c < 36; c++) {
            for (int k = block[b].start[c]; k < block[b].start[c + 1]; k++) {
                (b ? B : A)[36 * c + block[b].row[k]] = block[b].value[k];
            }
        }
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', 36, A, 36, B, 36, w), 0);
    verify_below("sixth root, of the largest", w[5] / w[35], 1e-12);
    assert_true(w[6] > 1e-5 * w[35]);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- roll-up --------------------------------------------------------------------------------- */

/* a strip 1 x 0.25, its inner lines slanted by 0.6 of an element; M = 2 pi D/l, nu = 0. The place
   of the middle of the end, which is at (0, 0.125, 0) when it is rolled up */
static void rolled(int n, int m, double h, double end[3]) {
    verify v;
    double x[200][2], a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    mesh_text t = {.n = 0};
    for (int k = 0; k < (n + 1) * (m + 1); k++) {
        const int i = k % (n + 1), j = k / (n + 1);
        x[k][0] = (double)i / n;
        x[k][1] = 0.25 * j / m;
        x[k][0] += i > 0 && i < n ? 0.6 / n * ((double)j / m - 0.5) : 0;
    }
    mesh_add(&t, "parameters: {h: %.12g, E: 2.0e11}\n", h);
    mesh_add(&t, "materials: {steel: {density: 8000, young: E, poisson: 0}}\n"
                 "bodies:\n"
                 "  strip: {type: ancf_plate, material: steel, thickness: h,\n    ");
    mesh_rows(&t, n, m, (const double(*)[2])x);
    mesh_add(&t, ",\n    edges: {");
    mesh_edge(&t, "root", 0, n + 1, m);
    mesh_edge(&t, ", tip", n, n + 1, m);
    mesh_add(&t,
             "}}\n"
             "joints: {root: {type: clamp, between: [ground, strip.edge.root]}}\n"
             "loads: {roll: {type: edge_moment, on: strip.edge.tip, moment: \"-2*pi*E*h^3/12\"}}\n"
             "probes: {a: {at: strip.node(%d)}, b: {at: strip.node(%d)}}\n"
             "analysis: {type: static, load_steps: 20, branch: any}\n",
             n, (n + 1) * (m + 1) - 1);
    verify_text(&v, t.s, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "a", a);
    verify_probe(&v, NULL, "b", b);
    for (int k = 0; k < 3; k++) {
        end[k] = (a[k] + b[k]) / 2 - (k == 1 ? 0.125 : 0);
    }
    verify_close(&v);
}

/* A skew mesh pulls the strip aside and leaves it open; both vanish with refinement of both
 * directions. */
static void roll_up(void **state) {
    GOS_UNUSED(state);
    double end[3][3], gap[3];
    for (int k = 0; k < 3; k++) {
        rolled(8 << k, 1 << k, 1e-3, end[k]);
        gap[k] = hypot(end[k][0], end[k][2]);
    }
    verify_near("16 x 2: gap", gap[1], 2.4e-3, 0.1e-3);
    verify_near("16 x 2: aside", end[1][1], 1.25e-2, 0.01e-2);
    verify_below("32 x 4: gap", gap[2], 3e-5);
    verify_within("order aside", verify_order(end[1][1], end[2][1], 2), 3, 4.5);
}

/* Sides of unequal length along an edge: a small edge moment bends a strip (nu = 0) into w = M
   x^2/(2 D), straight across; a torsion spring spread over the edge holds a given moment with the
   same angle everywhere. */
static void uneven_edges(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 1, young: 1.2e4, poisson: 0}}\n" // D = 1 at h = 0.1
        "bodies:\n"
        "  p: {type: ancf_plate, material: m, thickness: 0.1,\n"
        "      nodes: [[0, 0, 0], [2, 0, 0], [0, 0.3, 0], [2, 0.2, 0], [0, 1, 0], [2, 1, 0]],\n"
        "      quads: [[0, 1, 3, 2], [2, 3, 5, 4]], edges: {root: [0, 2, 4], tip: [1, 3, 5]}}\n"
        "joints: {root: {type: JOINT, between: [ground, p.edge.root]}}\n"
        "loads:\n"
        "  m: {type: edge_moment, on: p.edge.tip, moment: 1.0e-5}\n" // about +y: down
        "  SPRING\n"
        "probes:\n"
        "  a: {at: p.node(1), quantity: displacement}\n"
        "  b: {at: p.node(3), quantity: displacement}\n"
        "  c: {at: p.node(5), quantity: displacement}\n"
        "analysis: {type: static}\n";
    static const char *const joint[2] = {"clamp", "spherical"};
    static const char *const spring[2] = {
        "",
        "s: {type: torsion_spring, between: [ground, p.edge.root], axis: [0, 1, 0], stiffness: 4}"};
    for (int k = 0; k < 2; k++) {
        char whole[2000] = "";
        verify v;
        const char *at = strstr(model, "JOINT"), *then = strstr(model, "SPRING");
        (void)snprintf(whole, sizeof whole, "%.*s%s%.*s%s%s", (int)(at - model), model, joint[k],
                       (int)(then - at - 5), at + 5, spring[k], then + 6);
        verify_text(&v, whole, NULL);
        verify_static(&v);
        /* M x^2/(2 D); of the spring M b/c in front of it, b = 1 */
        const double w = -1e-5 * (2 + (k ? 2.0 / 4 : 0));
        verify_near("corner", verify_value(&v, NULL, "a.z") / w, 1, 1e-6);
        verify_near("inner node", verify_value(&v, NULL, "b.z") / w, 1, 1e-6);
        verify_near("other corner", verify_value(&v, NULL, "c.z") / w, 1, 1e-6);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch),   cmocka_unit_test(mass),         cmocka_unit_test(no_idle_motion),
        cmocka_unit_test(roll_up), cmocka_unit_test(uneven_edges),
    };
    return cmocka_run_group_tests_name("quadrilateral plates", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
