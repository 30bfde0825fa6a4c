/* Meshes: nodes, cells of standard shapes, and named sets of both, from a generator or a file.
   Material and formulation are not part of the mesh. */
#ifndef GOS_MESH_H
#define GOS_MESH_H

#include "base/base.h"
#include "base/names.h"

/* Cell shapes, with nodes as in CalculiX and Abaqus: corners counter-clockwise (solids: bottom face
   seen from inside, then top face), then mid-edge nodes: 12 23 31 (14 24 34) of triangles and
   tetrahedra, 12 23 34 41 of quadrilaterals, and 12 23 34 41, 56 67 78 85, 15 26 37 48 of
   hexahedra. */
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

#define GOS_CELL_NODES 20     // largest number of nodes per cell
#define GOS_CELL_SIDES 6      // largest number of sides per cell
#define GOS_CELL_SIDE_NODES 8 // largest number of nodes per side

/* Data of a shape. Sides are the faces of solids and the edges of surfaces, in CalculiX numbering
   (S1 is 0). The node order of a side gives an outward normal (edges: the normal on the right of
   their direction). */
typedef struct gos_cell_kind {
    const char *name; // "hex8"
    int dim;          // 0 points, 1 lines, 2 surfaces, 3 solids
    int nodes, corners;
    int sides; // 0 for lines and points
    gos_cell_shape side[GOS_CELL_SIDES];
    signed char side_node[GOS_CELL_SIDES][GOS_CELL_SIDE_NODES];
} gos_cell_kind;
extern const gos_cell_kind gos__cell_kind[GOS_CELL_SHAPES];

/* Consecutive cells of one shape. */
typedef struct gos_cell_block {
    gos_cell_shape shape;
    const char *type; // element type in the source ("C3D8I"); NULL: unknown
    int n;            // cells
    int first;        // index of the first cell in the mesh
    int *node;        // (n, nodes of the shape)
    int64_t *tag;     // numbers in the source (n); NULL: first + 1 ...
    int *line;        // lines in the source (n); NULL: none
} gos_cell_block;

/* Named set of nodes or cells, ascending, without duplicates. */
typedef struct gos_mesh_set {
    const char *name;
    int n;
    int *item; // (n)
} gos_mesh_set;

/* Named set of cell sides. */
typedef struct gos_mesh_surface {
    const char *name;
    int n;
    int *cell;           // (n)
    unsigned char *side; // (n)
} gos_mesh_surface;

/* All arrays and names are in the arena. */
typedef struct gos_mesh {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *source;          // file, or NULL
    const struct gos_deck *deck; // further data of a CalculiX deck, NULL: no deck
    int nnode;
    double (*x)[3]; // (nnode) [m, or the unit of the source]
    int64_t *tag;   // numbers in the source (nnode), ascending; NULL: 1, 2, ...
    int ncell;
    int nblock;
    gos_cell_block *block; // (nblock)
    int nnode_set, ncell_set, nsurface;
    gos_mesh_set *node_set, *cell_set;
    gos_mesh_surface *surface;
    gos_names node_set_of, cell_set_of, surface_of; // their indices by name
} gos_mesh;

/** Create an empty mesh. */
gos_status gos__mesh_create(gos_ctx *ctx, gos_mesh **mesh);
void gos__mesh_destroy(gos_mesh *mesh);
/** Add n nodes at 0; call once. GOS_E_LIMIT, recorded at loc, above GOS_LIMIT_MESH_NODES. */
gos_status gos__mesh_nodes(gos_mesh *mesh, double n, gos_loc loc, const char *object);
/** Add a block of n cells, whose nodes the caller fills in; *block is valid until the next call. */
gos_status gos__mesh_cells(gos_mesh *mesh, gos_cell_shape shape, double n, gos_loc loc,
                           const char *object, gos_cell_block **block);
/** Add to a named set (union if it exists); items are copied and sorted, duplicates removed. */
gos_status gos__mesh_add_nodes(gos_mesh *mesh, const char *name, int n, const int *node);
gos_status gos__mesh_add_cells(gos_mesh *mesh, const char *name, int n, const int *cell);
gos_status gos__mesh_add_surface(gos_mesh *mesh, const char *name, int n, const int *cell,
                                 const unsigned char *side);
/** Lookup by name; NULL: none. */
const gos_mesh_set *gos__mesh_node_set(const gos_mesh *mesh, const char *name);
const gos_mesh_set *gos__mesh_cell_set(const gos_mesh *mesh, const char *name);
const gos_mesh_surface *gos__mesh_surface(const gos_mesh *mesh, const char *name);
/** The block of a cell, and the index in it. */
const gos_cell_block *gos__mesh_cell(const gos_mesh *mesh, int cell, int *i);
/** Nodes of a side of a cell, in the order of the side's shape; returns their number. */
int gos__mesh_side(const gos_mesh *mesh, int cell, int side, int node[GOS_CELL_SIDE_NODES]);
/** Number of a node or cell in the source, for messages. */
int64_t gos__mesh_node_tag(const gos_mesh *mesh, int node);
int64_t gos__mesh_cell_tag(const gos_mesh *mesh, int cell);
/** Node with that number in the source, -1: none. */
int gos__mesh_find_node(const gos_mesh *mesh, int64_t tag);
/** Check a complete mesh: finite positions, cells of existing and distinct nodes; adds the surface
 * "skin" (sides of only one cell, for cells of the highest dimension). Errors give the cell's
 * number in the source, and its line. To be called by the code that made the mesh. */
gos_status gos__mesh_finish(gos_mesh *mesh, gos_loc loc, const char *object);

/* Cell and side sizes, and cell shape quality. */
typedef struct gos_mesh_quality {
    int dim;      // highest dimension; only cells of it count
    double size;  // their length, area or volume
    double least; // smallest determinant relative to the mean of its cell; 1: not distorted
    int worst;    // its cell
    int inverted; // cells with a determinant that is not positive everywhere
    int first;    // first of them
} gos_mesh_quality;

/** Evaluate determinants at the quadrature points for masses. Their sign for surfaces is that of z
 * if all nodes are in a plane z = constant (membranes), else it refers to the cell's middle. */
void gos__mesh_inspect(const gos_mesh *mesh, gos_mesh_quality *quality);

#endif
