#ifndef GOS_FLOATING_MESH_H
#define GOS_FLOATING_MESH_H

#include "parts/marker.h"

extern const gos_type gos__body_floating;

/** Number in the mesh; 0: no cell, or a set or interface. */
int gos__floating_mesh_number(const gos_body *body, int node);

#endif
