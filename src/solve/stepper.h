/* Ways to step a system in time. Each is a table of functions, and the integrator knows them no
   better than by it: a system is stepped by generalised-alpha, or by the stepper it brings itself
   (gos_system.stepper).

   A stepper chooses its steps itself and has its own interpolation inside the last one. *Next state
   = f(system, state, options)*: what it knows of the steps so far beyond the numbers of the state
   it *walks* through when asked, and another one made from these numbers goes on to the last
   bit. */
#ifndef GOS_STEPPER_H
#define GOS_STEPPER_H

#include "gossamer/sim.h"
#include "system/system.h"

/* A walk along the numbers that a stepper knows beyond the state: they are counted, given or taken,
   always in one order, so that one function serves all three. */
typedef struct gos_walk {
    double *at;  // where the next one lies; NULL: they are only counted
    size_t n;    // how many have been passed
    size_t most; // how many there are to take
    bool takes;  // the stepper takes them over
    bool bad;    // ... and found numbers that make no sense; giving: there is nothing to go on from
} gos_walk;

/** Pass n numbers. x (n, may be NULL: none are copied) gives or takes them. @return where they lie,
 * borrowed; NULL when they are only counted, or fewer are there. */
const double *gos__walk(gos_walk *w, double *x, size_t n);
/** Pass a whole number from 0 to most. */
void gos__walk_int(gos_walk *w, int *x, int most);
void gos__walk_long(gos_walk *w, long *x);
void gos__walk_bool(gos_walk *w, bool *x);
void gos__walk_statistics(gos_walk *w, gos_statistics *stats);

typedef struct gos_breaks gos_breaks; // solve/breaks.h

/* What a stepper is made for; all of it is borrowed while it lives. */
typedef struct gos_run_of {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *options;
    gos_state *x;   // changed by each step
    double t_start; // of the run [s]
    gos_walk *past; // to take: the run goes on; NULL: it begins at x
} gos_run_of;

struct gos_stepper {
    const char *layout; // of what is walked through: changes with it, so that nobody takes the
                        // numbers of another
    gos_status (*create)(const gos_run_of *run, void **stepper);
    /** One accepted step, not beyond t_end. On failure the state is the last accepted one. */
    gos_status (*step)(void *stepper, double t_end);
    /** Inside the last step; borrowed until the next call. */
    const gos_state *(*at)(void *stepper, double t);
    /** The same without energies, which cost an evaluation of all forces; NULL: there it makes no
     * difference. */
    const gos_state *(*place)(void *stepper, double t);
    int ninside; // rows of probes that a run stores inside each step, as steps are long for what
                 // they resolve
    /** The start of the last step as the step saw it. */
    const gos_state *(*start)(const void *stepper);
    /** See gos_integrator_tell; NULL: there is nothing to tell. */
    gos_status (*tell)(void *stepper);
    /** Where its steps have to end. */
    const gos_breaks *(*breaks)(const void *stepper);
    void (*walk)(void *stepper, gos_walk *past);
    void (*statistics)(const void *stepper, gos_statistics *stats);
    void (*destroy)(void *stepper); // NULL is allowed
};

/** How a system is stepped with these options. */
const gos_stepper *gos__stepper_of(const gos_system *sys, const gos_options *options);
extern const gos_stepper gos__generalised_alpha, gos__bdf, gos__radau;

#endif
