/* Points of the surface of a body, by which loads are spread over it (gos_body_ops.spread): where a
   force acts, and by vectors that depend linearly on the coordinates, as it is deformed, which way
   the surface looks and how large it is. */
#ifndef GOS_SPREAD_H
#define GOS_SPREAD_H

#include "parts/parts.h"

typedef enum gos_spread_kind {
    GOS_SPREAD_FLAT, // v[0] along the outward normal, whatever its length; `size` is the area [m^2]
    GOS_SPREAD_TANGENT, // v[0] x v[1] along the outward normal, its length times `size` is the area
    GOS_SPREAD_FACE,    // of a cable with the slope v[0]: `sign` times the director `dir` of its
                        // section by the reference vector `ref`; the slope's length times `size` is
                        // the area
    GOS_SPREAD_ROUND,   // a piece of a tube of `radius` about the line through x along v[0], whose
                        // length times `size` is the piece's
    GOS_SPREAD_SPHERE   // of `radius` about x
} gos_spread_kind;

typedef struct gos_spread {
    gos_spread_kind kind;
    gos_marker x, v[2];
    double size;
    bool both;     // FLAT, TANGENT: light finds either side
    int dir;       // FACE: 1 local y, 2 local z
    double sign;   // ... or its opposite
    double ref[3]; // [-]
    double radius; // [m]
} gos_spread;

/* Who takes them. */
typedef struct gos_spread_to {
    gos_status (*add)(void *par, const gos_spread *point);
    void *par;
    gos_loc loc; // of the place, for messages
    const char *text, *object;
} gos_spread_to;

#endif
