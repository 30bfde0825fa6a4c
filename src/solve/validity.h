/* Monitoring of bodies with a limited range of validity (gos_body_ops.range). */
#ifndef GOS_VALIDITY_H
#define GOS_VALIDITY_H

#include "solve/observer.h"
#include "system/system.h"

/** NULL: the system has no such body. */
const gos_observer *gos__range_observer(const gos_system *sys);

/* Effect of stress on stiffness during a run, for bodies without stress stiffening. */

typedef struct gos_softening gos_softening;

/** For a body with gos_body_ops.stress_work, coordinates from q on: lowest modes with joints in
 * this state. Moving bodies at joints are taken as fixed, and as absent with a fixed frame. */
gos_status gos__softening_create(gos_ctx *ctx, const gos_system *sys, const gos_body *body,
                                 size_t q, const gos_state *state, gos_softening **softening);
void gos__softening_destroy(gos_softening *softening);
/** Largest relative reduction of the stiffness of a mode combination by the stress at coordinates e
 * and temperatures th (1: buckling), and largest relative increase. */
void gos__softening_check(const gos_softening *softening, const double *e, const double *th,
                          double *taken, double *added);

#endif
