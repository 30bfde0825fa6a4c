/* Gossamer: time integration and static analysis. SPDX-License-Identifier: Apache-2.0
 *
 * Static equilibria and equilibrium paths, consistent initial states, integration in time step by
 * step (gos_integrator), and complete analyses whose output goes to user-supplied functions
 * (gos_run_into). To write a results file use gos_run of io.h. */
#ifndef GOSSAMER_SIM_H
#define GOSSAMER_SIM_H

#include "gossamer/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gos_analysis { GOS_DYNAMIC, GOS_STATIC } gos_analysis;

/** Time integrator: generalised-alpha; BDF of order 1 to 5 on the stabilised index-2 form; Radau
 * IIA of order 5; the one chosen from system and options. */
typedef enum gos_integration {
    GOS_GENERALISED_ALPHA,
    GOS_BDF,
    GOS_RADAU,
    GOS_INTEGRATOR_AUTO
} gos_integration;

/** Motion in time: with inertia, or quasi-static (equilibrium at every time while temperatures
 * change; Radau IIA only). */
typedef enum gos_motion { GOS_MOTION_DYNAMIC, GOS_MOTION_QUASI_STATIC } gos_motion;

/** Newton matrix in time: always the full matrix, or its symmetric part as long as that
 * converges. */
typedef enum gos_newton_matrix { GOS_SOLVER_UNSYMMETRIC, GOS_SOLVER_AUTO } gos_newton_matrix;

/** Statics: continue to the stable equilibrium that the loads lead to, or accept any equilibrium
 * and warn if it is unstable. */
typedef enum gos_branch { GOS_BRANCH_STABLE, GOS_BRANCH_ANY } gos_branch;

/** Estimate of the error of the whole run by repeating it (runs under error control): never, if
 * cheap, always. */
typedef enum gos_error_checking {
    GOS_ERROR_CHECK_NEVER,
    GOS_ERROR_CHECK_AUTO,
    GOS_ERROR_CHECK_ALWAYS
} gos_error_checking;

#define GOS_OPTIONS_FIELDS(X)                                                                      \
    X(int, analysis, "gos_analysis")                                                               \
    X(int, integrator, "gos_integration")                                                          \
    X(int, motion, "gos_motion")                                                                   \
    X(double, end, "end time [s]; static: 0: a single equilibrium")                                \
    X(double, step, "fixed step [s]; 0: error control")                                            \
    X(double, tolerance,                                                                           \
      "target for the error of the whole run, relative to extent and temperature range [-]")       \
    X(double, probe_tolerance,                                                                     \
      "error control: allowed error of probes relative to their ranges; 0: only reported")         \
    X(int, error_check, "gos_error_checking")                                                      \
    X(double, temperature_range, "for errors [K]; 0: 1 K until a larger range occurs")             \
    X(double, initial_step, "first step under error control [s]; 0: automatic")                    \
    X(double, max_step, "largest step [s]; 0: a tenth of the run (static paths: output_every)")    \
    X(double, min_step, "[s]; 0: 1e-14 of the run, radau: 1e-12")                                  \
    X(double, rho_infinity, "spectral radius of generalised-alpha at infinite frequency [0, 1]")   \
    X(double, newton_tolerance, "relative to the allowed step error (fixed step: to the extent)")  \
    X(int, max_iterations, "Newton iterations per step")                                           \
    X(int, solver, "gos_newton_matrix")                                                            \
    X(int, max_order, "BDF: highest order, 1 to 5")                                                \
    X(int, load_steps, "static: first guess of the number of load steps")                          \
    X(double, max_steps, "a run that would need more steps is stopped; 0: 1e8")                    \
    X(int, branch, "static: gos_branch, how to treat unstable equilibria")                         \
    X(bool, arc_length, "static: arc-length continuation, through limit points")                   \
    X(bool, start_equilibrium, "dynamic: start at the static equilibrium")                         \
    X(double, spin_x, "angular velocity of rotating equilibria [rad/s]; 0, 0, 0: at rest")         \
    X(double, spin_y, "[rad/s]")                                                                   \
    X(double, spin_z, "[rad/s]")                                                                   \
    X(double, pivot_x, "a point on the spin axis [m]")                                             \
    X(double, pivot_y, "[m]")                                                                      \
    X(double, pivot_z, "[m]")                                                                      \
    X(double, output_every, "[s]; 0: every step (of a model: a hundredth of the run)")             \
    X(double, checkpoint_every, "wall time between two checkpoints [s]; 0: 1, 2, 4, 8, then 10 s")
