#ifndef GOS_MESH_PICTURE_H
#define GOS_MESH_PICTURE_H

#include "floating/floating.h"
#include "fe/mesh_body.h"

/** Outer sides of solids; else all surfaces. `split`: nodes between different parts are drawn once
 * per part. *part: of drawn nodes, -1: none (picture->nnode). */
gos_status gos__mesh_picture(gos_builder *b, const gos_fe_body *fe, bool split,
                             gos_floating_picture *picture, int **part);
bool gos__mesh_has_solids(const gos_mesh *m);
/** Whether stresses are averaged over two parts: same material and thickness. */
bool gos__mesh_parts_alike(const gos_fe_part *a, const gos_fe_part *b);

#endif
