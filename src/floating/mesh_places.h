/* Places of flexible bodies of meshes: nodes by their numbers, and named sets of nodes and
   surfaces, which move as the mean of their nodes does and turn as the rigid motion that fits
   theirs best (least squares over equal weights, like RBE3): a force there is spread evenly, a
   moment as forces that grow with the distance; and interfaces. Nodes that belong to no cell of the
   body are left out. */
#ifndef GOS_MESH_PLACES_H
#define GOS_MESH_PLACES_H

#include "floating/mesh_interfaces.h"

/* Forces on nodes that grow together: a place for each component, whose displacement along it is
   their work over the sum of their amounts, and which turns as the frame does. */
typedef struct gos_mesh_pattern {
    double *force;  // along the axes of the mesh (nodes, 3) [N]
    double size[3]; // sums of their amounts; 0: there is no such place
} gos_mesh_pattern;
#define GOS_MESH_PATTERN "dload_%d_%c" // its name, by number and axis

/* Whose mean displacement that of a set is: nodes of equal weights, or the forces of a pattern over
 * their size. */
typedef struct gos_mesh_members {
    int n;               // 0: a rigid interface, which has a displacement of its own
    const int *node;     // (n), NULL: all of the mesh
    const double *force; // component of a pattern at every third place, NULL: equal weights
    double size;
} gos_mesh_members;

typedef struct gos_mesh_places {
    const gos_mesh *mesh;
    gos_mesh_interfaces interfaces;
    int npattern;
    gos_mesh_pattern *pattern; // (npattern)
    int nset; // sets, interfaces and patterns, which are the nodes of the flex behind those of the
              // mesh
    const char **name;         // (nset)
    gos_mesh_members *members; // (nset)
    bool *many;                // whether a node of the flex stands for more than one
    bool *turns; // whether a node of the flex tells every rotation that the body can have there
    bool *bare;  // whether a node belongs to no cell of the body
} gos_mesh_places;

/** Nodes, of those of a free body, of the set of nodes or the surface `name`, in the arena; *n = 0:
 * there are none. */
gos_status gos__mesh_places_nodes(gos_arena *a, const gos_mesh *mesh, const gos_flex *flex,
                                  const char *name, int *n, int **node);
/** Whether these nodes of a free body tell every rotation that they can have. */
bool gos__mesh_places_turn(const gos_flex *flex, int n, const int *node);
/** Their centre, and the inverse of the moments about it: the rotation that fits displacements u
 * best is that times sum r x u. Returns whether they tell every rotation that they can have. */
bool gos__mesh_places_fit(const gos_flex *flex, int n, const int *node, double centre[3],
                          double inverse[3][3]);
/** Add a node for every named set of nodes, surface and interface to a flex that has those of the
 * mesh alone. */
gos_status gos__mesh_places_add(gos_arena *a, gos_flex *flex, gos_mesh_places *places);
/** Number of the node of the flex that has this name: "node(17)", or a set; -1: none. */
int gos__mesh_places_find(const gos_mesh_places *places, const char *name);

#endif
