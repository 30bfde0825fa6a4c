/* Reference conditions of the frame of a mesh body. */
#ifndef GOS_REFERENCE_CONDITIONS_H
#define GOS_REFERENCE_CONDITIONS_H

#include "floating/mesh_locations.h"

typedef struct gos_mesh_hold {
    gos_flex_condition reference;
    const char *mesh;           // for messages
    bool pinned;                // rotations of a clamped frame's nodes are free
    const char *at, *chord_end; // NULL: not given
} gos_mesh_hold;

/** Set the conditions of a free body with all locations; remove amplitudes fixed at 0. @return
 * GOS_E_INPUT with a record at the faulty key */
gos_status gos__mesh_hold(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_mesh_hold *hold, const gos_mesh_locations *locations,
                          gos_flex *flex);

#endif
