/* Displacement functions for local heat. */
#ifndef GOS_THERMAL_EXPANSION_H
#define GOS_THERMAL_EXPANSION_H

#include "rom/rom.h"

/** Add to the polynomials of a body, interpolated on the mesh, how it expands by the temperature
 * functions that local sources brought (gos_rom_body.source_fn); p->expansions: how many came.
 * Nothing where there are none. */
gos_status gos__rom_expansion(gos_rom *r, gos_rom_body *p);
/** Has it such temperatures, and does it expand by them? */
bool gos__rom_expands(const gos_rom_body *p);
/** The fields that were found as values at the coordinates of the mesh (r->found), where nothing
 * depends on sources any more; what r has of its space is forgotten. */
gos_status gos__rom_at_nodes(gos_rom *r);
/** gos__rom_local_heat of the model when its displacements have functions for all of that, else
 * 0. */
uint64_t gos__rom_relieved(const gos_rom *r);

#endif
