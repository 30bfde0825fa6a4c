/* Elimination of constraints, each solved for one coordinate. */
#ifndef GOS_ELIMINATE_H
#define GOS_ELIMINATE_H

#include "linalg/saddle.h"

/* x = T z satisfies C x = 0 for all z, the coordinates that no row of C was solved for. Rows of
 * one entry fix their coordinate at 0. */
typedef struct gos_elimination {
    gos_ctx *ctx;
    gos_sparse T;        // (order, free)
    gos_sparse rows;     // its transpose
    gos_sparse by_row;   // C^T
    int *solved;         // coordinate solved for by each row of C (rows of C)
    gos_pattern pattern; // lower triangle of T^T P T by columns, rows unsorted
    int *place;          // scratch (free)
} gos_elimination;

/** Solves every row of the constraints for a coordinate that occurs in no other row, except fixed
 * ones. *done is false, and nothing is allocated, if a row has none or T^T P T would be much
 * fuller than P. */
gos_status gos__eliminate(gos_ctx *ctx, const gos_pencil *pencil, gos_elimination *e, bool *done);
void gos__elimination_free(gos_elimination *e);
/** The x (order) with C x = c (rows of C) whose free coordinates are 0. */
void gos__elimination_begin(const gos_elimination *e, const double *c, double *x);
/** values (pattern.nnz) of T^T (k K + d D + m M) T. */
void gos__elimination_values(const gos_elimination *e, const gos_pencil *pencil, double k, double d,
                             double m, double *values);
/** Extracts z from x = T z. */
void gos__elimination_free_part(const gos_elimination *e, const double *x, double *z);

#endif
