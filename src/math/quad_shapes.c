/* Conforming quadrilateral of Fraeijs de Veubeke and Sander with linear normal slopes along the
 * sides: a C1 cubic on each of the four triangles cut by the diagonals, as Bernstein
 * coefficients. */
#include "math/quad_shapes.h"

#include <math.h>
#include <string.h>

#include "math/gauss.h"

/* The 12 thin plate functions for a corner (s, t) of signs: with u, v in [-1, 1], p = 1 + s u and
 * q = 1 + t v,
 *     value   p q (2 + s u + t v - u^2 - v^2) / 8
 *     slope   a/16 f(u; s) q  and  b/16 f(v; t) p,   f(u; s) = s p^2 (s u - 1) */

static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* f and its first two derivatives. */
static void slope_function(double s, double u, double f[3]) {
    const double p = 1 + s * u, m = s * u - 1;
    f[0] = s * p * p * m;
    f[1] = 2 * p * m + p * p;
    f[2] = 2 * s * m + 4 * s * p;
}

void gos__plate_shapes(double a, double b, double xi, double eta, double S[6][12]) {
    const double u = 2 * xi - 1, v = 2 * eta - 1, du = 2 / a, dv = 2 / b;
    for (int i = 0; i < 4; i++) {
        const double s = sign[i][0], t = sign[i][1], p = 1 + s * u, q = 1 + t * v;
        const double w = 2 + s * u + t * v - u * u - v * v, wu = s - 2 * u, wv = t - 2 * v;
        double f[3], g[3];
        const int j = 3 * i;
        slope_function(s, u, f);
        slope_function(t, v, g);
        S[GOS_SHAPE][j] = p * q * w / 8;
        S[GOS_SHAPE_1][j] = du * q * (s * w + p * wu) / 8;
        S[GOS_SHAPE_2][j] = dv * p * (t * w + q * wv) / 8;
        S[GOS_SHAPE_11][j] = du * du * q * (s * wu - p) / 4;
        S[GOS_SHAPE_22][j] = dv * dv * p * (t * wv - q) / 4;
        S[GOS_SHAPE_12][j] = du * dv * (t * (s * w + p * wu) + q * s * wv) / 8;
        S[GOS_SHAPE][j + 1] = a / 16 * f[0] * q;
        S[GOS_SHAPE_1][j + 1] = a / 16 * du * f[1] * q;
        S[GOS_SHAPE_2][j + 1] = a / 16 * dv * f[0] * t;
        S[GOS_SHAPE_11][j + 1] = a / 16 * du * du * f[2] * q;
        S[GOS_SHAPE_22][j + 1] = 0;
        S[GOS_SHAPE_12][j + 1] = a / 16 * du * dv * f[1] * t;
        S[GOS_SHAPE][j + 2] = b / 16 * g[0] * p;
        S[GOS_SHAPE_1][j + 2] = b / 16 * du * g[0] * s;
        S[GOS_SHAPE_2][j + 2] = b / 16 * dv * g[1] * p;
        S[GOS_SHAPE_11][j + 2] = 0;
        S[GOS_SHAPE_22][j + 2] = b / 16 * dv * dv * g[2] * p;
        S[GOS_SHAPE_12][j + 2] = b / 16 * du * dv * g[1] * s;
    }
}

/* exponents of the barycentric coordinates (O, A, B) of the ten Bernstein polynomials */
static const int power[10][3] = {{3, 0, 0}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {1, 1, 1},
                                 {1, 0, 2}, {0, 3, 0}, {0, 2, 1}, {0, 1, 2}, {0, 0, 3}};
enum { OOO, OOA, OOB, OAA, OAB, OBB, AAA, AAB, ABB, BBB };

