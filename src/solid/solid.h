/* Body type solid; data and functions shared by its files. */
#ifndef GOS_SOLID_H
#define GOS_SOLID_H

#include "parts/builder.h"
#include "solid/solid_law.h"
#include "mesh/mesh.h"
#include "mesh/shapes.h"

extern const gos_type gos__body_solid;

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
    int first;    // first one among all elements
} gos_solid_block;

typedef struct gos_solid_side {
    int block, e, side;
} gos_solid_side;

typedef struct gos_solid_set {
    const char *name;
    int n;
    int *node;            // (n)
    double *w;            // (n) weights of the mean, by area for surfaces
    double x[3];          // mean position at t = 0 [m]
    double (*arm)[3];     // (n) means of N_i d, d: position from the mean; node sets w_i d_i [m]
    double spread[9];     // pseudo-inverse of the mean of d d^T [1/m^2]
    int rank;             // 3, 2 (planar), 1, 0
    int nside;            // 0: set of nodes
    gos_solid_side *side; // (nside)
    double area;          // [m^2]
} gos_solid_set;

typedef struct gos_solid_touch {
    int block, e, corner;
} gos_solid_touch;

/* A drawn copy of a node for one material. */
typedef struct gos_solid_twin {
    int node, part;
} gos_solid_twin;

/* Node i has vector and temperature coordinate i of the body. */
typedef struct gos_solid {
    int nnode;
    double (*x)[3];    // (nnode) positions at t = 0 [m]
    double axis[3][3]; // body axes at t = 0
    int64_t *tag;      // (nnode) mesh numbers, ascending
    int nblock, ncell;
    gos_solid_block *block; // (nblock)
    int nset;
    gos_solid_set *set; // (nset)
    int skin;           // set of all outer sides, or -1
    double volume;      // [m^3]
    int *points;        // (nset, 2) first block and number for each set, then the volume
    int npart;
    gos_solid_part *part; // (npart)
    int *touch_start;     // (nnode + 1) touch[touch_start[i]] ...: elements at node i
    gos_solid_touch *touch;
    int ntwin;            // after the mesh nodes
    gos_solid_twin *twin; // (ntwin)
} gos_solid;

typedef struct gos_solid_point {
    double N[GOS_CELL_NODES];
    double grad[GOS_CELL_NODES][3]; // by position at t = 0 [1/m]
    double det;                     // Jacobian determinant [m^3]
} gos_solid_point;

/** Evaluates a point of element e at natural coordinates. det <= 0: the element is inverted
 * there. */
void gos__solid_point(const gos_solid *c, const gos_solid_block *k, int e, const double at[3],
                      gos_solid_point *p);

/* solid_mesh.c */
/** Copies the solid cells of a mesh, moved; sets *c but its parts. part_of (ncell): NULL: the
 * first. */
gos_status gos__solid_mesh(gos_builder *b, const gos_mesh *mesh, const int *part_of,
                           const double position[3], const double rotation[3], gos_loc loc,
                           const char *object, gos_solid *c);
/** Finds the nodes of a side, in the order of its shape. @return the shape */
gos_cell_shape gos__solid_side(const gos_solid *c, const gos_solid_side *s,
                               int node[GOS_CELL_SIDE_NODES]);
/** Skin for pictures: (ncell, 4) corners; triangles repeat the last one. */
gos_status gos__solid_skin(gos_arena *a, const gos_solid *c, int *ncell, int **cell);

/* solid_fields.c */
gos_status gos__solid_touches(gos_builder *b, gos_solid *c);
/** gos_body.turn for nodes from vector coordinate v0: two other nodes of an element that represent
 * each node's rotation best. (solid_mesh.c) */
gos_status gos__solid_turns(gos_builder *b, const gos_solid *c, int v0, const int **turn);
/** Mesh node of a drawn node. */
int gos__solid_node(const gos_solid *c, int drawn);
/** Makes one drawn node per material at corners (body->ncell, 4) with several materials. */
gos_status gos__solid_split(gos_builder *b, gos_solid *c, gos_body *body, int *cell);

/* solid_location.c */
extern const gos_body_ops gos__solid_ops;

/* solid_points.c */
gos_status gos__solid_add_points(gos_builder *b, const gos_body *body);
/** gos_body_ops.surface. */
gos_status gos__solid_surface(gos_builder *b, const gos_body *body, const gos_location *p,
                              bool inside, int *first, int *n);

/** gos_body_ops.sees_itself. */
gos_status gos__solid_sees_itself(gos_ctx *ctx, const gos_body *body, const gos_location *p,
                                  double *part);

/* solid_heat.c */
/** Adds the deviation of temperature-dependent conduction and capacity from the reference. */
gos_status gos__solid_add_heat(gos_builder *b, const gos_body *body, const char *object);

#define GOS_SOLID_FIELDS 120

/* solid_fields.c */
/** gos_body_ops.fields: Legendre products at mesh nodes. */
gos_status gos__solid_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
