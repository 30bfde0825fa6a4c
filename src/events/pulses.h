/* Narrow but smooth parts of functions of time: pulses that a step would jump over, as the errors
   of steps on both sides are small. They are looked for once, before the run, and steps end where
   they begin. */
#ifndef GOS_PULSES_H
#define GOS_PULSES_H

#include "gossamer/sim.h"
#include "system/system.h"

#define GOS_NARROW_POINTS 16384 // of the first look at a function over the whole run

/* A time in which steps must be short. */
typedef struct gos_window {
    double begin, end; // [s]
    double h;          // longest step [s]
    double height;     // of the part, relative to the range of its function
    int fn;            // function of time of the system that asks for it
} gos_window;

typedef struct gos_narrow {
    gos_window *window; // by their beginnings
    int n, cap;
    int first; // of those that do not lie behind
} gos_narrow;

/** Look at all functions of time of a system between t0 and t1. breaks (nbreaks, ascending): their
 * switching times, where steps end anyhow. most: longest step of the run [s]; what it does not jump
 * over is left out. step: fixed steps [s], or 0; those that jump over something are warned of. Free
 * with gos__narrow_free. */
gos_status gos__narrow_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1,
                            const double *breaks, int nbreaks, double most, double step,
                            gos_narrow *narrow);
void gos__narrow_free(gos_ctx *ctx, gos_narrow *narrow);
/** Where a step from t may end: `stop`, or where the next window begins [s]. */
double gos__narrow_stop(gos_narrow *narrow, double t, double stop);
/** How long a step from t may be: h, or less in a window [s]. */
double gos__narrow_step(const gos_narrow *narrow, double t, double h);

#endif