static double cross(const double a[2], const double b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

static void minus(const double a[2], const double b[2], double d[2]) {
    d[0] = a[0] - b[0];
    d[1] = a[1] - b[1];
}

/* Adds factor times (value + slope . d) of corner i to a row of coefficients. */
static void add_corner(double row[12], int i, double factor, double value, const double d[2]) {
    row[3 * i] += factor * value;
    row[3 * i + 1] += factor * d[0];
    row[3 * i + 2] += factor * d[1];
}

static void add_row(double row[12], double factor, const double from[12]) {
    for (int k = 0; k < 12; k++) {
        row[k] += factor * from[k];
    }
}

/* Coefficients of triangle (O, A, B) from its own side; O = (1 - s) P_i + s P_(i+2) is the centre:
 *     corner A              w_A
 *     next to A towards X   w_A + g_A . (X - A)/3           g: gradient at the corner
 *     middle of triangle    m = (1 - r) e_AB + r e_BA + u . (g_A + g_B)/6
 *                           from the linear normal slope along AB
 * F = (1 - r) A + r B is the foot of O on AB, u = O - F, e_AB the coefficient next to A towards
 * B. */
static void make_side(gos_quad *q, int t) {
    const int a = t, b = (t + 1) % 4;
    const double *A = q->x[a], *B = q->x[b];
    double(*c)[12] = q->net[t], d[2], h[2], to[2], u[2];
    minus(B, A, h);
    minus(q->centre, A, to);
    const double r = (to[0] * h[0] + to[1] * h[1]) / (h[0] * h[0] + h[1] * h[1]);
    for (int k = 0; k < 2; k++) {
        u[k] = to[k] - r * h[k];
    }
    add_corner(c[AAA], a, 1, 1, (const double[2]){0, 0});
    add_corner(c[BBB], b, 1, 1, (const double[2]){0, 0});
    for (int k = 0; k < 2; k++) {
        d[k] = h[k] / 3;
    }
    add_corner(c[AAB], a, 1, 1, d);
    add_corner(c[ABB], b, 1, 1, (const double[2]){-d[0], -d[1]});
    add_corner(c[OAA], a, 1, 1, (const double[2]){to[0] / 3, to[1] / 3});
    minus(q->centre, B, to);
    add_corner(c[OBB], b, 1, 1, (const double[2]){to[0] / 3, to[1] / 3});
    add_row(c[OAB], 1 - r, c[AAB]);
    add_row(c[OAB], r, c[ABB]);
    add_corner(c[OAB], a, 1.0 / 6, 0, u);
    add_corner(c[OAB], b, 1.0 / 6, 0, u);
}

/* Remaining coefficients, from C1 across the diagonals:
 *     next to O towards A   (1 - s) m_BA' + s m_AB: its neighbours lie on a line with O
 *     in O                  the same combination of those
 * share[i]: weights of the corners whose sum is the centre, for each diagonal. */
static void make_inner(gos_quad *q, const double share[4]) {
    for (int i = 0; i < 4;
         i++) { // coefficient next to O towards corner i, shared by triangles i - 1 and i
        const int next = (i + 1) % 4, before = (i + 3) % 4;
        add_row(q->net[i][OOA], share[next], q->net[i][OAB]);
        add_row(q->net[i][OOA], share[before], q->net[before][OAB]);
        memcpy(q->net[before][OOB], q->net[i][OOA], sizeof q->net[i][OOA]);
    }
    for (int t = 0; t < 4; t++) {
        add_row(q->net[t][OOO], share[0], q->net[0][OOA]);
        add_row(q->net[t][OOO], share[2], q->net[2][OOA]);
    }
}

void gos__quad_make(const double x[4][2], gos_quad *q) {
    double d[2][2], from[2], share[4];
    memset(q, 0, sizeof *q);
    memcpy(q->x, x, sizeof q->x);
    minus(x[2], x[0], d[0]);
    minus(x[3], x[1], d[1]);
    minus(x[1], x[0], from);
    const double size = cross(d[0], d[1]);
    share[2] = cross(from, d[1]) / size;
    share[3] = cross(from, d[0]) / size;
    share[0] = 1 - share[2];
    share[1] = 1 - share[3];
    for (int k = 0; k < 2; k++) {
        q->centre[k] = share[0] * x[0][k] + share[2] * x[2][k];
    }
    for (int t = 0; t < 4; t++) {
        const double *corner[3] = {q->centre, x[t], x[(t + 1) % 4]};
        double a[2], b[2];
        minus(corner[1], corner[0], a);
        minus(corner[2], corner[0], b);
        const double twice = cross(a, b);
        q->area[t] = twice / 2;
        for (int i = 0; i < 3; i++) {
            minus(corner[(i + 2) % 3], corner[(i + 1) % 3], a);
            q->grad[t][i][0] = -a[1] / twice;
            q->grad[t][i][1] = a[0] / twice;
        }
        make_side(q, t);
    }
    make_inner(q, share);
}

/* l^n and its first two derivatives. */
static void powers(double l, int n, double p[3]) {
    p[0] = n == 0 ? 1 : n == 1 ? l : n == 2 ? l * l : l * l * l;
    p[1] = n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 * l : 3 * l * l;
    p[2] = n < 2 ? 0 : n == 2 ? 2 : 6 * l;
}

/* Bernstein polynomial with these exponents, and its derivatives by x and y. */
static void bernstein(const int n[3], const double l[3], const double g[3][2], double B[6]) {
    static const double factorial[4] = {1, 1, 2, 6};
    const double c = 6 / (factorial[n[0]] * factorial[n[1]] * factorial[n[2]]);
    double p[3][3], first[3], second[3][3];
    for (int i = 0; i < 3; i++) {
        powers(l[i], n[i], p[i]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        first[i] = c * p[i][1] * p[j][0] * p[k][0];
        second[i][i] = c * p[i][2] * p[j][0] * p[k][0];
        second[i][j] = second[j][i] = c * p[i][1] * p[j][1] * p[k][0];
    }
    memset(B, 0, 6 * sizeof *B);
    B[GOS_SHAPE] = c * p[0][0] * p[1][0] * p[2][0];
    for (int i = 0; i < 3; i++) {
        B[GOS_SHAPE_1] += first[i] * g[i][0];
        B[GOS_SHAPE_2] += first[i] * g[i][1];
        for (int j = 0; j < 3; j++) {
            B[GOS_SHAPE_11] += second[i][j] * g[i][0] * g[j][0];
            B[GOS_SHAPE_22] += second[i][j] * g[i][1] * g[j][1];
            B[GOS_SHAPE_12] += second[i][j] * g[i][0] * g[j][1];
        }
    }
}

void gos__quad_shapes(const gos_quad *q, int t, const double l[3], double S[6][12]) {
    memset(S, 0, 6 * sizeof *S);
    for (int m = 0; m < 10; m++) {
        double B[6];
        bernstein(power[m], l, q->grad[t], B);
        for (int r = 0; r < 6; r++) {
            add_row(S[r], B[r], q->net[t][m]);
        }
    }
}

int gos__quad_triangle(const gos_quad *q, const double x[2], double l[3]) {
    int best = 0;
    double max = -HUGE_VAL, d[2];
    minus(x, q->centre, d);
    for (int t = 0; t < 4; t++) { // inside if d lies between the triangle's corners
        const double a = q->grad[t][1][0] * d[0] + q->grad[t][1][1] * d[1];
        const double b = q->grad[t][2][0] * d[0] + q->grad[t][2][1] * d[1];
        if (fmin(a, b) > max) {
            max = fmin(a, b);
            best = t;
            l[0] = 1 - a - b;
            l[1] = a;
            l[2] = b;
        }
    }
    return best;
}

void gos__bilinear(const double xi[2], double N[4], double dN[2][4]) {
    const double x = xi[0], y = xi[1];
    if (N) {
        N[0] = (1 - x) * (1 - y), N[1] = x * (1 - y), N[2] = x * y, N[3] = (1 - x) * y;
    }
    if (dN) {
        dN[0][0] = -(1 - y), dN[0][1] = 1 - y, dN[0][2] = y, dN[0][3] = -y;
        dN[1][0] = -(1 - x), dN[1][1] = -x, dN[1][2] = x, dN[1][3] = 1 - x;
    }
}

void gos__bilinear_gradient(const double x[4][2], const double xi[2], double grad[2][4]) {
    double dN[2][4], J[2][2] = {{0}};
    gos__bilinear(xi, NULL, dN);
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 2; c++) {
            J[0][c] += dN[0][i] * x[i][c];
            J[1][c] += dN[1][i] * x[i][c];
        }
    }
    const double det = cross(J[0], J[1]);
    for (int i = 0; i < 4; i++) {
        grad[0][i] = (J[1][1] * dN[0][i] - J[0][1] * dN[1][i]) / det;
        grad[1][i] = (J[0][0] * dN[1][i] - J[1][0] * dN[0][i]) / det;
    }
}

