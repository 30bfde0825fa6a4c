/* Hexahedra that lock in bending. */
#ifndef GOS_HEX_LAYERS_H
#define GOS_HEX_LAYERS_H

#include "mesh/mesh.h"
#include "parts/parts.h"

/** Warn of fully integrated 8-node hexahedra in single layers that are much too stiff in bending.
 * poisson: of each cell (cells of the mesh); 1: another kind of cell. */
gos_status gos__hex_layers(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *mesh,
                           const double *poisson);

#endif
