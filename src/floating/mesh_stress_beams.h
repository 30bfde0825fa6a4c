/* Which beams go on in one direction, so that stresses along them have a mean. */
#ifndef GOS_MESH_STRESS_BEAMS_H
#define GOS_MESH_STRESS_BEAMS_H

#include "fe/mesh_body.h"

/** Whether one beam has the direction of the other, or the opposite one. */
bool gos__mesh_beam_goes_on(const gos_mesh *m, int cell, int other);
/** *corner: one of n nodes at which beams of parts like `part` meet in different directions, -1:
 * there is none. */
gos_status gos__mesh_beam_corner(const gos_fe_body *fe, const gos_fe_part *part, int n,
                                 const int *node, int *corner);

#endif
