/* Small bending and vibration of quadrilateral plates against Ritz's method with polynomials in x
   and y, which is independent of elements, and against published values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "gossamer/gossamer.h"
#include "math/gauss.h"
#include "math/quad_shapes.h"
#include "support/plate_mesh.h"
#include "support/suite.h"

#define NU 0.3

/* ---- Ritz ------------------------------------------------------------------------------------ */

enum { DEGREE = 11, GAUSS = 24 };

/* a function at a point with its first and second derivatives by x and y */
typedef struct jet {
    double v, x, y, xx, yy, xy;
} jet;

static jet times(jet a, jet b) {
    return (jet){a.v * b.v,
                 a.x * b.v + a.v * b.x,
                 a.y * b.v + a.v * b.y,
                 a.xx * b.v + 2 * a.x * b.x + a.v * b.xx,
                 a.yy * b.v + 2 * a.y * b.y + a.v * b.yy,
                 a.xy * b.v + a.x * b.y + a.y * b.x + a.v * b.xy};
}

/* P_i(u) P_j(v) on the rectangle from lo to hi, times the squares of the distances from the clamped
 * sides */
static void functions(const double c[4][2], const bool clamped[4], int most, double x, double y,
                      jet *f) {
    double P[2][3][DEGREE + 1] = {{{0}}};
    const double at[2] = {x, y};
    jet edge = {.v = 1};
    for (int s = 0; s < 4; s++) {
        const double *a = c[s], *b = c[(s + 1) % 4];
        const double d[2] = {b[0] - a[0], b[1] - a[1]}, l = hypot(d[0], d[1]);
        const jet line = {(d[0] * (y - a[1]) - d[1] * (x - a[0])) / (l * l),
                          -d[1] / (l * l),
                          d[0] / (l * l),
                          0,
                          0,
                          0};
        edge = clamped[s] ? times(edge, times(line, line)) : edge;
    }
    for (int d = 0; d < 2; d++) {
        double lo = c[0][d], hi = c[0][d];
        for (int i = 1; i < 4; i++) {
            lo = fmin(lo, c[i][d]);
            hi = fmax(hi, c[i][d]);
        }
        const double s = 2 / (hi - lo);
        gos__legendre(most, s * (at[d] - lo) - 1, P[d][0], P[d][1]);
        for (int k = 0; k <= most; k++) {
            P[d][2][k] = k < 2 ? 0 : P[d][2][k - 2] + (2 * k - 1) * P[d][1][k - 1];
        }
        for (int k = 0; k <= most; k++) {
            P[d][1][k] *= s;
            P[d][2][k] *= s * s;
        }
    }
    for (int k = 0; k < (most + 1) * (most + 1); k++) {
        const int i = k % (most + 1), j = k / (most + 1);
        f[k] = times(edge, (jet){P[0][0][i] * P[1][0][j], P[0][1][i] * P[1][0][j],
                                 P[0][0][i] * P[1][1][j], P[0][2][i] * P[1][0][j],
                                 P[0][0][i] * P[1][2][j], P[0][1][i] * P[1][1][j]});
    }
}

/* stiffness over D, mass over rho h, load of a unit pressure */
static void matrices(const double c[4][2], const bool clamped[4], int most, double *K, double *M,
                     double *q) {
    const int n = (most + 1) * (most + 1);
    jet *f = calloc((size_t)n, sizeof *f);
    double g[GAUSS], w[GAUSS];
    gos__gauss(GAUSS, g, w);
    for (int p = 0; p < GAUSS * GAUSS; p++) {
        const double xi[2] = {g[p % GAUSS], g[p / GAUSS]};
        double N[4], dN[2][4], x[2] = {0}, J[4] = {0};
        gos__bilinear(xi, N, dN);
        for (int i = 0; i < 8; i++) {
            x[i % 2] += N[i / 2] * c[i / 2][i % 2];
            J[i % 2] += dN[0][i / 2] * c[i / 2][i % 2];
            J[2 + i % 2] += dN[1][i / 2] * c[i / 2][i % 2];
        }
        const double dA = w[p % GAUSS] * w[p / GAUSS] * (J[0] * J[3] - J[1] * J[2]);
        functions(c, clamped, most, x[0], x[1], f);
        for (int i = 0; i < n; i++) {
            q[i] += dA * f[i].v;
            for (int j = 0; j < n; j++) {
                M[i * n + j] += dA * f[i].v * f[j].v;
                K[i * n + j] += dA * (f[i].xx * f[j].xx + f[i].yy * f[j].yy +
                                      NU * (f[i].xx * f[j].yy + f[i].yy * f[j].xx) +
                                      2 * (1 - NU) * f[i].xy * f[j].xy);
            }
        }
    }
    free(f);
}

