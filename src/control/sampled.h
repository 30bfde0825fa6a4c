/* Zero- and first-order hold, and the bilinear transform to apply continuous methods. */
#ifndef GOS_SAMPLED_H
#define GOS_SAMPLED_H

#include "control/plant.h"

/** x(k+1) = A x(k) + B u(k), exact (matrix exponential); outputs at the samples. @return
 *  GOS_E_NONFINITE if the period is too long for the plant */
gos_status gos__plant_hold(gos_ctx *ctx, const gos_plant *plant, double period, gos_plant *held);
/** The same for inputs that are linear between samples, exact: z(k+1) = A z(k) + B u(k), y = C z +
 * D u with z = x - G u, G the response to a ramp over one period. z = 0 at first: inputs have risen
 *  from 0 during one period. */
gos_status gos__plant_ramp(gos_ctx *ctx, const gos_plant *plant, double period, gos_plant *held);
/** Continuous plant with the same response at z = (1 + s) / (1 - s): connections, stability, norms
 *  and margins are preserved. @return GOS_E_SINGULAR: a pole at z = -1 */
gos_status gos__plant_bilinear(gos_ctx *ctx, const gos_plant *sampled, gos_plant *plant);
/** ln(z) / period for the pole s of such a plant; -HUGE_VAL at z = 0. */
void gos__bilinear_pole(double period, double *re, double *im);

#endif
