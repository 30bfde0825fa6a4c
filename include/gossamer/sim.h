/* Gossamer: solving, static and in time. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_SIM_H
#define GOSSAMER_SIM_H

#include "gossamer/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gos_analysis { GOS_DYNAMIC, GOS_STATIC } gos_analysis;

/** How a run in time is stepped: by generalised-alpha, by BDF of order 1 to 5 on the stabilised
 * form of index 2, or by Radau IIA of order 5. */
typedef enum gos_integration { GOS_GENERALISED_ALPHA, GOS_BDF, GOS_RADAU } gos_integration;

/** Motion in time: with inertia, or in equilibrium at every time while temperatures change, by
 * Radau IIA alone. */
typedef enum gos_motion { GOS_MOTION_DYNAMIC, GOS_MOTION_QUASI_STATIC } gos_motion;

/** The matrix of Newton's iteration in time: its symmetric part as far as that serves, or always
 * all of it. */
typedef enum gos_newton_matrix { GOS_SOLVER_UNSYMMETRIC, GOS_SOLVER_AUTO } gos_newton_matrix;

/** Statics: go on to the stable equilibrium that loads push to, or take any and say that it is
 * unstable. */
typedef enum gos_branch { GOS_BRANCH_STABLE, GOS_BRANCH_ANY } gos_branch;

/** Runs under error control: repeat them to find the error of the whole run: never, where that is
 * cheap, or always. */
typedef enum gos_error_checking {
    GOS_ERROR_CHECK_NEVER,
    GOS_ERROR_CHECK_AUTO,
    GOS_ERROR_CHECK_ALWAYS
} gos_error_checking;

#define GOS_OPTIONS_FIELDS(X)                                                                      \
    X(int, analysis, "gos_analysis")                                                               \
    X(int, integrator, "gos_integration")                                                          \
    X(int, motion, "gos_motion")                                                                   \
    X(double, end, "end time [s]; static: 0: the equilibrium of one time")                         \
    X(double, step, "fixed step [s]; 0: chosen by error control")                                  \
    X(double, tolerance, "aimed at: error of the whole run, of extent and temperature range [-]")  \
    X(double, probe_tolerance,                                                                     \
      "error control: error of probes relative to their ranges; 0: it is only told")               \
    X(int, error_check, "gos_error_checking")                                                      \
    X(double, temperature_range, "for errors [K]; 0: 1 K until a larger range has been seen")      \
    X(double, initial_step, "first step of error control [s]; 0: chosen")                          \
    X(double, max_step, "largest step [s]; 0: a tenth of the run (static paths: output_every)")    \
    X(double, min_step, "[s]; 0: 1e-14 of the run, radau: 1e-12")                                  \
    X(double, rho_infinity, "spectral radius of generalised-alpha at infinite frequency [0, 1]")   \
    X(double, newton_tolerance, "relative to the allowed step error (fixed step: to the extent)")  \
    X(int, max_iterations, "Newton iterations a step")                                             \
    X(int, solver, "gos_newton_matrix")                                                            \
    X(int, max_order, "BDF: highest order, 1 to 5")                                                \
    X(int, load_steps, "static: first guess of the number of load steps")                          \
    X(double, max_steps, "a run that would need more steps is stopped; 0: 1e8")                    \
    X(int, branch, "static: gos_branch, what is done where equilibria are unstable")               \
    X(bool, arc_length, "static: follow the path along its length, through limit points")          \
    X(bool, start_equilibrium, "dynamic: begin at the static equilibrium")                         \
    X(double, spin_x, "angular velocity that equilibria turn with [rad/s]; 0, 0, 0: at rest")      \
    X(double, spin_y, "[rad/s]")                                                                   \
    X(double, spin_z, "[rad/s]")                                                                   \
    X(double, pivot_x, "a point of the axis of the spin [m]")                                      \
    X(double, pivot_y, "[m]")                                                                      \
    X(double, pivot_z, "[m]")                                                                      \
    X(double, output_every, "[s]; 0: every step (of a model: a hundredth of the run)")             \
    X(double, checkpoint_every, "wall time between two checkpoints [s]; 0: 1, 2, 4, 8, then 10 s")
/** How to solve; gos_options_get gives the model's `analysis:` with defaults filled in. */
typedef struct gos_options {
#define X(type, name, doc) type name; // doc
    GOS_OPTIONS_FIELDS(X)
#undef X
} gos_options;
GOS_API void gos_options_get(const gos_system *sys, gos_options *options);
/** Let the analysis end at another time `until` > 0 [s]; one of a single equilibrium goes on to it
 * with a hundred outputs on the way. */
GOS_API void gos_options_until(gos_options *options, double until);

