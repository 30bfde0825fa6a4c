/* Body type solid; data and functions shared by its files. */
#ifndef GOS_SOLID_H
#define GOS_SOLID_H

#include "solid/solid_law.h"
#include "mesh/mesh.h"
#include "mesh/shapes.h"

extern const gos_type gos__body_solid;

/* Cells of one material. */
typedef struct gos_solid_part {
    const gos_material *material;
    gos_solid_par par;
} gos_solid_part;

/* Elements of one shape and part. */
typedef struct gos_solid_block {
    gos_cell_shape shape;
    int part;
    int n, nodes; // elements, nodes per element
    int *node;    // (n, nodes) nodes of the body
    int first;    // index of the first one among all elements
} gos_solid_block;

typedef struct gos_solid_side {
    int block, e, side;
} gos_solid_side;

/* A named set of nodes or surface. */
typedef struct gos_solid_set {
    const char *name;
    int n;
    int *node;        // (n)
    double *w;        // (n) weights of the mean, by area for surfaces; sum 1
    double x[3];      // mean position at t = 0 [m]
    double (*arm)[3]; // (n) means of N_i d, d: position from the mean; for node sets w_i d_i [m]
    double spread[9]; // pseudo-inverse of the mean of d d^T [1/m^2]
    int rank;         // of that matrix: 3, 2 (in a plane), 1, 0
    int nside;        // 0: set of nodes
    gos_solid_side *side; // (nside)
    double area;          // [m^2]
} gos_solid_set;

/* An element at a node. */
typedef struct gos_solid_touch {
    int block, e, corner;
} gos_solid_touch;

/* A drawn copy of a node for one of its materials. */
typedef struct gos_solid_twin {
    int node, part;
} gos_solid_twin;

/* Node i has vector coordinate i and temperature i from the body's first. */
typedef struct gos_solid {
    int nnode;
    double (*x)[3];    // (nnode) positions at t = 0 [m]
    double axis[3][3]; // body axes at t = 0
    int64_t *tag;      // (nnode) node numbers of the mesh, ascending
    int nblock, ncell;
    gos_solid_block *block; // (nblock)
    int nset;
    gos_solid_set *set; // (nset)
    int skin;           // set of all outer sides, -1: none
    double volume;      // [m^3]
    int *points; // (nset, 2) first block of points of each set and their number, then of the volume
    int npart;
    gos_solid_part *part; // (npart)
    int *touch_start;     // (nnode + 1) elements at node i: touch[touch_start[i]] ...
    gos_solid_touch *touch;
    int ntwin;            // drawn copies of nodes with several materials, after the mesh nodes
    gos_solid_twin *twin; // (ntwin)
} gos_solid;

/* Shape data at a point of an element. */
typedef struct gos_solid_point {
    double N[GOS_CELL_NODES];
    double grad[GOS_CELL_NODES][3]; // shape function gradients by position at t = 0 [1/m]
    double det;                     // Jacobian determinant [m^3]
} gos_solid_point;

/** Point of element e of a block at natural coordinates. det <= 0: the element is inverted
 * there. */
void gos__solid_point(const gos_solid *c, const gos_solid_block *k, int e, const double at[3],
                      gos_solid_point *p);

/* solid_mesh.c */
/** Copies the solid cells of a mesh, rotated and moved; sets all of *c but its parts. part_of:
 * (ncell) part of each mesh cell, NULL: the first for all. */
gos_status gos__solid_mesh(gos_builder *b, const gos_mesh *mesh, const int *part_of,
                           const double position[3], const double rotation[3], gos_loc loc,
                           const char *object, gos_solid *c);
/** Nodes of a side, in the order of its shape. @return the shape */
gos_cell_shape gos__solid_side(const gos_solid *c, const gos_solid_side *s,
                               int node[GOS_CELL_SIDE_NODES]);
/** Skin for pictures: (ncell, 4) corner quadrilaterals; triangles repeat the last corner. */
gos_status gos__solid_skin(gos_arena *a, const gos_solid *c, int *ncell, int **cell);

/* solid_drawn.c */
/** Lists the elements at each node. */
gos_status gos__solid_touches(gos_builder *b, gos_solid *c);
/** gos_body.turn of a body whose nodes begin at vector coordinate v0: two other nodes of an element
 * at each node, chosen to represent its rotation best. */
gos_status gos__solid_turns(gos_builder *b, const gos_solid *c, int v0, const int **turn);
/** Mesh node of a drawn node. */
int gos__solid_node(const gos_solid *c, int drawn);
/** Gives corners of its cells (body->ncell, 4) with several materials one drawn node per
 * material. */
gos_status gos__solid_split(gos_builder *b, gos_solid *c, gos_body *body, int *cell);

/* solid_place.c */
extern const gos_body_ops gos__solid_ops;

/* solid_points.c */
/** Adds the points of all elements. */
gos_status gos__solid_add_points(gos_builder *b, const gos_body *body);
/** gos_body_ops.surface. */
gos_status gos__solid_surface(gos_builder *b, const gos_body *body, const gos_place *p, bool inside,
                              int *first, int *n);

/** gos_body_ops.sees_itself. */
gos_status gos__solid_sees_itself(gos_ctx *ctx, const gos_body *body, const gos_place *p,
                                  double *part);

/* solid_spread.c */
/** gos_body_ops.spread. */
gos_status gos__solid_spread(gos_builder *b, const gos_body *body, const gos_place *p,
                             const gos_spread_to *to);

/* solid_heat.c */
/** Adds the conduction and heat capacity by which temperature-dependent properties differ from the
 * reference. */
gos_status gos__solid_add_heat(gos_builder *b, const gos_body *body, const char *object);

#define GOS_SOLID_FIELDS 120 // maximum number of polynomials

/* solid_fields.c */
/** gos_body_ops.fields: Legendre products along the axes, on the mesh nodes. */
gos_status gos__solid_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
