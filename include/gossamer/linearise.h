/* Gossamer: linearisation of a system about a state. SPDX-License-Identifier: Apache-2.0
 *
 * Computes operating points (initial state, a time of the analysis, static or steadily rotating
 * equilibrium) and the linear models about them (linear.h). */
#ifndef GOSSAMER_LINEARISE_H
#define GOSSAMER_LINEARISE_H

#include "gossamer/buckling.h"
#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Linearise a system, full or reduced, at a state. Constraint forces contribute to K where
 * constraints are nonlinear; if those stored in the state are not in balance (initial state), they
 * are computed here. About a state in motion the null space of the constraints rotates: K includes
 * the resulting terms, and q' are velocities along directions carried with the motion (rigid bodies
 * and rotating joints; velocities of outputs are absolute). Valid while the state has not moved
 * far. */
GOS_API gos_status gos_linearise(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                 gos_linear **linear);
/** Linearise a structure at its initial state: as gos_linearise if the state is at rest and in
 * equilibrium (accelerations below 1e-6 of the forces). Otherwise velocities, gravity and
 * magnitudes of loads are set to zero, with a warning that lists them: unbalanced, they would
 * accelerate the structure, and inertial forces contribute to the stiffness. They remain
 * inputs. */
GOS_API gos_status gos_linearise_structure(gos_ctx *ctx, const gos_system *sys,
                                           const gos_state *state, gos_linear **linear);
/** Linearise about a steady rotation found by gos_solve_static with the spin (wx, wy, wz) [rad/s]
 * about an axis through `pivot` [m], in rotating axes that coincide with the global ones at this
 * instant: D includes the skew gyroscopic part 2 M [w], K the centrifugal part M [w][w].
 * Coordinates, inputs (forces in global axes become forces in rotating axes) and outputs refer to
 * the rotating axes, velocities are relative to them. With a spin of 0, 0, 0 as gos_linearise.
 * @return GOS_E_USE if the state is not this rotation */
GOS_API gos_status gos_linearise_rotating(gos_ctx *ctx, const gos_system *sys,
                                          const gos_state *state, const double spin[3],
                                          const double pivot[3], gos_linear **linear);

/** Operating point at which a model is linearised. */
typedef enum gos_operating_kind {
    GOS_OPERATING_INITIAL, // initial state, unchanged
    GOS_OPERATING_TIME,    // state of the analysis at a given time
    // static equilibrium; with a spin in the options, the rotating one
    GOS_OPERATING_EQUILIBRIUM
} gos_operating_kind;
typedef struct gos_operating_point {
    gos_operating_kind kind;
    double time; // for GOS_OPERATING_TIME [s]
} gos_operating_point;
/** Bring an initial state of the system to the operating point, using the solver `options` (their
 * analysis and end are ignored). Accelerations are made consistent, except for
 * GOS_OPERATING_INITIAL, which computes nothing. @return as gos_solve_static and
 * gos_integrator_step; on failure the state is an intermediate one */
GOS_API gos_status gos_state_find_operating_point(gos_ctx *ctx, const gos_system *sys,
                                                  const gos_options *options,
                                                  const gos_operating_point *point,
                                                  gos_state *state);
/** Linearise at a state computed by gos_state_find_operating_point: gos_linearise_structure for the
 * initial state, gos_linearise at a time, gos_linearise_rotating with the spin of the options for
 * an equilibrium. */
GOS_API gos_status gos_linearise_at(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    const gos_operating_point *point, const gos_state *state,
                                    gos_linear **linear);

/** Loads of a buckling analysis. */
typedef struct gos_buckling_options {
    // Entries that the load factor multiplies: names of loads, joints and heat entries, or
    // "loads", "gravity", "heat" (prescribed temperatures and heat sources), "motion" (drives) for
    // all of a kind. NULL: loads and gravity, or heat if there are none. All others are constant
    const char *const *scaled;
    int nscaled;
    double time; // of the values of time functions [s]
} gos_buckling_options;

typedef struct gos_buckling_info {
    char scaled[400], constant[400]; // "gravity, load 'push'", "" for none
    double displacement; // largest linear displacement at the lowest factor, over the extent [-]
} gos_buckling_info;

/** Linearised buckling: the n smallest positive load factors, ascending, and shapes (coordinates,
 * n; by columns; may be NULL). K is the tangent stiffness at the static equilibrium under the
 * constant loads, K_g the change by stress, constraint and load forces of the linear response to
 * the scaled ones, without change of geometry in bodies: (K + factor K_g) x = 0. *found < n only if
 * there are no more below the factor at which linear displacements reach the size of the model.
 * @return GOS_E_INPUT for reduced models, bodies without geometric stiffness, unknown names, loads
 * without potential (follower loads); GOS_E_SINGULAR if the structure is free to move, or unstable
 * under the constant loads */
GOS_API gos_status gos_buckling(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                const gos_buckling_options *loads, int n, gos_buckling_mode *modes,
                                double *shapes, int *found, gos_buckling_info *info);
#ifdef __cplusplus
}
#endif

#endif
