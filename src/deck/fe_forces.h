/* Mechanical loads of decks as forces on the freedoms of a body. */
#ifndef GOS_FE_FORCES_H
#define GOS_FE_FORCES_H

#include "fe/mesh_body.h"
#include "deck/deck.h"

/** Add the forces (freedoms) of a load of the deck on the cells that the body has, along the axes
 * of the mesh: of a pressure, of gravity, of a rotation about an axis. On nodes of shells they act
 * in the middle: what their faces are off it makes no moments. */
gos_status gos__deck_force(const gos_fe_body *body, const gos_deck_load *load, double *force);

#endif
