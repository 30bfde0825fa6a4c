/* Shock response spectra by the ramp-invariant filter of the damped oscillator. Smallwood, Shock
   and Vibration Bulletin 51 (1981). */
#include <math.h>

#include "base/base.h"
#include "gossamer/vibration.h"

#define SAMPLES 32.0 // per period, so that a parabola resolves the peaks
#define MAX_SUBSTEPS 100000

typedef struct filter {
    double b[3], a1, a2; // y_n = b0 x_n + b1 x_{n-1} + b2 x_{n-2} - a1 y_{n-1} - a2 y_{n-2}
    double x[2], y[3];   // previous inputs; last three outputs, newest first
    double peak;
} filter;

static void begin(filter *f, double w, double zeta, double T) {
    const double E = exp(-zeta * w * T), K = w * sqrt(1 - zeta * zeta) * T;
    const double C = E * cos(K), S = E * sin(K) / K;
    *f = (filter){.b = {1 - S, 2 * (S - C), E * E - S}, .a1 = -2 * C, .a2 = E * E};
}

/* largest magnitude of the parabola through the last three outputs */
static double crest(const double y[3]) {
    const double curve = y[0] - 2 * y[1] + y[2], slope = 0.5 * (y[0] - y[2]);
    const double at = curve != 0 ? -slope / curve : 2;
    return fabs(at) <= 1 ? fabs(y[1] + 0.5 * slope * at) : fabs(y[1]);
}

static void advance(filter *f, double x) {
    const double y =
        f->b[0] * x + f->b[1] * f->x[0] + f->b[2] * f->x[1] - f->a1 * f->y[0] - f->a2 * f->y[1];
    f->x[1] = f->x[0];
    f->x[0] = x;
    f->y[2] = f->y[1];
    f->y[1] = f->y[0];
    f->y[0] = y;
    f->peak = fmax(f->peak, fmax(crest(f->y), fabs(y)));
}

/* the history, then one period at rest of the base */
static double peak_of(int n, double h, const double *a, double w, double zeta) {
    const double period = 2 * M_PI / w;
    const int parts = (int)fmin(MAX_SUBSTEPS, fmax(1, ceil(h * SAMPLES / period)));
    const double T = h / parts;
    const int rest = (int)fmin(1e9, ceil(period / T) + 2);
    filter f;
    begin(&f, w, zeta, T);
    // the oscillator starts at rest; a first value other than 0 acts as a ramp over one substep
    for (int k = 0; k < n; k++) {
        for (int p = k == 0 ? parts : 1; p <= parts; p++) {
            const double part = (double)p / parts;
            advance(&f, k == 0 ? a[0] : a[k - 1] + part * (a[k] - a[k - 1]));
        }
    }
    for (int k = 0; k < rest; k++) {
        advance(&f, 0);
    }
    return f.peak;
}

gos_status gos_srs(gos_ctx *ctx, int n, double h, const double *a, double q, int nf,
                   const double *frequency, double *srs) {
    if (n < 2 || !(h > 0) || !isfinite(h) || !(q > 0.5) || !isfinite(q)) {
        return gos__fail(ctx, GOS_E_USE,
                         "shock response spectrum: needs at least 2 values, a positive time step "
                         "and a quality factor above 0.5, not %d, %g s, %g",
                         n, h, q);
    }
    for (int k = 0; k < nf; k++) {
        if (!(frequency[k] > 0) || !isfinite(frequency[k])) {
            return gos__fail(ctx, GOS_E_USE,
                             "shock response spectrum: frequency %g Hz is not positive",
                             frequency[k]);
        }
        srs[k] = peak_of(n, h, a, 2 * M_PI * frequency[k], 0.5 / q);
    }
    return GOS_OK;
}
