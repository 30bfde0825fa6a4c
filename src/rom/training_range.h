/* Detection of runs outside the training range. */
#ifndef GOS_TRAINING_RANGE_H
#define GOS_TRAINING_RANGE_H

#include "system/system.h"

/* Maxima of a block. */
typedef struct gos_range {
    double strain;      // of the first strain (stretching of a line)
    double curvature;   // of other strains
    double temperature; // mean temperature [K above reference]
} gos_range;

/* Observer; in an arena. */
typedef struct gos_watch {
    const gos_system *sys;
    gos_range *now; // current (npoints)
    double *work;   // of one batch of points
} gos_watch;

gos_status gos__watch_create(gos_arena *arena, const gos_system *sys, gos_watch *watch);
/** Widen the ranges (per block). */
void gos__watch_learn(const gos_watch *watch, const gos_state *state, gos_range *range);
/** Warn (counted) per body beyond its range and margin. */
void gos__watch(gos_ctx *ctx, const gos_watch *watch, const gos_state *state);

#endif
