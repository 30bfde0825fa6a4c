/* Times at which steps must end: switches of time functions, and starts of their short pulses. */
#ifndef GOS_STOPS_H
#define GOS_STOPS_H

#include "gossamer/sim.h"
#include "system/system.h"

/* Smooth pulses of time functions that a step could miss. They are searched once before the run;
 * steps end at their start. */
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

/** Longest step from t: h, or less in a window [s]. */
double gos__pulses_step(const gos_pulses *narrow, double t, double h);

typedef enum gos_stop_kind {
    GOS_STOP_NONE,
    GOS_STOP_KINK,  // rates of forces and heat change
    GOS_STOP_JUMP,  // they jump
    GOS_STOP_DRIVE, // a prescribed motion or temperature switches
    // an item has changed irreversibly, such as a latch, or the state was written
    GOS_STOP_EVENT
} gos_stop_kind;

typedef struct gos_stops {
    double *at;          // switching times inside the run, ascending [s]
    unsigned char *kind; // gos_stop_kind of each
    int n, next;         // their number; the first one not yet passed
    bool at_begin;       // functions, or rates of drives, jump exactly at its start
    bool at_end;         // functions jump exactly at the end of the run
    // requested end of a step, where inputs may be set [s]; NAN: inputs were never set
    double asked;
    double begin, end; // of the run [s]
    gos_pulses narrow;
} gos_stops;

/** Find the times for a run from t0 to t1. most: longest step [s]; step: fixed step [s], or 0. Free
 * with gos__stops_free. */
gos_status gos__stops_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double most,
                           double step, gos_stops *stops);
/** Refuses prescribed motions that jump, as their velocity is infinite. */
gos_status gos__stops_check_drives(gos_ctx *ctx, const gos_system *sys, const gos_stops *stops);
void gos__stops_free(gos_ctx *ctx, gos_stops *stops);
/** Latest end of a step from x, at most t_end. */
double gos__stops_before(gos_stops *stops, const gos_state *x, double t_end);
/** Kind of the next switching time if it is t. Call after gos__stops_before. */
gos_stop_kind gos__stops_kind(const gos_stops *stops, double t);
/** Kind of change of the inputs that were set at the time of a state. */
gos_stop_kind gos__stops_set(const gos_state *x);
/** Time for time functions at the end t of a step: the left limit at jumps, also at the end of the
 * run. */
double gos__stops_left(const gos_stops *stops, double t);
/** ... at the start t of a step: the right limit. */
double gos__stops_right(const gos_stops *stops, double t);
/** ... at the start t of a run: the right limit if they jump there. */
double gos__stops_first(const gos_stops *stops, double t);

#endif
