/* Limits of validity of floating bodies. */
#ifndef GOS_FLOATING_RANGE_H
#define GOS_FLOATING_RANGE_H

#include "floating/floating.h"

/* Data of the body with fixed frame. */
struct gos_floating_limits {
    int nmode, nform;
    double omega; // lowest frequency [rad/s]
    // zeroth order: stiffness by unit section forces relative to that of modes (nmode, nmode), per
    // form (nform)
    const double *shape;
    // stiffness reduction by moments of unit load fields on the mass, likewise (GOS_FLEX_MOMENTS);
    // NULL: none
    const double *left;
    double gravity[3]; // [m/s^2]
    int nheated, nt;   // modes, temperatures ...
    // ... thermal stiffness relative to their own, (nheated, nheated) each (nt)
    const double *heated;
};

/** Compute f->limits, in the builder's arena. */
gos_status gos__floating_limits(gos_builder *b, gos_floating_body *f);
/** gos_body_ops.range. */
void gos__floating_range(const gos_body *b, const double *e, const double *v, const double *th,
                         gos_body_range *r);

#endif
