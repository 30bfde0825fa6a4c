/* Patches on the shells of a body of a mesh: what its entries of the section `piezo` say, as
 * electrodes of its flex. */
#ifndef GOS_MESH_PIEZO_H
#define GOS_MESH_PIEZO_H

#include "floating/mesh_places.h"
#include "bodies/piezo_wiring.h"
#include "fe/mesh_body.h"

/** Take the entries that lie on the body `name`, with their patches. */
gos_status gos__mesh_piezo_take(gos_builder *b, const char *name, const gos_fe_body *fe,
                                gos_piezo_wiring *piezo);
/** Their electrodes as those of the flex, whose amplitudes are still the freedoms of fe. */
gos_status gos__mesh_piezo(gos_builder *b, const gos_piezo_wiring *piezo, const gos_fe_body *fe,
                           gos_flex *flex);

/* mesh_layers.c */
/** Give the shells the layers that patches with mass and stiffness are, before their matrices are
 * made.
 *  @param warm   the body has temperatures
 *  @param known  the first ones, of which vectors of a reduced body know */
gos_status gos__mesh_layers(gos_builder *b, const gos_piezo_wiring *piezo, bool warm,
                            gos_fe_body *fe, int *known);
/** Say what the layers add to the mass of the body; capacitances of all patches. */
void gos__mesh_layers_tell(gos_builder *b, const gos_piezo_wiring *piezo, const double *capacitance,
                           const gos_flex *flex);

#endif
