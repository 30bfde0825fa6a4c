/* Sampling of functions of time, and functions of time along an orbit. */
#ifndef GOS_TIMEFN_H
#define GOS_TIMEFN_H

#include "math/orbit.h"
#include "model/model.h"

/** Times at which to sample the function: the points of a linear table, ascending [s].
 *  @return their number; 0: any times; -1: switching times suffice (constants, expressions of
 *  probes alone, eclipses) */
int gos__timefn_points(const gos_timefn *fn, const double **times);

/* Orbit quantities available as functions of time. */
typedef enum gos_orbit_course {
    GOS_ORBIT_SUNWARD,     // direction of sunlight: first of three components
    GOS_ORBIT_OUTWARD = 3, // direction away from the central body: three components
    GOS_ORBIT_LIGHT = 6,   // visible fraction of the Sun's disc
    GOS_ORBIT_DAY,         // cosine of the Sun's zenith angle at the nadir point, 0 at night
    GOS_ORBIT_SIZE,        // radius of the central body over its distance
    GOS_ORBIT_FLUX         // solar flux at the distance of the Sun [W/m^2]
} gos_orbit_course;

/** A function of time along an orbit; the orbit must outlive it. */
gos_status gos__timefn_orbit(gos_loc loc, const char *object, gos_arena *a, const gos_orbit *orbit,
                             int what, gos_timefn **fn);

#endif
