/* Nodes of body type matrices. */
#ifndef GOS_MATRICES_NODES_H
#define GOS_MATRICES_NODES_H

#include "parts/builder.h"

#define GOS_NODE_DOFS 6 // ux, uy, uz, rx, ry, rz

typedef struct gos_matrices_node {
    const char *name;
    double x[3];            // undeformed position [m]
    int dof[GOS_NODE_DOFS]; // from 0; -1: locked
    bool turns;             // has rotations
    int v, axis;            // coordinates of the position, of the first axis
} gos_matrices_node;

/** Columns name, x, y, z, and any of ux, uy, uz, rx, ry, rz with a matrix row 1 .. n; empty or 0:
 * locked. *node and names live in the builder's arena. */
gos_status gos__matrices_nodes_read(gos_builder *b, const char *file, gos_loc loc,
                                    const char *object, int n, gos_matrices_node **node,
                                    int *count);

#endif
