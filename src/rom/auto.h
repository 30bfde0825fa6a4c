/* Trial runs of method auto: time histories, distances, cost estimates. */
#ifndef GOS_AUTO_H
#define GOS_AUTO_H

#include "rom/rom.h"

#define GOS_TRACK_GRADIENTS 2
#define GOS_WORTH_RUNS 3 // budget in full runs

/* Time history of a run at output times. */
typedef struct gos_track {
    bool failed; // failed or stopped
    int samples; // output times
    int n;       // nodes, evenly selected
    double *r;   // positions (samples, n, 3)
    double *T;   // mean temperatures (samples, n)
    // section temperature gradients (samples, n, GOS_TRACK_GRADIENTS); 0 if none
    double *G;
    long steps;
    gos_statistics stats; // including equilibria
    double work;          // about ns, see cost_estimate.c
    double seconds;       // processor time [s]
    gos_reduction learnt; // residuals if ranges are recorded, else 0
    long most;            // step limit; 0: default
    double left;          // work limit; 0: none
    // fails if farther than `far` from this; NULL: none
    const struct gos_track *other;
    double far; // RMS over nodes over extent
} gos_track;

/* Distance between two time histories. */
typedef struct gos_distance {
    double position; // maximum over time of the nodal RMS, over extent
    double worst;    // maximum over nodes and time, over extent
    // maximum RMS over the second track's range or analysis.temperature_range, if larger
    double temperature;
    double gradient; // the same for the larger gradient, over its own range
} gos_distance;

gos_status gos__track_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                             gos_track *track);
void gos__track_free(gos_ctx *ctx, gos_track *track);
/** Run from the initial state. Numerical failure sets track->failed, without messages. Visited
 *  states are added to `training`, ranges to `range` (may be NULL); with `range` the track has
 *  residuals. Progress goes to ctx. */
gos_status gos__track_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                          gos_track *track, gos_training *training, gos_range *range);
/** Store positions and mean temperatures as sample `sample`. */
void gos__track_look(const gos_system *sys, const gos_state *x, gos_track *track, int sample);
/** Store gradients as sample `sample`; th: full temperatures (nt). */
void gos__track_look_at_gradients(const gos_system *full, const double *th, gos_track *track,
                                  int sample);
/** Infinite if a run failed. */
gos_distance gos__track_distance(const gos_system *sys, const gos_track *a, const gos_track *b);

/* auto.c */
/** Number of integration points. */
int gos__count_points(const gos_system *sys);
/** Default initial step: the integrator's guess may be too small to converge with tight
 *  tolerances. */
void gos__auto_first_step(gos_options *options);

/* cost_estimate.c */
/** Work of a run with these counts, about ns; counted, not timed, for reproducible choices. */
double gos__worth_run(const gos_system *sys, const gos_statistics *stats);
/** Time of a full run [s] extrapolated from its first steps, whose work is added to *work; 0:
 *  unknown. `own`: run with the same options except `tolerance`, for the number of steps. */
gos_status gos__worth_full(gos_ctx *ctx, const gos_system *full, const gos_options *options,
                           const gos_track *own, double tolerance, double *work, double *seconds);
/** Steps at tolerance `b`, given n at `a`. */
double gos__worth_steps(const gos_options *options, double n, double a, double b);

/** Work of building a space and projecting `states` states. */
double gos__worth_space(const gos_system *reduced, bool modes, int states);

/* auto_full.c */
/** Method auto against a full run. */
gos_status gos__auto_full(gos_ctx *ctx, const gos_system *full, bool modes, gos_system **reduced);
/* auto_long.c */
/** True if comparing reduced models is cheaper than a full run. */
bool gos__auto_is_long(const gos_system *full);
/** Method auto by reduced models only. */
gos_status gos__auto_long(gos_ctx *ctx, const gos_system *full, gos_system **reduced);

#endif
