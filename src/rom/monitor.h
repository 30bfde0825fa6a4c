/* Error estimate of a reduced run by full residuals. */
#ifndef GOS_MONITOR_H
#define GOS_MONITOR_H

#include "gossamer/reduce.h"
#include "system/system.h"

typedef struct gos_monitor gos_monitor;

/** *monitor NULL: no full model applies (full systems, local linearisation, bodies of matrices). */
gos_status gos__monitor_create(gos_ctx *ctx, const gos_system *reduced, gos_monitor **monitor);
void gos__monitor_destroy(gos_monitor *m);
/** Next state; a residual is computed if cheap beside `iterations`. */
gos_status gos__monitor_see(gos_monitor *m, const gos_state *x, long iterations);
/** Residuals so far. */
int gos__monitor_samples(const gos_monitor *m);
/** Last state; estimates the error. */
gos_status gos__monitor_end(gos_monitor *m, const gos_state *x);
/** Store a training estimate as scale. */
void gos__monitor_learn(const gos_monitor *m, gos_reduction *r);
/** Warn if the prediction is exceeded. */
void gos__monitor_say(const gos_monitor *m);

#endif
