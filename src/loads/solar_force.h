/* Radiation pressure at a surface point (theory guide, Pressure of sunlight). */
#ifndef GOS_SOLAR_FORCE_H
#define GOS_SOLAR_FORCE_H

#include "parts/spread.h"

/* Optical properties; the rest to 1 is absorbed. */
typedef struct gos_optics {
    double specular, diffuse; // specular and Lambertian reflected parts [-]
    // Lambertian emission: diffuse part plus immediately re-emitted part [-]
    double normal;
    double smoothing; // rounds the kink of edge-on surfaces [-]
} gos_optics;

typedef struct gos_solar_point {
    gos_spread at; // uses the item's markers
    gos_optics optics;
} gos_solar_point;

/** Add radiation forces for pressure P and unit vector s to the Sun to f (3 nm), and derivatives
 * with respect to marker values x (nm, 3) to fx (3 nm)(3 nm); either may be NULL. Markers:
 * position, then the point's vectors. */
void gos__solar_force(const gos_solar_point *p, double P, const double s[3], const double *x,
                      double *f, double *fx);
/** Markers besides the position. */
int gos__solar_vectors(gos_spread_kind kind);

#endif
