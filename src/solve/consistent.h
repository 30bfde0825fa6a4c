/* Consistent accelerations, temperature rates and multipliers for given positions and
 * velocities. */
#ifndef GOS_CONSISTENT_H
#define GOS_CONSISTENT_H

#include "system/system.h"

/** Solve [M C^T; C 0] (a, lam) = ..., [C H^T; H 0] (thd, lamT) = ... at time t for the state's q,
 * v, th (theory eq. 0 with constraints differentiated twice, temperature constraints once).
 * Updates work, powers and strain energy of the state.
 * @return GOS_E_SINGULAR with a message if the mass matrix is singular on the constraints */
gos_status gos__consistent(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Steady temperatures and their multipliers at time t (gos_system.steady_heat).
 * @return GOS_E_SINGULAR, recorded, if the temperature of a body is undetermined;
 * GOS_E_DIVERGED */
gos_status gos__consistent_heat(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** rhs (n, many) := solutions of [M C^T; C 0] (and [C_T H^T; H 0]).
 * @return as gos__consistent */
gos_status gos__consistent_solve(gos_ctx *ctx, gos_work *w, const gos_point_of *x, int many,
                                 double *rhs);
/** Project the positions onto C = 0 with least change in the mass norm (theory 4.2 (3)), so that
 * Newton errors of earlier steps do not become accelerations. */
gos_status gos__consistent_position(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
/** Project the velocities onto C_q v = -C_t with least change of kinetic energy; *change: relative
 * change (mass norm). */
gos_status gos__consistent_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                    double *change);
/** A state as evaluation point, with time functions at t. */
gos_point_of gos__state_point(const gos_state *x, double t);
/** Describe a coordinate of the Newton matrix for messages: "body 'rod', node 3". */
void gos__name_unknown(const gos_system *s, int i, char *buf, size_t size);

/** Are there nonlinear constraints? Their forces have a stiffness. */
bool gos__constraints_curved(const gos_system *s);
/** Are there elastic bodies, by laws at points or by matrices? Modes faster than the steps make
 * rates of accelerations meaningless. */
bool gos__elastic(const gos_system *s);

#endif
