#ifndef GOS_TRAINING_RANGE_H
#define GOS_TRAINING_RANGE_H

#include "system/system.h"

/* Largest values at the points of one block. */
typedef struct gos_range {
    double strain;      // of the first strain (stretching of a line)
    double curvature;   // norm of the other strains
    double temperature; // mean temperature [K above reference]
} gos_range;

/* Observer of states of a reduced system; arena-allocated. */
typedef struct gos_step_monitor {
    const gos_system *sys;
    gos_range *now; // of the current state (npoints)
    double *work;   // of one batch of points
} gos_step_monitor;

gos_status gos__step_monitor_create(gos_arena *arena, const gos_system *sys,
                                    gos_step_monitor *monitor);
/** Widen the ranges (one per point block) to include a state. */
void gos__step_monitor_range(const gos_step_monitor *monitor, const gos_state *state,
                             gos_range *range);
/** Warn (counted) for every body that exceeds its range by more than a margin. */
void gos__step_monitor(gos_ctx *ctx, const gos_step_monitor *monitor, const gos_state *state);

#endif