/* sqrt(rho h/D) times the lowest angular frequencies */
static void ritz_modes(const double c[4][2], const bool clamped[4], int most, int count,
                       double *omega) {
    const int n = (most + 1) * (most + 1);
    double *A = calloc(2 * (size_t)(n * n + n), sizeof *A), *M = A + n * n, *q = M + n * n;
    matrices(c, clamped, most, A, M, q);
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', n, A, n, M, n, q), 0);
    for (int i = 0; i < count; i++) {
        omega[i] = sqrt(q[i]);
    }
    free(A);
}

/* D w at x under a unit pressure */
static double ritz_deflection(const double c[4][2], const bool clamped[4], int most, double x,
                              double y) {
    const int n = (most + 1) * (most + 1);
    double *K = calloc(2 * (size_t)(n * n + n), sizeof *K), *M = K + n * n, *q = M + n * n, w = 0;
    jet *f = calloc((size_t)n, sizeof *f);
    matrices(c, clamped, most, K, M, q);
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, K, n, q, n), 0);
    functions(c, clamped, most, x, y, f);
    for (int i = 0; i < n; i++) {
        w += q[i] * f[i].v;
    }
    free(K);
    free(f);
    return w;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* corners c, n elements along each side, the same support on some sides; D = 1, rho h = 1 but for
 * scale */
static void model(verify *v, const double c[4][2], const char *joint, const bool held[4], int n,
                  double x, double y) {
    static const char *const edges[4] = {"y0", "x1", "y1", "x0"};
    char text[3000], *at = text;
    const char *end = text + sizeof text;
    at += snprintf(
        at, (size_t)(end - at),
        "gravity: [0, 0, -1.0e-4]\n"
        "materials: {m: {density: 1.0e3, young: 1.092e10, poisson: 0.3}}\n" // D = 1, rho h = 1
        "bodies:\n"
        "  p: {type: ancf_plate, material: m, thickness: 1.0e-3, elements: [%d, %d],\n"
        "      corners: [[%.15g, %.15g, 0], [%.15g, %.15g, 0], [%.15g, %.15g, 0], "
        "[%.15g, %.15g, 0]]}\n"
        "joints:\n",
        n, n, c[0][0], c[0][1], c[1][0], c[1][1], c[2][0], c[2][1], c[3][0], c[3][1]);
    for (int s = 0; s < 4; s++) {
        if (held[s]) {
            at += snprintf(at, (size_t)(end - at),
                           "  e%d: {type: %s, between: [ground, p.edge.%s]}\n", s, joint, edges[s]);
        }
    }
    (void)snprintf(at, (size_t)(end - at),
                   "probes: {w: {at: \"p.at(%.15g,%.15g)\", quantity: displacement}}\n"
                   "analysis: {type: static}\n",
                   x, y);
    verify_text(v, text, NULL);
}

static double deflection(const double c[4][2], const char *joint, const bool held[4], int n,
                         double x, double y) {
    verify v;
    model(&v, c, joint, held, n, x, y);
    verify_static(&v);
    const double w = -1e4 * verify_value(&v, NULL, "w.z");
    verify_close(&v);
    return w;
}

static void element_modes(const double c[4][2], const bool held[4], int n, int count,
                          double *omega) {
    verify v;
    gos_linear *linear = NULL;
    gos_mode mode[12];
    int found;
    model(&v, c, "clamp", held, n, c[0][0], c[0][1]);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, count, false, mode, &found));
    for (int i = 0; i < count; i++) {
        omega[i] = mode[i].omega;
    }
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const double unit_square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const bool one_side[4] = {false, false, false, true},
                  all_sides[4] = {true, true, true, true};

/* Ritz's method itself: NAFEMS FV16 in its unit (limits 0.41793 and 1.0242 Hz), Timoshenko's table
 * 35 */
