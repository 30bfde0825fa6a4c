#ifndef GOS_THERMAL_EXPANSION_H
#define GOS_THERMAL_EXPANSION_H

#include "rom/rom.h"

/** Append a body's expansion by local temperature functions (gos_rom_body.source_fn) to its
 *  interpolated polynomials; p->expansions: number added. */
gos_status gos__rom_expansion(gos_rom *r, gos_rom_body *p);
/** True if the body has such functions and thermal expansion. */
bool gos__rom_expands(const gos_rom_body *p);
/** Replace fields by their mesh values (r->found), independent of sources; resets the space in
 *  r. */
gos_status gos__rom_at_nodes(gos_rom *r);
/** gos__rom_local_heat of the model if the displacements cover all its sources, else 0. */
uint64_t gos__rom_relieved(const gos_rom *r);

#endif
