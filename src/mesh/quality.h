/* Sizes of cells and sides, and how well cells are shaped. */
#ifndef GOS_MESH_QUALITY_H
#define GOS_MESH_QUALITY_H

#include "mesh/mesh.h"

typedef struct gos_mesh_quality {
    int dim;      // of the cells that are looked at: the highest
    double size;  // length, area or volume of them
    double least; // smallest determinant over the mean one of the same cell; 1: not distorted
    int worst;    // cell where it is
    int inverted; // cells whose determinant is not above 0 everywhere
    int first;    // the first of them
} gos_mesh_quality;

/** Determinants at points of quadrature that also integrate masses. Those of surfaces have the sign
 * of z where all their nodes are in one plane z = constant (membranes), else that of their own
 * middle. */
void gos__mesh_look(const gos_mesh *mesh, gos_mesh_quality *quality);
/** Length or area of a side of a cell. */
double gos__mesh_side_size(const gos_mesh *mesh, int cell, int side);

#endif
