/* Surface points of a body for distributed loads (gos_body_ops.spread): point of action, normal and
 * area of the deformed surface, from vectors linear in the coordinates. */
#ifndef GOS_SPREAD_H
#define GOS_SPREAD_H

#include "parts/parts.h"

typedef enum gos_spread_kind {
    GOS_SPREAD_FLAT,    // v[0] along the outward normal, any length; `size` is the area [m^2]
    GOS_SPREAD_TANGENT, // v[0] x v[1] along the outward normal; its length times `size` is the area
    // cable with slope v[0]: normal is `sign` times the director `dir` of the section from the
    // reference vector `ref`; the slope's length times `size` is the area
    GOS_SPREAD_FACE,
    // piece of a tube of `radius` about the line through x along v[0]; its length times `size` is
    // the length of the piece
    GOS_SPREAD_ROUND,
    GOS_SPREAD_SPHERE // of `radius` about x
} gos_spread_kind;

typedef struct gos_spread {
    gos_spread_kind kind;
    gos_marker x, v[2];
    double size;
    bool both;     // FLAT, TANGENT: lit on both sides
    int dir;       // FACE: 1 local y, 2 local z
    double sign;   // 1 or -1
    double ref[3]; // [-]
    double radius; // [m]
} gos_spread;

/* Receiver of the points. */
typedef struct gos_spread_to {
    gos_status (*add)(void *par, const gos_spread *point);
    void *par;
    gos_loc loc; // for messages
    const char *text, *object;
} gos_spread_to;

#endif
