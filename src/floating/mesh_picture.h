/* What is drawn of a floating body of a mesh. */
#ifndef GOS_MESH_PICTURE_H
#define GOS_MESH_PICTURE_H

#include "floating/floating.h"
#include "fe/mesh_body.h"

/** Sides of solids that belong to one cell; without solids all surfaces. Where parts of different
 * material or thickness meet and `split`, a node is drawn once for each of them, so that each can
 * have a stress of its own. *part: the part of the cells at each drawn node, -1: of none
 * (picture->nnode). */
gos_status gos__mesh_picture(gos_builder *b, const gos_fe_body *fe, bool split,
                             gos_floating_picture *picture, int **part);
bool gos__mesh_has_solids(const gos_mesh *m);
/** Are two parts of one material and thickness, which averages of stresses do not tell apart? */
bool gos__mesh_parts_alike(const gos_fe_part *a, const gos_fe_part *b);

#endif
