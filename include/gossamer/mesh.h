/* Gossamer: meshes of a model, to look at them. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_MESH_H
#define GOSSAMER_MESH_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Nodes, cells, and named sets of nodes, cells and sides of cells. Immutable once made. */
typedef struct gos_mesh gos_mesh;

/** Name of entry i, from 0, of the model's section `meshes`; NULL behind the last one. Borrowed
 * from the model. */
GOS_API const char *gos_mesh_name(const gos_model *model, int i);
/** The mesh of the entry `name`, made by its rule or read from its file. Free with
 * gos_mesh_destroy.
 *  @return GOS_E_INPUT: there is no such entry, or something is wrong with it */
GOS_API gos_status gos_mesh_make(gos_ctx *ctx, gos_model *model, const char *name, gos_mesh **mesh);
GOS_API void gos_mesh_destroy(gos_mesh *mesh);
/** Write what a mesh has to `out`, a line for each: nodes, cells by shape, extent, length or area
 * or volume, named sets with their sizes, how well cells are shaped. Cells that are turned inside
 * out give a warning that names the first by its number and line. */
GOS_API gos_status gos_mesh_describe(gos_ctx *ctx, const gos_mesh *mesh, const char *length,
                                     FILE *out);
/** Write a mesh as a VTK XML file (.vtu) for ParaView: numbers of nodes and cells, and an array for
 * each set, 1 where something is in it. What is there is replaced. @return GOS_E_FILE: it cannot be
 * written */
GOS_API gos_status gos_mesh_write_vtu(gos_ctx *ctx, const gos_mesh *mesh, const char *path);

#ifdef __cplusplus
}
#endif
#endif
