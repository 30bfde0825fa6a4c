/* Does a run stay within what a reduction has been trained with? */
#ifndef GOS_WATCH_H
#define GOS_WATCH_H

#include "system/system.h"

/* What was met at the points of one block: largest sizes. */
typedef struct gos_range {
    double strain;      // of the first strain (stretching of a line)
    double curvature;   // length of the others
    double temperature; // mean temperature [K above reference]
} gos_range;

/** Widen the ranges (one for each point block of a reduced system) by what a state has. */
gos_status gos__watch_learn(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                            gos_range *range);
/** Warn (counted) about every body that is strained or heated beyond its range by more than a margin.
 *  Nothing for systems that were not trained. */
gos_status gos__watch(gos_ctx *ctx, const gos_system *sys, const gos_state *state);

#endif
