/* Shadows of drawn surfaces on points (parts/shadow.h): which part of the light arrives, by rays
   from around each point towards where it comes from.

   Looked at is where a step begins, and nowhere inside it: Newton sees a factor that depends on
   nothing but the time. It begins with what the step before has ended with and goes on to what is
   seen now and the change since then, so that heat is continuous, and right to second order in
   steps where the part of the light changes evenly. What the shadow does by motion is in no
   derivative. While neither the light nor the places have changed by more than the tolerance, in
   axes that turn with them, nothing is looked at and what was seen last stays. */
#ifndef GOS_SYSTEM_SHADOWS_H
#define GOS_SYSTEM_SHADOWS_H

#include "parts/shadow.h"
#include "system/system.h"

/** Find what casts and takes the shadows of the builder's model: when all else of the system is in
 * place, pictures too. */
gos_status gos__shadows_make(gos_builder *b, gos_system *s);
/** Give them memory from s->nmem on. */
void gos__shadows_number(gos_system *s);
/** ... and fill it (s->mem0) for the initial coordinates at t = 0. @return GOS_E_MEMORY */
gos_status gos__shadows_begin_memory(gos_system *s);

/** Scratch; *work stays NULL where there are no shadows. */
gos_status gos__shadows_work_create(gos_ctx *ctx, const gos_system *s,
                                    struct gos_shadows_work **work);
void gos__shadows_work_destroy(gos_ctx *ctx, struct gos_shadows_work *work);
/** A step begins at x: write what the points remember. `anew`: nothing is known of the step
 * before. */
void gos__shadows_see(gos_work *w, const gos_point_of *x, bool anew, double *mem);

#endif