/** Solver options; gos_options_get returns the model's `analysis:` with defaults filled in. */
typedef struct gos_options {
#define X(type, name, doc) type name; // doc
    GOS_OPTIONS_FIELDS(X)
#undef X
} gos_options;
GOS_API void gos_options_get(const gos_system *sys, gos_options *options);
/** Set another end time `until` > 0 [s]; a single equilibrium becomes a path up to it with a
 * hundred outputs. */
GOS_API void gos_options_until(gos_options *options, double until);

#define GOS_STATISTICS_FIELDS(X)                                                                   \
    X(long, steps, "accepted steps (static: load steps)")                                          \
    X(long, rejected, "rejected steps")                                                            \
    X(long, iterations, "Newton iterations")                                                       \
    X(long, residuals, "residual evaluations")                                                     \
    X(long, jacobians, "Jacobian evaluations")                                                     \
    X(long, factorisations, "factorisations")                                                      \
    X(long, unsymmetric, "... of the full matrix because its symmetric part did not converge")     \
    X(long, restarts, "restarts at jumps of forces or heat, and at events")                        \
    X(double, time_setup, "wall time of setup, s")                                                 \
    X(double, time_residual, "wall time of residuals, s")                                          \
    X(double, time_jacobian, "wall time of Jacobians, s")                                          \
    X(double, time_factor, "wall time of factorisations, s")                                       \
    X(double, time_solve, "wall time of back-substitutions, s")                                    \
    X(double, time_output, "wall time of output, s")                                               \
    X(double, time_total, "wall time of the whole solution without output, s")
typedef struct gos_statistics {
#define X(type, name, doc) type name; // doc
    GOS_STATISTICS_FIELDS(X)
#undef X
} gos_statistics;

/** Static equilibrium with steady temperatures at the time of the state. On failure the state is
 * unchanged, except for GOS_E_DIVERGED: it is then the last converged load step. At each load step
 * the negative pivots of the stiffness on the subspace that constraints allow are counted.
 * GOS_BRANCH_STABLE: from an unstable equilibrium or a limit point the solver continues to the
 * stable equilibrium that the loads lead to, with a warning that reports both; if the loads favour
 * neither branch it fails with GOS_E_DIVERGED. GOS_BRANCH_ANY: a warning reports the number of
 * negative pivots. With a spin in the options: the steadily rotating shape, in which internal
 * forces, loads and joints balance the centrifugal forces; the state gets velocities and
 * accelerations of the rotation. Time functions have the values at the time of the state; drives
 * keep their rates.
 * @return GOS_E_INPUT identifying the joint, load, heat entry or body that is not symmetric about
 * the spin axis, and GOS_E_INPUT if a part that is free to move along or about the axis is loaded
 * in that direction */
GOS_API gos_status gos_solve_static(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    gos_state *state, gos_statistics *stats);

/** A state on a path of equilibria. place: its time [s], or with arc_length the path length so far;
 * velocities and temperature rates are derivatives with respect to it. Any return value but GOS_OK
 * ends the path. */
typedef gos_status (*gos_path_fn)(void *user, const gos_state *state, double place);
/** As gos_solve_static, then follows the time functions to options->end (0: a single equilibrium)
 * or, with arc_length, the path of the load factor. `store` (may be NULL)
 * receives every state in order. Steps in time are at most options->step, max_step and
 * output_every, and end at multiples of output_every. */
