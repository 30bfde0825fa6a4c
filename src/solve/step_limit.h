/* Limit on the steps that follow an attempt without a solution. */
#ifndef GOS_STEP_LIMIT_H
#define GOS_STEP_LIMIT_H

#include "solve/walk.h"
#include "system/system.h"

typedef struct gos_step_limit {
    bool applies;   // see gos__step_limit_begin
    double longest; // step [s]
    int left;       // accepted steps for which it holds
    int next;       // ... after the next failure; 0: the fewest
} gos_step_limit;

/** Applies to models with plates that are not reduced: the membranes of their predictions are what
 * repeats the failures. */
void gos__step_limit_begin(gos_step_limit *l, const gos_system *sys);
/** An attempt of length h [s] had no solution. */
void gos__step_limit_set(gos_step_limit *l, double h);
/** Step after an accepted one of length h that is proposed as `next` [s]. */
double gos__step_limit_apply(gos_step_limit *l, double h, double next);
void gos__step_limit_walk(gos_step_limit *l, gos_walk *w);

#endif
