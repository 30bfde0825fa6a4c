/* Constraints solved for one coordinate each, so that a matrix without them is left. */
#ifndef GOS_ELIMINATE_H
#define GOS_ELIMINATE_H

#include "linalg/saddle.h"

/* x = T z fulfils C x = 0 for all z, which are those coordinates that no row of C was solved for.
   Rows of one entry set their coordinate to 0 in all others. */
typedef struct gos_elimination {
    gos_ctx *ctx;
    gos_sparse T;        // (order, free)
    gos_sparse rows;     // its transpose
    gos_sparse by_row;   // C^T
    int *solved;         // the coordinate that each row of C is solved for (rows of C)
    gos_pattern pattern; // lower triangle of T^T P T by columns, rows in no order
    int *place;          // scratch (free)
} gos_elimination;

/** Solve every row of the pencil's constraints for a coordinate that no other row has, but for
 * those that are held: held ones, those of nodes that follow a rigid body or others. *done false,
 * and nothing made: a row has none, or T^T P T would be much fuller than P. */
gos_status gos__eliminate(gos_ctx *ctx, const gos_pencil *pencil, gos_elimination *e, bool *done);
void gos__elimination_free(gos_elimination *e);
/** The x (order) with C x = c (rows of C) whose free coordinates are 0. */
void gos__elimination_begin(const gos_elimination *e, const double *c, double *x);
/** values (pattern.nnz) of T^T (k K + d D + m M) T. */
void gos__elimination_values(const gos_elimination *e, const gos_pencil *pencil, double k, double d,
                             double m, double *values);
/** z of an x = T z. */
void gos__elimination_free_part(const gos_elimination *e, const double *x, double *z);

#endif
