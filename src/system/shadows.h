/* Shadows of drawn surfaces on points (parts/shadow.h): lit fraction by rays from around each
   point.

   Computed at the start of steps only: in Newton's method it depends on time alone. Each step
   starts from the previous end value and extrapolates the observed change: heat is continuous, and
   second-order accurate for smooth changes. Derivatives exclude motion. Nothing is recomputed while
   changes of light and bodies, in co-rotating axes, are below the tolerance. */
#ifndef GOS_SYSTEM_SHADOWS_H
#define GOS_SYSTEM_SHADOWS_H

#include "parts/shadow.h"
#include "system/system.h"

/** Set up shadows, after all other parts including drawing. */
gos_status gos__shadows_make(gos_builder *b, gos_system *s);
void gos__shadows_number(gos_system *s);
/** Initialise memory (s->mem0) at t = 0. @return GOS_E_MEMORY */
gos_status gos__shadows_begin_memory(gos_system *s);

/** Scratch; *work stays NULL without shadows. */
gos_status gos__shadows_work_create(gos_ctx *ctx, const gos_system *s,
                                    struct gos_shadows_work **work);
void gos__shadows_work_destroy(gos_ctx *ctx, struct gos_shadows_work *work);
/** Update memory at the start of a step. `anew`: no previous step. */
void gos__shadows_update(gos_work *w, const gos_point_of *x, bool anew, double *mem);

#endif
