/* All probes of a system at one state after another, as runs record them. */
#ifndef GOS_PROBE_SAMPLE_H
#define GOS_PROBE_SAMPLE_H

#include "probes/probe.h"

typedef struct gos_probe_sampler gos_probe_sampler;

/** Nothing is allocated after its making; on failure what was made is in *sampler, to be
 * destroyed. */
gos_status gos__sampler_create(gos_ctx *ctx, const gos_system *sys, gos_probe_sampler **sampler);
void gos__sampler_destroy(gos_probe_sampler *k);
/** Values and rates of all probes, one after the other, as gos__probe_sample gives those of each:
 * what they share is found once. */
void gos__sampler_read(gos_probe_sampler *k, const gos_state *x, double *value, double *rate);
/** The same where functions of time switch at x: rates are those of one side, -1 before, 1 behind,
 * 0 of both. */
void gos__sampler_read_side(gos_probe_sampler *k, const gos_state *x, int side, double *value,
                            double *rate);

#endif
