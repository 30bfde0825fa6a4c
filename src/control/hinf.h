/* The H-infinity norm of a plant, and the margins of a loop that follow from it. */
#ifndef GOS_HINF_H
#define GOS_HINF_H

#include "control/plant.h"

/** The largest singular value of the frequency response over all frequencies, to the relative
 * `tolerance`, and *omega where it is reached [rad/s] (HUGE_VAL: by the feed-through alone).
 * Bruinsma and Steinbuch (1990).
 *  @return GOS_E_INPUT with a record when the plant is not asymptotically stable */
gos_status gos__hinf_norm(gos_ctx *ctx, const gos_plant *plant, double tolerance, double *norm,
                          double *omega);

/* what a loop bears at all inputs of the plant at once */
typedef struct gos_margins {
    double disk;  // radius alpha of the largest disk of factors (1 + d alpha/2) / (1 - d alpha/2),
                  // |d| < 1, 0 to 2
    double gain;  // factors from 1 / gain to gain are borne [-]
    double phase; // phase lags up to this [rad]
    double omega; // frequency of the least distance [rad/s]
    double sensitivity; // largest singular value of (I + L)^-1 [-]
} gos_margins;

/** Symmetric disk margin of the loop gain L (inputs to inputs, feedback u = -L u): factors that
 * each input may be multiplied by, all at the same time and with any phases, before the loop loses
 * its stability. Seiler, Packard, Gahinet, An introduction to disk margins (2020). @return
 * GOS_E_INPUT when the loop is not stable */
gos_status gos__margins(gos_ctx *ctx, const gos_plant *loop, gos_margins *margins);

#endif
