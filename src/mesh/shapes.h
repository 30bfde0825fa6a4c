/* Shape functions and quadrature rules of cells in natural coordinates: [-1, 1] for lines,
   quadrilaterals and hexahedra; area or volume coordinates of nodes 2, 3 (and 4) for triangles and
   tetrahedra; for wedges those two of the triangle, then [-1, 1] from bottom to top. */
#ifndef GOS_SHAPES_H
#define GOS_SHAPES_H

#include "mesh/mesh.h"

#define GOS_RULE_POINTS 35 // largest number of points

/* Purpose of a rule. Degrees of exactness are per natural coordinate for lines, quadrilaterals and
   hexahedra, and total for triangles and tetrahedra. */
typedef enum gos_rule_use {
    GOS_RULE_STIFFNESS, // products of derivatives, exact for straight, parallel sides
    GOS_RULE_MASS,      // products of functions: mass, capacity, film, loads
    // one point less per direction: quad8, hex20, wedge15; wedge6: two on its axis; others as
    // stiffness
    GOS_RULE_REDUCED,
    // mass of the same cells: quad8 and hex20 0.999 of the reduced rule and 0.001 of that of mass,
    // which makes the matrix of one cell regular; others as mass
    GOS_RULE_REDUCED_MASS
} gos_rule_use;

typedef struct gos_rule {
    int n;
    double at[GOS_RULE_POINTS][3];  // natural coordinates, 0 beyond the dimension
    double weight[GOS_RULE_POINTS]; // sum: length, area or volume of the natural cell
} gos_rule;

/** Quadrature rule of a shape; one point for a point. */
void gos__rule(gos_cell_shape shape, gos_rule_use use, gos_rule *rule);
/** Natural coordinates of the nodes, 0 beyond the dimension. */
void gos__shape_nodes(gos_cell_shape shape, double at[GOS_CELL_NODES][3]);
/** Shape functions at `at` and, if dN is not NULL, derivatives by natural coordinates (0 beyond the
 * dimension). */
void gos__shape(gos_cell_shape shape, const double at[3], double N[GOS_CELL_NODES],
                double dN[GOS_CELL_NODES][3]);
/** Spatial derivatives of the n functions from those by natural coordinates, in a cell with nodes
 * at x: solids (dim 3), or in the plane (dim 2: x and y). grad is unchanged if the determinant
 * vanishes. @return determinant of the positions by natural coordinates */
double gos__shape_gradient(int dim, int n, double (*x)[3], double (*dN)[3], double (*grad)[3]);
/** Area (lines: length) per natural coordinates of a side in space with n nodes at x, and its unit
 * normal: surfaces by the right-hand rule, lines in the plane z = 0 on the right of their
 * direction. */
double gos__shape_normal(int dim, int n, double (*x)[3], double (*dN)[3], double normal[3]);

#endif
