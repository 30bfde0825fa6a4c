/* The angle of a hinge, from three vectors that depend linearly on the coordinates: how far g,
   which turns with one body, is turned against f, which turns with the other, about the axis e. */
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

/** The angle from f to g about e, all projected onto the plane normal to e:
 *      tan(angle) = |e| e . (f x g) / (e.e f.g - e.f e.g),
 *  whatever the lengths of the vectors. @return false where a projection vanishes: angle and
 *  derivatives are 0 then. */
bool gos__hinge_angle(const double x[9], gos_hinge_angle *a);
/** Angle in the turn nearest to `near` [rad]. */
double gos__hinge_unwrap(double angle, double near);

/** Resolve the two places of `between`, which must be two bodies or a body and the ground. *nodes:
 * how many nodes the edges of plates among them have, 1 without; NULL: edges are refused. */
gos_status gos__hinge_places(gos_builder *b, const gos_texts *between, gos_loc loc,
                             const char *object, gos_place p[2], int *nodes);
/** Places of node k of `nodes`, from those of the whole hinge. */
void gos__hinge_node(const gos_place all[2], int k, int nodes, gos_place p[2]);
/** Markers e, f (first place), g (second place) of a hinge whose axis is the unit vector `axis` at
 * t = 0, and the angle there, which counts as 0. The axis turns with a place that can carry it;
 * where none can (two cables) it stays fixed in space. *carrier (may be NULL): which place it turns
 * with, or -1. */
gos_status gos__hinge_make(gos_builder *b, const gos_texts *between, const gos_place p[2],
                           const double axis[3], const char *object, gos_marker m[3],
                           double *angle0, int *carrier);

#endif
