/* Interfaces of flexible bodies of meshes, the key `interfaces`: sets of nodes by which a body is
   joined to others, each with a reference point. A rigid one moves as one piece (like RBE2): six
   unknowns in the place of those of its nodes, before anything is reduced. An averaging one leaves
   the body as it is (like RBE3). */
#ifndef GOS_MESH_INTERFACES_H
#define GOS_MESH_INTERFACES_H

#include "flex/flex.h"
#include "mesh/mesh.h"
#include "parts/parts.h"

typedef struct gos_mesh_interface {
    const char *name, *of; // of: the set
    gos_loc loc;
    bool rigid;
    int n;          // nodes ...
    int *node;      // ... that carry something (n)
    double at[3];   // reference point, axes of the mesh [m]
    bool placed;    // it was given; else the mean of the nodes
    int unknown[6]; // rigid: amplitudes of its displacement and rotation, -1: the body has none of
                    // that kind
} gos_mesh_interface;

typedef struct gos_mesh_interfaces {
    int n;
    gos_mesh_interface *v; // (n)
} gos_mesh_interfaces;

/** Of the free body `flex` with the nodes of the mesh alone: read the map `entry` (NULL: there are
 * none), and make rigid ones rigid. @return GOS_E_INPUT with a record for what is no set, for a
 * rigid one whose nodes tell no rotation, and for two that share a node */
gos_status gos__mesh_interfaces_make(gos_builder *b, const gos_node *entry, const char *object,
                                     const gos_mesh *mesh, gos_flex *flex,
                                     gos_mesh_interfaces *list);
/** Refuse to hold `n` nodes that are some of a rigid interface's and not all. */
gos_status gos__mesh_interfaces_hold(gos_ctx *ctx, const gos_mesh_interfaces *list, int n,
                                     const int *node, gos_loc loc, const char *object);

#endif
