/* Points by which heat acts on surfaces of bodies of meshes, and in their volume. The temperature there is that of the nodes
   between which they lie; the outward normal, by which a directed flux finds the surface, turns with the
   body. */
#ifndef GOS_MESH_SURFACE_H
#define GOS_MESH_SURFACE_H

#include "linalg/sparse.h"
#include "mesh/shapes.h"
#include "parts/parts.h"

/* What a body tells of itself; blocks that have been made are kept in it. */
typedef struct gos_mesh_skin {
    const gos_mesh *mesh; // places in body axes
    int t0;               // its first temperature coordinate
    bool nodal;           // coordinate t0 + k is the temperature of one node alone ...
    const int *of_node;   // ... of each node, -1: it has none (nodes)
    const gos_sparse *at; // not nodal: temperatures of nodes (coordinates, nodes)
    int axes;             // vector coordinate of the first of its three axes
    double thickness;     // of sheets; their sides have it, and their face has their area [m]
    bool uneven;          // sheets of the body have several, which sides do not know
    int nmade;            //
    int (*made)[4];       // which, inside, first block, number of blocks (2 + surfaces + cell sets)
} gos_mesh_skin;

/** Make room for blocks. */
gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin);
/** The number for gos_place.surface of a named surface, or (of sheets) of a set of cells, which means their face; 0: there is
 *  none of the name. */
int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name);
/** Integrals over what a gos_place.surface names (0: the skin, or inside: the volume) of the functions N of the nodes: add
 *  int N to load (nodes), and hand each entry of int N N to `add` (NULL: not). */
gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to);
/** gos_body_ops.surface of a body with that skin. */
gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_place *p, bool inside, int *first, int *n);
/** A section on which heat acts as on one face without extent, so that integrals are those over the points. */
gos_status gos__mesh_skin_section(gos_arena *a, const gos_section **section);

#endif
