/* Circular arcs, and splines cubic in a parameter u: length by Gauss quadrature of |dr/du|, u of a
 * length by Newton's method. */
#include "line/curve.h"

#include <math.h>

#include "math/gauss.h"
#include "math/vec3.h"

/* Inextensible catenary y = a cosh((x - low)/a), a: horizontal force per weight per length. Span H,
 * height difference v and length l give sinh(q)/q = sqrt(l^2 - v^2)/H, q = H/(2 a), and tanh((H/2 -
 * low)/a) = v/l. s = a (sinh((x - low)/a) + sinh(low/a)). */

static void hanging_at(const gos_curve *c, double s, double x[3], double t[3]) {
    const double a = c->as.hanging.a, begin = -c->as.hanging.low / a;
    const double slope = s / a + sinh(begin), q = asinh(slope), cq = sqrt(1 + slope * slope);
    const double across = a * (q - begin), up = a * (cq - cosh(begin));
    for (int k = 0; k < 3; k++) {
        const double e = c->as.hanging.along[k], u = c->as.hanging.up[k];
        x[k] = c->as.hanging.from[k] + across * e + up * u;
        t[k] = (e + slope * u) / cq;
    }
}

/* Solves sinh(q)/q = ratio > 1, q > 0; Newton's method converges from above. */
static double inverse(double ratio) {
    double q = fmin(sqrt(6 * (ratio - 1)), 2 * log(2 * ratio) + 1);
    for (int it = 0; it < 60; it++) {
        const double off = (sinh(q) / q - ratio) / ((cosh(q) - sinh(q) / q) / q);
        q -= off;
        if (!(fabs(off) > 1e-15 * q)) {
            break;
        }
    }
    return q;
}

bool gos__curve_hanging(const double from[3], const double to[3], double length,
                        const double gravity[3], gos_curve *c) {
    const double g = gos__norm3(gravity);
    double d[3];
    *c = (gos_curve){.length = length, .at = hanging_at};
    gos__sub3(to, from, d);
    for (int k = 0; k < 3; k++) {
        c->as.hanging.from[k] = from[k];
        c->as.hanging.up[k] = -gravity[k] / g;
    }
    const double v = gos__dot3(d, c->as.hanging.up);
    for (int k = 0; k < 3; k++) {
        d[k] -= v * c->as.hanging.up[k];
    }
    const double span = gos__norm3(d), taut2 = length * length - v * v;
    if (!(span > 1e-6 * length) || !(taut2 > span * span)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        c->as.hanging.along[k] = d[k] / span;
    }
    const double a = c->as.hanging.a = 0.5 * span / inverse(sqrt(taut2) / span);
    c->as.hanging.low = 0.5 * span - a * atanh(v / length);
    return true;
}

/* exact to round-off for smooth curves */
#define POINTS 24

/* ---- circle ---------------------------------------------------------------------------------- */

static void arc_at(const gos_curve *c, double s, double x[3], double t[3]) {
    const double phi = s / c->as.arc.radius, cp = cos(phi), sp = sin(phi);
    for (int k = 0; k < 3; k++) {
        const double e1 = c->as.arc.e1[k], e2 = c->as.arc.e2[k];
        x[k] = c->as.arc.centre[k] + c->as.arc.radius * (cp * e1 + sp * e2);
        t[k] = cp * e2 - sp * e1;
    }
}

bool gos__curve_arc(const double from[3], const double by[3], const double to[3], gos_curve *c) {
    double u[3], w[3], n[3], nu[3], wn[3], d[3];
    gos__sub3(by, from, u);
    gos__sub3(to, from, w);
    gos__cross3(u, w, n);
    const double nn = gos__dot3(n, n), uu = gos__dot3(u, u), ww = gos__dot3(w, w);
    if (!(nn > 1e-18 * uu * ww)) {
        return false;
    }
    gos__cross3(n, u, nu);
    gos__cross3(w, n, wn);
    for (int k = 0; k < 3; k++) { // from the start to the centre
        d[k] = (ww * nu[k] + uu * wn[k]) / (2 * nn);
        c->as.arc.centre[k] = from[k] + d[k];
    }
    const double r = c->as.arc.radius = gos__norm3(d);
    for (int k = 0; k < 3; k++) {
        c->as.arc.e1[k] = -d[k] / r;
        n[k] /= sqrt(nn);
    }
    gos__cross3(n, c->as.arc.e1, c->as.arc.e2);
    gos__sub3(to, c->as.arc.centre, w);
    const double phi = atan2(gos__dot3(w, c->as.arc.e2), gos__dot3(w, c->as.arc.e1));
    c->length = r * (phi > 0 ? phi : phi + 2 * M_PI);
    c->at = arc_at;
    return true;
}

/* ---- spline ---------------------------------------------------------------------------------- */

