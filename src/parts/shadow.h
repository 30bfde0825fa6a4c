/* Shadows that drawn surfaces of bodies cast on points to which light of one direction comes
   (heat/sun.c). The part of the light that reaches a point is seen by rays (system/shadows.h) where
   a step begins and lies in the memory of the state. */
#ifndef GOS_SHADOW_H
#define GOS_SHADOW_H

#include "parts/parts.h"

/* The shadow that an entry of `heat` asks for. */
struct gos_cast_shadow {
    const char *name, *object; // "sun", "heat 'sun'"
    gos_loc loc;
    int ncast, *cast; // bodies whose surfaces cast it (ncast)
    int direction;    // first of three functions of time: where the light travels; -1: no
                      // light, places are only watched: runs warn when they have moved
    int rays;         // for each point
    double tolerance; // change of attitude [rad], or of places over the size, below which it stays
    size_t m0;        // its memory, numbered by the system: see below
    gos_cast_shadow *next; // of the model
};

/* What it remembers: when the step began, how long the one before was (0: nothing is known of it),
   whether and when it was looked at, and how things stood then: the direction and all drawn nodes
   that take part, in axes that turn with them. Points remember (gos_surface.lit), batch by batch
   and point by point, the part of the light at the beginning of the step (LANES), by how much it
   changes in a step as long as the one before (LANES), and what was seen last (LANES). */
enum { GOS_SHADOW_TIME, GOS_SHADOW_LAST, GOS_SHADOW_SEEN, GOS_SHADOW_WHEN, GOS_SHADOW_PLACES };
#define GOS_SHADOW_OF_POINT 3

/** How much of that change has been made at a time t within the step: all of it in a step that is
 * longer. */
static inline double gos__shadow_ahead(const double *mem, double t) {
    const double last = mem[GOS_SHADOW_LAST], part = t - mem[GOS_SHADOW_TIME];
    return !(last > 0) || !(part > 0) ? 0 : part < last ? part / last : 1;
}

/** A shadow of the builder's model, to be filled by the caller. @return GOS_E_MEMORY */
gos_status gos__add_shadow(gos_builder *b, gos_cast_shadow **shadow);

#endif
