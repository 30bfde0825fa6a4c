/* Where in a step signals pass their limits (system/crossing.h): a part of breaks.h.

   A signal is taken for the cubic that has its values and rates at both ends of the step, as
   outputs are; where rates are not known, as of reactions, for a line. A step that passes a limit
   which ends the run is made anew to end there, until it does by the signal itself. */
#ifndef GOS_CROSSINGS_H
#define GOS_CROSSINGS_H

#include "solve/stepper.h"

/* one limit on its way */
typedef struct gos_crossing_course gos_crossing_course;

typedef struct gos_crossings {
    const gos_system *sys;
    gos_crossing_course *of; // (sys->ncrossing)
    double *near, *now; // probes of all, at the last accepted step and at the end of the one tried
    gos_state *moved;   // scratch
    gos_event *event;   // passed in the step tried, in order of time (nevent)
    int nevent;
    int landings;         // attempts to end the step at a limit
    int landing;          // the limit that it is made anew for, -1: none
    bool rising;          // how that is passed
    double longest;       // end of the first attempt [s]
    double before, value; // end of the attempt before, and the signal there
    bool ends;            // the run ends where the step does
} gos_crossings;

/** @return GOS_E_INPUT naming an event whose signal the model leaves open. Free with
 * gos__crossings_free. */
gos_status gos__crossings_create(gos_ctx *ctx, const gos_system *sys, gos_crossings *c);
void gos__crossings_free(gos_ctx *ctx, gos_crossings *c);
/** A new step begins. */
void gos__crossings_begin(gos_crossings *c);
/** Where the step from x0 to x should end: x->t, or at a limit that ends the run [s]; that may also
 * lie a little behind x, within the first attempt. t0, t1: of functions of time, behind the start
 * and before the end. */
double gos__crossings_inside(gos_crossings *c, const gos_state *x0, double t0, const gos_state *x,
                             double t1);
/** The step is accepted. */
void gos__crossings_end(gos_crossings *c);
void gos__crossings_walk(gos_crossings *c, gos_walk *past);

#endif
