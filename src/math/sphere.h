/* What a plane element sees of a sphere, in the form in which surfaces absorb light of one
 * direction (heat/directed.c). */
#ifndef GOS_SPHERE_H
#define GOS_SPHERE_H

/** View factor of a plane element to a sphere: c, the cosine of the angle between its normal and
 * the sphere's centre; u, radius over distance of the centre, 0 < u < 1. *d (may be NULL): its
 * derivative by c. */
double gos__sphere_factor(double c, double u, double *d);
/** The even function A(c) for which that factor is u^2 (A(c) + c)/2: |c| where the plane does not
 * cut the sphere, and rounded between -u and u. *d as above. */
double gos__sphere_even(double c, double u, double *d);
/** A(p cos phi) integrated over a quarter of a circle: p where u is 0. *d: its derivative by p >=
 * 0. */
double gos__sphere_around(double p, double u, double *d);

#endif
