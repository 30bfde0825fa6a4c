#ifndef GOS_HEX_LAYERS_H
#define GOS_HEX_LAYERS_H

#include "mesh/mesh.h"
#include "parts/builder.h"

/** Warn of fully integrated 8-node hexahedra in single layers. poisson: per cell; 1: other cells.
 */
gos_status gos__hex_layers(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *mesh,
                           const double *poisson);

#endif
