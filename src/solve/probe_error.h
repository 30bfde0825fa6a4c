/* Estimated error of probes due to time steps. */
#ifndef GOS_PROBE_ERROR_H
#define GOS_PROBE_ERROR_H

#include "solve/walk.h"

struct gos_alpha;
typedef struct gos_error_propagation gos_error_propagation;

/** Start tracking; no effect for fixed steps or if already started. */
gos_status gos__error_propagation_begin(struct gos_alpha *g);
/** Write or restore the tracking data; restoring also starts tracking. */
gos_status gos__error_propagation_walk(struct gos_alpha *g, gos_walk *past);
/** Store the filtered error of a step, g->r of gos__alpha_error. */
void gos__error_propagation_note(struct gos_alpha *g);
/** Only the motion in g->r accumulates; the rest of the stored error counts once
 * (generalised_alpha.h). */
void gos__error_propagation_adds(struct gos_alpha *g);
/** After an accepted step h; at the end a note reports the worst probe. */
void gos__error_propagation_step(struct gos_alpha *g, double h);
/** Error so far of component i, counted through all probes, and of its rate. */
void gos__error_propagation_value(const gos_error_propagation *t, int i, double *error,
                                  double *rate_error);
void gos__error_propagation_destroy(gos_error_propagation *t);

#endif
