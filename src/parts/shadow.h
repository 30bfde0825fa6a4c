/* Shadows cast by drawn surfaces on points lit from one direction (heat/sun.c). Ray casting
 * (system/shadows.h) at the start of a step computes the lit fraction of each point, stored in the
 * memory of the state. */
#ifndef GOS_SHADOW_H
#define GOS_SHADOW_H

#include "parts/parts.h"

/* Shadow of a `heat` entry. */
struct gos_cast_shadow {
    const char *name, *object; // "sun", "heat 'sun'"
    gos_loc loc;
    int ncast, *cast; // (ncast) bodies that cast it
    // first of three time functions: direction of travel of the light; -1: no light, runs only warn
    // if positions have changed
    int direction;
    int rays; // per point
    // change of attitude [rad], or of positions relative to the size, below which it is reused
    double tolerance;
    size_t m0; // its memory, assigned by the system: see below
    gos_cast_shadow *next;
};

/* Memory of a shadow: start of the step, length of the previous step (0: unknown), whether and when
 * it was computed, and the state then: direction and all participating drawn nodes, in axes that
 * rotate with them. Points store (gos_surface.lit), by batch and point, the lit fraction at the
 * start of the step (LANES), its change over a step as long as the previous one (LANES), and the
 * last computed value (LANES). */
enum { GOS_SHADOW_TIME, GOS_SHADOW_LAST, GOS_SHADOW_SEEN, GOS_SHADOW_WHEN, GOS_SHADOW_PLACES };
#define GOS_SHADOW_OF_POINT 3

/** Fraction of that change applied at time t within the step; 1 beyond the previous step's
 * length. */
static inline double gos__shadow_ahead(const double *mem, double t) {
    const double last = mem[GOS_SHADOW_LAST], part = t - mem[GOS_SHADOW_TIME];
    return !(last > 0) || !(part > 0) ? 0 : part < last ? part / last : 1;
}

/** Adds a shadow to the builder's model, to be filled by the caller. @return GOS_E_MEMORY */
gos_status gos__add_shadow(gos_builder *b, gos_cast_shadow **shadow);

#endif
