/* Beams are averaged if aligned. */
#ifndef GOS_MESH_STRESS_BEAMS_H
#define GOS_MESH_STRESS_BEAMS_H

#include "fe/mesh_body.h"

/** Whether two beams are parallel, in either sense. */
bool gos__mesh_beam_goes_on(const gos_mesh *m, int cell, int other);
/** *corner: a node where beams like `part` meet in different directions, -1: none. */
gos_status gos__mesh_beam_corner(const gos_fe_body *fe, const gos_fe_part *part, int n,
                                 const int *node, int *corner);

#endif