GOS_API gos_status gos_solve_path(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                  gos_state *state, gos_path_fn store, void *user,
                                  gos_statistics *stats);

/** Changes made by gos_state_satisfy_constraints. */
typedef struct gos_constraint_correction {
    // largest constraint violation before, in its own unit: m, or - for directions
    double violation;
    // most violated constraint ("joint 'pin'"), borrowed from the system; NULL: none
    const char *where;
    double position;    // largest change of a component of a coordinate
    double velocity;    // change of velocities relative to their magnitude (mass norm)
    double temperature; // largest change of a temperature [K]
} gos_constraint_correction;
/** Project a modified state onto the constraints with the smallest changes in the mass norm:
 * positions, then velocities; prescribed temperatures; then consistent accelerations and
 * multipliers. The energy balance restarts here. changed may be NULL.
 * @return GOS_E_INPUT identifying the constraint that cannot be satisfied; the state is then
 * unchanged */
GOS_API gos_status gos_state_satisfy_constraints(gos_ctx *ctx, gos_state *state,
                                                 gos_constraint_correction *changed);

/** Integration in time, one step per call. */
typedef struct gos_integrator gos_integrator;
/** Prepare to integrate `state` (borrowed, changed by each step): computes consistent
 * accelerations, multipliers and temperature rates. A state prepared by
 * gos_integrator_store_history is continued instead. @return GOS_E_INPUT if the stored step history
 * belongs to another system */
GOS_API gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys,
                                         const gos_options *options, gos_state *state,
                                         gos_integrator **integrator);
/** One accepted step, not beyond t_end. On failure the state is the last accepted one. */
GOS_API gos_status gos_integrator_step(gos_integrator *integrator, double t_end);
/** Values at time t inside the last step by cubic Hermite interpolation, in a scratch state owned
 * by the integrator (borrowed until the next call). */
GOS_API const gos_state *gos_integrator_at(gos_integrator *integrator, double t);
/** Track how step errors propagate to the probes. Needed for step selection by probe_tolerance; at
 * the end of a run the worst probe is reported in a note (a message of count 0). Call before the
 * first step, as gos_run_into does. Without effect for fixed steps and for models with their own
 * integrator. Costs two evaluations of each probe every fourth step. */
GOS_API gos_status gos_integrator_track_errors(gos_integrator *integrator);
/** Store the step history of the integrator in its state. A copy of the state (gos_state_copy) is
 * then all the run depends on, and an integrator created with such a copy continues bitwise
 * identically (GOS_BDF: restarts there, with reproducible results). The next step discards it.
 * @return GOS_E_USE after a failed step, or if the integrator does not support it */
GOS_API gos_status gos_integrator_store_history(gos_integrator *integrator);
/** Crossing of a signal limit. */
typedef struct gos_event {
    int event;   // index of the event in the system
    double time; // [s]
    bool rising; // true: from below; false: from above
} gos_event;
/** Crossings in the last step in order of time; borrowed until the next step. They are located
 * inside the step, which is otherwise unchanged. At a limit that ends the run the step ends, and
 * *ends (may be NULL) is set; a further step passes the limit.
 * @return number of crossings */
GOS_API int gos_integrator_events(const gos_integrator *integrator, const gos_event **event,
                                  bool *ends);
GOS_API void gos_integrator_statistics(const gos_integrator *integrator, gos_statistics *stats);
GOS_API void gos_integrator_destroy(gos_integrator *integrator);

/* ---- running an analysis */

/** Description of a run, given before it begins; borrowed during the run. */
typedef struct gos_run_info {
    const gos_system *system;
    const gos_options *options;
    const gos_probe_info *probe; // (nprobes)
    int nprobes;
    int nvalues;                 // components of all probes, consecutive: width of a row
    const double *reference;     // reference node positions for displacements (nnodes, 3) [m]
    bool thermal;                // frames contain temperatures
    bool goes_on;                // continues an earlier run
    const gos_field_info *field; // further nodal fields of frames (nfields)
    int nfields;
} gos_run_info;