static void ritz(void **state) {
    GOS_UNUSED(state);
    const double unit = sqrt(2e11 * 0.05 * 0.05 * 0.05 / (12 * 0.91) / (8000 * 0.05)) / 100;
    double omega[2];
    ritz_modes(unit_square, one_side, 9, 2, omega);
    verify_near("cantilever square", omega[0] * unit / (2 * M_PI), 0.41793, 1e-4);
    verify_near("... second", omega[1] * unit / (2 * M_PI), 1.0242, 3e-4);
    verify_near("clamped square under pressure",
                ritz_deflection(unit_square, all_sides, 9, 0.5, 0.5), 0.00126, 0.6e-5);
}

/* a trapezoid clamped at one side: from above, with order 2 */
static void cantilever_modes(void **state) {
    GOS_UNUSED(state);
    static const double shape[4][2] = {{0, 0}, {1.2, 0.2}, {1.0, 0.8}, {0, 1}};
    double exact[4], omega[3][4];
    ritz_modes(shape, one_side, 11, 4, exact);
    for (int k = 0; k < 3; k++) {
        element_modes(shape, one_side, 4 << k, 4, omega[k]);
    }
    for (int i = 0; i < 4; i++) {
        verify_within("frequency, 16 x 16, over Ritz's", omega[2][i] / exact[i] - 1, 0, 3.5e-3);
        verify_within("... order", verify_order(omega[0][i] - exact[i], omega[1][i] - exact[i], 2),
                      1.35, 2.5);
        verify_within("... order", verify_order(omega[1][i] - exact[i], omega[2][i] - exact[i], 2),
                      1.5, 2.3);
    }
}

/* a rhombus with an angle of 60 degrees, clamped all around, under pressure */
static void clamped_rhombus(void **state) {
    GOS_UNUSED(state);
    const double c = 0.5, s = sqrt(0.75);
    const double shape[4][2] = {{0, 0}, {1, 0}, {1 + c, s}, {c, s}};
    const double x = (1 + c) / 2, y = s / 2;
    const double exact = ritz_deflection(shape, all_sides, 11, x, y);
    double w[3];
    for (int k = 0; k < 3; k++) {
        w[k] = deflection(shape, "clamp", all_sides, 4 << k, x, y);
    }
    verify_near("Ritz's method has settled", ritz_deflection(shape, all_sides, 9, x, y) / exact, 1,
                1e-4);
    verify_near("deflection, 16 x 16, over Ritz's", w[2] / exact, 1, 8e-3);
    verify_within("... order", verify_order(exact - w[1], exact - w[2], 2), 1.6, 2.3);
}

/* Morley 1963: rhombus with an angle of 30 degrees, simply supported, deflection 4.08e-4 q a^4/D in
   the middle. Its moments are singular at the blunt corners, the supports hold the nodes only. */
static void morley(void **state) {
    GOS_UNUSED(state);
    const double c = sqrt(0.75), s = 0.5;
    const double shape[4][2] = {{0, 0}, {1, 0}, {1 + c, s}, {c, s}};
    double w[2];
    for (int k = 0; k < 2; k++) {
        w[k] = deflection(shape, "spherical", all_sides, 8 << k, (1 + c) / 2, s / 2);
    }
    verify_near("8 x 8", w[0] / 4.08e-4, 1, 2.5e-2);
    verify_near("16 x 16", w[1] / 4.08e-4, 1, 1e-2);
}

/* A free square of four unequal quadrilaterals, each cut into k x k: the limits of the theory
   guide 5.6, as of rectangles, in pi^2 sqrt(D/(rho h))/a^2. */
