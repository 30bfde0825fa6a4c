/* The 12 thin plate functions for a corner (s, t) of signs: with u, v in [-1, 1], p = 1 + s u and
 * q = 1 + t v,
 *     value   p q (2 + s u + t v - u^2 - v^2) / 8
 *     slope   a/16 f(u; s) q  and  b/16 f(v; t) p,   f(u; s) = s p^2 (s u - 1) */
#include "math/plate_shapes.h"

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
