/* What the frame of a flexible body of a mesh holds on to. */
#ifndef GOS_REFERENCE_CONDITIONS_H
#define GOS_REFERENCE_CONDITIONS_H

#include "floating/mesh_places.h"
#include "parts/parts.h"

typedef struct gos_mesh_hold {
    gos_flex_condition reference;
    const char *mesh;           // its name, for messages
    bool pinned;                // nodes of a clamped frame may turn in it
    const char *at, *chord_end; // as the entry says them, NULL: it does not
} gos_mesh_hold;

/** Set the reference conditions of a free body with all its places, and leave out the amplitudes
 * that they hold at 0.
 *  @return GOS_E_INPUT with a record at the key of `entry` that is wrong */
gos_status gos__mesh_hold(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_mesh_hold *hold, const gos_mesh_places *places, gos_flex *flex);

#endif
