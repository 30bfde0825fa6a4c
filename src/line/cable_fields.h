/* Polynomial fields along a cable. */
#ifndef GOS_CABLE_FIELDS_H
#define GOS_CABLE_FIELDS_H

#include "parts/parts.h"

/** gos_body_ops.fields of a straight body with position and slope nodes. */
gos_status gos__cable_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
