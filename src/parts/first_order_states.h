/* States of first order that are no temperatures of a mesh: of wheels, controllers, circuits. */
#ifndef GOS_FIRST_ORDER_STATES_H
#define GOS_FIRST_ORDER_STATES_H

#include "parts/parts.h"

/* They lie among the temperature coordinates, as those of bodies of matrices do, under a body
   without places: E = 1, so that what acts on them as heat is their rate, or a capacity or
   inductance times it. */
typedef struct gos_states {
    const char *type;   // what has them: "wheel"
    const char *object; // as messages name it: "load 'roll'"
    gos_loc loc;
    int n;
    const double *start;   // (n), NULL: 0
    const double *inertia; // the diagonal of E, and their weight in norms (n); NULL: 1
    double scale;          // their size, which tolerances refer to; 0: 1
    bool relative;         // gos_constant_coordinate
    const void *of;        // whose they are, for gos__states_are; NULL: nobody asks
} gos_states;

/** Add them; *first is the first one's temperature coordinate. */
gos_status gos__add_states(gos_builder *b, const gos_states *states, int *first);
/** Is a body such states, of whatever owner? */
bool gos__body_is_states(const gos_body *b);
/** Is a body such states, of this owner? */
bool gos__states_are(const gos_body *b, const void *of);

#endif
