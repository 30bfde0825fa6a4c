/* Body type ancf_plate; shared by its files. */
#ifndef GOS_PLATE_H
#define GOS_PLATE_H

#include "parts/builder.h"
#include "plate/plate_law.h"
#include "math/quad_shapes.h"

extern const gos_type gos__body_plate;

/* Straight chain of element sides. */
typedef struct gos_plate_edge {
    const char *name; // "edge.x0", "edge.rim"
    int n;            // sides
    const int *node;  // (n + 1)
    double along[2];  // first to last node, plate axes
    double across[2]; // in-plane unit normal; sign depends on the kind of edge
} gos_plate_edge;

typedef struct gos_plate_plies gos_plate_plies; // plate_plies.h

/* Flat mesh of convex quadrilaterals. Node i has r, r_x, r_y at vector coordinates 3 i, 3 i + 1, 3
 * i + 2 of the body. x, y are lengths in the plane at t = 0. */
typedef struct gos_plate {
    double corner[3];     // x = y = 0 at t = 0 [m]
    double e[2][3], n[3]; // along x and y, normal e_x x e_y, at t = 0
    int nnode, ncell;
    double (*x)[2]; // (nnode) in the plane [m]
    int *cell;      // (ncell, 4) nodes, counter-clockwise
    // along both sides; node (i, j): (ne[0] + 1) j + i, element (i, j): ne[0] j + i; 0:
    // unstructured
    int ne[2];
    bool rectangle;       // ne[0] x ne[1] equal rectangles
    double side[2], h[2]; // rectangle: of the plate and an element [m]
    bool alike;           // equal elements
    double lo[2], hi[2];  // bounding rectangle [m]
    double area;          // [m^2]
    int nedge;
    const gos_plate_edge *edge; // (nedge)
    int order;                  // rectangle: Gauss points per direction
    double thickness;           // [m]
    double mass;                // per area [kg/m^2]
    bool rates;                 // strain rates are needed
    gos_plate_par par;          // isotropic material
    gos_plate_plies *plies;     // others; or NULL
} gos_plate;

/* plate_mesh.c */

typedef struct gos_plate_mesh_def {
    double corner[3], x[3], y[3];          // rectangle
    const gos_node *corners;               // quadrilateral
    double elements[2];                    // of either one
    const gos_node *nodes, *quads, *edges; // lists
} gos_plate_mesh_def;

/** Sets all fields but order and law. @return GOS_E_INPUT for invalid meshes. */
gos_status gos__plate_mesh(gos_builder *b, const gos_plate_mesh_def *d, const gos_node *entry,
                           const char *object, gos_plate *c);

/* plate_element.c */

#define GOS_PLATE_POINTS 64 // maximum of a rule

typedef struct gos_plate_point {
    double xi[2]; // in the unit square
    double x[2];  // [m]
    double w;     // weight: area [m^2]
} gos_plate_point;

typedef struct gos_plate_element {
    const gos_plate *plate;
    int cell;
    double x[4][2]; // corners [m]
    gos_quad quad;  // unless rectangular
} gos_plate_element;

void gos__plate_element(const gos_plate *c, int cell, gos_plate_element *e);
/** Points for strain energy (exact: false) or products of two functions. @return their number */
int gos__plate_rule(const gos_plate_element *e, bool exact, gos_plate_point p[GOS_PLATE_POINTS]);
/** n x n Gauss points in the unit square. */
int gos__plate_gauss(const gos_plate_element *e, int n, gos_plate_point *p);
/** The 12 functions of corner positions and slopes, and derivatives (rows GOS_SHAPE ...). */
void gos__plate_shapes_at(const gos_plate_element *e, const gos_plate_point *p, double S[6][12]);
/** Element at (x, y) and the point in it. @return distance outside over the element's size; <= 0:
 * inside */
double gos__plate_find(const gos_plate *c, double x, double y, gos_plate_element *e,
                       gos_plate_point *p);

/* plate_points.c */

/** Adds points of n elements (NULL: all, with heat); the law's parameters live as long as the
 * system. */
gos_status gos__plate_points(gos_builder *b, const gos_body *body, const gos_law *law,
                             const void *par, bool rates, int n, const int *cell);
/** Adds the symmetric matrix v (n, n) at coordinates idx. */
gos_status gos__plate_matrix(gos_builder *b, gos_triplets *to, int n, const int *idx,
                             const double *v);
/** int N N and int grad N . grad N of the bilinear functions. */
void gos__plate_bilinear(const gos_plate_element *e, double m[16], double g[16]);
/** Likewise with gradient products by axes (xx, yy, xy + yx). */
void gos__plate_bilinear_by(const gos_plate_element *e, double m[16], double g[3][16]);

/* plate_location.c */
extern const gos_body_ops gos__plate_ops;

/* plate_fields.c */
/** gos_body_ops.fields: Legendre products along x and y. */
gos_status gos__plate_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
