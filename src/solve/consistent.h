/* Accelerations, temperature rates and multipliers that belong to given positions and
   velocities. */
#ifndef GOS_CONSISTENT_H
#define GOS_CONSISTENT_H

#include "system/system.h"

/** Solve [M C^T; C 0] (a, lam) = ..., [C H^T; H 0] (thd, lamT) = ... at time t for the state's q,
 * v, th (theory eq. 0 with the constraints differentiated twice, the temperature ones once). Work,
 * powers and strain energy of the state are brought up to date. `scale`: load factor.
 *  @return GOS_E_SINGULAR with a record when the mass matrix is singular on the constraints. */
gos_status gos__consistent(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Temperatures and their multipliers in balance at time t, where heat is steady
 * (gos_system.steady_heat).
 *  @return GOS_E_SINGULAR, recorded, where nothing says how warm a body is; GOS_E_DIVERGED */
gos_status gos__consistent_heat(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** rhs (n, many) := solutions of [M C^T; C 0] (and [C_T H^T; H 0]) for several right-hand sides.
 *  @return as gos__consistent */
gos_status gos__consistent_solve(gos_ctx *ctx, gos_work *w, const gos_point_of *x, int many,
                                 double *rhs);
/** Project the positions onto C = 0 with the least change in the mass norm (theory 4.2 (3)): what
 * Newton left open in the steps before must not become an acceleration. */
gos_status gos__consistent_position(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Project the velocities onto C_q v = -C_t with the least change of kinetic energy; *change is the
 *  relative change (mass norm). */
gos_status gos__consistent_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                    double *change);
/** A state as the argument of residuals and Jacobians, time functions at t. */
gos_point_of gos__state_point(const gos_state *x, double t);
/** Name a coordinate of the Newton matrix for messages: "body 'rod', node 3". */
void gos__name_unknown(const gos_system *s, int i, char *buf, size_t size);

/** Are there constraints that are not linear in the coordinates? Their forces have a stiffness. */
bool gos__constraints_curved(const gos_system *s);
/** Do bodies bend or stretch, by laws at points or by matrices? Some of their modes are then faster
 * than steps, and rates of their accelerations mean nothing. */
bool gos__elastic(const gos_system *s);

#endif
