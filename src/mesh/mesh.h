/* Meshes: nodes, cells of the usual shapes between them, and named sets of both, whoever made them:
   a generator, or a file of another program. What cells mean to the mechanics (material,
   formulation) is said elsewhere. */
#ifndef GOS_MESH_H
#define GOS_MESH_H

#include "base/base.h"
#include "base/names.h"

/* Shapes of cells. Nodes are numbered as in CalculiX and Abaqus: corners counter-clockwise (of
   solids: the bottom face seen from inside, then the top face), then the middle of edges: 12 23 31
   (14 24 34) of triangles and tetrahedra, 12 23 34 41 of quadrilaterals, and 12 23 34 41, 56 67 78
   85, 15 26 37 48 of hexahedra. */
typedef enum gos_cell_shape {
    GOS_CELL_POINT,
    GOS_CELL_LINE2,
    GOS_CELL_LINE3, // ends, then the middle
    GOS_CELL_TRI3,
    GOS_CELL_TRI6,
    GOS_CELL_QUAD4,
    GOS_CELL_QUAD8,
    GOS_CELL_TET4,
    GOS_CELL_TET10,
    GOS_CELL_WEDGE6,
    GOS_CELL_WEDGE15,
    GOS_CELL_HEX8,
    GOS_CELL_HEX20,
    GOS_CELL_SHAPES
} gos_cell_shape;

#define GOS_CELL_NODES 20     // most nodes of a cell
#define GOS_CELL_SIDES 6      // most sides of a cell
#define GOS_CELL_SIDE_NODES 8 // most nodes of a side

/* What is known of a shape. Sides are the faces of solids and the edges of surfaces, numbered as in
   CalculiX (S1 is 0), each with its nodes so that its normal (of edges: the normal on the right of
   their direction) points out of the cell. */
typedef struct gos_cell_kind {
    const char *name;                    // "hex8"
    int dim;                             // 0 points, 1 lines, 2 surfaces, 3 solids
    int nodes, corners;                  //
    int sides;                           // 0 of lines and points
    gos_cell_shape side[GOS_CELL_SIDES]; //
    signed char side_node[GOS_CELL_SIDES][GOS_CELL_SIDE_NODES];
} gos_cell_kind;
extern const gos_cell_kind gos__cell_kind[GOS_CELL_SHAPES];

/* Cells of one shape, in a row. */
typedef struct gos_cell_block {
    gos_cell_shape shape;
    const char *type; // element type in the source ("C3D8I"); NULL: it does not say
    int n;            // cells
    int first;        // number of the first one among all cells of the mesh
    int *node;        // (n, nodes of the shape)
    int64_t *tag;     // numbers in the source (n); NULL: first + 1 ...
    int *line;        // where they stand in the source (n); NULL: nowhere
} gos_cell_block;

/* A named set of nodes or of cells, ascending, each once. */
typedef struct gos_mesh_set {
    const char *name;
    int n;
    int *item; // (n)
} gos_mesh_set;

/* A named set of sides of cells. */
typedef struct gos_mesh_surface {
    const char *name;
    int n;
    int *cell;           // (n)
    unsigned char *side; // (n)
} gos_mesh_surface;

/* All arrays and names live in the arena. */
typedef struct gos_mesh {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *source;          // file, or NULL
    const struct gos_deck *deck; // what a deck of CalculiX says besides, NULL: it is of none
    int nnode;
    double (*x)[3]; // (nnode) [m, or the unit of the source]
    int64_t *tag;   // numbers in the source (nnode), ascending; NULL: 1, 2, ...
    int ncell;
    int nblock;
    gos_cell_block *block; // (nblock)
    int nnode_set, ncell_set, nsurface;
    gos_mesh_set *node_set, *cell_set;
    gos_mesh_surface *surface;
} gos_mesh;

/** An empty mesh. */
gos_status gos__mesh_create(gos_ctx *ctx, gos_mesh **mesh);
void gos__mesh_destroy(gos_mesh *mesh);
/** n nodes at 0; once. GOS_E_LIMIT, told at loc, above GOS_LIMIT_MESH_NODES. */
gos_status gos__mesh_nodes(gos_mesh *mesh, double n, gos_loc loc, const char *object);
/** A block of n cells more, whose nodes are to be filled in; *block is valid until the next one. */
gos_status gos__mesh_cells(gos_mesh *mesh, gos_cell_shape shape, double n, gos_loc loc,
                           const char *object, gos_cell_block **block);
/** A named set; items are copied, sorted, and kept once. A name given twice means the union. */
gos_status gos__mesh_add_nodes(gos_mesh *mesh, const char *name, int n, const int *node);
gos_status gos__mesh_add_cells(gos_mesh *mesh, const char *name, int n, const int *cell);
gos_status gos__mesh_add_surface(gos_mesh *mesh, const char *name, int n, const int *cell,
                                 const unsigned char *side);
/** By name; NULL: there is none. */
const gos_mesh_set *gos__mesh_node_set(const gos_mesh *mesh, const char *name);
const gos_mesh_set *gos__mesh_cell_set(const gos_mesh *mesh, const char *name);
const gos_mesh_surface *gos__mesh_surface(const gos_mesh *mesh, const char *name);
/** The block of a cell, and its number in it. */
const gos_cell_block *gos__mesh_cell(const gos_mesh *mesh, int cell, int *i);
/** Nodes of a side of a cell, in the order of the side's shape; their number. */
int gos__mesh_side(const gos_mesh *mesh, int cell, int side, int node[GOS_CELL_SIDE_NODES]);
/** The number of a node or cell in the source, for messages. */
int64_t gos__mesh_node_tag(const gos_mesh *mesh, int node);
int64_t gos__mesh_cell_tag(const gos_mesh *mesh, int cell);
/** The node with that number in the source, -1: there is none. */
int gos__mesh_find_node(const gos_mesh *mesh, int64_t tag);
/** What a mesh must be: finite places, cells of nodes that exist and differ, and the outer sides as
 * the surface "skin" (sides that belong to one cell alone, of cells of the highest dimension).
 * Errors name the cell by its number in the source, and its line. Called by whoever made the mesh
 * when it is complete. */
gos_status gos__mesh_finish(gos_mesh *mesh, gos_loc loc, const char *object);

#endif
