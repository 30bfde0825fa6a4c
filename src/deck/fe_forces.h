#ifndef GOS_FE_FORCES_H
#define GOS_FE_FORCES_H

#include "deck/fe_ties.h"

/** Add the forces of a load, along mesh axes: pressure, gravity or centrifugal. On shells they act
 * at the middle surface; moments from the face offset are neglected.
 * @param ties `force` also has their reference nodes; NULL: freedoms of the body alone */
gos_status gos__deck_force(const gos_fe_body *body, const gos_deck_ties *ties,
                           const gos_deck_load *load, double *force);
/** Add those of gravity or centrifugal loads on the point masses of the deck. */
void gos__deck_force_masses(const gos_fe_body *body, const gos_deck_ties *ties,
                            const gos_deck_load *load, double *force);

#endif
