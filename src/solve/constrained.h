/* Solving with [M C^T; C 0] and [C_T H^T; H 0], mass and capacity with the constraints: the Newton
   matrix with stiffness and damping left out. Where the work has a solver of Newton's matrices in
   parts, its factorisation in parts serves: it is analysed anyway, what is left of the equations is
   made small and looked at, and one factorisation does for velocities, accelerations and those a
   moment later. Else, and where that does not serve, KLU. */
#ifndef GOS_CONSTRAINED_H
#define GOS_CONSTRAINED_H

#include "linalg/sparse.h"
#include "system/system.h"

typedef struct gos_constrained {
    gos_work *w;
    gos_sparse A;
    gos_pattern pattern;
    gos_solver *solver,
        *own;     // KLU, NULL: not needed so far; own: the same, unless it is one that runs share
    double *room; // (3, n), where the work has a solver to try
    bool tried;   // ... which did not serve
} gos_constrained;

/** Assemble at x. The matrix is w->values: they must stay until the last solution. k: zero, given
 * to gos__constrained_free also after a failure. */
gos_status gos__constrained_make(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                 gos_constrained *k);
void gos__constrained_free(gos_ctx *ctx, gos_constrained *k);
/** rhs (n, many) := solutions. @return GOS_E_SINGULAR with a record when the mass is singular on
 * the constraints */
gos_status gos__constrained_solve(gos_ctx *ctx, gos_constrained *k, int many, double *rhs);

#endif
