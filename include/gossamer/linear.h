/* Gossamer: linear multifield models and their modes. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_LINEAR_H
#define GOSSAMER_LINEAR_H

#include "gossamer/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** M q'' + D q' + K q + G theta = f,  C theta' + K_T theta + H_q q + H_v q' = r,  constraints already
 *  eliminated (theory 4.3). Dense, row-major. */
typedef struct gos_linear gos_linear;

/** Linearise a system at a state; multipliers and accelerations must be consistent (as after
 *  gos_integrator_create, gos_integrator_step or gos_solve_static). */
GOS_API gos_status gos_linearise(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                 gos_linear **linear);
GOS_API void gos_linear_destroy(gos_linear *linear);

typedef struct gos_mode {
    double omega;       // undamped angular frequency [rad/s]
    double frequency;   // [Hz]
    double damping;     // damping ratio [-] (damped modes)
    double re, im;      // eigenvalue [1/s] (damped modes)
    double mass[3];     // effective modal masses in x, y, z [kg] (undamped modes)
    bool rigid;         // a rigid-body mode
} gos_mode;
/** The n lowest modes, in order of undamped frequency; *found modes are returned in modes (n).
 *  damped: eigenvalues of the quadratic problem, one entry per conjugate pair or real root. */
GOS_API gos_status gos_linear_modes(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                                    gos_mode *modes, int *found);

#ifdef __cplusplus
}
#endif
#endif
