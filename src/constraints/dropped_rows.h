/* Redundant joints (`redundant: drop`): drops dependent rows and identifies undetermined
 * reactions. */
#ifndef GOS_DROPPED_ROWS_H
#define GOS_DROPPED_ROWS_H

#include "system/system.h"

/* Rows including the dropped ones, for the distribution of reactions. */
typedef struct gos_dropped {
    // all rows of each item; those of items with dropped rows are numbered from nc on (nitem)
    gos_item **item;
    int nrow;
    int ndropped;
} gos_dropped;

typedef struct gos_dropped_reported {
    bool violated, rank, shared;
    long steps; // checked
} gos_dropped_reported;

/** Drop joint rows that depend on earlier rows at t = 0, or, unless `all`, only those between
 * locations without motion. Call before the system is laid out.
 * @return GOS_E_INPUT if a dropped row is violated */
gos_status gos__dependent_rows_drop(gos_ctx *ctx, gos_system *s, bool all);
/** Find undetermined reactions: sets s->dropped and marks of probes, and issues a note for each
 * joint. */
gos_status gos__dropped_finish(gos_ctx *ctx, gos_system *s);
/** Check a state against the rank at t = 0. Warns once per kind: violated rows, rows that became
 * independent, changed distribution of reactions. Call for every step. */
gos_status gos__dropped_check(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                              gos_dropped_reported *reported);

#endif
