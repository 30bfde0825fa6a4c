/* Mesh bodies in a floating frame. */
#ifndef GOS_FLOATING_MESH_H
#define GOS_FLOATING_MESH_H

#include "parts/parts.h"

extern const gos_type gos__body_floating;

/** Node number in the mesh of a node of such a body; 0: the node has no cell, or represents a set
 * or an interface. */
int gos__floating_mesh_number(const gos_body *body, int node);

#endif
