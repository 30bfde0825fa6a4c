/* How far states of a floating body are from what its equations hold for. */
#ifndef GOS_FLOATING_RANGE_H
#define GOS_FLOATING_RANGE_H

#include "floating/floating.h"

/* What is known of the body that its frame holds. */
struct gos_floating_limits {
    int nmode, nform;
    double omega;        // lowest frequency [rad/s]
    const double *shape; // of zeroth order: what the section force 1 of each form adds to the
                         // stiffness over that of modes (nmode, nmode), one after the other (nform)
    // what the moments of unit fields of load on the mass take from the stiffness likewise, one
    // after the other (GOS_FLEX_MOMENTS); NULL: nothing
    const double *left;
    double gravity[3];    // [m/s^2]
    int nheated, nt;      // modes, and temperatures, of ...
    const double *heated; // ... stiffness by stress over their own, (nheated, nheated) each (nt)
};

/** Fill f->limits from f->flex; in the builder's arena. */
gos_status gos__floating_limits(gos_builder *b, gos_floating_body *f);
/** gos_body_ops.range of bodies whose data begin with their gos_floating_body. */
void gos__floating_range(const gos_body *b, const double *e, const double *v, const double *th,
                         gos_body_range *r);

#endif
