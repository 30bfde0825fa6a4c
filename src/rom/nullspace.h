/* The motions that the joints allow (theory 4.1, 4.2): a basis U (nq, n) of the null space of the
   constraint Jacobian, M-orthonormal, and carried along in parallel when it varies, so that
   velocities e' = U v keep their v from one configuration to the next without losing energy.
   Tall matrices are row-major here and in the local models built on them. */
#ifndef GOS_NULLSPACE_H
#define GOS_NULLSPACE_H

#include "linalg/solver.h"
#include "solve/stepper.h"
#include "system/system.h"

typedef struct gos_nullspace gos_nullspace;

/** Analyse the constraints of a system. Driven joints and temperatures that are prescribed as
 *  functions of time are refused: GOS_E_INPUT names the entry. */
gos_status gos__nullspace_create(gos_ctx *ctx, const gos_system *sys, gos_nullspace **space);
void gos__nullspace_destroy(gos_nullspace *s);
/** The basis at the configuration of x, parallel to the one before it (theory eq. 2). Nothing is
 *  done when U is constant and known. @return GOS_E_SINGULAR when a motion has no mass, or when
 *  the basis misses the acceptance ||C U|| <= 1e-12 ||C|| ||U||. */
gos_status gos__nullspace_update(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** What all this knows beyond the configuration, when the basis is known. */
void gos__nullspace_walk(gos_nullspace *s, gos_walk *past);
/** Number of free motions; known after the first update. */
int gos__nullspace_size(const gos_nullspace *s);
/** U (nq, n), row-major; borrowed. */
const double *gos__nullspace_basis(const gos_nullspace *s);
/** True when all rows are linear: U never changes. */
bool gos__nullspace_constant(const gos_nullspace *s);
/** ||C U|| / (||C|| ||U||) of the last update (largest entries). */
double gos__nullspace_error(const gos_nullspace *s);

/** Newton's method for C(q) = 0 along M^-1 C^T (theory eq. 3); q is changed. `spent` (may be NULL)
 *  counts iterations. @return GOS_RETRY when it does not converge. */
gos_status gos__nullspace_correct(gos_nullspace *s, gos_work *w, double t, double *q, int *spent);
/** Factorise [M C^T; C 0] (and [C_T H^T; H 0]) at x for the solves below; kept when constant. */
gos_status gos__nullspace_factor(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** The same at the last place again, with the pivots that gos__nullspace_walk has taken. */
gos_status gos__nullspace_factor_again(gos_nullspace *s, gos_work *w, const gos_point_of *x);
/** Solve with that matrix in place: all unknowns in the order of Newton (sys->n). */
void gos__nullspace_solve(const gos_nullspace *s, double *x);

/** Basis U_T (nt, *n) of the temperatures that the temperature rows allow, row-major; free *U. */
gos_status gos__nullspace_thermal(gos_ctx *ctx, const gos_system *sys, double **U, int *n);

#endif
