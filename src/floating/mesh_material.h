/* Materials of models as those of finite elements. */
#ifndef GOS_MESH_MATERIAL_H
#define GOS_MESH_MATERIAL_H

#include "fe/layup.h"
#include "parts/parts.h"

/** In the arena; what follows temperatures has been taken at one before. GOS_E_INPUT with a record
 * at loc: no elastic material. */
gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to);
/** Does it conduct and store heat? */
bool gos__mesh_material_warm(const gos_fe_material *m);
/** Plies of a laminate, their materials at the temperature T over the reference, and one that has
 * their means. In the arena. */
gos_status gos__mesh_laminate(gos_builder *b, const gos_material *from, double T, gos_loc loc,
                              const char *object, const gos_fe_layup **layup,
                              const gos_fe_material **mean);

#endif
