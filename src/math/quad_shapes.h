/* Interpolation on a convex quadrilateral: C1 by values and slopes at corners, and bilinear. */
#ifndef GOS_QUAD_SHAPES_H
#define GOS_QUAD_SHAPES_H

#include <stdbool.h>

/* Interpolation on a rectangle by values and both slopes at its corners. */
enum { GOS_SHAPE, GOS_SHAPE_1, GOS_SHAPE_2, GOS_SHAPE_11, GOS_SHAPE_22, GOS_SHAPE_12 };

/** The 12 functions (theory 2.7) of an element a x b [m] at xi = x/a, eta = y/b in [0, 1]: for each
 * corner in the order (0,0), (a,0), (a,b), (0,b) those of the value, the slope by x, the slope by
 * y.
 * @param S  [out] rows GOS_SHAPE ... GOS_SHAPE_12: values and derivatives by x and y */
void gos__plate_shapes(double a, double b, double xi, double eta, double S[6][12]);

/* A quadrilateral, cut by its diagonals into four triangles (centre, corner i, corner i + 1). */
typedef struct gos_quad {
    double x[4][2];        // corners, counter-clockwise [m]
    double centre[2];      // intersection of the diagonals [m]
    double grad[4][3][2];  // of each triangle: gradients of its barycentric coordinates [1/m]
    double area[4];        // of each triangle [m^2]
    double net[4][10][12]; // of each triangle: Bernstein coefficients of the 12 functions
} gos_quad;

/** Prepare a convex quadrilateral with corners x. */
void gos__quad_make(const double x[4][2], gos_quad *q);
/** The 12 functions at barycentric coordinates l of triangle t, ordered as in gos__plate_shapes:
 * value, slope by x, slope by y of each corner. C1 over a mesh, complete to degree 2.
 *  @param S [out] rows GOS_SHAPE ... GOS_SHAPE_12: values and derivatives by x and y */
void gos__quad_shapes(const gos_quad *q, int t, const double l[3], double S[6][12]);
/** Triangle that contains x, and its barycentric coordinates l. */
int gos__quad_triangle(const gos_quad *q, const double x[2], double l[3]);

/** Bilinear functions N of the corners at xi in the unit square, their derivatives dN by xi (2, 4);
 * either may be NULL. */
void gos__bilinear(const double xi[2], double N[4], double dN[2][4]);
/** Derivatives of the bilinear functions by x and y at xi, on the quadrilateral x. */
void gos__bilinear_gradient(const double x[4][2], const double xi[2], double grad[2][4]);
/** Inverse bilinear map of a point p of the convex quadrilateral x; outside only where the map is
 * invertible near the unit square. */
void gos__bilinear_inverse(const double x[4][2], const double p[2], double xi[2]);

/** Points of a triangle: barycentric coordinates l and weights w with sum 1, exact to degree 2 or 6
 * for n = 3 or 16. */
void gos__triangle_rule(int n, double l[][3], double w[]);

#endif