#define GOS_STATISTICS_FIELDS(X)                                                                   \
    X(long, steps, "accepted steps (static: load steps)")                                          \
    X(long, rejected, "rejected steps")                                                            \
    X(long, iterations, "Newton iterations")                                                       \
    X(long, residuals, "residual evaluations")                                                     \
    X(long, jacobians, "Jacobian evaluations")                                                     \
    X(long, factorisations, "factorisations")                                                      \
    X(long, unsymmetric, "... of the whole matrix, as its symmetric part did not serve")           \
    X(long, restarts, "jumps of forces or heat, and events")                                       \
    X(double, time_setup, "wall time of preparing, s")                                             \
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

/** Static equilibrium with steady temperatures at the state's time; state is unchanged on failure,
 * but for GOS_E_DIVERGED, where it is the last load step that converged. Each load step's
 * equilibrium is looked at: the negative pivots of its stiffness on what constraints allow are
 * counted. With GOS_BRANCH_STABLE an unstable one, or a limit point, is left for the stable
 * equilibrium that the loads lead to, with a warning that names both; where nothing pushes to
 * either side it fails with GOS_E_DIVERGED. With GOS_BRANCH_ANY a warning says how many pivots are
 * negative. With a spin in the options the shape that turns with it for ever: internal forces,
 * loads and joints balance the centrifugal forces, and the state gets the velocities and
 * accelerations of the rotation. Time functions have the values of the state's time; drives go on
 * at their rates.
 *  @return GOS_E_INPUT naming the joint, load, heat entry or body that is not symmetric about the
 * axis, and GOS_E_INPUT when what is free to move along the axis or about it is pushed there */
GOS_API gos_status gos_solve_static(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    gos_state *state, gos_statistics *stats);

/** A state on a path of equilibria. place: its time [s], or with arc_length the length of the path
 * so far. Velocities and temperature rates are derivatives with respect to it. Anything but GOS_OK
 * ends the path. */
typedef gos_status (*gos_path_fn)(void *user, const gos_state *state, double place);
/** The same, and on through time functions to options->end (0: not; then the equilibrium is the
 * only one), or with arc_length all along the path of the load factor; `store` (may be NULL) gets
 * every state, in order. Steps in time are at most options->step, max_step and output_every, and
 * end at multiples of it. */
GOS_API gos_status gos_solve_path(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                  gos_state *state, gos_path_fn store, void *user,
                                  gos_statistics *stats);

/** What gos_state_settle has changed. */
typedef struct gos_settled {
    double violation; // of constraints before, in their own units: m, or - for directions
    const char
        *where; // what was violated most ("joint 'pin'"); borrowed of the system; NULL: nothing
    double position;    // largest change of a component of a coordinate
    double velocity;    // change of velocities, of their size (mass norm)
    double temperature; // largest change of a temperature [K]
} gos_settled;
/** Bring a state whose coordinates or rates were written to where the constraints hold, by the
 * changes that are least in the mass norm: positions, then velocities; prescribed temperatures;
 * then accelerations and multipliers that belong to them. The energy balance counts anew from here.
 * changed may be NULL.
 *  @return GOS_E_INPUT naming the constraint that cannot be met from there; the state is then as it
 * was */
GOS_API gos_status gos_state_settle(gos_ctx *ctx, gos_state *state, gos_settled *changed);

/** An integration in time, one step a call. */
typedef struct gos_integrator gos_integrator;
/** Prepare to integrate `state` (borrowed, changed by each step): consistent accelerations,
 *  multipliers and temperature rates are computed here. A state that gos_integrator_keep has seen
 * goes on instead. @return GOS_E_INPUT when that was of another system */
GOS_API gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys,
                                         const gos_options *options, gos_state *state,
                                         gos_integrator **integrator);
/** One accepted step, not beyond t_end. On failure the state is the last accepted one. */
GOS_API gos_status gos_integrator_step(gos_integrator *integrator, double t_end);
/** Values at time t inside the last step by cubic Hermite interpolation, into a scratch state owned
 * by the integrator (borrowed until the next call). */
GOS_API const gos_state *gos_integrator_at(gos_integrator *integrator, double t);
/** Follow what the errors of steps do to the probes, by which steps are chosen where options ask
 * for that (probe_tolerance), and tell the worst probe at the end of the run in a note (a message
 * of count 0). To be called before the first step, as gos_run_into does; without effect for fixed
 * steps, and where the model has a way of its own to step. Costs two evaluations of each probe
 * every fourth step. */
GOS_API gos_status gos_integrator_tell(gos_integrator *integrator);
/** Put what the integrator knows of the steps so far into its state: a copy of it (gos_state_copy)
 * is all that the run depends on, and an integrator created at such a copy goes on as this one, to
 * the last bit (GOS_BDF: it starts anew there, always with the same digits). The next step drops it
 * again. @return GOS_E_USE after a step that failed, where a stepper cannot do that */
GOS_API gos_status gos_integrator_keep(gos_integrator *integrator);
/** A limit of a signal that was passed. */
typedef struct gos_event {
    int event;   // which one of the system's
    double time; // [s]
    bool rising; // from below, or from above
} gos_event;
/** What was passed in the last step, in order of time; borrowed until the next one. Times are found
 * inside the step, which goes on as it was, but for a limit that ends the run: the step ends there,
 * and *ends (may be NULL) is set. Whoever steps on passes it.
 *  @return how many */
