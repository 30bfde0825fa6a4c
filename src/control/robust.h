/* Robustness of loops. */
#ifndef GOS_ROBUST_H
#define GOS_ROBUST_H

#include "control/hinf.h"
#include "control/modal_design.h"

typedef struct gos_stability {
    double abscissa;  // largest real part, < 0 if stable [1/s]
    double frequency; // its imaginary part [rad/s]
    double damping;   // smallest damping ratio [-]
    int mode;         // dominant plant mode of the least stable motion
} gos_stability;

/** Unsaturated loop. Plant states come first, (z, z') of modes. reach (nplant / 2, or NULL):
 *  spillover per mode, the largest real part of the motions it dominates [1/s], -HUGE_VAL if
 *  none. */
gos_status gos__loop_stability(gos_ctx *ctx, const gos_loop *loop, gos_stability *stability,
                               double *reach);
/** Loop gain at the commands, negative feedback: from v to -F x of the open loop, for
 *  gos__margins. */
gos_status gos__loop_gain(gos_ctx *ctx, const gos_loop *loop, gos_plant *gain);
/** Largest real parts (n) of a loop with capacitances of the plant (with `observer`: of the design)
 *  times 1 + error[k], for a plant of `modes` modes. */
gos_status gos__capacitance_sweep(gos_ctx *ctx, const gos_modal *modal,
                                  const gos_modal_design *design, int modes, bool observer, int n,
                                  const double *error, double *abscissa);
/** From the disturbance to z; omega [rad/s]. */
gos_status gos__loop_norm(gos_ctx *ctx, const gos_loop *loop, double *norm, double *omega);

#endif
