/* Surface of line bodies for distributed loads. */
#ifndef GOS_LINE_SPREAD_H
#define GOS_LINE_SPREAD_H

#include "parts/spread.h"

typedef struct gos_line_station {
    gos_marker x;     // centre of the section
    gos_marker slope; // by its stress-free length
    gos_marker d[2];  // along local y and z
    bool directed;    // false: from slope and reference vector
    double length;    // stress-free over nominal length [-]
} gos_line_station;

typedef gos_status gos_line_station_fn(gos_arena *a, const gos_body *body, const gos_location *p,
                                       gos_line_station *at);

/** gos_body_ops.spread for ne equal elements: outline, face or end. free: neither directors nor a
 * reference vector. */
gos_status gos__line_spread(gos_builder *b, const gos_body *body, const gos_location *p, int ne,
                            bool free, gos_line_station_fn *station, const gos_spread_to *to);

#endif
