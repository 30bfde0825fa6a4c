#ifndef GOS_NULLSPACE_ROWS_H
#define GOS_NULLSPACE_ROWS_H

#include <math.h>

#include "rom/nullspace.h"

#define GOS_CONSTRAINT_RANK 1e-10 // relative threshold of redundant rows (theory 3.2)

/* Rows of one item and their arguments. */
typedef struct gos_item_rows {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    double h[GOS_ITEM_TMARKERS], hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
} gos_item_rows;

/** Values and gradients of one item's rows at q and time t [s], with the time functions in w. */
void gos__constraint_rows_evaluate(const gos_work *w, const gos_item *it, double t, const double *q,
                                   gos_item_rows *b);
/** C (nc, nq) of all items at q and t. */
void gos__constraint_rows_fill(const gos_system *sys, gos_work *w, double t, const double *q,
                               double *C);
/** Elimination priority of coordinates: kind (nq), zeroed by the caller. Flexible bodies first
 *  (0): rigid bodies keep their analytic blocks. */
void gos__constraint_rows_classify(const gos_system *sys, int *kind);
/** Gauss-Jordan elimination of m dense rows of length n. *kept rows remain, each with 1 at its
 *  pivot (at most m) and 0 at the pivots of the others. */
void gos__constraint_rows_reduce(int m, int n, double *A, const int *kind, int *pivot, int *kept);

/** Largest magnitude of n numbers; 0 if n = 0. */
static inline double gos__largest_of(size_t n, const double *x) {
    double max = 0;
    for (size_t i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

#endif
