/* Hinge angle: rotation about e of g (second body) relative to f (first body); vectors linear in
 * the coordinates. */
#ifndef GOS_HINGE_H
#define GOS_HINGE_H

#include "parts/builder.h"

#define GOS_HINGE_MARKERS 3 // e, f, g

typedef struct gos_hinge_angle {
    double angle; // in (-pi, pi] [rad]
    double dx[9];
    double dxx[81]; // second derivatives, symmetric
} gos_hinge_angle;

/** Angle from f to g about e: tan(angle) = |e| e . (f x g) / (e.e f.g - e.f e.g). @return false if
 * a projection normal to e vanishes; angle and derivatives are then 0. */
bool gos__hinge_angle(const double x[9], gos_hinge_angle *a);
/** Angle plus a multiple of 2 pi, closest to `near` [rad]. */
double gos__hinge_unwrap(double angle, double near);

/** Resolves `between`: two bodies, or a body and the ground. *nodes: nodes of plate edges, 1
 * without; NULL: edges are rejected. */
gos_status gos__hinge_locations(gos_builder *b, const gos_texts *between, gos_loc loc,
                                const char *object, gos_location p[2], int *nodes);
/** Places of node k of `nodes` of the hinge. */
void gos__hinge_node(const gos_location all[2], int k, int nodes, gos_location p[2]);
/** Markers e, f (first location), g (second location) for the unit vector `axis` at t = 0, and the
 * angle there. The axis rotates with a location that can carry it; *carrier (may be NULL): its
 * index, or -1 if the axis is fixed in space (two cables). */
gos_status gos__hinge_make(gos_builder *b, const gos_texts *between, const gos_location p[2],
                           const double axis[3], const char *object, gos_marker m[3],
                           double *angle0, int *carrier);

#endif
