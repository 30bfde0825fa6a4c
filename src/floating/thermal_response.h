/* Quasi-static response modes of reduced floating bodies: deformations that follow the body's
   temperatures without inertia. */
#ifndef GOS_THERMAL_RESPONSE_H
#define GOS_THERMAL_RESPONSE_H

#include "flex/flex.h"
#include "parts/parts.h"

typedef struct gos_floating_body gos_floating_body; // floating/floating.h

/** T (flex->n, count + s) := V (flex->n, count), independent basis shapes, followed by *n shapes
 * stiffness-orthogonal to V and to each other: the part outside V of static deformations under
 * temperature fields W (heat.n, s), scaled by the body's size. A note in ctx reports shapes
 * dropped because V contains them. */
gos_status gos__floating_slaved_shapes(gos_ctx *ctx, const gos_flex *flex, int count,
                                       const double *V, int s, const double *W, double *T, int *n);
/** Make the last n amplitudes of a projected body dependent on its temperatures; the heat of their
 * strains becomes capacity. */
gos_status gos__floating_slave(gos_flex *reduced, int n);
/** Lock these amplitudes of f->flex, and compute them for outputs from the temperatures at
 * coordinate t0 and following. */
gos_status gos__floating_add_slaved(gos_builder *b, const gos_floating_body *f, int t0,
                                    const char *object, gos_loc loc);

#endif
