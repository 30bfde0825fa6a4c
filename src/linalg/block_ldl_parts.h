/* The numbers of a block L D L^T, between its analysis (block_ldl.c) and its arithmetic
 * (kernel_block_ldl.c). */
#ifndef GOS_BLOCK_LDL_PARTS_H
#define GOS_BLOCK_LDL_PARTS_H

#include "base/base.h"

enum {
    GOS_BLOCK = 9,       // doubles of a block of L: three columns of three
    GOS_BLOCK_WIDE = 12, // ... of a row being made: three columns of four, for vectors of four
    GOS_BLOCK_VECTOR = 4 // ... of a right-hand side
};

/* Blocks are numbered in the order of their elimination. */
typedef struct gos_block_factor {
    int n;          // blocks
    size_t *column; // first block of each column of L, which is stored without its diagonal (n + 1)
    int *row;       // rows, ascending in a column (column[n])
    size_t *first;  // first block of each row of L (n + 1)
    int *of;        // columns, ascending in a row (first[n])
    size_t *place;  // where in L each block of a row is (first[n])
    size_t *entry;  // first entry of the matrix in each row (n + 1)
    int *from;      // entries: which value (entry[n])
    int *to;        // ... and its place in `work`
    unsigned char *size; // unknowns of each block (n): 1 to 3; the others have a pivot of 1
    double *l;           // blocks of L (column[n], GOS_BLOCK), and a little more
    double *inverse;     // of the pivots, (n, GOS_BLOCK)
    double *work;        // a row being made (n, GOS_BLOCK_WIDE)
    double *x;           // right-hand side (n, GOS_BLOCK_VECTOR)
    int negative;        // eigenvalues of the pivots below zero
} gos_block_factor;

/** Factorise half the sums of values and their transposes. @return the block whose pivot vanishes,
 * with its component in *part; -1: all is well */
int gos__kernel_block_factor(gos_block_factor *f, const double *values, int *part);
/** f->x := solution. */
void gos__kernel_block_solve(gos_block_factor *f);

#endif
