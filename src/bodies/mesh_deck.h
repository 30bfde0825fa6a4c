/* What bodies of meshes take from the deck of their mesh. */
#ifndef GOS_MESH_DECK_H
#define GOS_MESH_DECK_H

#include "fe/deck_parts.h"
#include "parts/parts.h"

/** Materials of a body whose parts are made of those of a deck, as far as heat on surfaces looks at them: isotropic, in x of
 *  each part; absorptivity 1, emissivity 0, of which decks know nothing. */
gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body);

/** One of them as a material of the model: isotropic elasticity as far as it is that. */
void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to);

#endif
