/* Inextensible catenary y = a cosh((x - low)/a), a: horizontal force per weight per length. Span H,
 * height difference v and length l give sinh(q)/q = sqrt(l^2 - v^2)/H, q = H/(2 a), and tanh((H/2 -
 * low)/a) = v/l. s = a (sinh((x - low)/a) + sinh(low/a)). */
#include "line/curve.h"

#include <math.h>

#include "parts/vec3.h"

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
