/* Cell and side sizes, and cell shape quality. */
#ifndef GOS_MESH_QUALITY_H
#define GOS_MESH_QUALITY_H

#include "mesh/mesh.h"

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
/** Length or area of a side of a cell. */
double gos__mesh_side_size(const gos_mesh *mesh, int cell, int side);

#endif
