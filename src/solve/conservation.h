/* Monitoring of conserved quantities: the energy balance and, without external loads, momentum and
 * angular momentum. */
#ifndef GOS_CONSERVATION_H
#define GOS_CONSERVATION_H

#include "solve/stepper.h"

/* since the start of the run */
#define GOS_WATCH_NUMBERS(X)                                                                       \
    X(energy, "largest of kinetic energy, strain energy and work [J]")                             \
    X(kinetic, "largest kinetic energy [J]")                                                       \
    X(height, "largest magnitude of the gravity energy [J]")                                       \
    X(moved, "largest RMS displacement, relative to the extent")                                   \
    X(speed, "largest RMS velocity, relative to the extent [1/s]")                                 \
    X(begun, "start of the run [s]")                                                               \
    X(open, "largest error of the energy balance [J]")                                             \
    X(open_at, "time of that error [s]")                                                           \
    X(free, "1: no external loads")                                                                \
    X(p_x, "momentum at the start [kg m/s]")                                                       \
    X(p_y, "")                                                                                     \
    X(p_z, "")                                                                                     \
    X(l_x, "angular momentum at the start [kg m^2/s]")                                             \
    X(l_y, "")                                                                                     \
    X(l_z, "")                                                                                     \
    X(dp, "largest drift of momentum [kg m/s]")                                                    \
    X(dl, "largest drift of angular momentum [kg m^2/s]")

typedef struct gos_step_monitor {
#define X(name, doc) double name; // doc
    GOS_WATCH_NUMBERS(X)
#undef X
} gos_step_monitor;

/* The monitored run; everything belongs to its stepper. */
typedef struct gos_monitored {
    gos_ctx *ctx;
    const gos_options *opt;
    const gos_state *x;
    gos_work *w;
    double *u, *weighed; // scratch (nq)
    double *c;           // scratch (nc)
} gos_monitored;

void gos__step_monitor_begin(gos_step_monitor *w, const gos_monitored *of);
/** Check an accepted step; after the last one warn of violations. */
void gos__step_monitor_step(gos_step_monitor *w, const gos_monitored *of,
                            const gos_statistics *stats, bool last);
void gos__step_monitor_walk(gos_step_monitor *w, gos_walk *past);

#endif
