/* Locations on mesh bodies: nodes, sets, surfaces, interfaces. A set has the mean displacement and
   best-fit rotation (equal weights, like RBE3): uniform forces, moments by forces proportional to
   the distance. Nodes without cells are ignored. */
#ifndef GOS_MESH_LOCATIONS_H
#define GOS_MESH_LOCATIONS_H

#include "floating/mesh_interfaces.h"

/* Nodal forces with a common factor; per component a location whose displacement is their work over
   their sum, rotating with the frame. */
typedef struct gos_mesh_pattern {
    double *force;  // mesh axes (nodes, 3) [N]
    double size[3]; // sums of magnitudes; 0: none
} gos_mesh_pattern;
#define GOS_MESH_PATTERN "dload_%d_%c" // name, by index and axis

/* Members of a set: equal weights, or forces over their size. */
typedef struct gos_mesh_members {
    int n;               // 0: own displacement (rigid)
    const int *node;     // (n), NULL: all
    const double *force; // stride 3; NULL: equal weights
    double size;
} gos_mesh_members;

typedef struct gos_mesh_locations {
    const gos_mesh *mesh;
    gos_mesh_interfaces interfaces;
    int npattern;
    gos_mesh_pattern *pattern; // (npattern)
    int nset;                  // flex nodes after those of the mesh
    const char **name;         // (nset)
    gos_mesh_members *members; // (nset)
    bool *many;                // the flex node represents several nodes
    bool *turns;               // the flex node determines every possible rotation
    bool *bare;                // the node has no cells
} gos_mesh_locations;

/** Nodes of a set or surface, in the arena; *n = 0: none. */
gos_status gos__mesh_locations_nodes(gos_arena *a, const gos_mesh *mesh, const gos_flex *flex,
                                     const char *name, int *n, int **node);
/** Whether these nodes determine every possible rotation. */
bool gos__mesh_locations_turn(const gos_flex *flex, int n, const int *node);
/** Centre and inverse moments: best-fit rotation is inverse times sum r x u. Returns whether every
 * possible rotation is determined. */
bool gos__mesh_locations_fit(const gos_flex *flex, int n, const int *node, double centre[3],
                             double inverse[3][3]);
/** Add all locations to a flex with mesh nodes only. */
gos_status gos__mesh_locations_add(gos_arena *a, gos_flex *flex, gos_mesh_locations *locations);
/** Flex node of "node(17)", or of a set; -1: none. */
int gos__mesh_locations_find(const gos_mesh_locations *locations, const char *name);

#endif
