/* Solution with [M C^T; C 0] and [C_T H^T; H 0], the Newton matrix without stiffness and damping.
 * A Newton solver in parts is used with iterative refinement if the work has one: its analysis
 * exists, and one factorisation serves several nearby matrices. Otherwise, or on failure, KLU. */
#ifndef GOS_CONSTRAINED_H
#define GOS_CONSTRAINED_H

#include "linalg/sparse.h"
#include "system/system.h"

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