GOS_API int gos_integrator_events(const gos_integrator *integrator, const gos_event **event,
                                  bool *ends);
GOS_API void gos_integrator_statistics(const gos_integrator *integrator, gos_statistics *stats);
GOS_API void gos_integrator_destroy(gos_integrator *integrator);

/* ---- running an analysis
 * ------------------------------------------------------------------------------ */

/** What a run is, told before it begins; all of it is borrowed while the run goes on. */
typedef struct gos_run_info {
    const gos_system *system;
    const gos_options *options;
    const gos_probe_info *probe; // (nprobes)
    int nprobes;
    int nvalues;             // components of all probes, one after the other: the width of a row
    const double *reference; // node positions that displacements count from (nnodes, 3) [m]
    bool thermal;            // frames have temperatures
    bool goes_on;            // from a point of an earlier run
    const gos_field_info *field; // what else frames have at nodes (nfields)
    int nfields;
} gos_run_info;

/** Fields and balances at one output time; arrays as from gos_system_nodes, borrowed during the
 * call. */
typedef struct gos_frame {
    double time;                       // [s]; with arc_length the length of the path [m]
    const double *position, *velocity; // (nnodes, 3) [m], [m/s]
    const double *temperature,
        *temperature_rate; // (nnodes) [K], [K/s]; NULL: the run is not thermal
    gos_energy energy;
    gos_heat heat;
    const double *field; // as from gos_system_fields; NULL: the run has none
} gos_frame;

/** A point of a run in time from which it can go on, to the last bit: keep a copy of the state
 * (gos_state_copy), of the values and of the numbers. Borrowed during the call. */
typedef struct gos_run_point {
    const gos_state
        *state; // with what the integrator keeps; NULL: a step failed, and nothing can go on
    const double *value; // of the last row (nvalues), where angles go on; NULL: they begin anew
    double row_time;     // of the last row given [s], NAN: none
    double frame_time;   // of the last frame given [s], NAN: none
    double preparing,
        output; // wall time so far of what comes before the first step, and of output [s]
    bool moved; // there was a step since the run began or went on
} gos_run_point;

/** Where a run puts what it computes: a results file (gos_run), or whatever a program makes of it.
 * Functions may be NULL; what nobody takes is not computed. All are called in the thread of the
 * run, between its steps, and only after `begin`. They return 0 to go on. Anything else ends the
 * run: a negative gos_status is the status that it ends with, any other number stands for
 * GOS_E_INTERRUPTED; then only `end` is called. */
typedef struct gos_sink {
    int (*begin)(void *user, const gos_run_info *run);
    /** Values and rates of all probes (nvalues each), borrowed: at the start, then at each accepted
     * step or static equilibrium, and (radau, whose steps are long) at times inside them. Angles
     * are counted on through full turns. */
    int (*row)(void *user, double time, const double *value, const double *rate);
    /** The motion goes on from the last row with other values or rates: functions of time switch or
     * jump there, held signals do, or a law changes. Given before the row of the step that begins
     * there; all probes (nvalues each), as that step sees them. */
    int (*start)(void *user, const double *value, const double *rate);
    /** At the start, at each output time (inside of steps, interpolated), at the end. */
    int (*frame)(void *user, const gos_frame *frame);
    /** A limit of a signal was passed in a step, before its row is given; one that ends the run is
     * the last. */
    int (*event)(void *user, const gos_event *event);
    /** A step is over, and its row and frames have been given. */
    int (*step)(void *user, const gos_statistics *stats);
    /** Is it time for a checkpoint? Asked after each step in time. */
    bool (*due)(void *user);
    /** It was; or the run in time ends before its time. */
    int (*checkpoint)(void *user, const gos_run_point *point, const gos_statistics *stats);
    /** Once, when `begin` was called and gave 0, however the run ended; messages say why. `moved`:
     * there was a step. What it returns is the status of a run that was good so far. */
    int (*end)(void *user, gos_status status, bool moved, const gos_statistics *stats);
} gos_sink;

/** Run the analysis that `options` say, from the initial state or (`from` not NULL, an analysis in
 * time) on from a point of an earlier run of the same system and options, and give what comes of it
 * to `sink` (NULL: to nobody) with `user`. Whatever stops a run, its last accepted state is given
 * before the end. A reduced system is watched on the way: what it does not promise is a warning.
 * `stats` may be NULL. No memory is asked for from step to step, but for checkpoints. @return
 * GOS_E_INTERRUPTED when the progress callback or the sink asks for it, with a message; GOS_E_INPUT
 * when `from` is of another system, or options make no sense: `begin` is then not called */
GOS_API gos_status gos_run_into(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                const gos_run_point *from, const gos_sink *sink, void *user,
                                gos_statistics *stats);

#ifdef __cplusplus
}
#endif
#endif
