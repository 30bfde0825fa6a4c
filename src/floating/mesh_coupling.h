#ifndef GOS_MESH_COUPLING_H
#define GOS_MESH_COUPLING_H

#include "floating/floating_loads.h"
#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

/** Data for gos__flex_second_order at names->seen. In the builder's arena; refers to fe and `flex`
 * (after reduction by interfaces). */
gos_status gos__mesh_coupling(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                              const gos_mesh_locations *locations, const gos_mesh_hold *hold,
                              const gos_floating_names *names, const gos_flex_stress **stress);

#endif
