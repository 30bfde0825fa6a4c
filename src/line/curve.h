/* Initial axes of line bodies by arc length. */
#ifndef GOS_CURVE_H
#define GOS_CURVE_H

#include "parts/builder.h"

typedef struct gos_curve gos_curve;

struct gos_curve {
    double length; // [m]
    /* position [m] and unit tangent, 0 <= s <= length */
    void (*at)(const gos_curve *c, double s, double x[3], double t[3]);
    union {
        struct {
            // e1 to the start, e2 tangent there
            double centre[3], e1[3], e2[3], radius;
        } arc;
        struct {
            int n;       // points
            double *x;   // (n, 3)
            double *dd;  // (n, 3) second derivatives by u
            double *u;   // (n) cumulative chord length [m]
            double *len; // (n) arc length
        } spline;
        struct {
            // start, unit vectors across and against gravity
            double from[3], along[3], up[3];
            // horizontal force per weight per length, lowest point [m]
            double a, low;
        } hanging;
    } as;
};

/** Circle through three points. @return false if they are collinear. */
bool gos__curve_arc(const double from[3], const double by[3], const double to[3], gos_curve *c);
/** C2 cubic spline through n >= 3 points, not-a-knot ends (three points: parabola). x (n, 3) is
 * kept; consecutive points must differ. @return GOS_E_MEMORY. */
gos_status gos__curve_spline(gos_arena *a, int n, double *x, gos_curve *c);
/** Catenary of this length [m] in the field `gravity`. @return false if one point is above the
 * other, or too far away. */
bool gos__curve_hanging(const double from[3], const double to[3], double length,
                        const double gravity[3], gos_curve *c);

#endif
