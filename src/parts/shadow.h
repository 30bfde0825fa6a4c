/* Shadows of drawn surfaces on points lit from one direction (heat/sun.c). Ray casting
 * (system/shadows.h) at the start of a step sets each point's lit fraction in the state's
 * memory. */
#ifndef GOS_SHADOW_H
#define GOS_SHADOW_H

#include "parts/builder.h"

/* Shadow of a `heat` entry. */
struct gos_cast_shadow {
    const char *name, *object; // "sun", "heat 'sun'"
    gos_loc loc;
    int ncast, *cast; // (ncast) casting bodies
    // first of three time functions; -1: no light, runs only warn of changed positions
    int direction;
    int rays; // per point
    // change of attitude [rad] or relative positions below which it is reused
    double tolerance;
    size_t m0; // its memory, see below
    gos_cast_shadow *next;
};

/* Memory of a shadow: start of the step, length of the previous one (0: unknown), whether and when
 * computed, and the direction and drawn nodes then, in co-rotating axes. Points store
 * (gos_surface.lit) the lit fraction at the start, its change over a step of the previous length,
 * and the last computed value (LANES each). */
enum {
    GOS_SHADOW_TIME,
    GOS_SHADOW_LAST,
    GOS_SHADOW_COMPUTED,
    GOS_SHADOW_WHEN,
    GOS_SHADOW_LOCATIONS
};
#define GOS_SHADOW_OF_POINT 3

/** Fraction of that change at time t; 1 beyond the previous step's length. */
static inline double gos__shadow_ahead(const double *mem, double t) {
    const double last = mem[GOS_SHADOW_LAST], part = t - mem[GOS_SHADOW_TIME];
    return !(last > 0) || !(part > 0) ? 0 : part < last ? part / last : 1;
}

/** Adds a shadow, to be filled by the caller. @return GOS_E_MEMORY */
gos_status gos__add_shadow(gos_builder *b, gos_cast_shadow **shadow);

#endif
