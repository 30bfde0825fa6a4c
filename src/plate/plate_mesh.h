/* Reading the meshes of plates. */
#ifndef GOS_PLATE_MESH_H
#define GOS_PLATE_MESH_H

#include "plate/plate.h"

#define GOS_PLATE_SHARP 1e-3 // least sine of a corner [-]

typedef enum gos_plate_fault {
    GOS_PLATE_FLAT_CORNER, // 180 degrees, or side of length 0
    GOS_PLATE_REENTRANT,   // points inwards
    GOS_PLATE_CROSSED,     // sides cross
    GOS_PLATE_CLOCKWISE
} gos_plate_fault;

gos_status gos__plate_room(gos_builder *b, gos_plate *c);
/** Reads a point [x, y, z]. */
gos_status gos__plate_point(gos_builder *b, const gos_node *node, const char *object, double x[3]);
/** Origin at the first of four points, x towards the second, normal to the diagonals. @return false
 * if degenerate */
bool gos__plate_plane(const double p[4][3], gos_plate *c);
/** Projects p to x. @return its distance from the plane [m] */
double gos__plate_flatten(const gos_plate *c, const double p[3], double x[2]);
/** Finds the worst corner and its fault; -1: valid. */
int gos__plate_bad_corner(const double x[4][2], gos_plate_fault *fault);
/** Sets the axes of an edge: across is along rotated by 90 degrees, times sign. */
void gos__plate_edge_axes(const gos_plate *c, int sign, gos_plate_edge *edge);

gos_status gos__plate_list(gos_builder *b, const gos_plate_mesh_def *d, const char *object,
                           gos_plate *c);

#endif
