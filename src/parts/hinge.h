/* Hinge angle from three vectors linear in the coordinates: rotation about the axis e of g (second
 * body) relative to f (first body). */
#ifndef GOS_HINGE_H
#define GOS_HINGE_H

#include "parts/parts.h"

#define GOS_HINGE_MARKERS 3 // e, f, g

/* Angle and its derivatives with respect to x = (e, f, g). */
typedef struct gos_hinge_angle {
    double angle;   // in (-pi, pi] [rad]
    double dx[9];   // d angle / dx
    double dxx[81]; // second derivatives, symmetric
} gos_hinge_angle;

/** Angle from f to g about e, projected onto the plane normal to e: tan(angle) = |e| e . (f x g) /
 * (e.e f.g - e.f e.g), for vectors of any length. @return false if a projection vanishes; angle and
 * derivatives are then 0. */
bool gos__hinge_angle(const double x[9], gos_hinge_angle *a);
/** Angle plus the multiple of 2 pi closest to `near` [rad]. */
double gos__hinge_unwrap(double angle, double near);

/** Resolves the two places of `between`: two bodies, or a body and the ground. *nodes: number of
 * nodes of plate edges among them, 1 without edges; NULL: edges are rejected. */
gos_status gos__hinge_places(gos_builder *b, const gos_texts *between, gos_loc loc,
                             const char *object, gos_place p[2], int *nodes);
/** Places of node k of `nodes`, from those of the hinge. */
void gos__hinge_node(const gos_place all[2], int k, int nodes, gos_place p[2]);
/** Markers e, f (first place), g (second place) of a hinge with unit vector `axis` at t = 0, and
 * the angle there, which is the zero. The axis rotates with a place that can carry it, else (two
 * cables) it is fixed in space. *carrier (may be NULL): index of that place, or -1. */
gos_status gos__hinge_make(gos_builder *b, const gos_texts *between, const gos_place p[2],
                           const double axis[3], const char *object, gos_marker m[3],
                           double *angle0, int *carrier);

#endif
