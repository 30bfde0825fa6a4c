/* Gmsh meshes: .msh files of version 2.2 and 4.1, text and binary. */
#ifndef GOS_MSH_H
#define GOS_MSH_H

#include "mesh/mesh.h"

/** Parse a file into an empty mesh: size bytes at data, followed by a 0 byte; `name` is used in
 * messages. Physical groups become sets by name: always of nodes; of cells if they have the mesh's
 * dimension; surfaces if they have one less and their elements are sides of cells. Elements of
 * lower dimensions become cells only with `all`, which keeps all elements, and groups of all
 * dimensions as cell sets. Nodes without cells and groups are dropped. Ignored data (partitions,
 * periodic links, view data) are warned of with their lines; everything else is an error. The mesh
 * is finished. */
gos_status gos__msh_parse(gos_mesh *mesh, const char *name, const char *data, size_t size,
                          bool all);

#endif
