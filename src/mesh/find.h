/* Points inside of cells. */
#ifndef GOS_MESH_FIND_H
#define GOS_MESH_FIND_H

#include "mesh/mesh.h"

/** Is x in the cell? Then natural coordinates of it, of surfaces and lines those of the nearest
 * point, which may be as far as `off` [m]. */
bool gos__mesh_inside(const gos_mesh *m, int cell, const double x[3], double off, double at[3]);

#endif
