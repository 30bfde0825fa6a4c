/* First-order states of wheels, controllers, circuits. */
#ifndef GOS_FIRST_ORDER_STATES_H
#define GOS_FIRST_ORDER_STATES_H

#include "parts/builder.h"

/* Stored as temperature coordinates of a body without attachment points; heat on a state is its
 * inertia times its rate. */
typedef struct gos_states {
    const char *type;   // owner type: "wheel"
    const char *object; // for messages: "load 'roll'"
    gos_loc loc;
    int n;
    const double *start;   // (n), NULL: 0
    const double *inertia; // (n) also the weight in norms; NULL: 1
    double scale;          // magnitude for tolerances; 0: 1
    bool relative;         // gos_constant_coordinate
    const void *of;        // owner; may be NULL
} gos_states;

/** Adds states; *first: temperature coordinate of the first one. */
gos_status gos__add_states(gos_builder *b, const gos_states *states, int *first);
/** Whether a body holds such states. */
bool gos__body_is_states(const gos_body *b);
/** Whether it holds states of this owner. */
bool gos__states_are(const gos_body *b, const void *of);

#endif
