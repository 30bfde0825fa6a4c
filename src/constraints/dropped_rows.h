/* Joints that say in part what others say (`redundant: drop`): their dependent rows are dropped,
   and what then is open is known. */
#ifndef GOS_DROPPED_ROWS_H
#define GOS_DROPPED_ROWS_H

#include "system/system.h"

/* Rows with those that were dropped: how reactions may share. */
typedef struct gos_dropped {
    gos_item **item; // of each item, with all its rows; those of whole joints are numbered from nc
                     // on (nitem)
    int nrow;        // numbers of rows in all
    int ndropped;
} gos_dropped;

/* What has been told of a run. */
typedef struct gos_dropped_told {
    bool violated, rank, shared;
    long steps; // looked at
} gos_dropped_told;

/** Drop the rows of joints that depend on rows before them, at t = 0; the system is not laid out
 * yet.
 *  @return GOS_E_INPUT where such a row does not hold */
gos_status gos__dependent_rows_drop(gos_ctx *ctx, gos_system *s);
/** Find which reactions that leaves open: s->dropped, marks of its probes, notes for each joint. */
gos_status gos__dropped_finish(gos_ctx *ctx, gos_system *s);
/** Does what was found at t = 0 hold at a state? Warns once of each thing that does not: rows that
 * are violated, that have become independent, or share their reactions otherwise. To be called for
 * every step of a run. */
gos_status gos__dropped_check(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                              gos_dropped_told *told);

#endif
