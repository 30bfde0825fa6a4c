#include "results/hermite.h"

gos_hermite gos__hermite(const double *time, long n, double t) {
    if (!(t > time[0])) {
        return (gos_hermite){0};
    }
    if (t >= time[n - 1]) {
        return (gos_hermite){.i = n - 1, .j = n - 1};
    }
    long lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        long mid = lo + (hi - lo) / 2;
        if (time[mid] <= t) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    if (time[lo] == t) {
        return (gos_hermite){.i = lo, .j = lo};
    }
    double h = time[hi] - time[lo], s = (t - time[lo]) / h, r = 1 - s;
    return (gos_hermite){.i = lo,
                         .j = hi,
                         .vi = (1 + 2 * s) * r * r,
                         .di = h * s * r * r,
                         .vj = s * s * (3 - 2 * s),
                         .dj = -h * s * s * r};
}
