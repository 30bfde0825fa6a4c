/* Mechanical loads of decks as nodal forces of a body. */
#ifndef GOS_FE_FORCES_H
#define GOS_FE_FORCES_H

#include "fe/mesh_body.h"
#include "deck/deck.h"

/** Add the forces (freedoms) of a deck load on the body's cells, along mesh axes: pressure, gravity
 * or rotation about an axis. On shells they act at the middle surface; moments from the offset of
 * the faces are neglected. */
gos_status gos__deck_force(const gos_fe_body *body, const gos_deck_load *load, double *force);

#endif
