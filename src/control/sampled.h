/* Plants whose inputs are held between samples, and what makes the methods for continuous ones
 * serve them. */
#ifndef GOS_SAMPLED_H
#define GOS_SAMPLED_H

#include "control/plant.h"

/** x(k+1) = A x(k) + B u(k) of inputs that are held over the period, exact (matrix exponential);
 * outputs are those at the samples. @return GOS_E_NONFINITE for periods that are too long for the
 * plant */
gos_status gos__plant_hold(gos_ctx *ctx, const gos_plant *plant, double period, gos_plant *held);
/** The continuous plant with the response of a sampled one at z = (1 + s) / (1 - s): connections,
 * stability, norms and margins are those of the sampled plants. @return GOS_E_SINGULAR: a pole at z
 * = -1 */
gos_status gos__plant_bilinear(gos_ctx *ctx, const gos_plant *sampled, gos_plant *plant);
/** ln(z) / period of the pole s of such a plant; -HUGE_VAL for what is gone after a sample. */
void gos__bilinear_pole(double period, double *re, double *im);

#endif
