/* Linearisation in motion with a rotating null space of the constraints. With a basis Z, C Z = 0,
 * transported without internal rotation, Z^T M Z' = 0, small motions are dq = Z p with
 *     dq' = Z p' + X dq,   C X Z = -C' Z,   Z^T M X = 0,   and, for the current Z, exactly
 *     Z^T M Z p'' + Z^T D Z p' + Z^T (K + D X - X^T M X) Z p = Z^T B u.
 * -X^T M X cancels the centrifugal part of the multiplier stiffness in K. If M depends on the
 * coordinates (floating bodies), K also loses M' X. */
#ifndef GOS_MOVING_BASIS_H
#define GOS_MOVING_BASIS_H

#include "linalg/sparse.h"
#include "system/system.h"

#define GOS_MOVING_COLUMNS 4000

/* X and M X = -C^T mu by nonzero columns. */
typedef struct gos_moving_basis {
    gos_ctx *ctx;
    int n, nq, nc;    // columns; rows of X and of mu
    int *column;      // their coordinates (n)
    double *X, *mu;   // (n)(nq), (n)(nc)
    gos_sparse rates; // C' (nc, nq)
} gos_moving_basis;

/** *basis: NULL if nothing rotates. @return GOS_E_LIMIT without a message for more than
 * GOS_MOVING_COLUMNS columns */
gos_status gos__moving_basis_create(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                    gos_moving_basis **basis);
void gos__moving_basis_destroy(gos_moving_basis *b);
/** B := A X for a matrix of nq columns. */
gos_status gos__moving_basis_times(const gos_moving_basis *b, const gos_sparse *A, gos_sparse *B);
/** S := X^T M X. */
gos_status gos__moving_basis_square(const gos_moving_basis *b, gos_sparse *S);

#endif
