/* Cells of shells that are too long for the bending of the whole body. */
#ifndef GOS_SHELL_CELLS_H
#define GOS_SHELL_CELLS_H

#include "mesh/mesh.h"
#include "parts/parts.h"

/** Tell by how much quadrilaterals of 4 nodes stiffen a body of shells in bending as a whole: a
 * warning of curved and folded bodies, a note of flat ones, which bend in their plane. shear: G/E
 * of each cell, 0: no such cell; thickness [m] (cells of the mesh). */
gos_status gos__shell_cells(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *mesh,
                            const double *shear, const double *thickness);

#endif
