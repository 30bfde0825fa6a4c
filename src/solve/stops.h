/* Where steps in time have to end: where functions of time switch, and where their narrow parts begin. */
#ifndef GOS_STOPS_H
#define GOS_STOPS_H

#include "solve/narrow.h"

typedef struct gos_stops {
    double *at;   // switching times inside the run, ascending [s]
    int n, next;  // how many; the first that does not lie behind
    bool at_end;  // functions switch just when the run ends
    double asked; // inputs may be set there, as a step is asked to end [s]; NAN: they never were
    double begin, end; // of the run [s]
    gos_narrow narrow;
} gos_stops;

/** Find them for a run from t0 to t1. most: longest step [s]; step: fixed steps [s], or 0. Free with
 *  gos__stops_free. */
gos_status gos__stops_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double most,
                           double step, gos_stops *stops);
void gos__stops_free(gos_ctx *ctx, gos_stops *stops);
/** The furthest end of a step from where x stands: t_end, or less. */
double gos__stops_before(gos_stops *stops, const gos_state *x, double t_end);
/** Is t the next switching time? To be asked after gos__stops_before. */
bool gos__stops_switch(const gos_stops *stops, double t);
/** A step ends at t: when to take functions of time there. At a switch what holds before it counts, also where a
 *  function switches just when the run ends, and where inputs may be set. */
double gos__stops_left(const gos_stops *stops, double t);
/** ... and where a step begins at t: what holds after it. */
double gos__stops_right(const gos_stops *stops, double t);

#endif
