/* The force of sunlight on a point of a surface (theory guide, Pressure of sunlight). */
#ifndef GOS_SOLAR_FORCE_H
#define GOS_SOLAR_FORCE_H

#include "parts/spread.h"

/* What becomes of the light; what is left of 1 is absorbed. */
typedef struct gos_optics {
    double specular, diffuse; // parts that are reflected like a mirror, and by Lambert's law [-]
    double normal; // part that leaves the surface by Lambert's law, late or soon: diffuse, and what
                   // is radiated at once [-]
    double smoothing; // of the kink where a surface turns edge-on [-]
} gos_optics;

typedef struct gos_solar_point {
    gos_spread at; // its markers are the item's
    gos_optics optics;
} gos_solar_point;

/** Add the forces of light of the pressure P towards -s (unit vector to the Sun) to f (3 nm) and
 * their derivatives by the markers' values x (nm, 3) to fx (3 nm)(3 nm); either may be NULL.
 * Markers are the point's position, then its vectors. */
void gos__solar_force(const gos_solar_point *p, double P, const double s[3], const double *x,
                      double *f, double *fx);
/** Markers besides the position of a kind. */
int gos__solar_vectors(gos_spread_kind kind);

#endif
