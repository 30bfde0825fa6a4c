/* Structured grids, mapped by a function of two or three coordinates in 0 .. 1. Every generator
   provides such a function. */
#ifndef GOS_MESH_GRID_H
#define GOS_MESH_GRID_H

#include "mesh/mesh.h"

typedef struct gos_grid {
    int n[3];       // cells per direction; n[2] = 0: a surface
    int closed;     // 1 + the periodic direction, 0: none
    int order;      // of cells: 1, or 2 with mid-edge nodes
    bool simplex;   // triangles or tetrahedra instead of quadrilaterals or hexahedra
    double bias[3]; // size of the last over the first cell per direction; 0: as 1
    // add node sets corner_1 ..., numbered as the corners of one quadrilateral or hexahedron
    bool corners;
    const char *ends[3][2]; // names of the first and last nodes and sides per direction, NULL: none
    /* maps point s of the grid; a right-handed triple of derivatives gives right-handed cells */
    void (*place)(const void *par, const double s[3], double x[3]);
    const void *par;
} gos_grid;

/** Add nodes, cells and the named ends (each a node set and a surface) to an empty mesh, and finish
 * it. */
gos_status gos__grid_make(gos_mesh *mesh, const gos_grid *grid, gos_loc loc, const char *object);

#endif
