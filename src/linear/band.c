/* Default frequency band of a linear model: around its lowest modes. */
#include <math.h>

#include "linear/linear.h"

#define MODES 10 // number of modes

static void widen(double band[2], double frequency) {
    if (frequency > 0 && isfinite(frequency)) {
        band[0] = band[0] > 0 ? fmin(band[0], frequency / 10) : frequency / 10;
        band[1] = fmax(band[1], 2 * frequency);
    }
}

gos_status gos_linear_band(gos_ctx *ctx, const gos_linear *linear, double band[2]) {
    gos_mode mode[MODES];
    double rate[MODES], found[2] = {0, 0};
    int n = 0;
    if (linear->nq > 0) {
        GOS_TRY(gos_linear_modes(ctx, linear, MODES, false, mode, &n));
    } else {
        GOS_TRY(gos_linear_thermal_modes(ctx, linear, MODES, rate, NULL, &n));
    }
    for (int i = 0; i < n; i++) {
        widen(found, linear->nq > 0 ? mode[i].frequency : rate[i] / (2 * M_PI));
    }
    if (!(found[0] > 0)) {
        return gos__fail(ctx, GOS_E_USE,
                         "no modes were found from which to derive a frequency band; specify one");
    }
    memcpy(band, found, sizeof found);
    return GOS_OK;
}
