/* First-order states other than mesh temperatures: of wheels, controllers, circuits. */
#ifndef GOS_FIRST_ORDER_STATES_H
#define GOS_FIRST_ORDER_STATES_H

#include "parts/parts.h"

/* States are temperature coordinates of a body without attachment points, with capacity E = 1 or a
 * given inertia. Heat on them is E times their rate. */
typedef struct gos_states {
    const char *type;   // owner type: "wheel"
    const char *object; // name in messages: "load 'roll'"
    gos_loc loc;
    int n;
    const double *start;   // (n), NULL: 0
    const double *inertia; // diagonal of E, also the weight in norms (n); NULL: 1
    double scale;          // magnitude, for tolerances; 0: 1
    bool relative;         // gos_constant_coordinate
    const void *of;        // owner, for gos__states_are; may be NULL
} gos_states;

/** Adds the states; *first: temperature coordinate of the first one. */
gos_status gos__add_states(gos_builder *b, const gos_states *states, int *first);
/** Whether a body consists of such states. */
bool gos__body_is_states(const gos_body *b);
/** Whether a body consists of states of this owner. */
bool gos__states_are(const gos_body *b, const void *of);

#endif
