/* Storage of a block L D L^T, shared by its analysis (block_ldl.c) and arithmetic
 * (kernel_block_ldl.c). */
#ifndef GOS_BLOCK_LDL_PARTS_H
#define GOS_BLOCK_LDL_PARTS_H

#include "base/base.h"

enum {
    GOS_BLOCK = 9,       // doubles of a block of L: three columns of three
    GOS_BLOCK_WIDE = 12, // ... of the work row: three columns padded to four
    GOS_BLOCK_VECTOR = 4 // ... of a right-hand side
};

/* Blocks are numbered in elimination order. */
typedef struct gos_block_factor {
    int n;
    size_t *column;      // first block of each column of L, without the diagonal (n + 1)
    int *row;            // row of each, ascending within a column (column[n])
    size_t *first;       // first block of each row of L (n + 1)
    int *of;             // columns, ascending within a row (first[n])
    size_t *place;       // index in L of each block of a row (first[n])
    size_t *entry;       // first entry of the matrix in each row (n + 1)
    int *from;           // index in `values` of each entry (entry[n])
    int *to;             // ... and its position in `work`
    unsigned char *size; // unknowns of each block (n): 1 to 3; unused ones get a pivot of 1
    double *l;           // blocks of L (column[n], GOS_BLOCK), padded
    double *inverse;     // inverse pivots (n, GOS_BLOCK)
    double *work;        // current row (n, GOS_BLOCK_WIDE)
    double *x;           // right-hand side (n, GOS_BLOCK_VECTOR)
    int negative;        // number of negative eigenvalues of the pivots
} gos_block_factor;

/** Factorises half the sum of the matrix and its transpose. @return the block whose pivot vanishes,
 * with its component in *part; -1: success */
int gos__kernel_block_factor(gos_block_factor *f, const double *values, int *part);
/** f->x := solution. */
void gos__kernel_block_solve(gos_block_factor *f);

#endif
