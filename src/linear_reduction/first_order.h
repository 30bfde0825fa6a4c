/* Any linear model as one system of first order, E x' = A x + B u, y = C x + D u, for methods that
   know no other: x = (w q, q', theta). */
#ifndef GOS_REDUCE_FIRST_ORDER_H
#define GOS_REDUCE_FIRST_ORDER_H

#include "linear/linear.h"

/* factor * A at (row, column) */
typedef struct gos_block_part {
    const gos_sparse *A; // NULL: the identity of order n
    double factor;
    int row, column, n;
} gos_block_part;

/** S (m, n) in place of what it was: parts in the order of their rows, which do not overlap in any
 *  column. */
gos_status gos__compose(gos_ctx *ctx, int m, int n, int count, const gos_block_part *parts,
                        gos_sparse *S);
/** The model as its own thermal part: C_T = E, K_T = -A. `weight` w > 0 [1/s] makes displacements
 *  and velocities alike in size. Potentials are condensed, with what that returns. */
gos_status gos__first_order(gos_ctx *ctx, const gos_linear *l, double weight, gos_linear **first);
/** A frequency in the middle of those of the model, the geometric mean of sqrt(K_ii / M_ii); 1
 *  without displacements. */
double gos__first_order_weight(const gos_linear *l);

#endif
