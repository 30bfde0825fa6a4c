/* Quasi-static response modes of reduced floating bodies: deformations that follow the temperatures
 * of the body at once. */
#ifndef GOS_THERMAL_RESPONSE_H
#define GOS_THERMAL_RESPONSE_H

#include "flex/flex.h"
#include "parts/parts.h"

typedef struct gos_floating_body gos_floating_body; // bodies/floating.h

/** T (flex->n, count + s) := V (flex->n, count), independent shapes that move, and behind them *n
 * that have no stiffness with V or with each other: what V does not have of the deformations at
 * rest under temperature fields W (heat.n, s), as large as the body. What is left out because V
 * contains it is a note in ctx. */
gos_status gos__floating_slaved_shapes(gos_ctx *ctx, const gos_flex *flex, int count,
                                       const double *V, int s, const double *W, double *T, int *n);
/** Let the last n amplitudes of a body that was projected on them follow its temperatures; the heat
 * of their strains becomes capacity. */
gos_status gos__floating_slave(gos_flex *reduced, int n);
/** Hold these amplitudes of f->flex, and let outputs see what the temperatures from coordinate t0
 * on say of them. */
gos_status gos__floating_add_slaved(gos_builder *b, const gos_floating_body *f, int t0,
                                    const char *object, gos_loc loc);

#endif
