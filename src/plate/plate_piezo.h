/* Patches on plates (section `piezo`), for arbitrary motion. */
#ifndef GOS_PLATE_PIEZO_H
#define GOS_PLATE_PIEZO_H

#include "bodies/piezo_wiring.h"
#include "plate/plate.h"

/** Collects the entries on the plate of this name; its mesh must be set. */
gos_status gos__plate_piezo_take(gos_builder *b, const char *name, const gos_plate *plate,
                                 gos_piezo_wiring *w);
/** Adds their electrodes; the plate must have its coordinates. */
gos_status gos__plate_piezo(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w);

#endif
