/* Nodes of body type matrices: points whose displacements and small rotations are coordinates of
 * the matrices. */
#ifndef GOS_MATRICES_NODES_H
#define GOS_MATRICES_NODES_H

#include "parts/parts.h"

#define GOS_NODE_DOFS 6 // ux, uy, uz, rx, ry, rz

typedef struct gos_matrices_node {
    const char *name;
    double x[3];            // undeformed position [m]
    int dof[GOS_NODE_DOFS]; // coordinate of the matrices, from 0; -1: locked
    bool turns;             // has rotations
    int v, axis;            // vector coordinates of the position, of the first axis
} gos_matrices_node;

/** Reads a node table by column names: name, x, y, z, and any of ux, uy, uz, rx, ry, rz with a row
 * number 1 .. n of the matrices; empty or 0: locked. *node and its names live in the builder's
 * arena. */
gos_status gos__matrices_nodes_read(gos_builder *b, const char *file, gos_loc loc,
                                    const char *object, int n, gos_matrices_node **node,
                                    int *count);

#endif
