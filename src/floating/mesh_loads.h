/* Heat entries as loads for reduction, before they are built. */
#ifndef GOS_FLOATING_MESH_LOADS_H
#define GOS_FLOATING_MESH_LOADS_H

#include "floating/floating_loads.h"
#include "floating/mesh_locations.h"
#include "floating/mesh_surface.h"

/** Loads of the `heat` entries on body `name`, named after the entry, of unit magnitude (int N over
 * the surface, times the film coefficient for ambient temperatures); light on curved surfaces adds
 * patterns NAME.x ..., NAME.lit, with axes (3). film: constant coefficients as conduction
 * (flex->heat.n); held: conduction around prescribed temperatures. Sets names->heat,
 * names->magnitude. In the builder's arena except film and held, which the caller frees. */
gos_status gos__mesh_heat_loads(gos_builder *b, const char *name, const gos_flex *flex,
                                const gos_mesh_skin *skin, const gos_mesh_locations *locations,
                                const double axis[3][3], gos_floating_names *names,
                                gos_sparse *film, gos_sparse *held);

/** Common temperature (and gradient) for sets with prescribed temperature; renumbers the skin.
 * @return GOS_E_INPUT for nodes prescribed by two entries */
gos_status gos__mesh_prescribe(gos_builder *b, const char *name,
                               const gos_mesh_locations *locations, gos_flex *flex,
                               gos_mesh_skin *skin);

#define GOS_MESH_MENTIONS 64 // largest number of inspected locations
/** Find locations of joints and loads (end of *names), with probes (seen). (referenced_locations.c)
 */
gos_status gos__mesh_mentions(gos_builder *b, const char *name, gos_floating_names *names);

#endif
