/* Section directions by a reference vector are singular where the tangent runs along it, and those
   of curved cables are right in one plane alone: saying so. */
#ifndef GOS_SECTION_FRAMES_H
#define GOS_SECTION_FRAMES_H

#include "system/system.h"

/** Warn (counted, with the first time) of each body whose tangent has come close to its reference
 * vector, or has passed it in the last step, and of curved cables that leave their plane. Of a full
 * system; cheap enough for every step. */
void gos__frames_watch(gos_ctx *ctx, const gos_system *sys, const gos_state *state);
/** The same of a reduced system, by the positions of its nodes (nnodes, 3) at an output time. */
void gos__frames_watch_nodes(gos_ctx *ctx, const gos_system *sys, double time,
                             const double *position);
/** Warn of linear models of curved cables, whose motions out of their plane are not right. */
void gos__frames_linear(gos_ctx *ctx, const gos_system *sys);

#endif
