/* Gossamer: nonlinear model order reduction of systems. SPDX-License-Identifier: Apache-2.0
 *
 * A reduced model is again a system (system.h) and is used with the same solvers, probes and
 * files. gos_reduce applies the model's `reduction:`; gos_reduce_auto also selects the basis,
 * integration points and steps for a required error. Methods of local linearisation have their own
 * integrator. Reduction of linear models is in reduce_linear.h. */
#ifndef GOSSAMER_REDUCE_H
#define GOSSAMER_REDUCE_H

#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reduce a system as its model's `reduction:` specifies (default: rotation_closed with default
 * fields): scalar fields with vector amplitudes, e = E0 + Phi c, exact nonlinear forces at points,
 * constant basis during a run (theory 8). Linear joints are eliminated, except those whose force
 * is a probe; all others keep their multipliers. Temperatures are axial functions of each family.
 * The result supports the same solvers, probes, balances and files as a full system. Method
 * local_pod runs the full model for its basis first. `sys` must outlive the result. Free with
 * gos_system_destroy.
 * @return GOS_E_INPUT if the fields cannot represent the initial configuration, the joints or the
 * prescribed temperatures, GOS_E_LIMIT for too many polynomials, GOS_E_USE for a reduced system,
 * and the errors of the mode computation */
GOS_API gos_status gos_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);

/** Size of a reduced model, and the results of gos_reduce_auto. */
#define GOS_REDUCTION_FIELDS(X)                                                                    \
    X(int, number, "fields per body, or from modes; all fields if taken from a run")               \
    X(int, thermal_fields, "functions of each temperature family and body")                        \
    X(int, expansions, "additional fields for thermal expansion by local heat")                    \
    X(int, points, "points at which forces are evaluated")                                         \
    X(int, all_points, "candidate points; 0: Gauss points of polynomials")                         \
    X(int, runs, "runs made for the selection")                                                    \
    X(double, tolerance, "required error, relative to the extent; 0: no selection")                \
    X(double, predicted, "predicted error; 0: unknown")                                            \
    X(double, predicted_temperature, "... of temperatures, relative to their range")               \
    X(double, residual, "error estimate from residuals of the full model, in training")            \
    X(double, residual_temperature, "... of temperatures, relative to their range")                \
    X(double, error_fields, "part of the error due to the fields")                                 \
    X(double, error_thermal, "... due to the temperature functions, relative to the range")        \
    X(double, error_points, "... due to the points, and all parts that are not separated")         \
    X(double, error_steps, "... due to the time steps; 0: not separated")                          \
    X(double, step_tolerance, "selected analysis.tolerance; 0: not selected")                      \
    X(double, time_run, "time of a run of the selected model, s; 0: unknown")                      \
    X(double, time_full, "... of the full model, extrapolated from a part of a run")               \
    X(double, work, "cost of the selection, in full-model runs; 0: unknown")                       \
    X(double, time, "processor time of the reduction including its runs, s")                       \
    X(double, work_run, "cost of a run of the selected model, in full-model runs; 0: unknown")     \
    X(double, reached, "completed fraction of the training run; 0: none, or not tried")            \
    X(double, served, "number of runs that the reduction was made for; 0: unknown")
typedef struct gos_reduction {
#define X(type, name, doc) type name; // doc
    GOS_REDUCTION_FIELDS(X)
#undef X
} gos_reduction;

/** Reduce a system as its model's `reduction:` specifies, running its analysis with reduced models
 * for the selection. Method auto without `number` selects fields, temperature functions, points
 * and steps so that the largest error over time (RMS over nodes, relative to the extent) against
 * the full model on the same mesh is within `tolerance`; warns if that was not achieved. The total
 * work is at most that of three runs of the full model. With cubature > 0 a few integration points
 * are selected in one training run. Otherwise as gos_reduce. The selection is valid for loads like
 * the model's: a run with larger strains than in training causes a warning (gos_run). */
