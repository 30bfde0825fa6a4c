/* Stress stiffness of floating bodies of meshes, by their amplitudes. */
#ifndef GOS_MESH_COUPLING_H
#define GOS_MESH_COUPLING_H

#include "floating/floating_loads.h"
#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

/** What gos__flex_second_order asks for, of the places that joints, loads and probes name
 * (names->seen). In the builder's arena, but valid as long as fe and `flex` live: its body, as it
 * is held, of which interfaces may have made less. */
gos_status gos__mesh_coupling(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                              const gos_mesh_places *places, const gos_mesh_hold *hold,
                              const gos_floating_names *names, const gos_flex_stress **stress);

#endif
