/* Quasi-static response modes: deformations that follow temperatures without inertia. */
#ifndef GOS_THERMAL_RESPONSE_H
#define GOS_THERMAL_RESPONSE_H

#include "flex/flex.h"
#include "parts/builder.h"

typedef struct gos_floating_body gos_floating_body; // floating/floating.h

/** T (flex->n, count + s) := V (flex->n, count), then *n shapes stiffness-orthogonal to V and each
 * other: static deformations under temperature fields W (heat.n, s) outside V, scaled. A note
 * reports shapes contained in V. */
gos_status gos__floating_dependent_shapes(gos_ctx *ctx, const gos_flex *flex, int count,
                                          const double *V, int s, const double *W, double *T,
                                          int *n);
/** Make the last n amplitudes dependent on temperatures; heat of their strains becomes capacity. */
gos_status gos__floating_make_dependent(gos_flex *reduced, int n);
/** Lock these amplitudes; outputs compute them from temperatures at t0. */
gos_status gos__floating_add_dependent(gos_builder *b, const gos_floating_body *f, int t0,
                                       const char *object, gos_loc loc);

#endif
