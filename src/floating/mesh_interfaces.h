/* Interfaces: node sets with a reference point. Rigid (like RBE2): six unknowns replace those of
   the nodes, before any reduction. Averaging (like RBE3): no constraint. */
#ifndef GOS_MESH_INTERFACES_H
#define GOS_MESH_INTERFACES_H

#include "flex/flex.h"
#include "mesh/mesh.h"
#include "parts/builder.h"

typedef struct gos_mesh_interface {
    const char *name, *of; // of: the set
    gos_loc loc;
    bool rigid;
    int n;          // nodes with freedoms ...
    int *node;      // ... (n)
    double at[3];   // reference point, axes of the mesh [m]
    bool placed;    // given; else mean of the nodes
    int unknown[6]; // rigid: amplitudes, -1: none
} gos_mesh_interface;

typedef struct gos_mesh_interfaces {
    int n;
    gos_mesh_interface *v; // (n)
} gos_mesh_interfaces;

/** Parse `entry` (NULL: none) for a free body with mesh nodes only, and apply rigid ones. @return
 * GOS_E_INPUT with a record for unknown sets, undetermined rotations, and nodes in two rigid ones
 */
gos_status gos__mesh_interfaces_make(gos_builder *b, const gos_node *entry, const char *object,
                                     const gos_mesh *mesh, gos_flex *flex,
                                     gos_mesh_interfaces *list);
/** Fail if only some nodes of a rigid interface are fixed. */
gos_status gos__mesh_interfaces_hold(gos_ctx *ctx, const gos_mesh_interfaces *list, int n,
                                     const int *node, gos_loc loc, const char *object);

#endif
