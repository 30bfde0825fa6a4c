/* Piezoelectric patches on the faces of plates (section `piezo`), which follow their motion however large it is. */
#ifndef GOS_PLATE_PIEZO_H
#define GOS_PLATE_PIEZO_H

#include "bodies/plate.h"

/** Take the entries that lie on a plate, which has its coordinates. */
gos_status gos__plate_piezo(gos_builder *b, const gos_body *plate);

#endif
