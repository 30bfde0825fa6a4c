/* Meshes of Gmsh: files .msh of version 2.2 and 4.1, in text and binary. */
#ifndef GOS_MSH_H
#define GOS_MSH_H

#include "mesh/mesh.h"

/** Parse a file into an empty mesh: size bytes at data, which a 0 byte follows; `name` stands for
 * it in messages. Physical groups become sets by their names: of nodes always; of cells those of
 * the mesh's dimension; surfaces those of one dimension less, whose elements are sides of cells.
 * Elements of lower dimensions are no cells of the mesh unless `all`, which keeps all elements as
 * cells, and groups of all dimensions as sets of cells. Nodes that neither cells nor groups have
 * are left out. What is passed over (partitions, periodic links, data of views) is told in warnings
 * with their lines, everything else is an error. The mesh is finished. */
gos_status gos__msh_parse(gos_mesh *mesh, const char *name, const char *data, size_t size,
                          bool all);

#endif
