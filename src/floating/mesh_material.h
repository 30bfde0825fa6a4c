/* Conversion of model materials to finite-element materials. */
#ifndef GOS_MESH_MATERIAL_H
#define GOS_MESH_MATERIAL_H

#include "fe/layup.h"
#include "parts/parts.h"

/** Allocated in the arena; temperature-dependent properties must be evaluated before. GOS_E_INPUT
 * with a record at loc if it is not elastic. */
gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to);
/** Does it have conductivity and specific heat? */
bool gos__mesh_material_warm(const gos_fe_material *m);
/** Plies of a laminate at the temperature T over the reference, and a material of their mean
 * properties. Allocated in the arena. */
gos_status gos__mesh_laminate(gos_builder *b, const gos_material *from, double T, gos_loc loc,
                              const char *object, const gos_fe_layup **layup,
                              const gos_fe_material **mean);

#endif