/* Newton's iteration from the middle converges for every point of a convex quadrilateral */
void gos__bilinear_inverse(const double x[4][2], const double p[2], double xi[2]) {
    xi[0] = xi[1] = 0.5;
    for (int k = 0; k < 30; k++) {
        double N[4], dN[2][4], r[2] = {p[0], p[1]}, J[2][2] = {{0}};
        gos__bilinear(xi, N, dN);
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 2; c++) {
                r[c] -= N[i] * x[i][c];
                J[0][c] += dN[0][i] * x[i][c];
                J[1][c] += dN[1][i] * x[i][c];
            }
        }
        const double det = cross(J[0], J[1]);
        const double step[2] = {cross(r, J[1]) / det, cross(J[0], r) / det};
        if (!(det > 0)) {
            return;
        }
        for (int c = 0; c < 2; c++) { // far outside the map is not invertible
            xi[c] = fmin(fmax(xi[c] + step[c], -0.5), 1.5);
        }
        if (fabs(step[0]) + fabs(step[1]) < 1e-15) {
            return;
        }
    }
}

/* Strang and Fix (degree 2); Gauss product rule on a square collapsed to a triangle (degree 6) */
void gos__triangle_rule(int n, double l[][3], double w[]) {
    if (n == 3) {
        for (int i = 0; i < 9; i++) {
            l[i / 3][i % 3] = i / 3 == i % 3 ? 2.0 / 3 : 1.0 / 6;
            w[i / 3] = 1.0 / 3;
        }
        return;
    }
    double x[4], g[4];
    gos__gauss(4, x, g);
    for (int i = 0; i < 16; i++) {
        const double a = x[i % 4], b = x[i / 4];
        l[i][0] = 1 - a;
        l[i][1] = a * (1 - b);
        l[i][2] = a * b;
        w[i] = 2 * a * g[i % 4] * g[i / 4];
    }
}
