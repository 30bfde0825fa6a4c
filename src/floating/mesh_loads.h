/* Heat entries of a model as loads of a mesh body for its reduction, read before the entries
   themselves are built. */
#ifndef GOS_FLOATING_MESH_LOADS_H
#define GOS_FLOATING_MESH_LOADS_H

#include "floating/floating_loads.h"
#include "floating/mesh_places.h"
#include "floating/mesh_surface.h"

/** Loads of the `heat` entries on the body `name` or its locations, named after the entry. A load
 * is the heat of unit magnitude (int N over its surface, times the film coefficient for ambient
 * temperatures). Light on curved surfaces adds patterns (NAME.x ..., NAME.lit), by axes (3) of the
 * body. film: films with constant coefficient as conduction (flex->heat.n); held: conduction
 * around prescribed temperatures. Loads and magnitudes are stored in names->heat and
 * names->amount. Allocated in the builder's arena except film and held, which the caller frees. */
gos_status gos__mesh_heat_loads(gos_builder *b, const char *name, const gos_flex *flex,
                                const gos_mesh_skin *skin, const gos_mesh_places *places,
                                const double axis[3][3], gos_floating_names *names,
                                gos_sparse *film, gos_sparse *held);

/** Give the nodes of each set of the body `name` with prescribed temperature a common temperature
 * (shells also a common gradient), and renumber those of the skin. @return GOS_E_INPUT for nodes
 * with prescribed temperatures in two entries (mesh_prescribed.c) */
gos_status gos__mesh_prescribe(gos_builder *b, const char *name, const gos_mesh_places *places,
                               gos_flex *flex, gos_mesh_skin *skin);

#define GOS_MESH_MENTIONS 64 // largest number of referenced locations that are inspected
/** Find locations of the body `name` that joints and loads refer to (end of *names), and with
 * probes (seen). (referenced_places.c) */
gos_status gos__mesh_mentions(gos_builder *b, const char *name, gos_floating_names *names);

#endif
