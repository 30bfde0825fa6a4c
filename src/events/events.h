/* Times inside a step at which the law of an item changes: a stop that is met or left, a latch that
 * catches. */
#ifndef GOS_EVENTS_H
#define GOS_EVENTS_H

#include "system/system.h"

/** Has the system items that tell such events? */
bool gos__events_any(const gos_system *s);
/** Where a step from x0 to x should end: just behind the first event in it, or at x->t when there
 * is none, or none that a shorter step would tell apart from its ends [s]. Places between are
 * cubic, as outputs are. *which: the item that tells it. */
double gos__events_first(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which);

#endif
