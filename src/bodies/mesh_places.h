/* Places of flexible bodies of meshes: nodes by their numbers, and named sets of nodes and surfaces, which move as the mean of their
   nodes does and turn as the rigid motion that fits theirs best (least squares over equal weights, like RBE3): a force there
   is spread evenly, a moment as forces that grow with the distance. */
#ifndef GOS_MESH_PLACES_H
#define GOS_MESH_PLACES_H

#include "flex/flex.h"
#include "mesh/mesh.h"

typedef struct gos_mesh_places {
    const gos_mesh *mesh;
    int nset;          // sets, which are the nodes of the flex behind those of the mesh
    const char **name; // (nset)
    bool *many;        // whether a node of the flex stands for more than one
    bool *turns;       // whether a node of the flex tells a rotation about every axis
} gos_mesh_places;

/** Add a node for every named set of nodes and surface of the mesh to a flex that has those of the mesh alone. */
gos_status gos__mesh_places_add(gos_arena *a, gos_flex *flex, gos_mesh_places *places);
/** Number of the node of the flex that has this name: "node(17)", or a set; -1: none. */
int gos__mesh_places_find(const gos_mesh_places *places, const char *name);

#endif
