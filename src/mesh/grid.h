/* Grids: meshes whose cells are in rows, and whose places are a function of two or three
   coordinates from 0 to 1. Every generator is such a function. */
#ifndef GOS_MESH_GRID_H
#define GOS_MESH_GRID_H

#include "mesh/mesh.h"

typedef struct gos_grid {
    int n[3];       // cells in each direction; n[2] = 0: a surface
    int closed;     // 1 + the direction that comes back to its beginning, 0: none
    int order;      // of cells: 1, or 2 with nodes in the middle of edges
    bool simplex;   // triangles or tetrahedra in place of quadrilaterals or hexahedra
    double bias[3]; // last cell over first one in each direction; 0: as 1
    bool corners;   // name them corner_1 ..., as the corners of one quadrilateral or hexahedron
    const char *ends[3][2]; // names of first and last nodes and sides in each direction, NULL: none
    /* the place of a point s of the grid; the right-handed triple of its derivatives makes cells
     * right-handed */
    void (*place)(const void *par, const double s[3], double x[3]);
    const void *par;
} gos_grid;

/** Nodes, cells, and the named ends (each a set of nodes and a surface) of an empty mesh, which is
 * finished. */
gos_status gos__grid_make(gos_mesh *mesh, const gos_grid *grid, gos_loc loc, const char *object);

#endif
