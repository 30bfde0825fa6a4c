/* How far a reduced run is from the full model: the residual of the full model at some of its
 * states. */
#ifndef GOS_MONITOR_H
#define GOS_MONITOR_H

#include "gossamer/reduce.h"
#include "system/system.h"

typedef struct gos_monitor gos_monitor;

/** A monitor of runs of a reduced system; *monitor is NULL for systems that have no full model
 * behind their fields (full ones, local linearisation, bodies of matrices). */
gos_status gos__monitor_create(gos_ctx *ctx, const gos_system *reduced, gos_monitor **monitor);
void gos__monitor_destroy(gos_monitor *m);
/** A state of the run, in order of time, after so many iterations: a residual is taken when it
 * costs but a small part of the run. */
gos_status gos__monitor_see(gos_monitor *m, const gos_state *x, long iterations);
/** Residuals so far. */
int gos__monitor_samples(const gos_monitor *m);
/** The last state; the error is estimated. */
gos_status gos__monitor_end(gos_monitor *m, const gos_state *x);
/** Keep what a run that trained a reduction shows, as the scale of others. */
void gos__monitor_learn(const gos_monitor *m, gos_reduction *r);
/** Warn when the error predicted for other loads is not that of this run. */
void gos__monitor_say(const gos_monitor *m);

#endif
