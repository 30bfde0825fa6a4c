/* Bodies of meshes in a floating frame. */
#ifndef GOS_FLOATING_MESH_H
#define GOS_FLOATING_MESH_H

#include "parts/parts.h"

extern const gos_type gos__body_floating;

/** Number in its mesh of a node of a body of this type; 0: it belongs to no cell, or stands for a
 * set or an interface. */
int gos__floating_mesh_number(const gos_body *body, int node);

#endif
