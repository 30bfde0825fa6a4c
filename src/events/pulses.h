/* Smooth pulses of time functions that a step could miss. They are searched once before the run;
 * steps end at their start. */
#ifndef GOS_PULSES_H
#define GOS_PULSES_H

#include "gossamer/sim.h"
#include "system/system.h"

#define GOS_NARROW_POINTS 16384 // samples of a function over the whole run

/* A short window that requires short steps. */
typedef struct gos_window {
    double begin, end; // [s]
    double h;          // [s]
    double height;     // of the pulse, relative to the range of its function
    int fn;
} gos_window;

typedef struct gos_pulses {
    gos_window *window; // by start time
    int n, cap;
    int first; // first window that has not ended
} gos_pulses;

/** Search all time functions of a system between t0 and t1. breaks (nbreaks, ascending): switching
 * times, where steps end anyway. most: longest step of the run [s]; longer pulses are ignored.
 * step: fixed step [s], or 0; missed pulses cause a warning. Free with gos__pulses_free. */
gos_status gos__pulses_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1,
                            const double *breaks, int nbreaks, double most, double step,
                            gos_pulses *narrow);
void gos__pulses_free(gos_ctx *ctx, gos_pulses *narrow);
/** Latest end of a step from t: `stop`, or the start of the next window [s]. */
double gos__pulses_stop(gos_pulses *narrow, double t, double stop);
/** Longest step from t: h, or less in a window [s]. */
double gos__pulses_step(const gos_pulses *narrow, double t, double h);

#endif
