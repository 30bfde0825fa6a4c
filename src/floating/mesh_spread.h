#ifndef GOS_MESH_SPREAD_H
#define GOS_MESH_SPREAD_H

#include "floating/floating.h"
#include "floating/mesh_surface.h"
#include "parts/spread.h"

/** gos_body_ops.spread. */
gos_status gos__mesh_spread(gos_builder *b, const gos_body *body, const gos_mesh_skin *skin,
                            const gos_floating_body *f, const gos_location *p,
                            const gos_spread_to *to);

#endif
