/* Rows of constraints as dense rows of all coordinates, and their elimination. */
#ifndef GOS_NULLSPACE_ROWS_H
#define GOS_NULLSPACE_ROWS_H

#include <math.h>

#include "rom/nullspace.h"

#define GOS_CONSTRAINT_RANK                                                                        \
    1e-10 // rows that add less than this, relative, say nothing new (theory 3.2)

/* The rows of one item, with what they are evaluated at. */
typedef struct gos_item_rows {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    double h[GOS_ITEM_TMARKERS], hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
} gos_item_rows;

/** Values and gradients of one item's rows at coordinates q and time t [s]; functions of time as
 * they are in w. */
void gos__constraint_rows_evaluate(const gos_work *w, const gos_item *it, double t, const double *q,
                                   gos_item_rows *b);
/** C (nc, nq) of all items at q and t. */
void gos__constraint_rows_fill(const gos_system *sys, gos_work *w, double t, const double *q,
                               double *C);
/** How willingly a coordinate is eliminated, kind (nq), zero before: those of flexible bodies first
 * (0), so that rigid bodies keep their analytic blocks. */
void gos__constraint_rows_classify(const gos_system *sys, int *kind);
/** Gauss and Jordan on m dense rows of length n: the first *kept rows are left, each with 1 at its
 * pivot (pivot: m of them at most) and 0 at the pivots of the others. */
void gos__constraint_rows_reduce(int m, int n, double *A, const int *kind, int *pivot, int *kept);

/** Largest magnitude of n numbers; 0: there are none. */
static inline double gos__largest_of(size_t n, const double *x) {
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

#endif
