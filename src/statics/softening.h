/* Monitors bodies without stress stiffening in their equations: effect of stress on stiffness
   during a run. */
#ifndef GOS_SOFTENING_H
#define GOS_SOFTENING_H

#include "system/system.h"

typedef struct gos_softening gos_softening;

/** For a body with gos_body_ops.stress_work and coordinates from q on: uses its lowest modes with
 * the joints in this state. For joints to moving bodies, these are considered both fixed and
 * absent (frame fixed only). */
gos_status gos__softening_create(gos_ctx *ctx, const gos_system *sys, const gos_body *body,
                                 size_t q, const gos_state *state, gos_softening **softening);
void gos__softening_destroy(gos_softening *softening);
/** Largest relative reduction of the stiffness of a mode combination by the stress at coordinates e
 * and temperatures th (1: buckling), and largest relative increase. */
void gos__softening_look(const gos_softening *softening, const double *e, const double *th,
                         double *taken, double *added);

#endif
