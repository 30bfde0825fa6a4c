/* Gossamer: inspection of meshes. SPDX-License-Identifier: Apache-2.0
 *
 * Generates or reads the meshes of a model, describes their contents and quality, and exports them
 * to VTK. */
#ifndef GOSSAMER_MESH_H
#define GOSSAMER_MESH_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Nodes, cells, and named sets of nodes, cells and cell faces. Immutable. */
typedef struct gos_mesh gos_mesh;

/** Name of entry i, from 0, of the model's section `meshes`; NULL after the last one. Borrowed from
 * the model. */
GOS_API const char *gos_mesh_name(const gos_model *model, int i);
/** Generate or read the mesh of the entry `name`. Free with gos_mesh_destroy.
 * @return GOS_E_INPUT: the entry does not exist or is invalid */
GOS_API gos_status gos_mesh_create(gos_ctx *ctx, gos_model *model, const char *name,
                                   gos_mesh **mesh);
GOS_API void gos_mesh_destroy(gos_mesh *mesh);
/** Print the contents of a mesh to `out`, one line each: nodes, cells by shape, extent, length,
 * area or volume, named sets with their sizes, cell quality. Inverted cells cause a warning that
 * identifies the first one by its number and line. */
GOS_API gos_status gos_mesh_describe(gos_ctx *ctx, const gos_mesh *mesh, const char *length,
                                     FILE *out);
/** Write the same contents as a JSON object: numbers of nodes, cells by shape, extent and size in
 * the unit of length of the mesh, sets with their sizes, quality. */
GOS_API gos_status gos_mesh_write_json(gos_ctx *ctx, const gos_mesh *mesh, FILE *out);
/** Write a mesh as a VTK XML file (.vtu) for ParaView: numbers of nodes and cells, and an array for
 * each set, 1 for its members. An existing file is replaced. @return GOS_E_FILE: it cannot be
 * written */
GOS_API gos_status gos_mesh_write_vtu(gos_ctx *ctx, const gos_mesh *mesh, const char *path);

#ifdef __cplusplus
}
#endif
#endif
