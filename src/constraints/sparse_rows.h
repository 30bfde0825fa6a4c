/* Sorted lists of integers in buckets, and products with rows of a scalar matrix. */
#ifndef GOS_SPARSE_ROWS_H
#define GOS_SPARSE_ROWS_H

#include "system/system.h"

/** Sort the entries of each of n buckets and drop repeats; start (n + 1) and items are updated.
 * Returns how many are left. */
int gos__buckets_unique(int n, int *start, int *items);
/** The first place in from..to of ascending items that is not less than key; `to`: none is. */
int gos__sorted_find(const int *items, int from, int to, int key);
/** Rows from..to of gos__rows_apply. */
void gos__rows_apply_part(const gos_rows_matrix *A, int ncol, int from, int to, const double *x,
                          double *y);

#endif
