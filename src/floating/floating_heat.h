/* Temperature of floating bodies. */
#ifndef GOS_FLOATING_HEAT_H
#define GOS_FLOATING_HEAT_H

#include "floating/floating.h"

/* Uniform temperature whose strain lengthens a line. */
typedef struct gos_floating_warmth {
    double capacity; // [J/K]
    double force;    // E A alpha [N/K]
    int start, end;  // nodes of the line
    int axis;        // index of the body axis along it
} gos_floating_warmth;

/** Add body->nfam = 1 temperature to a body in the builder (0: none). Thermal strain acts on the
 * relative first-order displacement of the nodes. `name` as for items. */
gos_status gos__floating_warm(gos_builder *b, const gos_floating_warmth *warmth, const char *name,
                              const gos_floating_body *f, gos_body *body);
/** gos_body_ops.temperature. */
gos_status gos__floating_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                     gos_tmarker *tm);

#endif
