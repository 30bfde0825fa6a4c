/* The heat entries of a model that act on a body of a mesh, as loads by which its temperatures are
   reduced: the model says them before there is anything that they act on. */
#ifndef GOS_FLOATING_MESH_LOADS_H
#define GOS_FLOATING_MESH_LOADS_H

#include "floating/floating_loads.h"
#include "floating/mesh_places.h"
#include "floating/mesh_surface.h"

/** Loads of the entries of `heat` that name the body `name` or a place of it, each under the
 * entry's name: what the amount 1 heats (int N over its surface, times the film coefficient where
 * an ambient temperature drives it), light that finds the surface by its normals also in the
 * patterns of curved ones (NAME.x ..., NAME.lit), by axes (3) of the body; and films of a constant
 * coefficient as conduction (flex->heat.n); `held`: the conduction around places whose temperature
 * is prescribed. The loads and their amounts are names->heat and names->amount. All in the
 * builder's arena but film and held, which the caller frees. */
gos_status gos__mesh_heat_loads(gos_builder *b, const char *name, const gos_flex *flex,
                                const gos_mesh_skin *skin, const gos_mesh_places *places,
                                const double axis[3][3], gos_floating_names *names,
                                gos_sparse *film, gos_sparse *held);

/** Give the nodes of each set of the body `name` whose temperature the model prescribes one
 * temperature (of shells one gradient, too), and renumber those of the skin. @return GOS_E_INPUT
 * for nodes whose temperature two entries prescribe (mesh_prescribed.c) */
gos_status gos__mesh_prescribe(gos_builder *b, const char *name, const gos_mesh_places *places,
                               gos_flex *flex, gos_mesh_skin *skin);

#define GOS_MESH_MENTIONS 64 // most places that are looked for
/** Places of the body `name` that joints and loads name (end of *names), and probes too (seen).
 * (referenced_places.c) */
gos_status gos__mesh_mentions(gos_builder *b, const char *name, gos_floating_names *names);

#endif
