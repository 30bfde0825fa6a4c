/* Interfaces of mesh bodies, key `interfaces`: node sets with a reference point for attachments.
   Rigid (like RBE2): six unknowns replace those of the nodes before any reduction. Averaging (like
   RBE3): does not constrain the body. */
#ifndef GOS_MESH_INTERFACES_H
#define GOS_MESH_INTERFACES_H

#include "flex/flex.h"
#include "mesh/mesh.h"
#include "parts/parts.h"

typedef struct gos_mesh_interface {
    const char *name, *of; // of: the set
    gos_loc loc;
    bool rigid;
    int n;          // nodes with freedoms ...
    int *node;      // ... (n)
    double at[3];   // reference point, axes of the mesh [m]
    bool placed;    // reference point was given; else the mean of the nodes
    int unknown[6]; // rigid: amplitudes of displacement and rotation, -1: none
} gos_mesh_interface;

typedef struct gos_mesh_interfaces {
    int n;
    gos_mesh_interface *v; // (n)
} gos_mesh_interfaces;

/** Parse the map `entry` (NULL: none) for the free body `flex` that has mesh nodes only, and apply
 * rigid interfaces. @return GOS_E_INPUT with a record for unknown sets, for rigid interfaces whose
 * nodes determine no rotation, and for a node in two of them */
gos_status gos__mesh_interfaces_make(gos_builder *b, const gos_node *entry, const char *object,
                                     const gos_mesh *mesh, gos_flex *flex,
                                     gos_mesh_interfaces *list);
/** Fail if only a part of a rigid interface's nodes is among the `n` fixed nodes. */
gos_status gos__mesh_interfaces_hold(gos_ctx *ctx, const gos_mesh_interfaces *list, int n,
                                     const int *node, gos_loc loc, const char *object);

#endif
