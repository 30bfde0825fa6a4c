/* See scales.h. */
#include "solve/scales.h"

#include <math.h>

static double rms(int n, double total, const double *x, const double *weighed) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * weighed[i];
    }
    return sqrt(fmax(0, sum) / total);
}

double gos__motion_rms(const gos_system *s, const double *dq, double *weighed) {
    const double total = gos__motion_total(s);
    if (!(total > 0)) {
        return 0;
    }
    gos__motion_weights(s, dq, weighed);
    return rms(s->nq, total, dq, weighed) / s->extent;
}

double gos__heat_rms(const gos_system *s, const double *dT, double *weighed) {
    const double total = gos__heat_total(s);
    if (!(total > 0)) {
        return 0;
    }
    gos__heat_weights(s, dT, weighed);
    return rms(s->nt, total, dT, weighed);
}

double gos__heat_range(const gos_state *x, double range) {
    const gos_system *s = x->sys;
    for (int i = 0; i < s->nt; i++) {
        const double part = s->tmean[i] + gos__single_part(s, i);
        range = fmax(range, part * fabs(x->th[i] - s->th0[i]));
    }
    return range;
}
