/* Times inside a step at which the law of an item changes: contact, engagement of a latch. */
#ifndef GOS_EVENTS_H
#define GOS_EVENTS_H

#include "system/system.h"

bool gos__events_any(const gos_system *s);
/** Required end of a step from x0 to x [s]: just after the first event; x->t if there is none or it
 * is too close to the ends. Positions are interpolated by cubics. *which: the item. */
double gos__events_first(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which);

#endif
