/* Monitoring of conserved quantities: the energy balance and, without external loads, momentum and
 * angular momentum. */
#ifndef GOS_CONSERVATION_H
#define GOS_CONSERVATION_H

#include "solve/walk.h"

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

typedef struct gos_conservation {
#define X(name, doc) double name; // doc
    GOS_WATCH_NUMBERS(X)
#undef X
} gos_conservation;

void gos__conservation_begin(gos_integrator *g);
/** Check an accepted step; after the last one warn of violations. */
void gos__conservation_step(gos_integrator *g, bool last);
void gos__conservation_walk(gos_conservation *w, gos_walk *past);

#endif
