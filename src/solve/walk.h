/* Traversal of histories: numbers beyond a state are counted, written or read in the same order by
 * one function, so that another run can continue to the last bit. */
#ifndef GOS_WALK_H
#define GOS_WALK_H

#include "gossamer/sim.h"
#include "system/system.h"

typedef struct gos_walk {
    double *at;  // NULL: count only
    size_t n;    // numbers passed
    size_t most; // numbers available for reading
    bool takes;  // reading
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

#endif
