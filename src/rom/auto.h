/* Runs of reduced models that serve to choose: their tracks and distances. */
#ifndef GOS_AUTO_H
#define GOS_AUTO_H

#include "rom/rom.h"

#define GOS_TRACK_GRADIENTS 2
#define GOS_WORTH_RUNS 3 // runs of the full model that preparing may cost

/* Where nodes were and what temperatures they had at output times. */
typedef struct gos_track {
    bool failed; // the run did not come to its end
    int samples; // times
    int n;       // nodes looked at, evenly chosen
    double *r;   // positions (samples, n, 3)
    double *T;   // mean temperatures (samples, n)
    double *
        G; // gradients across the section (samples, n, GOS_TRACK_GRADIENTS), 0 where there are none
    long steps;
    gos_statistics stats;          // iterations and Jacobians, equilibria included
    double work;                   // counted, see cost_estimate.c
    double seconds;                // processor time
    gos_reduction learnt;          // residuals, of a run that learns the ranges; else 0
    long most;                     // steps after which a run has failed; 0: very many
    double left;                   // work after which it has failed; 0: any
    const struct gos_track *other; // it has failed when it is `far` from this one, too; NULL: none
    double far;                    // RMS over nodes, relative to the extent
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
 *  says so, messages of it are forgotten. training, range: states and ranges met are added there
 * (with a range the track has residuals, too); may be NULL. Progress is reported to ctx. */
gos_status gos__track_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                          gos_track *track, gos_training *training, gos_range *range);
/** Look at a state as sample number `sample`: positions and mean temperatures. */
void gos__track_look(const gos_system *sys, const gos_state *x, gos_track *track, int sample);
/** ... at gradients, from all temperatures of the full model (nt). */
void gos__track_look_at_gradients(const gos_system *full, const double *th, gos_track *track,
                                  int sample);
/** Infinite when one of them failed. */
gos_distance gos__track_distance(const gos_system *sys, const gos_track *a, const gos_track *b);

/* auto.c */
/** Points of a system. */
int gos__count_points(const gos_system *sys);
/** A first step where the model gives none: what the integrator guesses can be too small to
 * converge with tight tolerances. */
void gos__auto_first_step(gos_options *options);

/* cost_estimate.c */
/** Work of a run that has these counts. Times must not decide what is chosen, so work is counted:
 * about nanoseconds of a processor of today. */
double gos__worth_run(const gos_system *sys, const gos_statistics *stats);
/** What a run with these options takes the full model [s], from a part of a run with steps of its
 * own; 0 when that is not known. `own`: a run with the same options but `tolerance`, whose steps
 * tell how many there are. The part's work is added to *work. */
gos_status gos__worth_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                           const gos_track *own, double tolerance, double *work, double *seconds);
/** Steps of a run at tolerance `b` when one at `a` has n. */
double gos__worth_steps(const gos_options *options, double n, double a, double b);

/** ... of making a space and looking at the states of a run in it. */
double gos__worth_space(const gos_system *reduced, bool modes, int states);

/* auto_full.c */
/** Method auto against a run of the full model. */
gos_status gos__auto_full(gos_ctx *ctx, const gos_system *full, bool modes, gos_system **reduced);
/* auto_long.c */
/** Is the mesh so long that runs of reduced models are better compared with each other? */
bool gos__auto_is_long(const gos_system *full);
/** Method auto by such runs alone. */
gos_status gos__auto_long(gos_ctx *ctx, const gos_system *full, gos_system **reduced);

#endif
