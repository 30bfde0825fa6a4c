/* Sorted lists of integers in buckets, and products with rows of a scalar matrix. */
#ifndef GOS_SPARSE_ROWS_H
#define GOS_SPARSE_ROWS_H

#include "system/system.h"

/** Sort the entries of each of n buckets and remove duplicates; start (n + 1) and items are
 * updated. Returns the number of entries. */
int gos__buckets_unique(int n, int *start, int *items);
/** First position in from..to of ascending items that is not less than key; `to`: none. */
int gos__sorted_find(const int *items, int from, int to, int key);
/** Rows from..to of gos__rows_apply. */
void gos__rows_apply_part(const gos_rows_matrix *A, int ncol, int from, int to, const double *x,
                          double *y);

#endif
