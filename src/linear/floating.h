/* Separation of free motions (rigid motions and mechanisms, as of spacecraft) from the
   M-orthogonal remainder. Methods treat the remainder; free motions are kept exactly. */
#ifndef GOS_LINEAR_FLOATING_H
#define GOS_LINEAR_FLOATING_H

#include "linear/linear.h"

typedef struct gos_floating {
    gos_ctx *ctx;
    int n;            // number of free motions, 0: none
    double *R;        // shapes, R^T M R = 1 (nq, n)
    double *MR;       // (nq, n)
    gos_linear *held; // model with R^T M q = 0 and its part of the inputs
} gos_floating;

/** Split a model. Free motions have no stiffness, damping or coupling: H = Y R R^T B / s^2 +
 *  H_held. Requires symmetric M and K; above 3000 coordinates only rigid-body motions
 *  (gos_linear_rigid) are considered. */
gos_status gos__floating_split(gos_ctx *ctx, const gos_linear *l, gos_floating *f);
/** R^T B (n, nu) of an input block, or Y R (ny, n) of an output block; the caller frees S. */
gos_status gos__floating_ports(const gos_floating *f, const gos_sparse *A, bool outputs,
                               gos_sparse *S);
/** True if free motions are exact, as in reduced models: H needs no splitting. */
bool gos__floating_exact(const gos_linear *l, const gos_floating *f);
void gos__floating_free(gos_floating *f);

#endif
