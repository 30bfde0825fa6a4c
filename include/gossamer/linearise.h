/* Gossamer: linear models of systems about a state. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_LINEARISE_H
#define GOSSAMER_LINEARISE_H

#include "gossamer/linear.h"
#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Linearise a system at a state, full or reduced. Constraint forces enter K where constraints
 *  are curved; when those of the state do not balance it (the initial state) they are computed
 *  here. About a state in motion the directions that constraints leave free turn: K has what that
 *  adds, and q' are velocities along directions carried with the motion (rigid bodies and joints
 * that turn; velocities of outputs are whole). The model holds while the state has not moved
 * far. */
GOS_API gos_status gos_linearise(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                 gos_linear **linear);
/** Linearise a structure as it stands: gos_linearise where the state is at rest and balances its
 * loads (accelerations below 1e-6 of the forces); elsewhere at rest and without gravity and the
 * amounts of loads, with a warning that names them, for they would accelerate it, and forces that
 * go with accelerations have a stiffness of their own. They are inputs all the same. */
GOS_API gos_status gos_linearise_structure(gos_ctx *ctx, const gos_system *sys,
                                           const gos_state *state, gos_linear **linear);
/** gos_linearise about a steady rotation that gos_solve_static found with the spin (wx, wy, wz)
 * [rad/s] about an axis through `pivot` [m], in axes that turn with it and coincide with the global
 * ones now: D has the gyroscopic part 2 M [w], which is skew, K the centrifugal one M [w][w].
 * Coordinates, inputs (forces in global axes become forces in turning axes) and outputs are those
 * of the turning axes, velocities relative to them. A spin of 0, 0, 0 is gos_linearise.
 *  @return GOS_E_USE when the state does not turn so */
GOS_API gos_status gos_linearise_turning(gos_ctx *ctx, const gos_system *sys,
                                         const gos_state *state, const double spin[3],
                                         const double pivot[3], gos_linear **linear);

/** An operating point of a model: where it is linearised. */
typedef enum gos_operating_kind {
    GOS_OPERATING_INITIAL,    // as it stands
    GOS_OPERATING_TIME,       // where its analysis in time has come to
    GOS_OPERATING_EQUILIBRIUM // its static equilibrium; with a spin in the options, the one that
                              // turns
} gos_operating_kind;
typedef struct gos_operating_point {
    gos_operating_kind kind;
    double time; // of GOS_OPERATING_TIME [s]
} gos_operating_point;
/** Bring an initial state of the system there, solved as `options` say (their analysis and end do
 * not matter). Accelerations are consistent; as it stands, nothing is computed. @return as
 * gos_solve_static and gos_integrator_step; the state is then on the way */
GOS_API gos_status gos_state_reach(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                   const gos_operating_point *point, gos_state *state);
/** Linearise at a state that was brought there, in the way that belongs to the point:
 * gos_linearise_structure as it stands, gos_linearise at a time, gos_linearise_turning with the
 * spin of the options in equilibrium. */
GOS_API gos_status gos_linearise_at(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    const gos_operating_point *point, const gos_state *state,
                                    gos_linear **linear);

#ifdef __cplusplus
}
#endif

#endif
