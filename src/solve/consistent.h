/* Consistent accelerations, temperature rates and multipliers for given positions and
 * velocities. */
#ifndef GOS_CONSISTENT_H
#define GOS_CONSISTENT_H

#include "system/system.h"
#include "linalg/sparse.h"

/** Solve [M C^T; C 0] (a, lam) = ..., [C H^T; H 0] (thd, lamT) = ... at time t for the state's q,
 * v, th (theory eq. 0 with constraints differentiated twice, temperature constraints once).
 * Updates work, powers and strain energy of the state.
 * @return GOS_E_SINGULAR with a message if the mass matrix is singular on the constraints */
gos_status gos__consistent(gos_ctx *ctx, gos_work *w, gos_state *x, double t);
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

/* Solution with [M C^T; C 0] and [C_T H^T; H 0], the Newton matrix without stiffness and damping.
 * A Newton solver in parts is used with iterative refinement if the work has one: its analysis
 * exists, and one factorisation serves several nearby matrices. Otherwise, or on failure, KLU. */

typedef struct gos_constrained {
    gos_work *w;
    gos_sparse A;
    gos_pattern pattern;
    // KLU, NULL: not needed yet; own: the same unless shared between runs
    gos_solver *solver, *own;
    double *room; // (3, n), if the work has a Newton solver
    bool tried;   // ... which failed
} gos_constrained;

/** Assemble at x. The matrix is w->values, which must remain until the last solution. k:
 * zero-initialised; always call gos__constrained_free. */
gos_status gos__constrained_make(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                 gos_constrained *k);
void gos__constrained_free(gos_ctx *ctx, gos_constrained *k);
/** rhs (n, many) := solutions. @return GOS_E_SINGULAR with a message if the mass is singular on the
 * constraints */
gos_status gos__constrained_solve(gos_ctx *ctx, gos_constrained *k, int many, double *rhs);

#endif
