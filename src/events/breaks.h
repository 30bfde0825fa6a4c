/* Times at which steps must end, and their events; interface for steppers. Sources: switches and
 * short pulses of time functions (stops.h), set inputs and written coordinates, changes of item
 * laws, limits of signals (crossings.h). */
#ifndef GOS_BREAKS_H
#define GOS_BREAKS_H

#include "events/crossings.h"
#include "events/stops.h"

typedef struct gos_breaks {
    gos_stops stops;     // known before the run
    bool events;         // items report changes of their laws
    bool limits;         // controllers have limits
    int landings;        // attempts to end the present step at a change
    bool keeps;          // set by the stepper: steps are never shortened for changes inside
    bool reported;       // a change inside a step was noted
    double sets;         // count of set inputs and written coordinates at the last step
    gos_stop_kind kind;  // event at the start of the next step
    gos_stop_kind began; // event at the start of the last step
    gos_crossings crossings;
    double end;
} gos_breaks;

/** For a run; longest and fixed step by its options. Free with gos__breaks_free. Sequence of a
 * step: gos__breaks_begin(...)    event at its start: restart or jump gos__breaks_before(...)
 * attempt a step, not beyond this time, and not longer than gos__breaks_step; time functions at
 * gos__breaks_left of its end gos__breaks_inside(...)   an earlier end is required: repeat the step
 * up to it gos__breaks_end(...)      accepted */
gos_status gos__breaks_find(const gos_integrator *g, gos_breaks *b);
void gos__breaks_free(gos_ctx *ctx, gos_breaks *b);
/** Event at the start of a step at x. Passes set inputs to w; projects a written state onto its
 * constraints (GOS_STOP_EVENT). */
gos_status gos__breaks_begin(gos_breaks *b, gos_ctx *ctx, gos_work *w, gos_state *x,
                             gos_stop_kind *kind);
/** Latest end of the step that starts at x, at most t_end. */
double gos__breaks_before(gos_breaks *b, const gos_state *x, double t_end);
/** Longest step from t: h, or less at short pulses of time functions [s]. */
double gos__breaks_step(const gos_breaks *b, double t, double h);
/** Next known time at which forces change, after the last gos__breaks_before [s]; HUGE_VAL:
 * none. */
double gos__breaks_next(const gos_breaks *b);
/** Time for the time functions at the end t of a step: the left limit at jumps. */
double gos__breaks_left(const gos_breaks *b, double t);
/** ... at the start t of a step: the right limit. */
double gos__breaks_right(const gos_breaks *b, double t);
/** ... at the start t of a run: the right limit at jumps. */
double gos__breaks_first(const gos_breaks *b, double t);
/** Required end of the step from x0 to x: x->t (accept), just after a change inside, or at a limit
 * that ends the run [s]; may exceed x->t if an earlier attempt was too short. If steps are kept,
 * changes inside are noted once, and only the end of the run shortens steps. */
double gos__breaks_inside(gos_breaks *b, gos_ctx *ctx, gos_work *w, const gos_state *x0,
                          const gos_state *x);
/** Is the accepted step the last one, at the end of the run or at an event that ends it? */
bool gos__breaks_last(const gos_breaks *b, const gos_state *x);
/** Limits crossed in the accepted step, in order; *ends: the run must end. @return their number */
int gos__breaks_passed(const gos_breaks *b, const gos_event **event, bool *ended);
bool gos__breaks_landed(const gos_breaks *b);
/** Accept the step to x: updates the history of items and points, time functions at t_eval.
 * @return event at its end */
gos_stop_kind gos__breaks_end(gos_breaks *b, gos_work *w, gos_state *x, double t_eval);
void gos__breaks_walk(gos_breaks *b, gos_walk *past);

#endif
