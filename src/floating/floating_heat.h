/* Temperature of floating bodies. */
#ifndef GOS_FLOATING_HEAT_H
#define GOS_FLOATING_HEAT_H

#include "floating/floating.h"

/* A body with one temperature that lengthens a line in it. */
typedef struct gos_floating_warmth {
    double capacity; // [J/K]
    double force;    // per temperature, along the line, with the length kept: E A alpha [N/K]
    int start, end;  // nodes of the line
    int axis;        // of the body axes along it
} gos_floating_warmth;

/** Give body->nfam = 1 temperature to a body that is in the builder: thermal strain acts on the
 * stretch, the displacement of first order of the two nodes from each other. Nothing is done for
 * nfam = 0. `name` as of items. */
gos_status gos__floating_warm(gos_builder *b, const gos_floating_warmth *warmth, const char *name,
                              const gos_floating_body *f, gos_body *body);
/** gos_body_ops.temperature */
gos_status gos__floating_temperature(gos_arena *a, const gos_body *b, const gos_place *p,
                                     gos_tmarker *tm);

#endif
