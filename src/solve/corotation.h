/* A factorisation that turns along with the motion. Internal forces are objective, so the Newton
   matrix of a turned structure is the turned matrix: J(R q) = R J(q) R^T. Turning right-hand sides
   back and corrections forth keeps an old factorisation useful over large rotations (theory 4.8).
   The rotation is taken node by node (gos_body.turn; positions there are seen from the coordinate
   that turns with them); where it is not exact Newton only contracts less. */
#ifndef GOS_COROTATION_H
#define GOS_COROTATION_H

#include "system/system.h"

typedef struct gos_corotation gos_corotation;

gos_status gos__corotation_create(gos_ctx *ctx, const gos_system *sys, gos_corotation **c);
void gos__corotation_destroy(gos_corotation *c);
/** The factorisation is that of configuration q (nv, 3). */
void gos__corotation_set(gos_corotation *c, const double *q);
/** Rotations from there to the configuration q. */
void gos__corotation_update(gos_corotation *c, const double *q);
/** Configuration (nv, 3) that the rotations belong to, NULL when nothing has turned: with that of
 * the factorisation it is all that is remembered here. Borrowed. */
const double *gos__corotation_seen(const gos_corotation *c);
/** Remember the configuration of the factorisation and what gos__corotation_seen gave. */
void gos__corotation_restore(gos_corotation *c, const double *ref, const double *seen);
/** How far coordinates that follow each other have turned apart since the factorisation, about
 * [rad]. */
double gos__corotation_bend(gos_corotation *c);
/** Have sides of a joint turned so far from each other since the factorisation that its rows no
 * longer turn along? Positions may still converge then, and multipliers do not. */
bool gos__corotation_far(const gos_corotation *c);
/** Turn a right-hand side back into the factorised configuration; in place, all unknowns. */
void gos__corotation_back(const gos_corotation *c, double *r);
/** Turn a correction forth. */
void gos__corotation_forth(const gos_corotation *c, double *r);

#endif
