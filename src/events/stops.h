/* Where steps in time have to end: where functions of time switch, and where their narrow parts
 * begin. */
#ifndef GOS_STOPS_H
#define GOS_STOPS_H

#include "events/pulses.h"

/* What happens where a step ends. */
typedef enum gos_stop_kind {
    GOS_STOP_NONE,
    GOS_STOP_KINK,  // forces and heat go on at another rate
    GOS_STOP_JUMP,  // they jump
    GOS_STOP_DRIVE, // what prescribes a motion or a temperature switches
    GOS_STOP_EVENT  // an item has changed for good, as a latch that was caught, or the state was
                    // written to
} gos_stop_kind;

typedef struct gos_stops {
    double *at;          // switching times inside the run, ascending [s]
    unsigned char *kind; // gos_stop_kind of each
    int n, next;         // how many; the first that does not lie behind
    bool at_end;         // functions jump just when the run ends
    double asked;      // a step is asked to end there: inputs may be set [s]; NAN: they never were
    double begin, end; // of the run [s]
    gos_narrow narrow;
} gos_stops;

/** Find them for a run from t0 to t1. most: longest step [s]; step: fixed steps [s], or 0. Free
 * with gos__stops_free. */
gos_status gos__stops_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double most,
                           double step, gos_stops *stops);
void gos__stops_free(gos_ctx *ctx, gos_stops *stops);
/** The furthest end of a step from where x stands: t_end, or less. */
double gos__stops_before(gos_stops *stops, const gos_state *x, double t_end);
/** What is the next switching time, if that is t? To be asked after gos__stops_before. */
gos_stop_kind gos__stops_kind(const gos_stops *stops, double t);
/** What has become of the inputs that were set at the time of a state. */
gos_stop_kind gos__stops_set(const gos_state *x);
/** A step ends at t: when to take functions of time there. Where they jump what holds before
 * counts, also where a function switches just when the run ends. */
double gos__stops_left(const gos_stops *stops, double t);
/** ... and where a step begins at t: what holds after it. */
double gos__stops_right(const gos_stops *stops, double t);

#endif
