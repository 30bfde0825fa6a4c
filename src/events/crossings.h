/* Crossings of signal limits in a step (signals/zero_crossing.h); part of breaks.h. Signals are
 * interpolated by cubics through values and rates at both ends, or linearly without rates
 * (reactions). A step across a limit that ends the run is repeated until the signal reaches the
 * limit at its end. */
#ifndef GOS_CROSSINGS_H
#define GOS_CROSSINGS_H

#include "solve/walk.h"

typedef struct gos_crossing_segment gos_crossing_segment;

typedef struct gos_crossings {
    const gos_system *sys;
    gos_crossing_segment *of; // (sys->ncrossing)
    // probes of all limits, at the last accepted step and at the end of the attempt
    double *near, *now;
    gos_state *moved;
    gos_event *event; // crossings in the attempt, in order of time (nevent)
    int nevent;
    int landings;         // attempts to end the step at a limit
    int landing;          // index of that limit, -1: none
    bool rising;          // direction of that crossing
    double longest;       // end of the first attempt [s]
    double before, value; // end of the previous attempt, and the signal there
    bool ends;            // the run ends with the step
} gos_crossings;

/** @return GOS_E_INPUT identifying an event whose signal is undetermined. Free with
 * gos__crossings_free. */
gos_status gos__crossings_create(gos_ctx *ctx, const gos_system *sys, gos_crossings *c);
void gos__crossings_free(gos_ctx *ctx, gos_crossings *c);
void gos__crossings_begin(gos_crossings *c);
/** Required end of the step from x0 to x: x->t, or at a limit that ends the run [s], possibly
 * slightly after x but within the first attempt. t0, t1: right limit of time at the start, left
 * limit at the end. */
double gos__crossings_inside(gos_crossings *c, const gos_state *x0, double t0, const gos_state *x,
                             double t1);
void gos__crossings_end(gos_crossings *c);
void gos__crossings_walk(gos_crossings *c, gos_walk *past);

#endif
