/* Interface of integration methods, chosen by options or supplied by the system
 * (gos_system.stepper). A method selects its steps and interpolates within the last one; the driver
 * (integrator.h) does the rest. */
#ifndef GOS_STEPPER_H
#define GOS_STEPPER_H

#include "events/stops.h"
#include "solve/walk.h"
#include "system/integrators.h"

/* A step and its attempts. */
typedef struct gos_step {
    gos_stop_kind began; // what switches at its start
    double stop;         // latest end [s]
    double h, t;         // length and end of the attempt [s]
    double t_eval;       // ... for time functions: the left limit [s]
    double error;        // of the attempt, relative to its allowance
    double made;         // the same, absolute [-]
    bool accurate;       // the attempt is acceptable
    bool rejected;       // an attempt failed or was inaccurate
    int inaccurate;      // number of inaccurate ones
    gos_sums sums;       // scratch of the method: at the end of the attempt
} gos_step;

/* Functions of a method. Their first argument is its struct, which begins with GOS_INTEGRATOR. */
struct gos_stepper {
    gos_method is; // what it supports
    // names of the data of `save`, so that incompatible histories are rejected
    const char *layout;
    size_t size;      // of the method's struct
    double least;     // default of min_step, relative to the run
    double sliver;    // lengthening that reaches the latest end of a step, relative
    bool predicts;    // attempts write all of the state: a step exchanges states, without a copy
    bool unmonitored; // no checks of energy, momentum and sections
    int ninside;      // rows of probes stored inside each step, for integrators with long steps
    /** Checks options and sets defaults, before memory is allocated; NULL: none. */
    gos_status (*check)(void *method);
    /** Memory of the method, zero before. */
    gos_status (*allocate)(void *method);
    void (*release)(void *method);
    /** Consistent values and the first step, at the start of a run. */
    gos_status (*start)(void *method);
    /** Restart or correction of method->x where a step begins; kind: what switches there. */
    gos_status (*begin)(void *method, gos_stop_kind kind, double t_end);
    /** Length of the first attempt, k->h; may shorten k->stop. */
    gos_status (*plan)(void *method, gos_step *k);
    /** method->x := state at k->t, a step k->h after method->x0; may set k->t to where it ends.
     * @return GOS_RETRY: no solution */
    gos_status (*attempt)(void *method, gos_step *k);
    /** Error of the attempt, k->error and k->made, and k->accurate; NULL: always accurate. */
    gos_status (*error)(void *method, gos_step *k);
    /** Ends the accurate step at t instead. @return GOS_RETRY: by another attempt. NULL: always. */
    gos_status (*cut)(void *method, double t);
    /** Length after an attempt with this status that is rejected; not above min_step: give up. */
    double (*shorten)(void *method, const gos_step *k, gos_status status);
    /** Message for a step without a solution, down to the length h. */
    gos_status (*give_up)(void *method, const gos_step *k, double h, gos_status status);
    /** Completes an accepted step and chooses the next one, method->x->h_next. */
    gos_status (*accept)(void *method, gos_step *k);
    /** After the step; kind: what switches at its end. NULL: none. */
    gos_status (*end)(void *method, gos_stop_kind kind, bool last);
    /** After a failed step; method->x is its start. NULL: none. */
    void (*undo)(void *method);
    /** method->at := state at a time t inside the last step; it is a copy of the end before. */
    void (*interpolate)(void *method, double t);
    /** Energies of method->at, which cost a residual; NULL: part of `interpolate`. */
    void (*energies)(void *method);
    /** See gos_integrator_track_errors; NULL: no report. */
    gos_status (*track_errors)(void *method);
    /** Data that fix the size of the rest of the history, passed first; `allocate` reads them.
     * NULL: none. */
    void (*sizes)(void *method, gos_walk *w);
    /** Passes all data beyond those of the driver that the next step depends on. */
    gos_status (*save)(void *method, gos_walk *w);
    /** Counts of the method that differ from method->stats; NULL: none. */
    void (*statistics)(const void *method, gos_statistics *stats);
};

const gos_stepper *gos__stepper_of(const gos_system *sys, const gos_options *options);

#endif
