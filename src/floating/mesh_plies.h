/* Orthotropic materials and laminates of the cells of floating bodies. */
#ifndef GOS_MESH_PLIES_H
#define GOS_MESH_PLIES_H

#include "fe/element.h"
#include "mesh/mesh.h"
#include "parts/parts.h"

/* Entry of a body or part. */
typedef struct gos_mesh_plies {
    const gos_mesh *mesh;
    const gos_node *entry; // for messages
    const char *object;
    const gos_material *material;
    double direction[3]; // axis 1 of its cells, mesh axes; 0: e1
    double second[3];    // axis 2 of solids; 0: a mesh axis
    bool told;           // a direction was given
    bool thick;          // a thickness was given
} gos_mesh_plies;

/** Set thickness, offset and axes of a part with known element and cells; isotropic materials are
 * left unchanged. GOS_E_INPUT with a record: unsupported cells, a thickness in addition to that of
 * plies, a direction along a cell's normal. */
gos_status gos__mesh_plies(gos_builder *b, const gos_mesh_plies *of, gos_fe_part *part);

#endif
