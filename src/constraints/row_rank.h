/* Linear independence of sparse rows, decided row by row. */
#ifndef GOS_ROW_RANK_H
#define GOS_ROW_RANK_H

#include "base/base.h"
#include "system/system.h"

typedef struct gos_row_rank gos_row_rank;

/** For rows of `width` columns. */
gos_status gos__row_rank_create(gos_ctx *ctx, int width, gos_row_rank **k);
/** As gos__row_rank_create, tracing combinations of `nrow` rows: column width + r, set to 1 in row
 * r, is transformed but does not determine dependence. For a dependent row these columns contain
 * the row factors whose sum is 0. */
gos_status gos__row_rank_create_traced(gos_ctx *ctx, int width, int nrow, gos_row_rank **k);
/** As gos__row_rank_add; returns these factors in relation (nrow) if the row is dependent. */
gos_status gos__row_rank_add_traced(gos_row_rank *k, double tolerance, bool *independent,
                                    double *relation);
void gos__row_rank_destroy(gos_row_rank *k);
void gos__row_rank_put(gos_row_rank *k, int col, double v);
/** Finish the row: *independent of earlier rows, to `tolerance` of its largest term. Terms of both
 * markers cancel where fields satisfy a joint: only rounding remains of such a row. Dependent rows
 * are discarded. GOS_RETRY if rows are too dense; the result for this row is unknown. */
gos_status gos__row_rank_add(gos_row_rank *k, double tolerance, bool *independent);

/** Smallest remainder of an independent row, relative to its largest term; 1: no row. */
double gos__row_rank_min_remainder(const gos_row_rank *k);
/** Joint whose constraints depend on earlier ones near x but not at t = 0; NULL: none or
 * unknown. */
const gos_item *gos__singular_joint(gos_ctx *ctx, const gos_system *s, const gos_point_of *x);

#endif