GOS_API gos_status gos_reduce_auto(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
/** As gos_reduce_auto, for a model that will serve `runs` runs (0: unknown). They limit the work of
 * the reduction: at most 1.3 full runs for each, and at most 3 in total or 0.3 for each, up to 30.
 * compare: for methods that make no comparison (given number of fields, local linearisation) the
 * reduced and the full model both run the analysis, so that the error is known. */
GOS_API gos_status gos_reduce_for(gos_ctx *ctx, const gos_system *sys, double runs, bool compare,
                                  gos_system **reduced);
/** True if gos_reduce_auto runs the whole analysis with the full model. For a single run this costs
 * more than it saves: run the full model. */
GOS_API bool gos_reduce_runs_full(gos_ctx *ctx, const gos_system *sys);

/** Whether a reduced model should be used. */
typedef enum gos_acceptance {
    GOS_ACCEPTED = 0,
    GOS_NOT_COMPARED = 1, // its error is unknown, because nothing was compared
    GOS_NOT_REPEATED = 2, // its error is unknown: the reduced run did not complete the training run
    GOS_NOT_ACCURATE = 3, // it misses its tolerance
    GOS_NOT_CHEAPER = 4   // it costs more than the full model
} gos_acceptance;
/** Acceptance for a number of runs that includes the cost of the reduction; runs = 0: ignore the
 * cost of the reduction. */
GOS_API gos_acceptance gos_reduction_accept(const gos_reduction *reduction, double runs);
/** Acceptance by the error alone, for a model that is already made: never GOS_NOT_CHEAPER. */
GOS_API gos_acceptance gos_reduction_accept_error(const gos_reduction *reduction);
/** Reason in words, a constant; "" if accepted. */
GOS_API const char *gos_acceptance_text(gos_acceptance acceptance);
/** Data of a reduced system; all 0 for a full one. */
GOS_API void gos_reduction_get(const gos_system *reduced, gos_reduction *reduction);

/* Local linearisation (methods complex_modes, complex_synthesis, local_pod; theory 4): a separate
 * time integration. gos_integrator and gos_run use it for systems made by gos_reduce; these
 * functions do the same for a full system and report more. */
typedef struct gos_local gos_local;

#define GOS_LOCAL_REPORT_FIELDS(X)                                                                 \
    X(long, intervals, "intervals, each with its own linearisation and modes")                     \
    X(long, eigenproblems, "eigenproblems solved")                                                 \
    X(long, rejected, "intervals shortened because of a jump of the forces")                       \
    X(int, motions, "degrees of freedom remaining after the constraints")                          \
    X(int, modes, "modes kept")                                                                    \
    X(int, columns, "largest number of basis columns in an interval, including additional ones")   \
    X(int, thermal_columns, "thermal columns")                                                     \
    X(int, pairs, "conjugate pairs among the modes of the last interval")                          \
    X(int, overdamped, "overdamped modes among them")                                              \
    X(double, energy_jump, "largest change of the energy at an update, J")                         \
    X(double, energy_drift, "signed sum of these changes, J")                                      \
    X(double, peak_kinetic, "largest kinetic energy, J")                                           \
    X(double, violation, "largest constraint violation before correction, m")                      \
    X(double, null_error, "largest ||C U|| / (||C|| ||U||)")                                       \
    X(double, time_assembly, "wall time of assembling tangents and loads, s")                      \
    X(double, time_nullspace, "wall time of null spaces and their transport, s")                   \
    X(double, time_eigen, "wall time of eigenproblems, s")                                         \
    X(double, time_projection, "wall time of projections, s")                                      \
    X(double, time_step, "wall time of steps inside intervals, s")                                 \
    X(double, time_force, "wall time of nonlinear forces, multipliers and corrections, s")
typedef struct gos_local_report {
#define X(type, name, doc) type name; // doc
    GOS_LOCAL_REPORT_FIELDS(X)
#undef X
} gos_local_report;

/** Prepare to step `state` (borrowed, changed by each step) of a full system as its `reduction:`
 * specifies. options->step > 0 is the fixed step of generalised-alpha inside intervals; 0 makes
 * every interval one exact step. Driven joints are rejected (GOS_E_INPUT), and models of more than
 * some thousand coordinates (GOS_E_LIMIT). local_pod requires the system made by gos_reduce, which
 * contains its basis (GOS_E_USE for the full one). */
GOS_API gos_status gos_local_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    gos_state *state, gos_local **local);
/** One step, not beyond t_end. On failure the state is the last accepted one. */
GOS_API gos_status gos_local_step(gos_local *local, double t_end);
/** Values at time t inside the last step; borrowed until the next call. */
GOS_API const gos_state *gos_local_at(gos_local *local, double t);
GOS_API void gos_local_statistics(const gos_local *local, gos_statistics *stats);
GOS_API void gos_local_get_report(const gos_local *local, gos_local_report *report);
GOS_API void gos_local_destroy(gos_local *local);

#ifdef __cplusplus
}
#endif
#endif
