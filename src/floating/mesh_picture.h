/* Drawn geometry of a floating mesh body. */
#ifndef GOS_MESH_PICTURE_H
#define GOS_MESH_PICTURE_H

#include "floating/floating.h"
#include "fe/mesh_body.h"

/** Outer sides of solids; without solids all surfaces. If `split`, a node at a boundary between
 * parts of different material or thickness is drawn once per part, so each has its own stress.
 * *part: part of the cells at each drawn node, -1: none (picture->nnode). */
gos_status gos__mesh_picture(gos_builder *b, const gos_fe_body *fe, bool split,
                             gos_floating_picture *picture, int **part);
bool gos__mesh_has_solids(const gos_mesh *m);
/** Do two parts have the same material and thickness, so that stresses are averaged over both? */
bool gos__mesh_parts_alike(const gos_fe_part *a, const gos_fe_part *b);

#endif
