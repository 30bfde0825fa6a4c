/* Bodies of meshes in a floating frame. */
#ifndef GOS_FLOATING_MESH_H
#define GOS_FLOATING_MESH_H

#include "parts/parts.h"

extern const gos_type gos__body_floating;

#endif
