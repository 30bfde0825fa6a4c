/* Samples all probes at successive states, for recording. */
#ifndef GOS_PROBE_SAMPLE_H
#define GOS_PROBE_SAMPLE_H

#include "probes/probe.h"

typedef struct gos_probe_sampler gos_probe_sampler;

/** Later calls do not allocate; destroy *sampler also on failure. */
gos_status gos__sampler_create(gos_ctx *ctx, const gos_system *sys, gos_probe_sampler **sampler);
void gos__sampler_destroy(gos_probe_sampler *k);
/** Values and rates of all probes; shared work is done once. */
void gos__sampler_read(gos_probe_sampler *k, const gos_state *x, double *value, double *rate);
/** At a switching time x: rates of one side, -1 before, 1 after, 0 both. */
void gos__sampler_read_side(gos_probe_sampler *k, const gos_state *x, int side, double *value,
                            double *rate);

#endif
