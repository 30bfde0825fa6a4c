/* Linear models as one first-order system E x' = A x + B u, y = C x + D u with x = (w q, q',
   theta), for methods that require it. */
#ifndef GOS_REDUCE_FIRST_ORDER_H
#define GOS_REDUCE_FIRST_ORDER_H

#include "linear/linear.h"

/* factor * A at (row, column) */
typedef struct gos_block_part {
    const gos_sparse *A; // NULL: identity of order n
    double factor;
    int row, column, n;
} gos_block_part;

/** Replace S (m, n) by parts in ascending order of rows, without overlap. */
gos_status gos__compose(gos_ctx *ctx, int m, int n, int count, const gos_block_part *parts,
                        gos_sparse *S);
/** The model as a thermal model: C_T = E, K_T = -A. `weight` w > 0 [1/s] scales displacements to
 *  velocities. Potentials are condensed, with that function's errors. */
gos_status gos__first_order(gos_ctx *ctx, const gos_linear *l, double weight, gos_linear **first);
/** Geometric mean of sqrt(K_ii / M_ii), a typical frequency; 1 without displacements. */
double gos__first_order_weight(const gos_linear *l);

#endif
