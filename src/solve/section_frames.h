/* Warnings about section directions of cables: singular where the tangent is parallel to the
 * reference vector; correct for curved cables in one plane only. */
#ifndef GOS_SECTION_FRAMES_H
#define GOS_SECTION_FRAMES_H

#include "system/system.h"

/** Warn (counted, with the first time) of bodies whose tangent is close to the reference vector or
 * passed it in the last step, and of curved cables that leave their plane. Full systems; cheap. */
void gos__section_frames_check(gos_ctx *ctx, const gos_system *sys, const gos_state *state);
/** As gos__section_frames_check for a reduced system, by its node positions (nnodes, 3) at an
 * output time. */
void gos__section_frames_check_nodes(gos_ctx *ctx, const gos_system *sys, double time,
                                     const double *position);
/** Warn of linear models of curved cables, whose out-of-plane motion is incorrect. */
void gos__frames_linear(gos_ctx *ctx, const gos_system *sys);

#endif
