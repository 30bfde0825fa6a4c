/* Gossamer: a compiled system and its state. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_SYSTEM_H
#define GOSSAMER_SYSTEM_H

#include <stdbool.h>

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a model means: numbered, checked, immutable; may serve many states and threads. */
typedef struct gos_system gos_system;
/** Everything that the next step depends on: coordinates, rates, multipliers, temperatures,
 * history. */
typedef struct gos_state gos_state;

/** Compile a model. All errors of the model are recorded in ctx, each with its place; then
 *  GOS_E_INPUT. The model may be changed or freed afterwards; the context that it was read with
 * must live as long as the system, which evaluates its functions of time there. */
GOS_API gos_status gos_system_create(gos_ctx *ctx, gos_model *model, gos_system **sys);
GOS_API void gos_system_destroy(gos_system *sys);
/** Let systems of the model have its bodies in floating frames reduced as their entries `reduce`
 * say: sets `floating_bodies: reduced`. *n: how many such bodies there are; for none nothing is
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
/** Find the errors that gos_system_create finds, and count, without laying out what only a
 * computation needs, which takes most of the time and memory of large models. */
GOS_API gos_status gos_system_check(gos_ctx *ctx, gos_model *model, gos_sizes *sizes);
/** Is it a body of matrices and nothing else? Linearised, it is the model of these matrices as they
 * were given, with their own inputs and outputs. */
GOS_API bool gos_system_linear(const gos_system *sys);
/** Name of the model; borrowed. */
GOS_API const char *gos_system_name(const gos_system *sys);
/** Complete model text with settings, for results files; borrowed. */
GOS_API const char *gos_system_text(const gos_system *sys);

/* ---- mesh for pictures: nodes of all bodies, numbered through, and the cells between them
 * --------- */

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
 * reference] (nnodes); any output may be NULL. Bodies without temperature give 0. */
GOS_API void gos_system_nodes(const gos_system *sys, const gos_state *state, double *position,
                              double *velocity, double *temperature, double *temperature_rate);
/** A field at these nodes that the model asks for (`output: {stress: true, strain: true}`). */
typedef struct gos_field_info {
    const char
        *name; // "stress", "von_mises", ...; of shells with "_upper" or "_lower", their faces
    const char *unit; // SI
    int ncomp;
    const char *const *components; // xx, yy, zz, xy, yz, zx; first, second, third; value
} gos_field_info;
GOS_API int gos_system_nfields(const gos_system *sys);
GOS_API void gos_system_field_info(const gos_system *sys, int i, gos_field_info *info);
/** All these fields one after the other, field i by nodes (nnodes, ncomp): stresses and strains in
 * the axes of the body, extrapolated from the points of the elements and averaged over those of one
 * material; not a number where a body has none. */
GOS_API void gos_system_fields(const gos_system *sys, const gos_state *state, double *value);
/** True when any body has a temperature field. */
GOS_API bool gos_system_thermal(const gos_system *sys);

/* ---- probes
 * ---------------------------------------------------------------------------------------- */

typedef struct gos_probe_info {
    const char *name;
    const char *quantity;          // "position", "temperature", ...
    const char *unit;              // SI: "m" of all components, or one each: "K, K/m"
    int ncomp;                     // components, at most GOS_PROBE_MAX
    const char *const *components; // names: x, y, z; T, T_y, T_z; value
    unsigned undetermined; // bit c: the model leaves component c open (reactions, `redundant:
                           // drop`); it is NaN
    bool rates; // rates are known; else (reactions, energies, accelerations) a run interpolates
                // values alone
} gos_probe_info;
#define GOS_PROBE_MAX 24
GOS_API int gos_system_nprobes(const gos_system *sys);
GOS_API void gos_system_probe_info(const gos_system *sys, int i, gos_probe_info *info);
/** Value (ncomp; angles nearest to 0) and time derivative (ncomp, may be NULL) of probe i. */
GOS_API gos_status gos_system_probe(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                    int i, double *value, double *rate);

