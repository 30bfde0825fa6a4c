/* Rounding would choose the rotation among modes of equal frequency. Aligning them with given rows
 * makes them the same on every machine, and a truncated set loses least. */
#ifndef GOS_ALIGN_H
#define GOS_ALIGN_H

#include "linalg/sparse.h"

#define GOS_ALIGN_EQUAL 1e-6 // relative distance of eigenvalues counted as equal

typedef struct gos_align {
    gos_ctx *ctx;
    int n, count;    // order, number of vectors
    double *X;       // (n, count), borrowed
    int nr, room;    // rows so far, capacity
    double *see;     // value of each row on each vector (count, room)
    double *size;    // sums of absolute terms (count, room)
    double *scratch; // (count, count + 1), then a row of X (count)
} gos_align;

/** Are any neighbouring eigenvalues (ascending) equal? Otherwise alignment is not needed. */
bool gos__align_needed(int count, const double *lambda);
/** Allocates `rows` rows for the vectors X (n, count). Call gos__align_end in any case. */
gos_status gos__align_begin(gos_ctx *ctx, int n, int count, double *X, int rows, gos_align *a);
/** Adds the rows of A (m, n), the columns of A (n, m), or one dense row (n), in order of
 * precedence. A may be empty. */
void gos__align_rows(gos_align *a, const gos_sparse *A);
void gos__align_columns(gos_align *a, const gos_sparse *A);
void gos__align_row(gos_align *a, const double *row);
/** Rotates the vectors of each set of equal eigenvalues lambda (count, ascending): only the first
 * vector of a set is nonzero in the first row, only the first two in the second row, and so on. */
void gos__align_turn(gos_align *a, const double *lambda);
void gos__align_end(gos_align *a);

#endif
