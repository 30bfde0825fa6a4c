#ifndef GOS_FE_FORCES_H
#define GOS_FE_FORCES_H

#include "fe/mesh_body.h"
#include "deck/deck.h"

/** Add the forces (freedoms) of a load, along mesh axes: pressure, gravity or centrifugal. On
 * shells they act at the middle surface; moments from the face offset are neglected. */
gos_status gos__deck_force(const gos_fe_body *body, const gos_deck_load *load, double *force);

#endif
