/* Models that move freely, as spacecraft do: their rigid motions and mechanisms on one side, on the
   other all that is orthogonal to them in kinetic energy. Neither knows of the other, so that
   methods see a model which stands still at rest, and what moves freely is kept exactly. */
#ifndef GOS_LINEAR_FLOATING_H
#define GOS_LINEAR_FLOATING_H

#include "linear/linear.h"

typedef struct gos_floating {
    gos_ctx *ctx;
    int n;            // motions without resistance, 0: the model is left as it is
    double *R;        // them, R^T M R = 1 (nq, n)
    double *MR;       // (nq, n)
    gos_linear *held; // the model with R^T M q = 0, driven by what its inputs leave to it
} gos_floating;

/** Split a model. Motions count as free when neither stiffness, damping nor other fields resist
 * them or feel them, so that H = Y R R^T B / s^2 + H_held. Looked for in models with symmetric M
 * and K; in those of more than 3000 coordinates only motions as a rigid body (gos_linear_rigid). */
gos_status gos__floating_split(gos_ctx *ctx, const gos_linear *l, gos_floating *f);
/** R^T B (n, nu) of a block of inputs, Y R (ny, n) of one of outputs, to be freed. */
gos_status gos__floating_ports(const gos_floating *f, const gos_sparse *A, bool outputs,
                               gos_sparse *S);
/** Nothing resists the free motions even by round-off, as in reduced models: H needs no
 * splitting. */
bool gos__floating_exact(const gos_linear *l, const gos_floating *f);
void gos__floating_free(gos_floating *f);

#endif
