/* Does a run stay within what a reduction has been trained with? */
#ifndef GOS_TRAINING_RANGE_H
#define GOS_TRAINING_RANGE_H

#include "system/system.h"

/* What was met at the points of one block: largest sizes. */
typedef struct gos_range {
    double strain;      // of the first strain (stretching of a line)
    double curvature;   // length of the others
    double temperature; // mean temperature [K above reference]
} gos_range;

/* One who watches states of a reduced system; all is in an arena. */
typedef struct gos_watch {
    const gos_system *sys;
    gos_range *now; // of the state that is looked at (npoints)
    double *work;   // of one batch of points
} gos_watch;

gos_status gos__watch_create(gos_arena *arena, const gos_system *sys, gos_watch *watch);
/** Widen the ranges (one for each point block of the system) by what a state has. */
void gos__watch_learn(const gos_watch *watch, const gos_state *state, gos_range *range);
/** Warn (counted) about every body that is strained or heated beyond its range by more than a
 * margin. Nothing for systems that were not trained. */
void gos__watch(gos_ctx *ctx, const gos_watch *watch, const gos_state *state);

#endif
