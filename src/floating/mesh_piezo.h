/* Piezoelectric patches on the shells of a mesh body, as electrodes of its flex. */
#ifndef GOS_MESH_PIEZO_H
#define GOS_MESH_PIEZO_H

#include "floating/mesh_places.h"
#include "bodies/piezo_wiring.h"
#include "fe/mesh_body.h"

/** Collect the `piezo` entries on the body `name`, with their patches. */
gos_status gos__mesh_piezo_take(gos_builder *b, const char *name, const gos_fe_body *fe,
                                gos_piezo_wiring *piezo);
/** Add their electrodes to the flex, whose amplitudes are still the freedoms of fe. */
gos_status gos__mesh_piezo(gos_builder *b, const gos_piezo_wiring *piezo, const gos_fe_body *fe,
                           gos_flex *flex);

/* mesh_layers.c */
/** Add the patches with mass and stiffness as shell layers, before the matrices are computed.
 * @param warm the body has temperatures @param known the number of leading layers that vectors of
 * a reduced body include */
gos_status gos__mesh_layers(gos_builder *b, const gos_piezo_wiring *piezo, bool warm,
                            gos_fe_body *fe, int *known);
/** Note the mass added by the layers, and the capacitances of all patches. */
void gos__mesh_layers_tell(gos_builder *b, const gos_piezo_wiring *piezo, const double *capacitance,
                           const gos_flex *flex);

#endif
