/* Interpolation on a rectangle by values and both slopes at its corners. */
#ifndef GOS_PLATE_SHAPES_H
#define GOS_PLATE_SHAPES_H

enum { GOS_SHAPE, GOS_SHAPE_1, GOS_SHAPE_2, GOS_SHAPE_11, GOS_SHAPE_22, GOS_SHAPE_12 };

/** The 12 functions (theory 2.7) of an element a x b [m] at xi = x/a, eta = y/b in [0, 1]: for each
 * corner in the order (0,0), (a,0), (a,b), (0,b) those of the value, the slope by x, the slope by
 * y.
 * @param S  [out] rows GOS_SHAPE ... GOS_SHAPE_12: values and derivatives by x and y */
void gos__plate_shapes(double a, double b, double xi, double eta, double S[6][12]);

#endif