/** Index of a probe by its name, or -1. */
GOS_API int gos_system_probe_find(const gos_system *sys, const char *name);

/* ---- events
 * ---------------------------------------------------------------------------------------- */

/** A limit of a signal (`events:` of the model). */
typedef struct gos_event_info {
    const char *name; // borrowed
    double limit;     // in the unit of the signal
    bool ends;        // a run ends where it is passed
} gos_event_info;
GOS_API int gos_system_nevents(const gos_system *sys);
GOS_API void gos_system_event_info(const gos_system *sys, int i, gos_event_info *info);

/* ---- inputs
 * ---------------------------------------------------------------------------------------- */

/** An input: an amount of a load, heat entry or drive. Its name is that of the entry, with a
 * component behind a dot where it has several ("push.y"). Probes are the outputs. */
typedef struct gos_input_info {
    const char *name;
    const char *unit; // SI
} gos_input_info;
GOS_API int gos_system_ninputs(const gos_system *sys);
GOS_API void gos_system_input_info(const gos_system *sys, int i, gos_input_info *info);
/** Index of an input by its name, or -1. */
GOS_API int gos_system_input_find(const gos_system *sys, const char *name);
/** Its value now: what the model says, or what it was set to. */
GOS_API double gos_state_input(const gos_state *state, int i);
/** Set an input in the place of what the model says, from now on: until == the state's time: held
 * at `value`; later: linear from what it is now to `value` at `until`, then held. To be called
 * between steps; it lies in the state, and is kept and copied with it. Let the next steps end where
 * inputs are set again (gos_integrator_step). Linear ones cost nothing and have the digits of a
 * table with the same points; a jump costs at most one solution with the factorisation in hand, and
 * mostly one more where constraints turn. The scheme stays of second order with both. Prescribed
 * motions should be linear at least: where they jump in rate the motion starts anew, with a
 * warning.
 *  @return GOS_E_USE: no such input, a time before now, an amount that follows probes, or with
 * local linearisation one that prescribes a motion or temperature */
GOS_API gos_status gos_state_set_input(gos_ctx *ctx, gos_state *state, int i, double value,
                                       double until);

/* ---- state
 * ------------------------------------------------------------------------------------------ */

/** The initial state of the model (coordinates and rates as said in it; accelerations and
 *  multipliers are made consistent by the solver). */
GOS_API gos_status gos_state_create(gos_ctx *ctx, const gos_system *sys, gos_state **state);
GOS_API void gos_state_destroy(gos_state *state);
/** A copy holds all that the next step depends on but what an integrator knows of the steps before;
 * with gos_integrator_keep that, too, so that a run goes on from it to the last bit. The same
 * system. */
GOS_API gos_status gos_state_copy(gos_state *to, const gos_state *from);
GOS_API double gos_state_time(const gos_state *state);

/* ---- coordinates
 * --------------------------------------------------------------------------------------- */

#define GOS_COORDINATE_NAME 160
/** A coordinate of a system: a vector of three components, or one of temperature. Its name is that
 * of the body with what it is: "hub.position", "hub.axis_1" to "hub.axis_3" (its axes),
 * "rod.node(3).position", "rod.node(3).slope" (of a cable), "rod.node(3).section_y",
 * "rod.node(3).section_z" (of a beam), "panel.node(3).slope_x" and "slope_y", "rod.node(3).T",
 * "rod.node(3).T_2" (temperature families); of matrices "part.coordinate(1)"; of a reduced model
 * "amplitude(1)" and "temperature_amplitude(1)". Nodes count from 0 as in the model, all others
 * from 1. */
