/* The functions of the conforming quadrilateral: nodal values, polynomials of degree 2,
   derivatives, and continuity of values and slopes across the diagonals and the sides; the bilinear
   map and the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/quad_shapes.h"
#include "support/suite.h"
#include "support/verify.h"

/* two neighbours: the side from corner 1 to corner 2 of the first is that from 0 to 3 of the
   second */
static const double quads[2][4][2] = {{{0.1, -0.2}, {1.3, 0.1}, {1.1, 1.4}, {-0.2, 0.7}},
                                      {{1.3, 0.1}, {2.2, -0.3}, {2.6, 0.9}, {1.1, 1.4}}};

static void at(const gos_quad *q, double x, double y, double S[6][12]) {
    double l[3];
    const int t = gos__quad_triangle(q, (const double[2]){x, y}, l);
    gos__quad_shapes(q, t, l, S);
}

static void corners(void **state) {
    GOS_UNUSED(state);
    gos_quad q;
    double S[6][12], worst = 0;
    gos__quad_make(quads[0], &q);
    for (int i = 0; i < 4; i++) {
        at(&q, quads[0][i][0], quads[0][i][1], S);
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < 12; k++) {
                worst = fmax(worst, fabs(S[r][k] - (k == 3 * i + r)));
            }
        }
    }
    verify_below("values and slopes at the corners", worst, 1e-14);
}

/* the functions reproduce 1, x, y, x^2, x y, y^2 with all derivatives */
static void quadratics(void **state) {
    GOS_UNUSED(state);
    gos_quad q;
    double S[6][12], worst = 0;
    gos__quad_make(quads[0], &q);
    for (int p = 0; p < 6; p++) {
        double u[12];
        for (int i = 0; i < 4; i++) {
            const double x = quads[0][i][0], y = quads[0][i][1];
            const double f[6][3] = {{1, 0, 0},         {x, 1, 0},     {y, 0, 1},
                                    {x * x, 2 * x, 0}, {x * y, y, x}, {y * y, 0, 2 * y}};
            memcpy(u + 3 * i, f[p], sizeof f[p]);
        }
        for (int g = 0; g < 49; g++) {
            const double x = -0.1 + 0.2 * (g % 7), y = 0.05 + 0.15 * (g / 7);
            const double f[6][6] = {{1, 0, 0, 0, 0, 0},     {x, 1, 0, 0, 0, 0},
                                    {y, 0, 1, 0, 0, 0},     {x * x, 2 * x, 0, 2, 0, 0},
                                    {x * y, y, x, 0, 0, 1}, {y * y, 0, 2 * y, 0, 2, 0}};
            at(&q, x, y, S);
            for (int r = 0; r < 6; r++) {
                double sum = 0;
                for (int k = 0; k < 12; k++) {
                    sum += S[r][k] * u[k];
                }
                worst = fmax(worst, fabs(sum - f[p][r]));
            }
        }
    }
    verify_below("polynomials of degree 2", worst, 1e-12);
}

/* derivatives in the rows below are differences of the rows above */
static void derivatives(void **state) {
    GOS_UNUSED(state);
    static const int of[6][2] = {{0, 0}, {0, 0}, {0, 1}, {1, 0}, {2, 1}, {1, 1}}; // row, direction
    const double h = 1e-5;
    gos_quad q;
    double worst = 0;
    gos__quad_make(quads[0], &q);
    for (int g = 0; g < 4; g++) { // one point in each triangle
        static const double x[4][2] = {{0.6, 0.1}, {1.0, 0.6}, {0.5, 0.9}, {0.2, 0.3}};
        double S[6][12], more[6][12], less[6][12];
        at(&q, x[g][0], x[g][1], S);
        for (int r = 1; r < 6; r++) {
            const double dx = of[r][1] == 0 ? h : 0, dy = h - dx;
            at(&q, x[g][0] + dx, x[g][1] + dy, more);
            at(&q, x[g][0] - dx, x[g][1] - dy, less);
            for (int k = 0; k < 12; k++) {
                const double d = (more[of[r][0]][k] - less[of[r][0]][k]) / (2 * h);
                worst = fmax(worst, fabs(d - S[r][k]));
            }
        }
    }
    verify_below("derivatives and differences", worst, 1e-8);
}

/* values and slopes of triangle t and the next one along their common line from the centre to a
 * corner */
static void diagonals(void **state) {
    GOS_UNUSED(state);
    gos_quad q;
    double worst = 0, jump = 0;
    gos__quad_make(quads[0], &q);
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i <= 5; i++) {
            double S[2][6][12];
            const double s = 0.2 * i;
            gos__quad_shapes(&q, t, (const double[3]){1 - s, 0, s}, S[0]);
            gos__quad_shapes(&q, (t + 1) % 4, (const double[3]){1 - s, s, 0}, S[1]);
            for (int k = 0; k < 36; k++) {
                worst = fmax(worst, fabs(S[0][k / 12][k % 12] - S[1][k / 12][k % 12]));
                jump = fmax(jump, fabs(S[0][3 + k / 12][k % 12] - S[1][3 + k / 12][k % 12]));
            }
        }
    }
    verify_below("jumps of values and slopes across diagonals", worst, 1e-13);
    assert_true(jump > 0.1); // second derivatives do jump
}

