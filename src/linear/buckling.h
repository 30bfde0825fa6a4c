/* Load factors of linearised buckling, (K + lambda K_g) x = 0 on C x = 0. */
#ifndef GOS_BUCKLING_H
#define GOS_BUCKLING_H

#include "linalg/sparse.h"

/* Symmetric matrices of one structure. */
typedef struct gos_buckling_pencil {
    const gos_sparse *K;  // stiffness under the constant loads
    const gos_sparse *Kg; // change of stiffness per unit load factor
    const gos_sparse *C;  // constraints
    int ncomp;            // consecutive components of a vector: 3, or 1
} gos_buckling_pencil;

/** GOS_E_SINGULAR with a record: free to move, or unstable under the constant loads. */
gos_status gos__buckling_refuse(gos_ctx *ctx, bool free);
/** @return GOS_E_SINGULAR with a record: K is not positive definite on the constraints */
gos_status gos__buckling_check(gos_ctx *ctx, const gos_buckling_pencil *p);
/** The n smallest positive load factors lambda (ascending) and vectors X (order, n) with X^T K X =
 * 1; *found < n only if there are no more. @return as gos__buckling_check */
gos_status gos__buckling_factors(gos_ctx *ctx, const gos_buckling_pencil *p, int n, double *lambda,
                                 double *X, int *found);

#endif
