/* Modes of equal frequency are any combinations of each other: which ones, rounding decides. Turned
   so that what looks at them sees as few of them as it can, they are the same on every machine, and
   a set that is cut loses least. */
#ifndef GOS_ALIGN_H
#define GOS_ALIGN_H

#include "linalg/sparse.h"

#define GOS_ALIGN_EQUAL 1e-6 // relative distance of eigenvalues that belong together

typedef struct gos_align {
    gos_ctx *ctx;
    int n, count;    // order, vectors
    double *X;       // (n, count), the caller's
    int nr, room;    // rows so far, room for them
    double *see;     // what a row sees of each vector (count, room)
    double *size;    // sums of the sizes of its terms (count, room)
    double *scratch; // (count, count + 1), then a row of X (count)
} gos_align;

/** Are any two of the eigenvalues (ascending) equal? If not, there is nothing to do. */
bool gos__align_needed(int count, const double *lambda);
/** Room for `rows` rows that look at the vectors X (n, count). End it whatever this returns. */
gos_status gos__align_begin(gos_ctx *ctx, int n, int count, double *X, int rows, gos_align *a);
/** The rows of A (m, n), the columns of A (n, m), one dense row (n): those that come first are
 *  served first. A may be empty. */
void gos__align_rows(gos_align *a, const gos_sparse *A);
void gos__align_columns(gos_align *a, const gos_sparse *A);
void gos__align_row(gos_align *a, const double *row);
/** Turn the vectors of each set of equal eigenvalues lambda (count, ascending): all that the first
 * row sees of the set is in its first vector, all that is new in the second row in its second, and
 * so on. */
void gos__align_turn(gos_align *a, const double *lambda);
void gos__align_end(gos_align *a);

#endif
