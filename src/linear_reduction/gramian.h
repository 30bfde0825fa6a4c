/* Gramians of E x' = A x + B u, y = C x as thin factors,
   A P E^T + E P A^T + B B^T = 0, P = R R^T;   A^T Q E + E^T Q A + C^T C = 0, Q = L L^T. */
#ifndef GOS_REDUCE_GRAMIAN_H
#define GOS_REDUCE_GRAMIAN_H

#include "linear_reduction/pencil.h"

typedef struct gos_gramians {
    int n, nr, nl; // states, columns
    double *R;     // (n, nr)
    double *L;     // (n, nl)
    int iterations;
} gos_gramians;

#define GOS_GRAMIAN_DENSE 2000 // largest number of states for dense methods

/** Gramians of a first-order model (thermal part only): from poles or by the sign function up to
 *  GOS_GRAMIAN_DENSE unconstrained states, else by low-rank ADI. Free with gos__gramians_free.
 *  @return GOS_E_INPUT if the model is not asymptotically stable. */
gos_status gos__gramians(gos_reduce_pencil *first, gos_gramians *g);
/** From poles and eigenvectors (gramian_modal.c). *done false, without a message:
 *  ill-conditioned, or a pole does not decay; drop: omit such poles. */
gos_status gos__gramians_modal(gos_reduce_pencil *first, bool drop, gos_gramians *g, bool *done);
/** By the sign function, and by low-rank ADI. */
gos_status gos__gramians_dense(gos_reduce_pencil *first, gos_gramians *g);
gos_status gos__gramians_adi(gos_reduce_pencil *first, gos_gramians *g);
void gos__gramians_free(gos_ctx *ctx, gos_gramians *g);

typedef struct gos_balance {
    int n;         // singular values
    double *sigma; // descending (n)
    double *U, *V; // left directions L U, right ones R V, unscaled (nl, n), (nr, n)
} gos_balance;
/** Singular value decomposition of L^T E R for E->n rows of the factors from l0 and r0. */
gos_status gos__balance(gos_ctx *ctx, const gos_gramians *g, const gos_sparse *E, int l0, int r0,
                        gos_balance *b);
void gos__balance_free(gos_ctx *ctx, gos_balance *b);

#endif
