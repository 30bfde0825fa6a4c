/* Curves by their arc length: the initial axes of line bodies that are not straight. */
#ifndef GOS_CURVE_H
#define GOS_CURVE_H

#include "parts/parts.h"

typedef struct gos_curve gos_curve;

struct gos_curve {
    double length; // [m]
    /* position [m] and unit tangent at the arc length s from the start, 0 <= s <= length */
    void (*at)(const gos_curve *c, double s, double x[3], double t[3]);
    union {
        struct {
            double centre[3], e1[3], e2[3], radius; // e1 to the start, e2 the tangent there
        } arc;
        struct {
            int n;       // points
            double *x;   // (n, 3)
            double *dd;  // second derivatives by the parameter u (n, 3)
            double *u;   // parameter at the points: sum of the chords (n) [m]
            double *len; // arc length up to each point (n)
        } spline;
        struct {
            double from[3], along[3], up[3]; // start, unit vectors across and against gravity
            double a, low; // horizontal force per weight, where its lowest point is [m]
        } hanging;
    } as;
};

/** The circle through three points, from the first to the last.
 *  @return false when they are on a line. */
bool gos__curve_arc(const double from[3], const double by[3], const double to[3], gos_curve *c);
/** The curve through n >= 3 points, of two continuous derivatives: a cubic spline over the chords,
 * without a knot at the last point but one of either end (three points: a parabola). x: (n, 3),
 * kept; points that follow each other must differ. @return GOS_E_MEMORY. */
gos_status gos__curve_spline(gos_arena *a, int n, double *x, gos_curve *c);
/** The catenary of a cable of this length [m] that hangs between two points in the field `gravity`.
 *  @return false when the points are above each other, or further apart than the length. */
bool gos__curve_hanging(const double from[3], const double to[3], double length,
                        const double gravity[3], gos_curve *c);

#endif
