/* What a run conserves, watched from outside: its balance of energy, and where nothing from outside
   acts its momentum and angular momentum. */
#ifndef GOS_CONSERVATION_H
#define GOS_CONSERVATION_H

#include "solve/stepper.h"

/* since its start */
#define GOS_WATCH_NUMBERS(X)                                                                       \
    X(energy, "largest of kinetic energy, strain energy and work [J]")                             \
    X(kinetic, "largest kinetic energy [J]")                                                       \
    X(height, "largest energy in the field of gravity [J]")                                        \
    X(moved, "largest RMS displacement, relative to the extent")                                   \
    X(speed, "largest RMS velocity, relative to the extent [1/s]")                                 \
    X(begun, "when the run began [s]")                                                             \
    X(open, "balance of energy where it is most open [J]")                                         \
    X(open_at, "when that was [s]")                                                                \
    X(free, "1: nothing from outside acts")                                                        \
    X(p_x, "momentum at the start [kg m/s]")                                                       \
    X(p_y, "")                                                                                     \
    X(p_z, "")                                                                                     \
    X(l_x, "angular momentum at the start [kg m^2/s]")                                             \
    X(l_y, "")                                                                                     \
    X(l_z, "")                                                                                     \
    X(dp, "largest drift of momentum [kg m/s]")                                                    \
    X(dl, "largest drift of angular momentum [kg m^2/s]")

typedef struct gos_watch {
#define X(name, doc) double name; // doc
    GOS_WATCH_NUMBERS(X)
#undef X
} gos_watch;

/* The run that is watched; all of it is its stepper's. */
typedef struct gos_watched {
    gos_ctx *ctx;
    const gos_options *opt;
    const gos_state *x;
    gos_work *w;
    double *u, *weighed; // scratch (nq)
    double *c;           // scratch (nc)
} gos_watched;

/** Begin to watch at a state. */
void gos__watch_begin(gos_watch *w, const gos_watched *of);
/** Look at an accepted step; after the last one say what is open. */
void gos__watch_step(gos_watch *w, const gos_watched *of, const gos_statistics *stats, bool last);
void gos__watch_walk(gos_watch *w, gos_walk *past);

#endif
