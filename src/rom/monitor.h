#ifndef GOS_MONITOR_H
#define GOS_MONITOR_H

#include "gossamer/reduce.h"
#include "solve/walk.h"

typedef struct gos_monitor gos_monitor;

/** *monitor is NULL if no full model applies (full systems, local linearisation, bodies given by
 *  matrices). */
gos_status gos__monitor_create(gos_ctx *ctx, const gos_system *reduced, gos_monitor **monitor);
void gos__monitor_destroy(gos_monitor *m);
/** Process the next state; a residual is computed if it is cheap compared with `iterations` so
 *  far. */
gos_status gos__monitor_process(gos_monitor *m, const gos_state *x, long iterations);
/** Number of residuals so far. */
int gos__monitor_samples(const gos_monitor *m);
/** Pass the data of the states so far. */
void gos__monitor_walk(gos_monitor *m, gos_walk *past);
/** Process the last state and estimate the error. */
gos_status gos__monitor_end(gos_monitor *m, const gos_state *x);
/** Store the estimate of a training run as the scale for other runs. */
void gos__monitor_store_estimate(const gos_monitor *m, gos_reduction *r);
/** Warn if the error exceeds the one predicted for the training loads. */
void gos__monitor_report(const gos_monitor *m);

#endif
