/* Surface points for distributed loads (gos_body_ops.spread): position, normal and area from
 * vectors linear in the coordinates. */
#ifndef GOS_SPREAD_H
#define GOS_SPREAD_H

#include "parts/marker.h"

typedef enum gos_spread_kind {
    GOS_SPREAD_FLAT,    // v[0] along the normal, any length; `size`: area [m^2]
    GOS_SPREAD_TANGENT, // v[0] x v[1] along the normal; its length times `size`: area
    // cable with slope v[0]: normal is `sign` times the director `dir` from the reference vector
    // `ref`; area: slope's length times `size`
    GOS_SPREAD_FACE,
    // tube of `radius` about the line through x along v[0], whose length times `size` is the
    // piece's
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

typedef struct gos_spread_to {
    gos_status (*add)(void *par, const gos_spread *point);
    void *par;
    gos_loc loc; // for messages
    const char *text, *object;
} gos_spread_to;

#endif
