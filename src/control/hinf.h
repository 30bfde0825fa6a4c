/* H-infinity norm and disk margins. */
#ifndef GOS_HINF_H
#define GOS_HINF_H

#include "control/plant.h"

/** Largest singular value over all frequencies, to the relative `tolerance`, at *omega [rad/s]
 *  (HUGE_VAL: feedthrough only). Bruinsma and Steinbuch (1990).
 *  @return GOS_E_INPUT with a record if not asymptotically stable */
gos_status gos__hinf_norm(gos_ctx *ctx, const gos_plant *plant, double tolerance, double *norm,
                          double *omega);

/* against simultaneous perturbations at all inputs */
typedef struct gos_margins {
    // radius alpha, 0 to 2, of the largest disk of stable factors (1 + d alpha/2) / (1 - d
    // alpha/2), |d| < 1
    double disk;
    double gain;        // stable for factors from 1 / gain to gain [-]
    double phase;       // stable for phase lags up to this [rad]
    double omega;       // critical frequency [rad/s]
    double sensitivity; // largest singular value of (I + L)^-1 [-]
} gos_margins;

/** Symmetric disk margin of the loop gain L (inputs to inputs, feedback u = -L u): simultaneous
 *  factors per input, with any phases, that leave the loop stable. Seiler, Packard, Gahinet, An
 *  introduction to disk margins (2020). @return GOS_E_INPUT if unstable */
gos_status gos__margins(gos_ctx *ctx, const gos_plant *loop, gos_margins *margins);

#endif
