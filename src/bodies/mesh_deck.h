/* What bodies of meshes take from the deck of their mesh. */
#ifndef GOS_MESH_DECK_H
#define GOS_MESH_DECK_H

#include "bodies/mesh_interfaces.h"
#include "fe/deck_parts.h"
#include "fe/deck_ties.h"
#include "parts/parts.h"

/** Materials of a body whose parts are made of those of a deck, as far as heat on surfaces looks at them: isotropic, in x of
 *  each part; absorptivity 1, emissivity 0, of which decks know nothing. */
gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body);

/** One of them as a material of the model: isotropic elasticity as far as it is that. */
void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to);

/* mesh_deck_loads.c */
typedef struct gos_mesh_deck_user {
    const gos_mesh *mesh;
    const char *body;   // its name
    gos_loc loc;        // of its entry, for messages
    const char *object; //
    double (*axis)[3];  // axes of the mesh at t = 0, rows
    bool warm;          // it has temperatures
    bool holds;         // its frame holds on to the supports of the deck
    bool loads;         // it can take the deck's loads
    bool ties;          // it takes what the deck ties together
} gos_mesh_deck_user;
/** Bring what the deck's first step does to the body as entries of the model, BODY_CARD_LINE, which stand at their lines; what bodies
 *  do not have is refused there. */
gos_status gos__mesh_deck_loads(gos_builder *b, const gos_mesh_deck_user *user);
/** A note that names what the deck says and nobody takes. */
void gos__mesh_deck_left(gos_builder *b, const gos_mesh_deck_user *user);
/** A warning that names the constraints of the deck, for bodies that take none. */
void gos__mesh_deck_untied(gos_builder *b, const gos_mesh_deck_user *user);
/* mesh_deck_ties.c */
/* Temperatures of nodes and their gradients in the flex, -1: none (nodes). */
typedef struct gos_mesh_deck_heat {
    int *of_node, *of_across;
} gos_mesh_deck_heat;
/** Tie what the deck ties (gos__deck_ties_make) in a free body of the nodes of the mesh alone, whose amplitudes are the freedoms of `fe`;
 *  reference nodes become nodes of the body. Numbers of temperatures are kept up to date. */
gos_status gos__mesh_deck_tie(const gos_mesh_deck_user *user, const gos_fe_body *fe,
                              const gos_mesh_deck_heat *heat, gos_flex *flex);
/* mesh_deck_hold.c */
/** Leave out the amplitudes that the supports of a deck (*BOUNDARY) hold at 0, as the reference of the frame.
 *  @return GOS_E_INPUT with a record where they leave the body free to move, or hold it elsewhere than at 0 */
gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex);

#endif
