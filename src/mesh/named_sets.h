/* Additional named sets of a mesh, defined by the model. */
#ifndef GOS_NAMED_SETS_H
#define GOS_NAMED_SETS_H

#include "mesh/generate.h"

extern const gos_type gos__mesh_set_type; // for the reference

/** Add the sets of a map {NAME: {of: nodes, ...}, ...} to a complete mesh; reports every error. */
gos_status gos__mesh_named_sets(const gos_mesh_maker *maker, const gos_node *map, gos_mesh *mesh);

#endif
