#ifndef GOS_MESH_PLIES_H
#define GOS_MESH_PLIES_H

#include "fe/element.h"
#include "mesh/mesh.h"
#include "parts/parts.h"

typedef struct gos_mesh_plies {
    const gos_mesh *mesh;
    const gos_node *entry; // for messages
    const char *object;
    const gos_material *material;
    double direction[3]; // axis 1, mesh axes; 0: e1
    double second[3];    // axis 2 of solids; 0: mesh axis
    bool told;           // direction given
    bool thick;          // thickness given
} gos_mesh_plies;

/** Set thickness, offset and axes of a part with element and cells. GOS_E_INPUT with a record:
 * unsupported cells, thickness besides plies, direction along a normal. */
gos_status gos__mesh_plies(gos_builder *b, const gos_mesh_plies *of, gos_fe_part *part);

#endif
