/* Places of bodies as joints and loads need them: points, tangents, body axes. */
#ifndef GOS_PLACE_H
#define GOS_PLACE_H

#include "parts/parts.h"

/* What turns at a place. */
typedef enum gos_turning {
    GOS_TURN_NOTHING, // a node of matrices without rotations
    GOS_TURN_FRAME,   // the ground, a rigid body, a node with rotations: every direction
    GOS_TURN_TANGENT, // a cable: its tangent only
    GOS_TURN_PLANE,   // a plate: directions in its plane
    GOS_TURN_SECTION  // a beam: directions across its axis
} gos_turning;

/** Like gos__locate, and the place has a position: a whole deformable body, a face or an edge is
 *  refused. */
gos_status gos__locate_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                             gos_place *place);
/** Likewise, for a temperature: a point on a face of a shell has one, too. */
gos_status gos__locate_warm_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                  gos_place *place);
/** The body and the point of "BODY.at(x, y, z)", whose arguments may be expressions; *body NULL: it
 * is something else. */
gos_status gos__free_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                           const gos_body **body, double x[3]);
/** Resolve "BODY.PORT", an input or output of a body of matrices; see gos_body_ops.port. */
gos_status gos__locate_port(gos_builder *b, const char *text, bool output, gos_loc loc,
                            const char *object, const gos_body **body, int *number, gos_signal *s);
/** The body of this name, which has axes that turn with it (GOS_TURN_FRAME); one that has none is
 * refused. */
gos_status gos__locate_frame(gos_builder *b, const char *name, gos_loc loc, const char *object,
                             gos_place *place);
/** Two points of one body that are the same at t = 0. */
bool gos__same_point(const gos_place *p, const gos_place *q);
/** What has an orientation there. */
gos_turning gos__turning(const gos_place *p);
/** The slope of a line body at a place, and its value at t = 0.
 *  @return GOS_E_INPUT naming the place when the body has no slope. */
gos_status gos__tangent(gos_builder *b, const gos_place *p, gos_loc loc, const char *object,
                        gos_marker *m, double initial[3]);
/** The point of a rigid body (or the ground) that is at x when t = 0. */
gos_status gos__carried_point(gos_builder *b, const gos_place *p, const double x[3], gos_loc loc,
                              const char *object, gos_marker *m);
/** The three axes of a place where every direction turns (GOS_TURN_FRAME): those of a rigid or
 *  floating body; of a node of matrices the global ones at t = 0. */
gos_status gos__rigid_axes(gos_builder *b, const gos_place *p, gos_marker axis[3]);
/** Nodes of an edge, or of a set of which each is meant; 0: the place is neither. */
int gos__edge_nodes(const gos_place *p);
/** Node k of n along an edge, or of a set. */
void gos__edge_node(const gos_place *edge, int k, int n, gos_place *p);
/** The part of an edge's length that belongs to node k of n, half of the sides on both hands of it
 * [-]. */
double gos__edge_share(const gos_place *edge, int k, int n);
/** Two edges of n nodes each that meet node by node: do they count in opposite directions? */
bool gos__edges_opposite(const gos_place *p, const gos_place *q, int n);
/** Largest extent of the positions, the measure for "at the same place" [m]; to be asked for when
 * all bodies are there. */
double gos__extent(gos_builder *b);

#endif
