/* Membrane locking: elements with cubic sides cannot bend without stretching. */
#include <math.h>

#include "plate/plate.h"
#include "plate/plate_plies.h"

/* Thin strips under an end moment, 8 and 16 elements: max N / (A (k h)^4) = 1.4e-3 to 1.9e-3. */
#define LOCKING 1.8e-3

double gos__plate_locking(const gos_body *body, const double *strain) {
    const gos_plate *c = body->par;
    const double A = c->plies ? c->plies->par.C[0][0] : c->par.A;
    const double mean = sqrt(c->area / c->ncell);
    double most = 0;
    for (int i = 0; i < 2; i++) {
        const double kh = strain[3 + i] * (c->rectangle ? c->h[i] : mean);
        most = fmax(most, LOCKING * A * kh * kh * kh * kh);
    }
    return most;
}
