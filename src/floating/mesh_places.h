/* Locations on mesh bodies: numbered nodes, named node sets and surfaces, and interfaces. A set has
   the mean displacement of its nodes and the rotation of the best-fit rigid motion (least squares,
   equal weights, like RBE3): forces are distributed uniformly, moments as forces proportional to
   the distance. Nodes without cells of the body are ignored. */
#ifndef GOS_MESH_PLACES_H
#define GOS_MESH_PLACES_H

#include "floating/mesh_interfaces.h"

/* Nodal forces with a common factor: one location per component. Its displacement is their work
   over the sum of their magnitudes; it rotates with the frame. */
typedef struct gos_mesh_pattern {
    double *force;  // mesh axes (nodes, 3) [N]
    double size[3]; // sums of magnitudes; 0: no such location
} gos_mesh_pattern;
#define GOS_MESH_PATTERN "dload_%d_%c" // name, by index and axis

/* Members whose mean displacement is that of a set: equal weights, or forces of a pattern over
   their size. */
typedef struct gos_mesh_members {
    int n;               // 0: rigid interface with its own displacement
    const int *node;     // (n), NULL: all nodes of the mesh
    const double *force; // pattern component, stride 3; NULL: equal weights
    double size;
} gos_mesh_members;

typedef struct gos_mesh_places {
    const gos_mesh *mesh;
    gos_mesh_interfaces interfaces;
    int npattern;
    gos_mesh_pattern *pattern; // (npattern)
    int nset;          // sets, interfaces and patterns, numbered in the flex after the mesh nodes
    const char **name; // (nset)
    gos_mesh_members *members; // (nset)
    bool *many;                // flex node represents several nodes
    bool *turns;               // flex node determines every rotation possible there
    bool *bare;                // node has no cell of the body
} gos_mesh_places;

/** Nodes of the node set or surface `name`, among those of a free body, in the arena; *n = 0: none.
 */
gos_status gos__mesh_places_nodes(gos_arena *a, const gos_mesh *mesh, const gos_flex *flex,
                                  const char *name, int *n, int **node);
/** Whether these nodes of a free body determine every rotation possible there. */
bool gos__mesh_places_turn(const gos_flex *flex, int n, const int *node);
/** Their centre and inverse moments about it: the best-fit rotation for displacements u is the
 * inverse times sum r x u. Returns whether every possible rotation is determined. */
bool gos__mesh_places_fit(const gos_flex *flex, int n, const int *node, double centre[3],
                          double inverse[3][3]);
/** Add a node for every named node set, surface and interface to a flex that has mesh nodes only.
 */
gos_status gos__mesh_places_add(gos_arena *a, gos_flex *flex, gos_mesh_places *places);
/** Flex node of a name: "node(17)", or a set; -1: none. */
int gos__mesh_places_find(const gos_mesh_places *places, const char *name);

#endif
