/* Patches on the shells of a body of a mesh: what its entries of the section `piezo` say, as electrodes of its flex. */
#ifndef GOS_MESH_PIEZO_H
#define GOS_MESH_PIEZO_H

#include "bodies/mesh_places.h"
#include "bodies/piezo_wiring.h"
#include "fe/mesh_body.h"

/** Take the entries that lie on the body `name`: electrodes of its flex, whose amplitudes are still the freedoms of fe. */
gos_status gos__mesh_piezo(gos_builder *b, const char *name, const gos_fe_body *fe, gos_flex *flex,
                           gos_piezo_wiring *piezo);

#endif