typedef struct gos_coordinate_info {
    char name[GOS_COORDINATE_NAME];
    bool temperature; // above the reference [K], rate [K/s]; else positions [m], directions [-], or
                      // amplitudes
    int ncomp;        // 3, or 1
} gos_coordinate_info;
GOS_API int gos_system_ncoordinates(const gos_system *sys);
GOS_API void gos_system_coordinate_info(const gos_system *sys, int i, gos_coordinate_info *info);
/** Index of a coordinate by its name, or -1. */
GOS_API int gos_system_coordinate_find(const gos_system *sys, const char *name);
/** Value and rate (ncomp) of a coordinate; either may be NULL. */
GOS_API void gos_state_coordinate(const gos_state *state, int i, double *value, double *rate);
/** Write value and rate (ncomp); either may be NULL. To be called between steps. All else stays, so
 * constraints may not hold then: gos_state_settle brings it to where they do, and tells by how
 * much; a run that goes on does the same. @return GOS_E_USE: no such coordinate, no numbers, or a
 * model that is stepped by local linearisation */
GOS_API gos_status gos_state_set_coordinate(gos_ctx *ctx, gos_state *state, int i,
                                            const double *value, const double *rate);

/* ---- equations
 * ------------------------------------------------------------------------------------- */

/** Evaluates the equations of a system (theory guide, eq. 0):
 *      force rows         M a + Q(q, v, T) - F + C_q^T lam             (nq)
 *      heat rows          C T' + K T - R(q, v, T) + H^T lam_T          (nt)
 *      constraints        C(q, t), H T - h(t)                          (nc, nh)
 *  in this order, n = nq + nt + nc + nh (gos_sizes: coordinates, temperatures, constraints,
 *  temperature_constraints). For one thread at a time. */
typedef struct gos_equations gos_equations;
GOS_API gos_status gos_equations_create(gos_ctx *ctx, const gos_system *sys, gos_equations **eq);
GOS_API void gos_equations_destroy(gos_equations *eq);
/** A point to evaluate at; all arrays are borrowed. */
typedef struct gos_equations_point {
    const gos_state *state;    // whose memory (latches ...) and inputs set from outside hold
    double t;                  // of the functions of time [s]
    const double *q, *v, *a;   // coordinates with rates, components of one vector together (nq)
    const double *T, *Td;      // temperatures above the reference, rates (nt)
    const double *lam, *lam_T; // multipliers (nc), (nh)
} gos_equations_point;
/** The point at which a state stands: its own arrays, to be replaced at will. */
GOS_API gos_equations_point gos_equations_at(const gos_state *state);
/** Residual of the equations into r (n). @return GOS_E_NONFINITE: at this point it is no number */
GOS_API gos_status gos_equations_residual(gos_equations *eq, const gos_equations_point *at,
                                          double *r);
/** A square matrix, borrowed: compressed columns, rows ascending, or with p == NULL all n n values,
 * column by column. */
typedef struct gos_equations_matrix {
    int n;
    const int *p;    // column starts (n + 1)
    const int *i;    // rows (p[n])
    const double *x; // values
} gos_equations_matrix;
/** Derivatives of the residual, by (q, T, lam, lam_T) + by_rate times those by (v, T') +
 * by_acceleration times those by a: the matrix of Newton's iteration in an implicit step, and with
 * 0 or two evaluations subtracted the single blocks. The structure is that of the system. J lives
 * until the next call. Exact, but for callbacks without derivatives and for transported frames of
 * cables (`frame: transported`), which it takes as they stand. */
GOS_API gos_status gos_equations_jacobian(gos_equations *eq, const gos_equations_point *at,
                                          double by_rate, double by_acceleration,
                                          gos_equations_matrix *J);

/* energies [J]; work and dissipation accumulated since the start of the run by the integrator */
#define GOS_ENERGY_FIELDS(X)                                                                       \
    X(kinetic, "kinetic energy")                                                                   \
    X(strain, "free energy of deformation, thermal strain included, and energy of springs")        \
    X(gravity, "potential energy in the field of gravity")                                         \
    X(dissipated, "dissipated by viscous damping since the start")                                 \
    X(work, "work of loads and driven joints since the start")                                     \
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
