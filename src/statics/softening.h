/* Bodies whose equations leave out what their stress does to their stiffness: how much that is, in
 * a run. */
#ifndef GOS_SOFTENING_H
#define GOS_SOFTENING_H

#include "system/system.h"

typedef struct gos_softening gos_softening;

/** Of a body with gos_body_ops.stress_work, whose coordinates begin at q: its lowest modes as
 * joints hold it in this state. Where they join it to bodies that move it is taken both as if these
 * stood still and as if its frame alone held it. */
gos_status gos__softening_create(gos_ctx *ctx, const gos_system *sys, const gos_body *body,
                                 size_t q, const gos_state *state, gos_softening **softening);
void gos__softening_destroy(gos_softening *softening);
/** Largest part of the stiffness of a combination of these modes that the stress at coordinates e
 * and temperatures th takes (1: it buckles), and the largest that it adds. */
void gos__softening_look(const gos_softening *softening, const double *e, const double *th,
                         double *taken, double *added);

#endif
