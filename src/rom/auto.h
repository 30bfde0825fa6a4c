/* Trial runs of method auto: time histories, distances, cost estimates. */
#ifndef GOS_AUTO_H
#define GOS_AUTO_H

#include "rom/rom.h"

#define GOS_TRACK_GRADIENTS 2 // temperature gradients of a section
#define GOS_BUDGET_RUNS 3     // budget of the reduction, in runs of the full model

/* Time history of a run at output times. */
typedef struct gos_trial_runs {
    bool failed; // the run failed or was stopped
    int samples; // output times
    int n;       // nodes, evenly selected
    double *r;   // positions (samples, n, 3)
    double *T;   // mean temperatures (samples, n)
    // section temperature gradients (samples, n, GOS_TRACK_GRADIENTS); 0 if none
    double *G;
    int width; // values of all probes
    double *P; // (samples, width)
    long steps;
    long *until;             // steps up to each sample, including rejected ones (samples)
    gos_statistics stats;    // iterations and Jacobians, including equilibria
    double work;             // estimated work, about ns, see cost_estimate.c
    double seconds;          // processor time [s]
    double reached;          // part of the analysis that the run completed
    gos_reduction residuals; // residuals, if ranges are recorded; else 0
    long max_steps;          // step limit; 0: default
    // the run is stopped where it needs many more steps than this; NULL: none
    const struct gos_trial_runs *step_reference;
    double work_limit; // work limit; 0: none
    // the run fails if farther than `far` from this; NULL: none
    const struct gos_trial_runs *other;
    double max_distance; // RMS over nodes, relative to the extent
} gos_trial_runs;

/* Distance between two time histories. */
typedef struct gos_distance {
    double position; // maximum over time of the RMS over nodes, relative to the extent
    double worst;    // maximum over nodes and time, relative to the extent
    // maximum RMS over the larger of the second track's range and analysis.temperature_range
    double temperature;
    double gradient; // the same for the larger gradient, relative to its own range
} gos_distance;

gos_status gos__trial_runs_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                  gos_trial_runs *track);
void gos__trial_runs_free(gos_ctx *ctx, gos_trial_runs *track);
/** Run from the initial state. A numerical failure sets track->failed, without messages. Visited
 *  states are added to `training` and ranges to `range` (may be NULL); with `range` the track
 *  has residuals. Progress is reported to ctx. */
gos_status gos__trial_runs_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                               gos_trial_runs *track, gos_training *training, gos_range *range);
/** Store positions and mean temperatures as sample `sample`. */
void gos__trial_runs_sample(const gos_system *sys, const gos_state *x, gos_trial_runs *track,
                            int sample);
/** Store gradients as sample `sample`; th: all temperatures of the full model (nt). */
void gos__trial_runs_sample_gradients(const gos_system *full, const double *th,
                                      gos_trial_runs *track, int sample);
/** Infinite if a run failed. */
gos_distance gos__trial_runs_distance(const gos_system *sys, const gos_trial_runs *a,
                                      const gos_trial_runs *b);

/* Largest difference of a probe, relative to the range of its components of one unit. */
typedef struct gos_probe_difference {
    double error;         // 0: no probe has a range
    int probe, component; // the worst
    int many, all;        // values above GOS_NOTED_DIFFERENCE; values compared
} gos_probe_difference;
#define GOS_NOTED_DIFFERENCE 0.1

/* probe_comparison.c */
/** Store the probes of a state as sample `sample`. */
void gos__trial_runs_sample_probes(const gos_system *sys, const gos_state *x, gos_trial_runs *track,
                                   int sample);
/** Differences of `a` from `b`, the run of the full model. */
gos_probe_difference gos__trial_runs_probes(const gos_system *full, const gos_trial_runs *a,
                                            const gos_trial_runs *b);
/** Note the worst probe if it is above GOS_NOTED_DIFFERENCE. */
void gos__probe_difference_note(gos_ctx *ctx, const gos_system *full,
                                const gos_probe_difference *d);

/* auto_full.c */
/** Larger error of mean temperatures and gradients. */
double gos__heat_of(gos_distance d);

/* auto.c */
/** Permitted cost of the reduction in full-model runs, for the number of runs that it will serve;
 *  0: unknown. */
double gos__auto_budget(double runs);
int gos__count_points(const gos_system *sys);
/** Default initial step: the integrator's guess can be too small to converge with tight
 *  tolerances. */
void gos__auto_first_step(gos_options *options);

/* cost_estimate.c */
/** Work of a run with these counts, about ns; counted, not timed, hence reproducible. */
double gos__cost_run(const gos_system *sys, const gos_statistics *stats);
/** Time of a full run [s], extrapolated from its first steps, whose work is added to *work; 0:
 *  unknown. `own`: run with the same options except `tolerance`, for the number of steps. */
gos_status gos__cost_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                          const gos_trial_runs *own, double tolerance, double *work,
                          double *seconds);
/** Steps at tolerance `b`, given n steps at tolerance `a`. */
double gos__cost_steps(const gos_options *options, double n, double a, double b);

/** Work of building a space and projecting `states` states. */
double gos__cost_space(const gos_system *reduced, bool modes, int states);

/* auto_full.c */
/** Method auto by comparison with a run of the full model. */
gos_status gos__auto_full(gos_ctx *ctx, const gos_system *full, bool modes, double runs,
                          gos_system **reduced);
/* auto_long.c */
/** True if the mesh is so long that comparing reduced models is cheaper. */
bool gos__auto_is_long(const gos_system *full);
/** Method auto by comparing reduced models only. */
gos_status gos__auto_long(gos_ctx *ctx, const gos_system *full, double runs, gos_system **reduced);

#endif