/* along the common side both elements have the values and slopes that its two nodes give, whatever
   their other nodes have; the slope across is linear */
static void sides(void **state) {
    GOS_UNUSED(state);
    static const int node[2][2] = {{1, 2}, {0, 3}}; // of the common side
    const double d[2] = {-0.2, 1.3}, length = hypot(d[0], d[1]);
    gos_quad q[2];
    double worst = 0, others = 0, bent = 0, slope[3];
    for (int e = 0; e < 2; e++) {
        gos__quad_make(quads[e], &q[e]);
    }
    for (int dof = 0; dof < 6; dof++) {
        for (int i = 0; i <= 10; i++) {
            double S[2][6][12];
            const double s = 0.1 * i;
            for (int e = 0; e < 2; e++) {
                at(&q[e], 1.3 + s * d[0], 0.1 + s * d[1], S[e]);
            }
            const int a = 3 * node[0][dof / 3] + dof % 3, b = 3 * node[1][dof / 3] + dof % 3;
            for (int r = 0; r < 3; r++) {
                worst = fmax(worst, fabs(S[0][r][a] - S[1][r][b]));
                others = fmax(others, fabs(S[0][r][i % 3]) + fabs(S[0][r][9 + i % 3]));
            }
            if (i % 5 == 0) {
                slope[i / 5] = (S[0][GOS_SHAPE_1][a] * d[1] - S[0][GOS_SHAPE_2][a] * d[0]) / length;
            }
        }
        bent = fmax(bent, fabs(slope[0] - 2 * slope[1] + slope[2]));
    }
    verify_below("jumps of values and slopes across sides", worst, 1e-13);
    verify_below("functions of other nodes there", others, 1e-13);
    verify_below("the slope across is linear", bent, 1e-13);
}

static void bilinear(void **state) {
    GOS_UNUSED(state);
    const double narrow[4][2] = {{0, 0}, {1, 0}, {0.501, 0.499}, {0.2, 0.3}}; // nearly a triangle
    double worst = 0, gradient = 0;
    for (int g = 0; g < 242; g++) {
        const double(*x)[2] = g % 2 ? narrow : quads[0];
        const double xi[2] = {0.1 * (g / 2 % 11), 0.1 * (g / 22)};
        double N[4], p[2] = {0}, back[2], grad[2][4], J[4] = {0};
        gos__bilinear(xi, N, NULL);
        gos__bilinear_gradient(x, xi, grad);
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 2; c++) {
                p[c] += N[i] * x[i][c];
                J[c] += grad[0][i] * x[i][c];
                J[2 + c] += grad[1][i] * x[i][c];
            }
        }
        gos__bilinear_inverse(x, p, back);
        worst = fmax(worst, hypot(back[0] - xi[0], back[1] - xi[1]));
        gradient = fmax(gradient, fabs(J[0] - 1) + fabs(J[1]) + fabs(J[2]) + fabs(J[3] - 1));
    }
    verify_below("the inverse of the bilinear map", worst, 1e-12);
    verify_below("gradients of x and y", gradient, 1e-11);
}

/* int l_0^i l_1^j l_2^k = 2 i! j! k! / (i + j + k + 2)! of a triangle of area 1 */
static void rules(void **state) {
    GOS_UNUSED(state);
    static const int rule[2][2] = {{3, 2}, {16, 6}}; // points, degree
    for (int r = 0; r < 2; r++) {
        double l[16][3], w[16], worst = 0;
        gos__triangle_rule(rule[r][0], l, w);
        for (int i = 0; i <= rule[r][1]; i++) {
            for (int j = 0; i + j <= rule[r][1]; j++) {
                const int k = rule[r][1] - i - j;
                double sum = 0;
                for (int g = 0; g < rule[r][0]; g++) {
                    sum += w[g] * pow(l[g][0], i) * pow(l[g][1], j) * pow(l[g][2], k);
                }
                const double exact =
                    2 * tgamma(i + 1) * tgamma(j + 1) * tgamma(k + 1) / tgamma(rule[r][1] + 3);
                worst = fmax(worst, fabs(sum / exact - 1));
            }
        }
        verify_below(r ? "sixteen points" : "three points", worst, 1e-13);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners),   cmocka_unit_test(quadratics), cmocka_unit_test(derivatives),
        cmocka_unit_test(diagonals), cmocka_unit_test(sides),      cmocka_unit_test(bilinear),
        cmocka_unit_test(rules),
    };
    return cmocka_run_group_tests_name("quad shapes", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
