/* Monitoring of a run by the system itself, independent of the sink (gos_system.observer). Reduced
 * models compare with their full model. */
#ifndef GOS_OBSERVER_H
#define GOS_OBSERVER_H

#include "solve/walk.h"

typedef struct gos_observer {
    /** Called before anything is computed. *preparing: wall time of creating the system [s];
     * *observer: argument of the other functions. */
    gos_status (*create)(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer);
    /** A state at an output time, in order. iterations: Newton iterations of the run so far. */
    gos_status (*see)(void *observer, const gos_state *state, long iterations);
    /** The last state of a completed run. */
    gos_status (*end)(void *observer, const gos_state *state);
    /** Pass the data on which later warnings depend, for checkpoints. */
    gos_status (*walk)(void *observer, gos_walk *past);
    void (*destroy)(void *observer); // NULL is allowed
} gos_observer;

#endif
