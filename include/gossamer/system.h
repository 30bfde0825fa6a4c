/* Gossamer: a compiled system and its state. SPDX-License-Identifier: Apache-2.0
 *
 * gos_system_create compiles a model into an immutable system of equations. A state (gos_state)
 * contains its coordinates, rates, multipliers and temperatures at one time. This header gives
 * access to nodes, probes, events, inputs, coordinates, residuals and tangents, energies and
 * momenta. Solvers are in sim.h, linearisation is in linearise.h. */
#ifndef GOSSAMER_SYSTEM_H
#define GOSSAMER_SYSTEM_H

#include <stdbool.h>

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A model after checking and numbering. Immutable; may be shared by many states and threads. */
typedef struct gos_system gos_system;
/** All data that the next step depends on: coordinates, rates, multipliers, temperatures, history
 * variables. */
typedef struct gos_state gos_state;

/** Compile a model. All errors of the model are recorded in ctx with their locations; the result is
 * then GOS_E_INPUT. The model may be changed or freed afterwards. The context that it was read
 * with must outlive the system, because time functions are evaluated there. */
GOS_API gos_status gos_system_create(gos_ctx *ctx, gos_model *model, gos_system **sys);
GOS_API void gos_system_destroy(gos_system *sys);
/** Reduce the bodies in floating frames as their `reduce` entries specify, in all systems created
 * from the model: sets `floating_bodies: reduced`. *n: number of such bodies; if 0, nothing is
 * set. */
GOS_API gos_status gos_model_reduce_bodies(gos_ctx *ctx, gos_model *model, int *n);

#define GOS_SIZES_FIELDS(X)                                                                        \
    X(int, bodies, "bodies of the model")                                                          \
    X(int, joints, "joints of the model")                                                          \
    X(int, loads, "loads of the model")                                                            \
    X(int, heat, "heat sources of the model")                                                      \
    X(int, nodes, "mesh nodes")                                                                    \
    X(int, elements, "elements of all meshes")                                                     \
    X(int, points, "points at which laws are evaluated")                                           \
    X(int, coordinates, "displacement coordinates n")                                              \
    X(int, temperatures, "temperature coordinates n_T")                                            \
    X(int, constraints, "rows of C")                                                               \
    X(int, temperature_constraints, "rows of H")                                                   \
    X(double, mass, "kg")                                                                          \
    X(double, extent, "largest extent of the initial configuration, L_ref [m]")
typedef struct gos_sizes {
#define X(type, name, doc) type name; // doc
    GOS_SIZES_FIELDS(X)
#undef X
    bool reduced; // a reduced model
} gos_sizes;
GOS_API void gos_system_sizes(const gos_system *sys, gos_sizes *sizes);
/** Find the errors that gos_system_create finds, and count unknowns, without the data that only a
 * computation needs. Saves most of the time and memory for large models. */
GOS_API gos_status gos_system_check(gos_ctx *ctx, gos_model *model, gos_sizes *sizes);
/** True if the model is a single body given by matrices. Linearised, it yields these matrices
 * unchanged, with their own inputs and outputs. */
GOS_API bool gos_system_linear(const gos_system *sys);
/** Name of the model; borrowed. */
GOS_API const char *gos_system_name(const gos_system *sys);
/** Units of all values, as gos_model_units; borrowed. */
GOS_API const char *gos_system_units(const gos_system *sys);
/** Complete model text with settings, as stored in results files; borrowed. */
GOS_API const char *gos_system_text(const gos_system *sys);

/* ---- mesh for pictures: nodes of all bodies, numbered consecutively, and cells */

typedef struct gos_mesh_info {
    int nnodes;
    int ncells;
    int nbodies;
    const int *cell_offset; // into cell_nodes (ncells + 1)
    const int *cell_nodes;
    const int *cell_body;          // body of each cell (ncells)
    const char *const *body_names; // (nbodies)
    const int *body_first_node;    // (nbodies + 1)
} gos_mesh_info;
/** Borrowed views. */
GOS_API void gos_system_mesh(const gos_system *sys, gos_mesh_info *mesh);
/** Node positions [m] (nnodes, 3), velocities [m/s] (nnodes, 3), mean temperatures [K above
 * reference] and their rates [K/s] (nnodes). Any output may be NULL. Bodies without temperature
 * yield 0. */
GOS_API void gos_system_nodes(const gos_system *sys, const gos_state *state, double *position,
                              double *velocity, double *temperature, double *temperature_rate);
/** A nodal field requested by the model (`output: {stress: true, strain: true}`). */
typedef struct gos_field_info {
    // "stress", "von_mises", ...; on shell faces with suffix "_upper" or "_lower"
    const char *name;
    const char *unit; // SI
    int ncomp;
    const char *const *components; // xx, yy, zz, xy, yz, zx; first, second, third; value
} gos_field_info;
GOS_API int gos_system_nfields(const gos_system *sys);
GOS_API void gos_system_field_info(const gos_system *sys, int i, gos_field_info *info);
/** All nodal fields, one after another, each node by node (nnodes, ncomp). Stresses and strains are
 * in body axes, extrapolated from the element points and averaged over elements of one material;
 * NaN where a body has none. */
