/* Materials of models as those of finite elements. */
#ifndef GOS_MESH_MATERIAL_H
#define GOS_MESH_MATERIAL_H

#include "fe/material.h"
#include "parts/parts.h"

/** In the arena; what follows temperatures has been taken at one before. GOS_E_INPUT with a record at loc: no elastic material. */
gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to);

#endif
