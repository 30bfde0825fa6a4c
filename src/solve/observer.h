/* Who looks at the runs of a system while they go on, beside whoever takes their results. A system
   brings its observer (gos_system.observer): those of reduced models know the full one behind
   them. */
#ifndef GOS_OBSERVER_H
#define GOS_OBSERVER_H

#include "system/system.h"

typedef struct gos_observer {
    /** Before anything is computed. *preparing: wall time that making the system took [s];
     * *observer is the object of the other functions. */
    gos_status (*create)(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer);
    /** A state at an output time, in order, after so many Newton iterations of the run. */
    gos_status (*see)(void *observer, const gos_state *state, long iterations);
    /** The last state of a run that came to its end. */
    gos_status (*end)(void *observer, const gos_state *state);
    void (*destroy)(void *observer); // NULL is allowed
} gos_observer;

#endif