GOS_API void gos_system_fields(const gos_system *sys, const gos_state *state, double *value);
/** True if any body has a temperature field. */
GOS_API bool gos_system_thermal(const gos_system *sys);

/* ---- probes */

typedef struct gos_probe_info {
    const char *name;
    const char *quantity;          // "position", "temperature", ...
    const char *unit;              // SI: "m" for all components, or one each: "K, K/m"
    int ncomp;                     // components, at most GOS_PROBE_MAX
    const char *const *components; // names: x, y, z; T, T_y, T_z; value
    // bit c: the model does not determine component c (reactions, `redundant: drop`), which is NaN
    unsigned undetermined;
    // rates are available; else (reactions, energies, accelerations) only values are interpolated
    bool rates;
} gos_probe_info;
#define GOS_PROBE_MAX 24
GOS_API int gos_system_nprobes(const gos_system *sys);
GOS_API void gos_system_probe_info(const gos_system *sys, int i, gos_probe_info *info);
/** Value (ncomp; angles within half a turn of 0) and time derivative (ncomp, may be NULL) of probe
 * i. */
GOS_API gos_status gos_system_probe(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                    int i, double *value, double *rate);

/** Index of a probe with this name, or -1. */
GOS_API int gos_system_probe_find(const gos_system *sys, const char *name);

/* ---- events */

/** Limit of a signal (`events:` of the model). */
typedef struct gos_event_info {
    const char *name; // borrowed
    double limit;     // in the unit of the signal
    bool ends;        // a run ends when it is crossed
} gos_event_info;
GOS_API int gos_system_nevents(const gos_system *sys);
GOS_API void gos_system_event_info(const gos_system *sys, int i, gos_event_info *info);

/* ---- inputs */

/** An input: magnitude of a load, heat entry or drive. It has the name of the entry, with a
 * component after a dot if there are several ("push.y"). Outputs are the probes. */
typedef struct gos_input_info {
    const char *name;
    const char *unit; // SI
} gos_input_info;
GOS_API int gos_system_ninputs(const gos_system *sys);
GOS_API void gos_system_input_info(const gos_system *sys, int i, gos_input_info *info);
/** Index of an input with this name, or -1. */
GOS_API int gos_system_input_find(const gos_system *sys, const char *name);
/** Current value: given by the model or set by gos_state_set_input. */
GOS_API double gos_state_input(const gos_state *state, int i);
/** Override the model's value of an input from now on. until == time of the state: constant
 * `value`; later: linear from the current value to `value` at `until`, then constant. Call between
 * steps; the setting belongs to the state and is stored and copied with it. Let steps end where
 * inputs are set again (gos_integrator_step). Linear inputs add no cost and give bitwise the same
 * results as a table with these points. A jump costs at most one solution with the existing
 * factors, and usually a second one if constraints rotate. The scheme remains of second order in
 * both cases. Prescribed motions should be at least linear: a jump in their rate restarts the
 * motion, with a warning.
 * @return GOS_E_USE: unknown input, a time in the past, an input that depends on probes, or with
 * local linearisation an input that prescribes a motion or temperature */
GOS_API gos_status gos_state_set_input(gos_ctx *ctx, gos_state *state, int i, double value,
                                       double until);

/* ---- state */

/** Initial state of the model: its coordinates and rates as given. Consistent accelerations and
 * multipliers are computed by the solver. */
GOS_API gos_status gos_state_create(gos_ctx *ctx, const gos_system *sys, gos_state **state);
GOS_API void gos_state_destroy(gos_state *state);
/** Copy a state of the same system. A copy contains everything the next step depends on except the
 * step history of the integrator; after gos_integrator_store_history it contains that too, and a
 * run continues from it to the last bit. */
GOS_API gos_status gos_state_copy(gos_state *to, const gos_state *from);
GOS_API double gos_state_time(const gos_state *state);

/* ---- coordinates */

#define GOS_COORDINATE_NAME 160
/** A coordinate of a system: a vector of three components, or a scalar temperature. Names consist
 * of the body and the quantity: "hub.position", "hub.axis_1" to "hub.axis_3" (its axes),
 * "rod.node(3).position", "rod.node(3).slope" (cable), "rod.node(3).section_y",
 * "rod.node(3).section_z" (beam), "panel.node(3).slope_x" and "slope_y", "rod.node(3).T",
 * "rod.node(3).T_2" (temperature families), "part.coordinate(1)" (body given by matrices),
 * "amplitude(1)" and "temperature_amplitude(1)" (reduced model). Nodes count from 0 as in the
 * model, all others from 1. */
