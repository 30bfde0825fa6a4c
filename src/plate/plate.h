/* Body type ancf_plate, and what its files share. */
#ifndef GOS_PLATE_H
#define GOS_PLATE_H

#include "plate/plate_law.h"
#include "math/quad_shapes.h"

extern const gos_type gos__body_plate;

/* A line of sides of elements, straight, from node to node. */
typedef struct gos_plate_edge {
    const char *name; // "edge.x0", "edge.rim"
    int n;            // sides
    const int *node;  // (n + 1)
    double along[2];  // unit vector from the first to the last node, in the plate's axes
    double across[2]; // across it: away from the plate or into it, as the edge's kind has it
} gos_plate_edge;

typedef struct gos_plate_plies gos_plate_plies; // plate_plies.h

/* A flat mesh of convex quadrilaterals; node i has the vector coordinates r, r_x, r_y, 3 i + 0, 1,
   2 from the body's first. x and y are lengths in the plane at t = 0. */
typedef struct gos_plate {
    double corner[3];     // where x = y = 0, at t = 0 [m]
    double e[2][3], n[3]; // unit vectors along x and y, normal e_x x e_y, at t = 0 [-]
    int nnode, ncell;
    double (*x)[2];       // nodes [m] (nnode)
    int *cell;            // nodes of the elements, counter-clockwise (ncell, 4)
    int ne[2];            // elements along both sides of the outline, node (i, j) has the index
                          // (ne[0] + 1) j + i and element (i, j) ne[0] j + i; 0: no such rows
    bool rectangle;       // ne[0] x ne[1] equal rectangles
    double side[2], h[2]; // rectangle: sides of the plate and of an element [m]
    bool alike;           // all elements have the same shape
    double lo[2], hi[2];  // smallest rectangle around all nodes [m]
    double area;          // [m^2]
    int nedge;
    const gos_plate_edge *edge; // (nedge)
    int order;                  // rectangle: Gauss points in each direction
    double thickness;           // [m]
    double mass;                // per area [kg/m^2]
    bool rates;                 // forces or heat depend on rates of strain
    gos_plate_par par;          // of one isotropic material
    gos_plate_plies *plies;     // else; NULL
} gos_plate;

/* plate_locking.c */
/** How large membrane forces are that an element bent like this makes without any load, by strains
 * of the law at a place [N/m]. */
double gos__plate_locking(const gos_body *body, const double *strain);

/* plate_mesh.c */

/* What a model says of the mesh. */
typedef struct gos_plate_mesh_def {
    double corner[3], x[3], y[3];          // rectangle
    const gos_node *corners;               // quadrilateral
    double elements[2];                    // of either
    const gos_node *nodes, *quads, *edges; // list
} gos_plate_mesh_def;

/** Fill all of the plate but its order and law. @return GOS_E_INPUT with what is wrong, and
 * where. */
gos_status gos__plate_mesh(gos_builder *b, const gos_plate_mesh_def *d, const gos_node *entry,
                           const char *object, gos_plate *c);

/* plate_element.c */

#define GOS_PLATE_POINTS 64 // most points of a rule

/* A point of an element. */
typedef struct gos_plate_point {
    double xi[2]; // in the unit square that bilinear functions map to the element
    double x[2];  // [m]
    double w;     // area that it stands for [m^2]
} gos_plate_point;

/* An element, prepared. */
typedef struct gos_plate_element {
    const gos_plate *plate;
    int cell;
    double x[4][2]; // corners [m]
    gos_quad quad;  // not of a rectangle
} gos_plate_element;

void gos__plate_element(const gos_plate *c, int cell, gos_plate_element *e);
/** Points for integrals over the element, of strain energy (exact: false) or of products
 *  of two functions. @return their number */
int gos__plate_rule(const gos_plate_element *e, bool exact, gos_plate_point p[GOS_PLATE_POINTS]);
/** n x n Gauss points in the unit square of the bilinear map. */
int gos__plate_gauss(const gos_plate_element *e, int n, gos_plate_point *p);
/** The 12 functions of the corners' positions and slopes, and derivatives (rows GOS_SHAPE ...). */
void gos__plate_shapes_at(const gos_plate_element *e, const gos_plate_point *p, double S[6][12]);
/** The element at (x, y) and the point in it: the nearest where it is outside by rounding.
 *  @return how far outside it is, over the size of that element; 0 or less: inside */
double gos__plate_find(const gos_plate *c, double x, double y, gos_plate_element *e,
                       gos_plate_point *p);

/* plate_points.c */

/** Points of elements (n; NULL: all, and heat acts on them) with a law and its parameters, which
 * live as long as the system. */
gos_status gos__plate_points(gos_builder *b, const gos_body *body, const gos_law *law,
                             const void *par, bool rates, int n, const int *cell);
/** Add the symmetric v (n, n) at the coordinates idx. */
gos_status gos__plate_matrix(gos_builder *b, gos_triplets *to, int n, const int *idx,
                             const double *v);
/** int N N and int grad N . grad N of the bilinear functions of an element. */
void gos__plate_bilinear(const gos_plate_element *e, double m[16], double g[16]);
/** The same with the gradients' products along axes, (xx, yy, xy + yx). */
void gos__plate_bilinear_by(const gos_plate_element *e, double m[16], double g[3][16]);

/* plate_place.c */
extern const gos_body_ops gos__plate_ops;

/* plate_fields.c */
/** gos_body_ops.fields: products of Legendre polynomials along x and y. */
gos_status gos__plate_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
