/* Point location in cells. */
#ifndef GOS_MESH_FIND_H
#define GOS_MESH_FIND_H

#include "mesh/mesh.h"

/** Whether x is in the cell; then its natural coordinates, for surfaces and lines those of the
 * projection, at most `off` [m] away. */
bool gos__mesh_inside(const gos_mesh *m, int cell, const double x[3], double off, double at[3]);

#endif
