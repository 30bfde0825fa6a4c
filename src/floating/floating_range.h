/* Limits of validity of a floating body's equations. */
#ifndef GOS_FLOATING_RANGE_H
#define GOS_FLOATING_RANGE_H

#include "floating/floating.h"

/* Reference data of the body with fixed frame. */
struct gos_floating_limits {
    int nmode, nform;
    double omega; // lowest frequency [rad/s]
    // zeroth order: stiffness by unit section force of each form, relative to that of the modes;
    // (nmode, nmode) blocks (nform)
    const double *shape;
    // stiffness reduction by the moments of unit load fields on the mass, likewise, in blocks
    // (GOS_FLEX_MOMENTS); NULL: none
    const double *left;
    double gravity[3]; // [m/s^2]
    int nheated, nt;   // numbers of modes and temperatures of ...
    // ... stress stiffness relative to their own, (nheated, nheated) each (nt)
    const double *heated;
};

/** Compute f->limits from f->flex, in the builder's arena. */
gos_status gos__floating_limits(gos_builder *b, gos_floating_body *f);
/** gos_body_ops.range of bodies whose data begin with their gos_floating_body. */
void gos__floating_range(const gos_body *b, const double *e, const double *v, const double *th,
                         gos_body_range *r);

#endif
