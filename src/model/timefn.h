/* Sampling of functions of time; orbit quantities. */
#ifndef GOS_TIMEFN_H
#define GOS_TIMEFN_H

#include "math/orbit.h"
#include "model/model.h"

/** Sampling times: the points of a linear table, ascending [s].
 *  @return their number; 0: any times; -1: switching times suffice (constants, expressions of
 *  probes alone, eclipses) */
int gos__timefn_points(const gos_timefn *fn, const double **times);

typedef enum gos_orbit_quantity {
    GOS_ORBIT_SUNWARD,     // direction of sunlight (3 components)
    GOS_ORBIT_OUTWARD = 3, // direction away from the central body (3)
    GOS_ORBIT_LIGHT = 6,   // visible fraction of the Sun's disc
    GOS_ORBIT_DAY,         // cosine of the Sun's zenith angle at the nadir point, 0 at night
    GOS_ORBIT_SIZE,        // radius of the central body over its distance
    GOS_ORBIT_FLUX         // solar flux at the distance of the Sun [W/m^2]
} gos_orbit_quantity;

/** The orbit must outlive the function. */
gos_status gos__timefn_orbit(gos_loc loc, const char *object, gos_arena *a, const gos_orbit *orbit,
                             int what, gos_timefn **fn);

#endif
