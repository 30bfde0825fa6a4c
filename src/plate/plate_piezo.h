/* Piezoelectric patches on the faces of plates (section `piezo`), which follow their motion however
 * large it is. */
#ifndef GOS_PLATE_PIEZO_H
#define GOS_PLATE_PIEZO_H

#include "bodies/piezo_wiring.h"
#include "plate/plate.h"

/** Take the entries that lie on the plate of this name, with their patches; its mesh is known. */
gos_status gos__plate_piezo_take(gos_builder *b, const char *name, const gos_plate *plate,
                                 gos_piezo_wiring *w);
/** Their electrodes, when the plate has its coordinates. */
gos_status gos__plate_piezo(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w);

#endif
