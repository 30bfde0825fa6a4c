/* Model materials for finite elements. */
#ifndef GOS_MESH_MATERIAL_H
#define GOS_MESH_MATERIAL_H

#include "fe/layup.h"
#include "parts/builder.h"

/** In the arena; temperature-dependent properties must be evaluated before. GOS_E_INPUT with a
 * record if not elastic. */
gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to);
/** Whether it has conductivity and specific heat. */
bool gos__mesh_material_warm(const gos_fe_material *m);
/** Plies at temperature T over the reference, and their mean material. In the arena. */
gos_status gos__mesh_laminate(gos_builder *b, const gos_material *from, double T, gos_loc loc,
                              const char *object, const gos_fe_layup **layup,
                              const gos_fe_material **mean);

#endif
