/* Motions that the joints allow (theory 4.1, 4.2): M-orthonormal basis U (nq, n) of the null
   space of the constraint Jacobian, transported in parallel, so that velocities e' = U v keep v
   without energy loss. Tall matrices are row-major. */
#ifndef GOS_NULLSPACE_H
#define GOS_NULLSPACE_H

#include "linalg/solver.h"
#include "solve/walk.h"
#include "system/system.h"

typedef struct gos_nullspace gos_nullspace;

/** GOS_E_INPUT, at the entry, for joints and temperatures prescribed as functions of time. */
gos_status gos__nullspace_create(gos_ctx *ctx, const gos_system *sys, gos_nullspace **space);
void gos__nullspace_destroy(gos_nullspace *s);
/** Basis at the configuration of x, parallel to the previous one (theory eq. 2); no effect if U
 *  is constant. @return GOS_E_SINGULAR if a motion has no mass, or if ||C U|| > 1e-12 ||C||
 *  ||U||. */
gos_status gos__nullspace_update(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** Serialise the history; requires a known basis. */
void gos__nullspace_walk(gos_nullspace *s, gos_walk *past);
/** Number of free motions; defined after the first update. */
int gos__nullspace_size(const gos_nullspace *s);
/** U (nq, n), row-major; borrowed. */
const double *gos__nullspace_basis(const gos_nullspace *s);
/** True if all rows are linear, so that U is constant. */
bool gos__nullspace_constant(const gos_nullspace *s);
/** ||C U|| / (||C|| ||U||) of the last update (largest entries). */
double gos__nullspace_error(const gos_nullspace *s);

/** Newton's method for C(q) = 0 along M^-1 C^T (theory eq. 3); updates q. `spent` (may be NULL)
 *  counts iterations. @return GOS_RETRY if it does not converge. */
gos_status gos__nullspace_correct(gos_nullspace *s, gos_work *w, double t, double *q, int *spent);
/** Factorise [M C^T; C 0] (and [C_T H^T; H 0]) at x for gos__nullspace_solve; reused if
 *  constant. */
gos_status gos__nullspace_factor(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** Repeat the last factorisation with the pivots from gos__nullspace_walk. */
gos_status gos__nullspace_refactor(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** Solve with that matrix in place; unknowns in Newton order (sys->n). */
void gos__nullspace_solve(const gos_nullspace *s, double *x);

/** Basis U_T (nt, *n) of the temperatures that constraints allow, row-major; the caller frees
 *  *U. */
gos_status gos__nullspace_thermal(gos_ctx *ctx, const gos_system *sys, double **U, int *n);

#endif
