/* Interface of integration methods, chosen by options or supplied by the system
 * (gos_system.stepper). A method selects its steps and interpolates within the last one; the driver
 * (integrator.h) does the rest. */
#ifndef GOS_STEPPER_H
#define GOS_STEPPER_H

#include "solve/walk.h"

/* Functions of a method. Their first argument is its struct, which begins with GOS_INTEGRATOR. */
struct gos_stepper {
    // names of the data of `save`, so that incompatible histories are rejected
    const char *layout;
    size_t size;      // of the method's struct
    double least;     // default of min_step, relative to the run
    bool heat_rates;  // requires temperature rates: not for `heat: steady`
    bool own_steps;   // selects its steps: rejects `step` and `probe_tolerance`
    bool unmonitored; // no checks of energy, momentum and sections
    int ninside;      // rows of probes stored inside each step, for integrators with long steps
    /** Checks options and sets defaults, before memory is allocated; NULL: none. */
    gos_status (*check)(void *method);
    /** Memory of the method, zero before. */
    gos_status (*allocate)(void *method);
    void (*release)(void *method);
    /** Consistent values and the first step, at the start of a run. */
    gos_status (*start)(void *method);
    /** One accepted step, not beyond t_end. On failure the state is the last accepted one. */
    gos_status (*step)(void *method, double t_end);
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
extern const gos_stepper gos__generalised_alpha, gos__bdf, gos__radau;

#endif