typedef struct gos_coordinate_info {
    char name[GOS_COORDINATE_NAME];
    // above the reference [K], rate [K/s]; else positions [m], directions [-] or amplitudes
    bool temperature;
    int ncomp; // 3 or 1
} gos_coordinate_info;
GOS_API int gos_system_ncoordinates(const gos_system *sys);
GOS_API void gos_system_coordinate_info(const gos_system *sys, int i, gos_coordinate_info *info);
/** Index of a coordinate with this name, or -1. */
GOS_API int gos_system_coordinate_find(const gos_system *sys, const char *name);
/** Value and rate (ncomp) of a coordinate; either may be NULL. */
GOS_API void gos_state_coordinate(const gos_state *state, int i, double *value, double *rate);
/** Set value and rate (ncomp); either may be NULL. Call between steps. Nothing else changes, so
 * constraints may be violated. gos_state_satisfy_constraints and continued runs project the state
 * onto the constraints and report the correction. @return GOS_E_USE: unknown coordinate, values not
 * finite, or a model integrated by local linearisation */
GOS_API gos_status gos_state_set_coordinate(gos_ctx *ctx, gos_state *state, int i,
                                            const double *value, const double *rate);

/* ---- equations */

/** Evaluates the equations of a system (theory guide, eq. 0), in this order:
 *     force rows         M a + Q(q, v, T) - F + C_q^T lam             (nq)
 *     heat rows          C T' + K T - R(q, v, T) + H^T lam_T          (nt)
 *     constraints        C(q, t), H T - h(t)                          (nc, nh)
 * n = nq + nt + nc + nh (gos_sizes: coordinates, temperatures, constraints,
 * temperature_constraints). Not thread-safe: one thread at a time. */
typedef struct gos_equations gos_equations;
GOS_API gos_status gos_equations_create(gos_ctx *ctx, const gos_system *sys, gos_equations **eq);
GOS_API void gos_equations_destroy(gos_equations *eq);
/** Evaluation point; all arrays are borrowed. */
typedef struct gos_equations_point {
    const gos_state *state;    // supplies history variables and externally set inputs
    double t;                  // time for the time functions [s]
    const double *q, *v, *a;   // coordinates and derivatives, vector components adjacent (nq)
    const double *T, *Td;      // temperatures above the reference, rates (nt)
    const double *lam, *lam_T; // multipliers (nc), (nh)
} gos_equations_point;
/** Evaluation point of a state, with its own arrays; any of them may be replaced. */
GOS_API gos_equations_point gos_equations_at(const gos_state *state);
/** Residual of the equations into r (n). @return GOS_E_NONFINITE if it is not finite at this
 * point */
GOS_API gos_status gos_equations_residual(gos_equations *eq, const gos_equations_point *at,
                                          double *r);
/** A square matrix, borrowed: compressed columns with ascending rows, or, if p == NULL, all n n
 * values by columns. */
typedef struct gos_equations_matrix {
    int n;
    const int *p;    // column starts (n + 1)
    const int *i;    // rows (p[n])
    const double *x; // values
} gos_equations_matrix;
/** Derivatives of the residual with respect to (q, T, lam, lam_T), plus by_rate times those with
 * respect to (v, T'), plus by_acceleration times those with respect to a. This is the Newton matrix
 * of an implicit step; with 0, or as the difference of two evaluations, it yields single blocks.
 * The sparsity pattern is that of the system. J lives until the next call. Exact, except for
 * callbacks without derivatives and transported frames of cables (`frame: transported`), which are
 * treated as constant. */
GOS_API gos_status gos_equations_jacobian(gos_equations *eq, const gos_equations_point *at,
                                          double by_rate, double by_acceleration,
                                          gos_equations_matrix *J);

/* energies [J]; work and dissipation are accumulated by the integrator since the start of the
 * run */
#define GOS_ENERGY_FIELDS(X)                                                                       \
    X(kinetic, "kinetic energy")                                                                   \
    X(strain, "free energy of deformation including thermal strain (floating bodies: 1/2 q^T K q " \
              "of the total strain), and energy of springs")                                       \
    X(gravity, "potential energy of gravity")                                                      \
    X(dissipated, "dissipated by viscous damping since the start")                                 \
    X(work, "work of loads, driven joints and, on floating bodies, of thermal forces since the "   \
            "start")                                                                               \
    X(thermal_work, "work of temperature changes on the deformation since the start")              \
    X(balance, "kinetic + strain + gravity + dissipated - work - thermal_work - initial sum")
typedef struct gos_energy {
#define X(name, doc) double name; // doc
    GOS_ENERGY_FIELDS(X)
#undef X
} gos_energy;

/* heat [J], accumulated with the weights of the integration scheme */
#define GOS_HEAT_FIELDS(X)                                                                         \
    X(stored, "heat stored in the mean temperatures since the start")                              \
    X(supplied, "heat supplied by sources and surfaces since the start")                           \
    X(constrained, "heat supplied through prescribed temperatures since the start")                \
    X(balance, "stored - supplied - constrained")
typedef struct gos_heat {
#define X(name, doc) double name; // doc
    GOS_HEAT_FIELDS(X)
#undef X
} gos_heat;
GOS_API void gos_system_energy(const gos_system *sys, const gos_state *state, gos_energy *energy);
GOS_API void gos_system_heat(const gos_system *sys, const gos_state *state, gos_heat *heat);
/** Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s]. */
GOS_API void gos_system_momentum(const gos_system *sys, const gos_state *state, double p[3],
                                 double l[3]);

#ifdef __cplusplus
}
#endif
#endif
