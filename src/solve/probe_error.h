/* The error that a run leaves in its probes. */
#ifndef GOS_PROBE_ERROR_H
#define GOS_PROBE_ERROR_H

#include "solve/stepper.h"

struct gos_alpha;
typedef struct gos_told gos_told;

/** Begin to follow errors; without effect for fixed steps, or when it has begun. */
gos_status gos__told_begin(struct gos_alpha *g);
/** What is known of them so far; taking, it begins with that. */
gos_status gos__told_walk(struct gos_alpha *g, gos_walk *past);
/** Keep the filtered error of a step, g->r as gos__alpha_error finds it. */
void gos__told_note(struct gos_alpha *g);
/** Only the motion in g->r adds up over the run; the rest of what was kept is lost at once
 * (vibration_error.h). */
void gos__told_adds(struct gos_alpha *g);
/** After an accepted step h; at the end of the run the worst probe is told in a note. */
void gos__told_step(struct gos_alpha *g, double h);
/** Errors so far of component i, counted through all probes, and of its rate. */
void gos__told_error(const gos_told *t, int i, double *error, double *rate_error);
void gos__told_destroy(gos_told *t);

#endif