static void distorted_square(void **state) {
    GOS_UNUSED(state);
    static const double base[9][2] = {{0, 0},   {0.6, 0}, {1, 0},    {0, 0.35}, {0.4, 0.6},
                                      {1, 0.5}, {0, 1},   {0.55, 1}, {1, 1}};
    static const double limit[3] = {1.36461, 1.98550, 2.45909};
    double f[2][3];
    for (int r = 0; r < 2; r++) {
        const int k = 4 << r, n = 2 * k;
        double x[MESH_NODES][2];
        verify v;
        gos_linear *linear = NULL;
        gos_mode mode[9];
        int found;
        mesh_text t = {.n = 0};
        for (int p = 0; p < (n + 1) * (n + 1); p++) {
            const int at[2] = {p % (n + 1), p / (n + 1)};
            const int cell[2] = {at[0] / k < 1 ? 0 : 1, at[1] / k < 1 ? 0 : 1};
            const double xi[2] = {(double)at[0] / k - cell[0], (double)at[1] / k - cell[1]};
            const int first = 3 * cell[1] + cell[0],
                      node[4] = {first, first + 1, first + 4, first + 3};
            double N[4];
            gos__bilinear(xi, N, NULL);
            for (int d = 0; d < 2; d++) {
                x[p][d] = 0;
                for (int i = 0; i < 4; i++) {
                    x[p][d] += N[i] * base[node[i]][d];
                }
            }
        }
        mesh_add(&t, "materials: {m: {density: 1.0e3, young: 1.092e10, poisson: 0.3}}\n"
                     "bodies: {p: {type: ancf_plate, material: m, thickness: 1.0e-3, ");
        mesh_rows(&t, n, n, (const double(*)[2])x);
        mesh_add(&t, "}}\n");
        verify_text(&v, t.s, NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 9, false, mode, &found));
        for (int i = 0; i < 3; i++) {
            f[r][i] = mode[6 + i].omega / (M_PI * M_PI) / limit[i] - 1;
        }
        gos_linear_destroy(linear);
        verify_close(&v);
    }
    for (int i = 0; i < 3; i++) {
        verify_within("free square, 16 x 16, from the limit", f[1][i], 0, 2e-3);
        verify_within("... order", verify_order(f[0][i], f[1][i], 2), 1.6, 2.3);
    }
}

/* ---- a disc ---------------------------------------------------------------------------------- */

/* node k of 4 n on ring r of n: from the rim of a square grid (r = 0) to the circle (r = n) */
static int ring_node(int n, int r, int k) {
    const int side = k / n % 4, at = k % n, row = n + 1;
    if (r > 0) {
        return row * row + (r - 1) * 4 * n + k % (4 * n);
    }
    return side == 0   ? at
           : side == 1 ? row * at + n
           : side == 2 ? row * n + n - at
                       : row * (n - at);
}

/* a disc of radius 1: n x n elements in the middle, n rings of 4 n around; every side at the rim is
 * an edge */
static void disc_model(int n, mesh_text *t) {
    const int row = n + 1, count = row * row + 4 * n * n;
    double(*x)[2] = calloc((size_t)count, sizeof *x);
    for (int i = 0; i < row * row; i++) {
        x[i][0] = 0.9 * (i % row) / n - 0.45;
        x[i][1] = 0.9 * (i / row) / n - 0.45;
    }
    for (int i = 0; i < 4 * n * n; i++) {
        const int r = 1 + i / (4 * n), k = i % (4 * n);
        const double *in = x[ring_node(n, 0, k)], angle = M_PI / 2 * k / n - 3 * M_PI / 4;
        const double f = (double)r / n, rim[2] = {cos(angle), sin(angle)};
        for (int d = 0; d < 2; d++) {
            x[row * row + i][d] = (1 - f) * in[d] + f * rim[d];
        }
    }
    mesh_add(t, "gravity: [0, 0, -1.0e-4]\n"
                "materials: {m: {density: 1.0e3, young: 1.092e10, poisson: 0.3}}\n"
                "bodies:\n  p: {type: ancf_plate, material: m, thickness: 1.0e-3,\n    ");
    mesh_rows(t, n, n, (const double(*)[2])x);
    t->n -= 1; // more quads follow, and more nodes stand in front of them
    char *quads = strstr(t->s, "], quads: ["), rest[MESH_TEXT];
    (void)strcpy(rest, quads);
    t->n = (size_t)(quads - t->s);
    for (int i = row * row; i < count; i++) {
        mesh_add(t, ", [%.15g, %.15g, 0]", x[i][0], x[i][1]);
    }
    rest[strlen(rest) - 1] = '\0';
    mesh_add(t, "%s", rest);
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < 4 * n; k++) {
            mesh_add(t, ", [%d, %d, %d, %d]", ring_node(n, r, k), ring_node(n, r + 1, k),
                     ring_node(n, r + 1, k + 1), ring_node(n, r, k + 1));
        }
    }
    mesh_add(t, "],\n    edges: {");
    for (int k = 0; k < 4 * n; k++) {
        mesh_add(t, "%se%d: [%d, %d]", k ? ", " : "", k, ring_node(n, n, k),
                 ring_node(n, n, k + 1));
    }
    mesh_add(t, "}}\njoints:\n");
    for (int k = 0; k < 4 * n; k++) {
        mesh_add(t, "  e%d: {type: clamp, between: [ground, p.edge.e%d]}\n", k, k);
    }
    mesh_add(t,
             "probes: {w: {at: p.node(%d), quantity: displacement}}\n"
             "analysis: {type: static}\n",
             row * (n / 2) + n / 2);
    free(x);
}

