/* Body type solid, and what its files share. */
#ifndef GOS_SOLID_H
#define GOS_SOLID_H

#include "solid/solid_law.h"
#include "mesh/mesh.h"
#include "mesh/shapes.h"

extern const gos_type gos__body_solid;

/* What is of one material. */
typedef struct gos_solid_part {
    const gos_material *material;
    gos_solid_par par;
} gos_solid_part;

/* Elements of one shape and part, in a row. */
typedef struct gos_solid_block {
    gos_cell_shape shape;
    int part;
    int n, nodes; // elements, nodes of each
    int *node;    // nodes of the body (n, nodes)
    int first;    // number of the first among all elements
} gos_solid_block;

/* A side of an element. */
typedef struct gos_solid_side {
    int block, e, side;
} gos_solid_side;

/* A named set of nodes or a named surface. */
typedef struct gos_solid_set {
    const char *name;
    int n;
    int *node;            // (n)
    double *w;            // shares of its nodes in means, of surfaces by area; their sum is 1 (n)
    double x[3];          // mean place at t = 0 [m]
    double (*arm)[3];     // means of N_i d, d the places from the mean; of nodes w_i d_i [m] (n)
    double spread[9];     // pseudo-inverse of the mean of d d^T [1/m^2]
    int rank;             // of that matrix: 3, 2 (in a plane), 1, 0
    int nside;            // 0: of nodes
    gos_solid_side *side; // (nside)
    double area;          // [m^2]
} gos_solid_set;

/* An element that a node belongs to. */
typedef struct gos_solid_touch {
    int block, e, corner;
} gos_solid_touch;

/* A node as one of its materials is drawn there. */
typedef struct gos_solid_twin {
    int node, part;
} gos_solid_twin;

/* Node i has the vector coordinate of the body's first + i, and the temperature likewise. */
typedef struct gos_solid {
    int nnode;
    double (*x)[3];    // places at t = 0 [m] (nnode)
    double axis[3][3]; // of the body at t = 0
    int64_t *tag;      // numbers of nodes in the mesh, ascending (nnode)
    int nblock, ncell;
    gos_solid_block *block; // (nblock)
    int nset;
    gos_solid_set *set; // (nset)
    int skin;           // which set all outer sides are, -1: none
    double volume;      // [m^3]
    int *points; // first block of points of each set and their number (nset, 2), then of the volume
    int npart;
    gos_solid_part *part; // (npart)
    int *touch_start;     // elements at each node: touch[touch_start[i]] ... (nnode + 1)
    gos_solid_touch *touch;
    int ntwin;            // drawn nodes behind those of the mesh: of several materials each
    gos_solid_twin *twin; // (ntwin)
} gos_solid;

/* What is known of a point of an element. */
typedef struct gos_solid_point {
    double N[GOS_CELL_NODES];
    double grad[GOS_CELL_NODES][3]; // of the functions, by place at t = 0 [1/m]
    double det;                     // volume by natural coordinates [m^3]
} gos_solid_point;

/** The point of element e of a block at natural coordinates. det <= 0: the element is turned inside
 * out there. */
void gos__solid_point(const gos_solid *c, const gos_solid_block *k, int e, const double at[3],
                      gos_solid_point *p);

/* solid_mesh.c */
/** Take over the solid cells of a mesh, turned and moved: all of *c but its parts. part_of: the
 * part of each cell of the mesh (ncell), NULL: the first. */
gos_status gos__solid_mesh(gos_builder *b, const gos_mesh *mesh, const int *part_of,
                           const double position[3], const double rotation[3], gos_loc loc,
                           const char *object, gos_solid *c);
/** Nodes of a side, in the order of its shape; returns the shape. */
gos_cell_shape gos__solid_side(const gos_solid *c, const gos_solid_side *s,
                               int node[GOS_CELL_SIDE_NODES]);
/** The skin for pictures: quadrilaterals of corners, of which triangles repeat the last one (ncell,
 * 4). */
gos_status gos__solid_skin(gos_arena *a, const gos_solid *c, int *ncell, int **cell);

/* solid_drawn.c */
/** The elements at each node. */
gos_status gos__solid_touches(gos_builder *b, gos_solid *c);
/** gos_body.turn of a body whose nodes begin at vector coordinate v0: of each node two others of an
 * element at it that show its rotation best. */
gos_status gos__solid_turns(gos_builder *b, const gos_solid *c, int v0, const int **turn);
/** The node of the mesh that a drawn one is. */
int gos__solid_node(const gos_solid *c, int drawn);
/** Let corners of its cells (body->ncell, 4) at which several materials meet be drawn once for each
 * of them. */
gos_status gos__solid_split(gos_builder *b, gos_solid *c, gos_body *body, int *cell);

/* solid_place.c */
extern const gos_body_ops gos__solid_ops;

/* solid_points.c */
/** The points of all elements. */
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
/** What conductivities and specific heats that depend on the temperature do beyond those at the
 * reference. */
gos_status gos__solid_add_heat(gos_builder *b, const gos_body *body, const char *object);

#define GOS_SOLID_FIELDS 120 // most polynomials

/* solid_fields.c */
/** gos_body_ops.fields: products of Legendre polynomials along the axes, on the nodes of the mesh
 * alone. */
gos_status gos__solid_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
