/* View factors of plane elements to a sphere, in the form for absorption of directed light
 * (heat/directed.c). */
#ifndef GOS_SPHERE_H
#define GOS_SPHERE_H

/** View factor of a plane element to a sphere. c: cosine of the angle between its normal and the
 * direction of the centre; u: radius over distance of the centre, 0 < u < 1. *d (may be NULL):
 * derivative by c. */
double gos__sphere_factor(double c, double u, double *d);
/** The even function A(c) with view factor u^2 (A(c) + c)/2: |c| if the plane does not intersect
 * the sphere, smooth between -u and u. *d as above. */
double gos__sphere_even(double c, double u, double *d);
/** Integral of A(p cos phi) over a quarter circle: p for u = 0. *d: derivative by p >= 0. */
double gos__sphere_around(double p, double u, double *d);

#endif
