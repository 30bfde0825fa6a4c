/* Temperature functions of the beam for reduced models. */
#ifndef GOS_BEAM_FIELDS_H
#define GOS_BEAM_FIELDS_H

#include "parts/parts.h"

/** gos_body_ops.fields: temperatures only; GOS_E_INPUT if n > 0. */
gos_status gos__beam_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                            int npoints, gos_body_fields *f);

#endif