/* A clamped disc under pressure: w = q a^4/(64 D). The sides of the rim meet at its nodes, where
   their clamps say part of it twice. */
static void clamped_disc(void **state) {
    GOS_UNUSED(state);
    double e[2];
    for (int k = 0; k < 2; k++) {
        verify v;
        mesh_text t = {.n = 0};
        disc_model(4 << k, &t);
        verify_text(&v, t.s, NULL);
        verify_static(&v);
        e[k] = 1 + verify_value(&v, NULL, "w.z") * 64e4;
        verify_close(&v);
    }
    verify_within("deflection missing, 16 sides at the rim", e[0], 0, 0.15);
    verify_within("... 32 sides", e[1], 0, 0.04);
    verify_within("... order", verify_order(e[0], e[1], 2), 1.6, 2.4);
}

/* A trapezoid in one piece and of two that are clamped edge to edge, with the same elements, under
   its weight; the clamped edge carries it. */
static void joined(void **state) {
    GOS_UNUSED(state);
    static const char head[] = "gravity: [0, 0, -1.0e-4]\n"
                               "materials: {m: {density: 1.0e3, young: 1.092e10, poisson: 0.3}}\n"
                               "analysis: {type: static}\n"
                               "joints:\n"
                               "  root: {type: clamp, between: [ground, p.edge.x0]}\n";
    static const char one[] =
        "bodies:\n"
        "  p: {type: ancf_plate, material: m, thickness: 1.0e-3, elements: [4, 2],\n"
        "      corners: [[0, 0, 0], [2, 0.2, 0], [1.6, 0.8, 0], [0, 1, 0]]}\n"
        "probes:\n"
        "  w: {at: p.corner(3), quantity: displacement}\n";
    static const char two[] = // the second one turned by half
        "  seam: {type: clamp, between: [p.edge.x1, q.edge.y1]}\n"
        "bodies:\n"
        "  p: {type: ancf_plate, material: m, thickness: 1.0e-3, elements: [2, 2],\n"
        "      corners: [[0, 0, 0], [1, 0.1, 0], [0.8, 0.9, 0], [0, 1, 0]]}\n"
        "  q: {type: ancf_plate, material: m, thickness: 1.0e-3, elements: [2, 2],\n"
        "      corners: [[1.6, 0.8, 0], [2, 0.2, 0], [1, 0.1, 0], [0.8, 0.9, 0]]}\n"
        "probes:\n"
        "  w: {at: q.corner(1), quantity: displacement}\n";
    double w[2];
    for (int k = 0; k < 2; k++) {
        char text[2000];
        verify v;
        (void)snprintf(text, sizeof text, "%s%s  f: {quantity: joint_force, joint: root}\n", head,
                       k ? two : one);
        verify_text(&v, text, NULL);
        verify_static(&v);
        w[k] = verify_value(&v, NULL, "w.z");
        verify_near("weight", -1e4 * verify_value(&v, NULL, "f.z") / 1.44, 1, 1e-6);
        verify_close(&v);
    }
    verify_near("two pieces over one", w[1] / w[0], 1, 1e-7);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ritz),
        cmocka_unit_test(cantilever_modes),
        cmocka_unit_test(clamped_rhombus),
        cmocka_unit_test(morley),
        cmocka_unit_test(distorted_square),
        cmocka_unit_test(clamped_disc),
        cmocka_unit_test(joined),
    };
    return cmocka_run_group_tests_name("quadrilateral plates, linear", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