/* position (may be NULL) and derivative at u_i + du */
static void cubic(const gos_curve *c, int i, double du, double *x, double d[3]) {
    const double h = c->as.spline.u[i + 1] - c->as.spline.u[i], f = du / h, e = 1 - f;
    for (int k = 0; k < 3; k++) {
        const double x0 = c->as.spline.x[3 * i + k], x1 = c->as.spline.x[3 * i + 3 + k];
        const double m0 = c->as.spline.dd[3 * i + k], m1 = c->as.spline.dd[3 * i + 3 + k];
        if (x) {
            x[k] = e * x0 + f * x1 + h * h / 6 * ((e * e * e - e) * m0 + (f * f * f - f) * m1);
        }
        d[k] = (x1 - x0) / h + h / 6 * ((3 * f * f - 1) * m1 - (3 * e * e - 1) * m0);
    }
}

/* length from u_i to u_i + du */
static double length_of(const gos_curve *c, int i, double du) {
    double g[POINTS], w[POINTS], d[3], sum = 0;
    gos__gauss(POINTS, g, w);
    for (int q = 0; q < POINTS; q++) {
        cubic(c, i, g[q] * du, NULL, d);
        sum += w[q] * du * gos__norm3(d);
    }
    return sum;
}

static void spline_at(const gos_curve *c, double s, double x[3], double t[3]) {
    const double *len = c->as.spline.len, *u = c->as.spline.u;
    int i = 0;
    while (i + 2 < c->as.spline.n && s > len[i + 1]) {
        i++;
    }
    const double h = u[i + 1] - u[i], want = s - len[i];
    double du = h * want / (len[i + 1] - len[i]), d[3];
    for (int it = 0; it < 30; it++) {
        cubic(c, i, du, NULL, d);
        const double off = (length_of(c, i, du) - want) / gos__norm3(d);
        du = fmin(fmax(du - off, 0), h);
        if (!(fabs(off) > 1e-15 * h)) {
            break;
        }
    }
    cubic(c, i, du, x, d);
    const double n = gos__norm3(d);
    for (int k = 0; k < 3; k++) {
        t[k] = d[k] / n;
    }
}

/* Second derivatives m_i by elimination. Inner points i: h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i
 * m_i+1 = 6 (change of chord slope). Not-a-knot ends: m_0 = m_1 + (m_1 - m_2) h_0/h_1. low, up:
 * off-diagonal entries. */
static void second_derivatives(int n, const double *u, const double *x, double *work, double *dd) {
    double *diag = work, *up = work + n;
    const int last = n - 2; // inner points: 1 .. last
    for (int i = 1; i <= last; i++) {
        const double h0 = u[i] - u[i - 1], h1 = u[i + 1] - u[i];
        double low = h0;
        diag[i] = 2 * (h0 + h1);
        up[i] = h1;
        if (i == 1) {
            diag[i] += h0 * (1 + h0 / h1);
            up[i] -= h0 * h0 / h1;
        }
        if (i == last) {
            diag[i] += h1 * (1 + h1 / h0);
            low -= h1 * h1 / h0;
        }
        if (n == 3) { // one common derivative
            diag[i] = 3 * (h0 + h1);
        }
        const double f = i > 1 ? low / diag[i - 1] : 0;
        diag[i] -= i > 1 ? f * up[i - 1] : 0;
        for (int k = 0; k < 3; k++) {
            const double *p = x + 3 * i + k;
            dd[3 * i + k] = 6 * ((p[3] - p[0]) / h1 - (p[0] - p[-3]) / h0);
            dd[3 * i + k] -= i > 1 ? f * dd[3 * i - 3 + k] : 0;
        }
    }
    for (int i = last; i >= 1; i--) {
        for (int k = 0; k < 3; k++) {
            dd[3 * i + k] -= i < last ? up[i] * dd[3 * i + 3 + k] : 0;
            dd[3 * i + k] /= diag[i];
        }
    }
    const double q0 = (u[1] - u[0]) / (u[2] - u[1]);
    const double q1 = (u[n - 1] - u[n - 2]) / (u[n - 2] - u[n - 3]);
    const int next = n == 3 ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        const double *first = dd + 3 + k, *end = dd + 3 * last + k;
        dd[k] = first[0] + q0 * (first[0] - dd[3 * next + k]);
        dd[3 * (n - 1) + k] = end[0] + q1 * (end[0] - dd[3 * (n - 1 - next) + k]);
    }
}

gos_status gos__curve_spline(gos_arena *a, int n, double *x, gos_curve *c) {
    double *room = GOS_NEW(a, double, 7 * n);
    if (!room) {
        return GOS_E_MEMORY;
    }
    *c = (gos_curve){.at = spline_at};
    double *u = c->as.spline.u = room + 3 * n, *len = c->as.spline.len = room + 4 * n;
    c->as.spline.n = n;
    c->as.spline.x = x;
    c->as.spline.dd = room;
    for (int i = 1; i < n; i++) {
        double d[3];
        gos__sub3(x + 3 * i, x + 3 * (i - 1), d);
        u[i] = u[i - 1] + gos__norm3(d);
    }
    second_derivatives(n, u, x, room + 5 * n, c->as.spline.dd);
    for (int i = 1; i < n; i++) {
        len[i] = len[i - 1] + length_of(c, i - 1, u[i] - u[i - 1]);
    }
    c->length = len[n - 1];
    return GOS_OK;
}
