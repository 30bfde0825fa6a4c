/* Runs of reduced models that serve to choose: their tracks and distances. */
#ifndef GOS_AUTO_H
#define GOS_AUTO_H

#include "rom/rom.h"

#define GOS_TRACK_GRADIENTS 2

/* Where nodes were and how warm they were at output times. */
typedef struct gos_track {
    bool failed; // the run did not come to its end
    int samples; // times
    int n;       // nodes looked at, evenly chosen
    double *r;   // positions (samples, n, 3)
    double *T;   // mean temperatures (samples, n)
    double *
        G; // gradients across the section (samples, n, GOS_TRACK_GRADIENTS), 0 where there are none
    long steps;
    double seconds;       // processor time
    gos_reduction learnt; // residuals, of a run that learns the ranges; else 0
    long most;            // steps after which a run has failed; 0: very many
} gos_track;

/* Distance of two tracks. */
typedef struct gos_distance {
    double position;    // largest over time of the RMS over nodes, relative to the extent
    double worst;       // largest of any node at any time, relative to the extent
    double temperature; // RMS ... relative to the range of the second track, or to
                        // analysis.temperature_range when that is larger
    double gradient;    // the same of gradients, the largest, each relative to its own range
} gos_distance;

gos_status gos__track_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                             gos_track *track);
void gos__track_free(gos_ctx *ctx, gos_track *track);
/** Run a system from its initial state. A run that fails for numerical reasons gives a track that
 *  says so, messages of it are forgotten. training, range: states and ranges met are added there (with a
 *  range the track has residuals, too); may be NULL. Progress is reported to ctx. */
gos_status gos__track_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                          gos_track *track, gos_training *training, gos_range *range);
/** Infinite when one of them failed. */
gos_distance gos__track_distance(const gos_system *sys, const gos_track *a, const gos_track *b);

/* auto.c */
/** Points of a system. */
int gos__count_points(const gos_system *sys);
/** A first step where the model gives none: what the integrator guesses can be too small to converge
 *  with tight tolerances. */
void gos__auto_first_step(gos_options *options);

/* worth.c */
/** What a run with these options takes the full model [s], from a part of a run with steps of its own; 0 when that is
 *  not known. `own`: a run with the same options but `tolerance`, whose steps tell how many there are. */
gos_status gos__worth_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                           const gos_track *own, double tolerance, double *seconds);
/** Steps of a run at tolerance `b` when one at `a` has n. */
double gos__worth_steps(const gos_options *options, double n, double a, double b);

/* auto_modes.c */
/** Whether method auto takes fields from modes: asked for, plates, bodies without polynomials, or more than
 *  one joint between flexible bodies. */
gos_status gos__auto_wants_modes(gos_ctx *ctx, const gos_system *full, bool *wants);
/** Method auto with fields from modes; the errors are those against a run of the full model. */
gos_status gos__auto_modes(gos_ctx *ctx, const gos_system *full, gos_system **reduced);

#endif
