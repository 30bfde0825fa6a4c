/* Eclipse factor of sunlight, with smooth ramps of length r centred at each start and end of a
   window:
     f(t) = 1 - sum_k S(t - start_k) - S(t - end_k),   S(x) = u^2 (3 - 2 u),  u = x/r + 1/2 in [0,
     1].
   S is monotone with an integral independent of r. So f stays in [0, 1] for ordered windows and
   each window removes its length, also where ramps overlap. */
#include "model/private.h"

#include <math.h>

/* right-sided derivatives; a jump at 0 if ramp is 0 */
static double step(double x, double ramp, double *d1, double *d2) {
    const bool before = x < -0.5 * ramp, after = x >= 0.5 * ramp;
    *d1 = *d2 = 0.0;
    if (before || after) {
        return after ? 1.0 : 0.0;
    }
    const double u = x / ramp + 0.5;
    *d1 = 6.0 * u * (1.0 - u) / ramp;
    *d2 = 6.0 * (1.0 - 2.0 * u) / (ramp * ramp);
    return u * u * (3.0 - 2.0 * u);
}

/* first edge whose ramp has not ended */
static int first_edge(const gos_shade *s, double t) {
    int lo = 0, hi = 2 * s->n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (t - s->window[mid] > 0.5 * s->ramp) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

double gos__shade_eval(const gos_shade *s, double t, double *d1, double *d2) {
    const int first = first_edge(s, t);
    double f = first % 2 ? 0.0 : 1.0; // passed edges cancel in pairs
    double one = 0.0, two = 0.0;
    for (int k = first; k < 2 * s->n && t - s->window[k] >= -0.5 * s->ramp; k++) {
        double a, b;
        const double sign = k % 2 ? 1.0 : -1.0;
        f += sign * step(t - s->window[k], s->ramp, &a, &b);
        one += sign * a;
        two += sign * b;
    }
    if (d1 != NULL) {
        *d1 = one;
    }
    if (d2 != NULL) {
        *d2 = two;
    }
    return f;
}
