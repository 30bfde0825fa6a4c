/* Gramians of E x' = A x + B u, y = C x as products of thin factors,
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

#define GOS_GRAMIAN_DENSE 2000 // states up to which all is done with dense matrices

/** Of a model of first order (thermal part alone) given as pencil: up to GOS_GRAMIAN_DENSE states
 *  without constraints from its poles, or by the sign function, else by low-rank ADI. Free with
 *  gos__gramians_free. @return GOS_E_INPUT when the model is not asymptotically stable. */
gos_status gos__gramians(gos_reduce_pencil *first, gos_gramians *g);
/** From poles and eigenvectors (gramian_modal.c). *done false, without a record: these are
 * ill-conditioned, or one does not decay; drop: those of the part that decays. */
gos_status gos__gramians_modal(gos_reduce_pencil *first, bool drop, gos_gramians *g, bool *done);
/** The same by another way. */
gos_status gos__gramians_dense(gos_reduce_pencil *first, gos_gramians *g);
gos_status gos__gramians_adi(gos_reduce_pencil *first, gos_gramians *g);
void gos__gramians_free(gos_ctx *ctx, gos_gramians *g);

typedef struct gos_balance {
    int n;         // singular values
    double *sigma; // descending (n)
    double *U, *V; // L U = left, R V = right directions, before scaling (nl, n), (nr, n)
} gos_balance;
/** Singular value decomposition of L^T E R, E sparse, for rows [r0, r0 + E->n) of the factors; l0,
 * r0 their first rows. */
gos_status gos__balance(gos_ctx *ctx, const gos_gramians *g, const gos_sparse *E, int l0, int r0,
                        gos_balance *b);
void gos__balance_free(gos_ctx *ctx, gos_balance *b);

#endif
