/* Interface of integration methods, chosen by options or supplied by the system
 * (gos_system.stepper). A stepper selects its steps and interpolates within the last one. `walk`
 * passes all data beyond the state that the next step depends on, so that another stepper can
 * continue to the last bit. */
#ifndef GOS_STEPPER_H
#define GOS_STEPPER_H

#include "gossamer/sim.h"
#include "system/system.h"

/* Traversal of a stepper's history: numbers are counted, written or read in the same order by one
 * function. */
typedef struct gos_walk {
    double *at;  // NULL: count only
    size_t n;    // numbers passed
    size_t most; // numbers available for reading
    bool takes;  // reading into the stepper
    bool bad;    // reading: invalid numbers found; writing: continuation is impossible
} gos_walk;

/** Pass n numbers. x (n, may be NULL: no copy) is written or read. @return their location,
 * borrowed; NULL if counting or too few are available */
const double *gos__walk(gos_walk *w, double *x, size_t n);
/** Pass an integer from 0 to most. */
void gos__walk_int(gos_walk *w, int *x, int most);
void gos__walk_long(gos_walk *w, long *x);
void gos__walk_bool(gos_walk *w, bool *x);
void gos__walk_statistics(gos_walk *w, gos_statistics *stats);
/** A state of a system without its history. */
void gos__walk_state(gos_walk *w, gos_state *x);

typedef struct gos_breaks gos_breaks; // events/breaks.h

/* Arguments of a stepper; borrowed during its life. */
typedef struct gos_run_of {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *options;
    gos_state *x;   // changed by each step
    double t_start; // of the run [s]
    gos_walk *past; // history to continue from; NULL: start at x
} gos_run_of;

struct gos_stepper {
    // names of the data of `walk`, so that incompatible histories are rejected
    const char *layout;
    gos_status (*create)(const gos_run_of *run, void **stepper);
    /** One accepted step, not beyond t_end. On failure the state is the last accepted one. */
    gos_status (*step)(void *stepper, double t_end);
    /** State inside the last step; borrowed until the next call. */
    const gos_state *(*at)(void *stepper, double t);
    /** As `at` without energies, which cost a residual; NULL: no difference. */
    const gos_state *(*place)(void *stepper, double t);
    // rows of probes stored inside each step, for integrators with long steps
    int ninside;
    /** Start of the last step as used by the step. */
    const gos_state *(*start)(const void *stepper);
    /** See gos_integrator_track_errors; NULL: no report. */
    gos_status (*tell)(void *stepper);
    /** Times at which steps must end. */
    const gos_breaks *(*breaks)(const void *stepper);
    void (*walk)(void *stepper, gos_walk *past);
    void (*statistics)(const void *stepper, gos_statistics *stats);
    void (*destroy)(void *stepper); // NULL is allowed
};

const gos_stepper *gos__stepper_of(const gos_system *sys, const gos_options *options);
extern const gos_stepper gos__generalised_alpha, gos__bdf, gos__radau;

#endif
