/* What a loop bears: stability of a richer plant, spillover, errors of capacitance, margins. */
#ifndef GOS_ROBUST_H
#define GOS_ROBUST_H

#include "control/hinf.h"
#include "control/modal_design.h"

typedef struct gos_stability {
    double abscissa;  // largest real part: negative when the loop is stable [1/s]
    double frequency; // imaginary part there [rad/s]
    double damping;   // smallest damping ratio [-]
    int mode;         // of the plant that moves most in the least stable motion
} gos_stability;

/** Of a loop while nothing is clipped. The plant's states are its first ones, (z, z') of modes.
 * reach (nplant / 2, or NULL): spillover by mode, the largest real part of the motions in which
 * this mode has the most energy of all [1/s], -HUGE_VAL where it has in none. */
gos_status gos__loop_stability(gos_ctx *ctx, const gos_loop *loop, gos_stability *stability,
                               double *reach);
/** Loop gain at the limited commands, negative feedback: from v to -F x of the loop that is cut
 * there, for gos__margins. */
gos_status gos__loop_gain(gos_ctx *ctx, const gos_loop *loop, gos_plant *gain);
/** Largest real parts (n) of the loop of a design when capacitances of the plant (or, with
 * `observer`, those that the design believes in) are (1 + error[k]) times as large, with a plant of
 * `modes` modes. */
gos_status gos__capacitance_sweep(gos_ctx *ctx, const gos_modal *modal,
                                  const gos_modal_design *design, int modes, bool observer, int n,
                                  const double *error, double *abscissa);
/** The H-infinity norm from the disturbance to z of a loop, and where it is [rad/s]. */
gos_status gos__loop_norm(gos_ctx *ctx, const gos_loop *loop, double *norm, double *omega);

#endif
