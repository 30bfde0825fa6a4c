/* What reads the meshes of plates. */
#ifndef GOS_PLATE_MESH_H
#define GOS_PLATE_MESH_H

#include "plate/plate.h"

#define GOS_PLATE_SHARP 1e-3 // least sine of a corner of an element [-]

/* What is wrong with four points in order around. */
typedef enum gos_plate_fault {
    GOS_PLATE_FLAT_CORNER, // no corner, or no side
    GOS_PLATE_REENTRANT,   // a corner points inwards
    GOS_PLATE_CROSSED,     // sides cross
    GOS_PLATE_CLOCKWISE    // the other way round
} gos_plate_fault;

/** Nodes and elements of the plate's numbers of them. */
gos_status gos__plate_room(gos_builder *b, gos_plate *c);
/** A point in space, [x, y, z]. */
gos_status gos__plate_point(gos_builder *b, const gos_node *node, const char *object, double x[3]);
/** The plane of four points: origin in the first, x towards the second, normal to the diagonals.
 *  @return false: they have none */
bool gos__plate_plane(const double p[4][3], gos_plate *c);
/** Coordinates x in the plane. @return how far p is off it [m] */
double gos__plate_flatten(const gos_plate *c, const double p[3], double x[2]);
/** The worst corner of a quadrilateral and what is wrong with it, -1: none. */
int gos__plate_bad_corner(const double x[4][2], gos_plate_fault *fault);
/** Directions of an edge whose nodes are known: across is along turned by a quarter, times sign. */
void gos__plate_edge_axes(const gos_plate *c, int sign, gos_plate_edge *edge);

/** plate_list.c: a mesh by nodes, quads and edges. */
gos_status gos__plate_list(gos_builder *b, const gos_plate_mesh_def *d, const char *object,
                           gos_plate *c);

#endif