/** Fields and balances at one output time; arrays as in gos_system_nodes, borrowed during the
 * call. */
typedef struct gos_frame {
    double time;                       // [s]; with arc_length the length of the path [m]
    const double *position, *velocity; // (nnodes, 3) [m], [m/s]
    // (nnodes) [K], [K/s]; NULL: the run has no temperatures
    const double *temperature, *temperature_rate;
    gos_energy energy;
    gos_heat heat;
    const double *field; // as in gos_system_fields; NULL: none
} gos_frame;

/** A point from which a run in time can be continued with bitwise identical results. Keep copies of
 * the state (gos_state_copy), the values and the numbers. Borrowed during the call. */
typedef struct gos_run_point {
    // with the integrator's history; NULL: a step failed, continuation is impossible
    const gos_state *state;
    // last row (nvalues), from which full turns of angles continue; NULL: angles restart
    const double *value;
    double row_time;   // time of the last row [s], NAN: none
    double frame_time; // time of the last frame [s], NAN: none
    // wall time so far of preparation before the first step, and of output [s]
    double preparing, output;
    bool moved; // a step was made since the start or continuation of the run
} gos_run_point;

/** Receiver of the output of a run: a results file (gos_run) or functions of the calling program.
 * Functions may be NULL; data without a receiver are not computed. All are called in the thread of
 * the run, between steps, and only after `begin`. They return 0 to continue. Other values end the
 * run: a negative gos_status becomes its status, any other number GOS_E_INTERRUPTED; only `end` is
 * called after that. */
typedef struct gos_sink {
    int (*begin)(void *user, const gos_run_info *run);
    /** Values and rates of all probes (nvalues each), borrowed: at the start and at each accepted
     * step or static equilibrium; radau, which takes long steps, adds times inside them. Angles
     * continue through full turns. */
    int (*row)(void *user, double time, const double *value, const double *rate);
    /** The motion continues from the last row with other values or rates, because a time function,
     * a sampled signal or a law switches there. Called before the row of the step that begins
     * there, with all probes (nvalues each) at the start of that step. */
    int (*start)(void *user, const double *value, const double *rate);
    /** Called at the start, at each output time (interpolated inside steps) and at the end. */
    int (*frame)(void *user, const gos_frame *frame);
    /** A signal limit was crossed in a step; called before the row of that step. A crossing that
     * ends the run is the last. */
    int (*event)(void *user, const gos_event *event);
    /** A step is complete; its rows and frames have been delivered. */
    int (*step)(void *user, const gos_statistics *stats);
    /** Return true to request a checkpoint after this step. Called after each step in time. */
    bool (*due)(void *user);
    /** A requested checkpoint, or a checkpoint because the run in time ends early. */
    int (*checkpoint)(void *user, const gos_run_point *point, const gos_statistics *stats);
    /** Called once if `begin` returned 0, however the run ended; messages give the reason. `moved`:
     * a step was made. The return value becomes the status of a run that was successful so far. */
    int (*end)(void *user, gos_status status, bool moved, const gos_statistics *stats);
} gos_sink;

/** Run the analysis given by `options`, from the initial state or (`from` not NULL, in time only)
 * from a point of an earlier run of the same system and options, and send the output to `sink`
 * (may be NULL) with `user`. If the run stops early, its last accepted state is delivered before
 * the end. Reduced systems are monitored: leaving their limits of validity causes a warning.
 * `stats` may be NULL. Steps do not allocate memory; checkpoints do. @return GOS_E_INTERRUPTED if
 * requested by the progress callback or the sink, with a message; GOS_E_INPUT if `from` belongs to
 * another system or options are invalid: `begin` is then not called */
GOS_API gos_status gos_run_into(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                const gos_run_point *from, const gos_sink *sink, void *user,
                                gos_statistics *stats);

#ifdef __cplusplus
}
#endif
#endif
