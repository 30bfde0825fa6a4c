/* What is asked of functions of time beside their values. */
#ifndef GOS_TIMEFN_H
#define GOS_TIMEFN_H

#include "math/orbit.h"
#include "model/model.h"

/** Where a function is to be sampled to see its course: the points of a linear table, ascending in
 * time [s].
 *  @return their number; 0: anywhere; -1: its switching times tell all (constants, expressions of
 * probes alone, eclipses) */
int gos__timefn_points(const gos_timefn *fn, const double **times);

/* What a function of time takes from an orbit. */
typedef enum gos_orbit_course {
    GOS_ORBIT_SUNWARD, // components of the direction in which sunlight travels: this, and the next
                       // two
    GOS_ORBIT_OUTWARD = 3, // of that away from the central body
    GOS_ORBIT_LIGHT = 6,   // part of the Sun's disc that is seen
    GOS_ORBIT_DAY,         // cosine of the Sun's zenith angle on the ground below, 0 at night
    GOS_ORBIT_SIZE,        // radius of the central body over its distance
    GOS_ORBIT_FLUX         // of sunlight, at the distance of the Sun [W/m^2]
} gos_orbit_course;

/** A function of time that an orbit gives; the orbit must live as long. */
gos_status gos__timefn_orbit(gos_loc loc, const char *object, gos_arena *a, const gos_orbit *orbit,
                             int what, gos_timefn **fn);

#endif
