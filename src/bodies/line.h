/* What straight line bodies (cable, beam) share: their axis, places on it, the local z axis. */
#ifndef GOS_LINE_H
#define GOS_LINE_H

#include "parts/parts.h"

/* The straight axis at t = 0, with equidistant nodes. */
typedef struct gos_line {
    double from[3], tangent[3]; // start [m], unit direction [-]
    double length;              // [m]
    double spacing;             // of nodes [m]
    int last;                   // index of the last node
} gos_line;

/** The axis between two points; @return GOS_E_INPUT when they are one. */
gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const double from[3], const double to[3], int last, gos_line *line);
/** gos_body_ops.locate: start, end, node(i), at(s) and the faces of the section. */
gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_place *p);
/** Local z: `normal` made unit and square to the axis; for zero e3, or e2 where the axis is within
 *  20 degrees of e3. */
gos_status gos__line_normal(gos_builder *b, const gos_line *line, const double normal[3],
                            gos_loc loc, const char *object, double v[3]);

#endif
