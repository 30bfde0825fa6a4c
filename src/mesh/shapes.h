/* Shape functions of cells and points of quadrature, in natural coordinates: each in [-1, 1] of
   lines, quadrilaterals and hexahedra; the area or volume coordinates of nodes 2, 3 (and 4) of
   triangles and tetrahedra; of wedges those two of the triangle, then [-1, 1] from the bottom to
   the top. */
#ifndef GOS_SHAPES_H
#define GOS_SHAPES_H

#include "mesh/mesh.h"

#define GOS_RULE_POINTS 27 // most points of a rule

/* What a rule is for. The degrees of polynomials that are integrated exactly are in each natural
   coordinate of lines, quadrilaterals and hexahedra, together in those of triangles and
   tetrahedra. */
typedef enum gos_rule_use {
    GOS_RULE_STIFFNESS, // products of derivatives, exact where the sides are straight and parallel
    GOS_RULE_MASS,      // products of the functions: mass, capacity, film, loads
    GOS_RULE_REDUCED // one point less in each direction: quad8, hex20, wedge15; wedge6: two on its
                     // axis; others as stiffness
} gos_rule_use;

typedef struct gos_rule {
    int n;
    double at[GOS_RULE_POINTS][3];  // natural coordinates, 0 beyond the dimension
    double weight[GOS_RULE_POINTS]; // sum: length, area or volume of the natural cell
} gos_rule;

/** Points of a shape, of a point one. */
void gos__rule(gos_cell_shape shape, gos_rule_use use, gos_rule *rule);
/** Natural coordinates of the nodes, 0 beyond the dimension. */
void gos__shape_nodes(gos_cell_shape shape, double at[GOS_CELL_NODES][3]);
/** Functions of the nodes at `at` and, where dN is not NULL, their derivatives by the natural
 * coordinates (0 beyond the dimension). */
void gos__shape(gos_cell_shape shape, const double at[3], double N[GOS_CELL_NODES],
                double dN[GOS_CELL_NODES][3]);
/** Derivatives of the n functions by place, from those by the natural coordinates, in a cell with
 * nodes at x: of solids (dim 3), or in the plane (dim 2: x and y). Left alone where the determinant
 * vanishes.
 *  @return determinant of the places by the natural coordinates */
double gos__shape_gradient(int dim, int n, double (*x)[3], double (*dN)[3], double (*grad)[3]);
/** Area (of lines: length) by natural coordinates of a side in space with n nodes at x, and its
 * unit normal: of surfaces by the right-hand rule of their nodes, of lines in the plane z = 0 on
 * the right of their direction. */
double gos__shape_normal(int dim, int n, double (*x)[3], double (*dN)[3], double normal[3]);

#endif
