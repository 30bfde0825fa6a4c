/* The surface of line bodies for loads that are spread over it. */
#ifndef GOS_LINE_SPREAD_H
#define GOS_LINE_SPREAD_H

#include "parts/spread.h"

/* A line body at a place between its nodes. */
typedef struct gos_line_station {
    gos_marker x;     // centre of the section
    gos_marker slope; // of the axis by the length where it is free of stress
    gos_marker d[2];  // directors along local y and z, where `directed`
    bool directed;    // else (a cable) by the slope and the body's reference vector
    double length;    // where it is free of stress, over the nominal length [-]
} gos_line_station;

typedef gos_status gos_line_station_fn(gos_arena *a, const gos_body *body, const gos_place *p,
                                       gos_line_station *at);

/** gos_body_ops.spread of a body of ne equal elements: its outline, a face of it or an end. `free`:
 * its section's directions follow from neither of both. */
gos_status gos__line_spread(gos_builder *b, const gos_body *body, const gos_place *p, int ne,
                            bool free, gos_line_station_fn *station, const gos_spread_to *to);

#endif
