/* Nodes of a body of matrices: places whose displacements and small rotations are coordinates of
 * theirs. */
#ifndef GOS_MATRICES_NODES_H
#define GOS_MATRICES_NODES_H

#include "parts/parts.h"

#define GOS_NODE_DOFS 6 // ux, uy, uz, rx, ry, rz

typedef struct gos_matrices_node {
    const char *name;
    double x[3];            // where it is without displacement [m]
    int dof[GOS_NODE_DOFS]; // coordinate of the matrices, from 0; -1: held
    bool turns;             // has rotations
    int v, axis;            // vector coordinates of its position, of the first of its axes
} gos_matrices_node;

/** Read a table of nodes, columns by their names: name, x, y, z, and any of ux, uy, uz, rx, ry, rz
 * with the number of a coordinate, 1 .. n, as the rows of the matrices count; empty or 0: held.
 * *node and its names live in the builder's arena. */
gos_status gos__matrices_nodes_read(gos_builder *b, const char *file, gos_loc loc,
                                    const char *object, int n, gos_matrices_node **node,
                                    int *count);

#endif
