/* Are sparse rows independent? Rows come one at a time; each is either independent of those before
   it or not. */
#ifndef GOS_ROW_RANK_H
#define GOS_ROW_RANK_H

#include "base/base.h"

typedef struct gos_row_rank gos_row_rank;

/** For rows of `width` columns. */
gos_status gos__row_rank_create(gos_ctx *ctx, int width, gos_row_rank **k);
/** The same for `nrow` rows that know what they are made of: column width + r, put as 1 into row r,
 * is carried along and judges nothing. What is left of these columns in a row that is dependent are
 * the factors of the rows whose sum is 0. */
gos_status gos__row_rank_create_traced(gos_ctx *ctx, int width, int nrow, gos_row_rank **k);
/** gos__row_rank_take that gives these factors, relation (nrow), when the row is dependent. */
gos_status gos__row_rank_take_traced(gos_row_rank *k, double tolerance, bool *independent,
                                     double *relation);
void gos__row_rank_destroy(gos_row_rank *k);
/** Add v to column `col` of the row being made. */
void gos__row_rank_put(gos_row_rank *k, int col, double v);
/** End the row: *independent of those before it, to `tolerance` of its largest entry. Rows that are
 *  dependent are forgotten. GOS_RETRY when the rows have become so full that going on would take
 * too long; nothing is said about this row then. */
gos_status gos__row_rank_take(gos_row_rank *k, double tolerance, bool *independent);

#endif
