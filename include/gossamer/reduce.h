/* Gossamer: reduced models of a system. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_REDUCE_H
#define GOSSAMER_REDUCE_H

#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reduce a system as its model's `reduction:` says (rotation_closed with default fields without
 *  one): scalar fields with vector amplitudes, e = E0 + Phi c, exact nonlinear forces at points, no
 *  update while it runs (theory 8). Linear joints are eliminated, but for those whose force a probe
 *  asks for; all others keep their multipliers. Temperatures are axial functions of each family.
 *  The result is again a system: the same solvers, probes, balances and files serve it. Method
 * local_pod runs the full model for its vectors first. `sys` must outlive it. Free it with
 * gos_system_destroy.
 *  @return GOS_E_INPUT when the fields cannot hold the initial configuration, the joints or the
 *  prescribed temperatures, GOS_E_LIMIT for too many polynomials, GOS_E_USE for a reduced system,
 *  and what the search for modes returns. */
GOS_API gos_status gos_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);

/** What a reduction consists of, and what gos_reduce_auto found out about it. */
#define GOS_REDUCTION_FIELDS(X)                                                                    \
    X(int, number, "fields a body, or from modes; all of them when taken from a run")              \
    X(int, thermal_fields, "functions of each temperature family and body")                        \
    X(int, expansions, "fields besides them, of what expands by local heat")                       \
    X(int, points, "points at which forces are evaluated")                                         \
    X(int, all_points, "points that these were chosen from; 0: Gauss points of polynomials")       \
    X(int, runs, "runs that were made to choose")                                                  \
    X(double, tolerance, "wanted error, relative to the extent; 0: nothing was chosen")            \
    X(double, predicted, "predicted error; 0: not known")                                          \
    X(double, predicted_temperature, "... of temperatures, relative to their range")               \
    X(double, residual, "estimate of the error from residuals of the full model, in training")     \
    X(double, residual_temperature, "... of temperatures, relative to their range")                \
    X(double, error_fields, "part of it from the fields: what they cannot hold")                   \
    X(double, error_thermal, "... from the temperature functions: relative to the range")          \
    X(double, error_points, "... from the points, and all that is not told apart")                 \
    X(double, error_steps, "... from the time steps; 0: not told apart")                           \
    X(double, step_tolerance, "analysis.tolerance that was chosen; 0: not chosen")                 \
    X(double, time_run, "time of a run of the chosen model, s; 0: not known")                      \
    X(double, time_full, "... of the full model, estimated from a part of one")                    \
    X(double, work, "counted work of choosing, in runs of the full model; 0: not known")           \
    X(double, time, "wall time of reducing, runs included, s")
typedef struct gos_reduction {
#define X(type, name, doc) type name; // doc
    GOS_REDUCTION_FIELDS(X)
#undef X
} gos_reduction;

/** Reduce a system as its model's `reduction:` says, running its analysis with reduced models where
 *  something is to be chosen:
 *    method auto without `number`: fields, temperature functions, points and steps, so that the
 * largest error over time (RMS over nodes, relative to the extent) against the full model on the
 * same mesh is within `tolerance`; warns when that could not be reached. The counted work of all of
 * it is at most that of three runs of the full model; cubature > 0: few points, trained in one run.
 *  Anything else is what gos_reduce does. The choices hold for loads like the model's: a run that
 *  strains a body more than training did warns (gos_run). */
GOS_API gos_status gos_reduce_auto(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);
/** What is known about a reduced system; all 0 for another one. */
GOS_API void gos_reduction_get(const gos_system *reduced, gos_reduction *reduction);

/* Local linearisation (methods complex_modes, complex_synthesis, local_pod; theory 4): an
   integration in time of its own. gos_reduce gives a system that gos_integrator and gos_run step
   this way; these calls do the same with a full system and more to look at. */
typedef struct gos_local gos_local;

#define GOS_LOCAL_REPORT_FIELDS(X)                                                                 \
    X(long, intervals, "intervals, each with its own linearisation and modes")                     \
    X(long, eigenproblems, "sets of modes")                                                        \
    X(long, rejected, "intervals shortened after the jump of the forces was seen")                 \
    X(int, motions, "free motions")                                                                \
    X(int, modes, "modes kept")                                                                    \
    X(int, columns, "most columns of an interval, extra ones included")                            \
    X(int, thermal_columns, "thermal columns")                                                     \
    X(int, pairs, "conjugate pairs among the modes of the last interval")                          \
    X(int, overdamped, "overdamped modes among them")                                              \
    X(double, energy_jump, "largest change of the energy at an update, J")                         \
    X(double, energy_drift, "sum of these changes with their signs, J")                            \
    X(double, peak_kinetic, "largest kinetic energy, J")                                           \
    X(double, violation, "largest violation of a constraint before it is corrected, m")            \
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
 * says; options->step > 0 is the fixed step of generalised-alpha inside intervals, 0 makes every
 * interval one exact step. Driven joints are refused (GOS_E_INPUT), and models of more than some
 * thousand coordinates (GOS_E_LIMIT). The vectors of local_pod are those of the system that
 * gos_reduce gives: step that (GOS_E_USE for the full one). */
GOS_API gos_status gos_local_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                    gos_state *state, gos_local **local);
/** One step, not beyond t_end. On failure the state is the last good one. */
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
