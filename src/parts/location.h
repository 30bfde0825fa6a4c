/* Attachment points for joints and loads. */
#ifndef GOS_LOCATION_H
#define GOS_LOCATION_H

#include "parts/builder.h"

typedef enum gos_rotating {
    GOS_TURN_NOTHING, // node of matrices without rotations
    GOS_TURN_FRAME,   // ground, rigid body, node with rotations
    GOS_TURN_TANGENT, // cable
    GOS_TURN_PLANE,   // plate: in its plane
    GOS_TURN_SECTION  // beam: perpendicular to its axis
} gos_rotating;

/** Place with a position; rejects whole deformable bodies, faces and edges. */
gos_status gos__locate_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                             gos_location *location);
/** For temperatures: also on a face of a shell. */
gos_status gos__locate_warm_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                  gos_location *location);
/** Body and point of "BODY.at(x, y, z)", with expressions; *body NULL: another form. */
gos_status gos__free_point(gos_builder *b, const char *text, gos_loc loc, const char *object,
                           const gos_body **body, double x[3]);
/** Resolves "BODY.PORT"; see gos_body_ops.port. */
gos_status gos__locate_port(gos_builder *b, const char *text, bool output, gos_loc loc,
                            const char *object, const gos_body **body, int *number, gos_signal *s);
/** Body with axes (GOS_TURN_FRAME); rejects others. */
gos_status gos__locate_frame(gos_builder *b, const char *name, gos_loc loc, const char *object,
                             gos_location *location);
bool gos__same_point(const gos_location *p, const gos_location *q);
gos_rotating gos__rotating(const gos_location *p);
/** Slope of a line body, and its initial value. @return GOS_E_INPUT with a message if none. */
gos_status gos__tangent(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                        gos_marker *m, double initial[3]);
/** Point of a rigid body or the ground at x for t = 0. */
gos_status gos__carried_point(gos_builder *b, const gos_location *p, const double x[3], gos_loc loc,
                              const char *object, gos_marker *m);
/** Axes of a location with GOS_TURN_FRAME; a node of matrices has the global ones at t = 0. */
gos_status gos__rigid_axes(gos_builder *b, const gos_location *p, gos_marker axis[3]);
/** Nodes of an edge, or of a set with `each`; else 0. */
int gos__edge_nodes(const gos_location *p);
/** Node k of n of an edge or set. */
void gos__edge_node(const gos_location *edge, int k, int n, gos_location *p);
/** Length fraction of node k: half of both adjacent sides. */
double gos__edge_share(const gos_location *edge, int k, int n);
/** Whether two edges with n matching nodes run in opposite directions. */
bool gos__edges_opposite(const gos_location *p, const gos_location *q, int n);
/** Largest extent of positions [m]; call when all bodies exist. */
double gos__extent(gos_builder *b);

#endif
