/* The error that a run leaves in its probes. */
#ifndef GOS_PROBE_ERROR_H
#define GOS_PROBE_ERROR_H

#include "gossamer/sim.h"

typedef struct gos_told gos_told;

/** Keep the filtered error of a step, g->r as gos__alpha_error finds it. */
void gos__told_note(gos_integrator *g);
/** After an accepted step h; at the end of the run the worst probe is told in a note. */
void gos__told_step(gos_integrator *g, double h);
/** Errors so far of component i, counted through all probes, and of its rate. */
void gos__told_error(const gos_told *t, int i, double *error, double *rate_error);
void gos__told_destroy(gos_told *t);

#endif
