/* Attachment points of bodies for joints and loads: points, tangents, body axes. */
#ifndef GOS_PLACE_H
#define GOS_PLACE_H

#include "parts/parts.h"

/* What rotates at a place. */
typedef enum gos_turning {
    GOS_TURN_NOTHING, // a node of matrices without rotations
    GOS_TURN_FRAME,   // ground, rigid body, node with rotations: every direction
    GOS_TURN_TANGENT, // cable: only its tangent
    GOS_TURN_PLANE,   // plate: directions in its plane
    GOS_TURN_SECTION  // beam: directions perpendicular to its axis
} gos_turning;

/** gos__locate for a place with a position; rejects whole deformable bodies, faces and edges. */
gos_status gos__locate_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                             gos_place *place);
/** Likewise for a temperature; also accepts points on a face of a shell. */
gos_status gos__locate_warm_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                  gos_place *place);
/** Body and point of "BODY.at(x, y, z)", with expressions as arguments; *body NULL: not of this
 * form. */
gos_status gos__free_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                           const gos_body **body, double x[3]);
/** Resolves "BODY.PORT", an input or output of a matrices body; see gos_body_ops.port. */
gos_status gos__locate_port(gos_builder *b, const char *text, bool output, gos_loc loc,
                            const char *object, const gos_body **body, int *number, gos_signal *s);
/** Finds the body of this name, with axes (GOS_TURN_FRAME); rejects others. */
gos_status gos__locate_frame(gos_builder *b, const char *name, gos_loc loc, const char *object,
                             gos_place *place);
/** Whether two places are the same point of a body at t = 0. */
bool gos__same_point(const gos_place *p, const gos_place *q);
gos_turning gos__turning(const gos_place *p);
/** Slope of a line body at a place, and its value at t = 0. @return GOS_E_INPUT with a message if
 * the body has no slope. */
gos_status gos__tangent(gos_builder *b, const gos_place *p, gos_loc loc, const char *object,
                        gos_marker *m, double initial[3]);
/** Point of a rigid body (or the ground) at x for t = 0. */
gos_status gos__carried_point(gos_builder *b, const gos_place *p, const double x[3], gos_loc loc,
                              const char *object, gos_marker *m);
/** Three axes of a place with GOS_TURN_FRAME: those of a rigid or floating body; global axes at t =
 * 0 for a node of matrices. */
gos_status gos__rigid_axes(gos_builder *b, const gos_place *p, gos_marker axis[3]);
/** Number of nodes of an edge, or of a set with `each`; 0: neither. */
int gos__edge_nodes(const gos_place *p);
/** Node k of n along an edge, or of a set. */
void gos__edge_node(const gos_place *edge, int k, int n, gos_place *p);
/** Fraction of an edge's length at node k of n: half of both adjacent sides [-]. */
double gos__edge_share(const gos_place *edge, int k, int n);
/** Whether two edges with n matching nodes each run in opposite directions. */
bool gos__edges_opposite(const gos_place *p, const gos_place *q, int n);
/** Largest extent of the positions, the scale for coincidence [m]; call when all bodies exist. */
double gos__extent(gos_builder *b);

#endif
