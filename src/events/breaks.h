/* Where steps in time have to end, and what happens there: the one thing that steppers ask. It is
   learnt from times known before the run, where functions of time switch or are narrow (stops.h);
   from inputs that were set, and coordinates that were written, since the last step; and, once a
   step is tried, from distances to where laws change, told by items (events.h), and signals that
   pass their limits (crossings.h). A step goes so:

       kind = gos__breaks_begin(...)        what happens where it begins: restart, or take a jump
       stop = gos__breaks_before(...)       try a step, not beyond it, and not longer than
   gos__breaks_step; functions of time at gos__breaks_left of its end gos__breaks_inside(...) it
   should have ended elsewhere: try it anew to that time gos__breaks_end(...)                 it is
   accepted */
#ifndef GOS_BREAKS_H
#define GOS_BREAKS_H

#include "events/crossings.h"
#include "events/stops.h"

struct gos_breaks {
    gos_stops stops;     // known before the run
    bool events;         // items tell where their laws change
    bool limits;         // controllers have limits
    int landings;        // attempts to end the present step there
    bool keeps;          // steps are kept as they are, whatever happens inside: set by the stepper
    bool told;           // that something did
    double sets;         // how often inputs had been set, or coordinates written, at the last step
    gos_stop_kind kind;  // what happens where the next step begins
    gos_stop_kind began; // what happened where the last one did
    gos_crossings crossings; // of limits of signals
    double end;              // of the run [s]
};

/** For a run, with work w that steps are made with. most: longest step [s]; step: fixed steps [s],
 * or 0. Free with gos__breaks_free. */
gos_status gos__breaks_find(const gos_run_of *run, double most, double step, gos_work *w,
                            gos_breaks *b);
void gos__breaks_free(gos_ctx *ctx, gos_breaks *b);
/** A step begins at x: what happens there? Inputs that were set are given to w, and a state that
 * was written to is settled on its constraints (GOS_STOP_EVENT). */
gos_status gos__breaks_begin(gos_breaks *b, gos_ctx *ctx, gos_work *w, gos_state *x,
                             gos_stop_kind *kind);
/** The furthest end of the step that begins at x: t_end, or less. */
double gos__breaks_before(gos_breaks *b, const gos_state *x, double t_end);
/** How long a step from t may be: h, or less where functions of time are narrow [s]. */
double gos__breaks_step(const gos_breaks *b, double t, double h);
/** The next time at which forces are known to go on differently, seen from the last
 * gos__breaks_before [s]; HUGE_VAL: none. */
double gos__breaks_next(const gos_breaks *b);
/** A step ends at t: when to take functions of time there. Where they jump what holds before
 * counts. */
double gos__breaks_left(const gos_breaks *b, double t);
/** ... and where a step begins at t: what holds after it. */
double gos__breaks_right(const gos_breaks *b, double t);
/** Where the step from x0 to x should have ended: x->t, just behind what happens inside, or where a
 * limit ends the run [s], from where the one tried before was too short. Where steps are kept what
 * happens inside is told once, and only the end of the run makes them others. When it is x->t the
 * step is to be accepted. */
double gos__breaks_inside(gos_breaks *b, gos_ctx *ctx, gos_work *w, const gos_state *x0,
                          const gos_state *x);
/** Is the step that is being accepted the last one? The run ends there, or an event ends it. */
bool gos__breaks_last(const gos_breaks *b, const gos_state *x);
/** Limits passed in the accepted step, in order; *ends: the run is to end. @return how many */
int gos__breaks_passed(const gos_breaks *b, const gos_event **event, bool *ends);
/** Has the step been made anew for that? */
bool gos__breaks_landed(const gos_breaks *b);
/** The step to x is accepted: items and points remember it, with functions of time at t_eval.
 *  @return what happens at its end */
gos_stop_kind gos__breaks_end(gos_breaks *b, gos_work *w, gos_state *x, double t_eval);
/** Walk through what is to be known of the steps before. */
void gos__breaks_walk(gos_breaks *b, gos_walk *past);

#endif
