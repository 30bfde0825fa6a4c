/* Piezoelectric patches of mesh bodies, as electrodes. */
#ifndef GOS_MESH_PIEZO_H
#define GOS_MESH_PIEZO_H

#include "floating/mesh_locations.h"
#include "bodies/piezo_wiring.h"
#include "fe/mesh_body.h"

/** Collect the `piezo` entries on the body `name`. */
gos_status gos__mesh_piezo_take(gos_builder *b, const char *name, const gos_fe_body *fe,
                                gos_piezo_wiring *piezo);
/** Add their electrodes to the flex, whose amplitudes must still be the freedoms of fe. */
gos_status gos__mesh_piezo(gos_builder *b, const gos_piezo_wiring *piezo, const gos_fe_body *fe,
                           gos_flex *flex);

/** Add layers of mass and stiffness, before matrices. @param warm temperatures @param known leading
 * layers in the vectors of reduced bodies */
gos_status gos__mesh_layers(gos_builder *b, const gos_piezo_wiring *piezo, bool warm,
                            gos_fe_body *fe, int *known);

#endif
