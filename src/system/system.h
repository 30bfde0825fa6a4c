/* Compiled system, its state, and evaluation of residuals and Jacobians. */
#ifndef GOS_SYSTEM_INTERNAL_H
#define GOS_SYSTEM_INTERNAL_H

#include "gossamer/sim.h"
#include "gossamer/system.h"
#include "linalg/solver.h"
#include "parts/builder.h"

/* Scalar sparse matrix by rows. */
typedef struct gos_rows_matrix {
    int n, nnz;
    int *p, *j;
    double *v;
} gos_rows_matrix;

typedef struct gos_probe gos_probe;
typedef struct gos_crossing gos_crossing;           // signals/zero_crossing.h
typedef struct gos_constants gos_constants;         // system/constants.h
typedef struct gos_derived_table gos_derived_table; // system/derived.h
typedef struct gos_derived_work gos_derived_work;

/* Reduction method and its opaque definition. */
typedef struct gos_reduction_choice {
    const gos_type *type;
    const void *def;
} gos_reduction_choice;

/* Time stepping without Newton steps of the integrator (solve/stepper.h). */
typedef struct gos_stepper gos_stepper;
/** Of a gos_integration (system/integrators.h). */
const gos_stepper *gos__stepper(int integrator);
typedef struct gos_shared_factors gos_shared_factors;

/* Block offsets in vectors of unknowns (positions, temperatures, multipliers of both), residuals
   (forces, heat, constraints, temperature constraints), and the matrix. State vectors (nstate) are
   the first two blocks. */
typedef struct gos_blocks {
    int q, th, lam, lamT; // (nq), (nt), (nc), (nh)
} gos_blocks;

/* Largest size of the results of a run. */
typedef struct gos_output_limit {
    double bytes; // 0: GOS_LIMIT_OUTPUT_BYTES
    gos_loc loc;  // of the output interval
} gos_output_limit;

struct gos_system {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *name, *text;
    const char *folder; // of the model file, NULL: none
    size_t given;       // bytes of text from the file; settings follow
    uint64_t tables;    // hash of all tables read
    bool foreign;       // has functions or laws of the calling program, which no hash covers
    int nv, nt, nc, nh; // vector coordinates, temperatures, constraint rows, temperature rows
    int nq, nstate, n;  // 3 nv; nq + nt; Newton unknowns
    gos_blocks at;
    double *e0, *v0;      // initial coordinates and rates (nv, 3), derived vectors in front
    double *trans;        // unit translation (nv), derived vectors in front
    double *origin;       // reduced: constant part of positions, Phi^T M E0 (nv, 3)
    double origin_sum[3]; // its translation part, trans^T M E0 [kg m]
    double *th0, *tmean;  // initial temperatures, unit mean temperature (nt)
    size_t nmem;          // size of history variables [doubles]
    double *mem0;         // initial values (nmem)
    gos_rows_matrix mass, capacity, conduction;
    int *turn;      // gos_body.turn of all coordinates (nv, 2)
    double *turn_w; // reduced: sum turn_w[i] q_i is a direction of the overall rotation (nv)
    double *gw;     // gravity weights: M trans (nv), derived vectors in front
    double *hw;     // weights of temperature rates in stored heat: C tmean (nt)
    // norm weights of coordinates with little mass (nv), or NULL
    double *light;
    double gravity[3], T_ref;
    const struct gos_orbit *orbit; // orbit of the origin (math/orbit.h), NULL: none
    int *gravity_gradient_pos;     // off-diagonal field entries of mass.v[k] (mass.nnz, 6)
    bool strain_heat,              // thermoelastic heat
        steady_heat;               // steady temperatures: capacities are used in norms only
    double mass_total, extent, capacity_total;
    const gos_lacking *missing; // refused where inertia or rates matter; NULL: nothing
    int nbody, npoints, nitem, nfn;
    gos_body **body;
    gos_points **points;
    gos_item **item;
    gos_timefn **fn;
    int nshowing;
    const gos_item **showing; // items with separate output coordinates (nshowing)
    int nprobe;
    gos_probe **probe;
    int ncrossing;
    gos_crossing *crossing; // signal thresholds
    gos_options options;
    gos_output_limit output_limit; // of a reduced system: that of `full`
    gos_reduction_choice reduction;
    int njoints, nloads, nheat; // model entries
    /* drawing */
    int nnodes, ncells;
    gos_marker *node_r;  // node positions (nnodes)
    gos_tmarker *node_T; // mean temperatures (nnodes), n = 0: none
    int *cell_offset, *cell_nodes, *cell_body, *body_first_node;
    const char **body_names;
    const struct gos_electrode *electrode; // first of its patches (parts/electrode.h), or NULL
    /* Newton matrix */
    gos_pattern pattern;
    int *mass_pos;    // three components of mass.v[k] (mass.nnz, 3)
    int *cap_pos;     // capacity.v[k] (capacity.nnz)
    int *cond_pos;    // conduction.v[k] (conduction.nnz)
    int **points_pos; // element tangents (npoints)(nb, n, n, LANES); NULL when dense
    int *item_pos;    // item contributions in order of traversal
    int nitem_pos;
    bool reduced;
    double least_row;               // smallest relative remainder of a constraint row at t = 0
    bool reduced_bodies;            // its floating bodies are reduced
    double basis_time;              // processor time of their bases [s]
    const struct gos_system *full;  // of a reduced system
    struct gos_rom_info *rom;       // reduction data, NULL: none
    struct gos_reduction *compared; // of local linearisation: its comparison; NULL: none
    const struct gos_pod *pod;      // bases of a training run (rom/pod.h), NULL: none
    gos_constants *constants;       // NULL: none
    gos_derived_table *derived;     // floating bodies, NULL: none
    const gos_linear *linear;       // the linear model, if it is a single matrix body; else NULL
    const gos_stepper *stepper;     // NULL: steps of the integrator
    // shared matrices (solve/shared_factors.h, borrowed), NULL: none
    gos_shared_factors *shared;
    const struct gos_dropped *dropped;   // redundant rows dropped (dropped_rows.h), NULL: none
    const struct gos_observer *observer; // run observer (solve/observer.h), NULL: none
    struct gos_input *input;             // settable inputs (ninput), see ports.h
    int ninput;
    // stress and strain at nodes (fields.h), NULL: not requested
    struct gos_fields *fields;
    struct gos_loops *loops;     // controllers (loops.h), NULL: none
    struct gos_shadows *shadows; // shadows.h, NULL: none
    const gos_unit_set *units;   // of all values, NULL: SI
};

/* State variables. Arrays share one block; this list has all other numbers, stored in
   checkpoints. */
#define GOS_STATE_NUMBERS(X)                                                                       \
    X(t, "time [s]")                                                                               \
    X(load, "factor of loads and sources: below 1 before static equilibrium at full load [-]")     \
    X(h, "time step of the algorithmic accelerations [s]; 0: not started")                         \
    X(h_next, "next step to try (step-size control) [s]")                                          \
    X(energy0, "initial total energy [J]")                                                         \
    X(power_work, "power of loads at t [W]")                                                       \
    X(power_diss, "dissipated power at t [W]")                                                     \
    X(power_thermal, "thermal power at t [W]")                                                     \
    X(heat_stored, "heat stored since the start [J]")                                              \
    X(heat_supplied, "heat supplied since the start [J]")                                          \
    X(heat_constrained, "heat through prescribed temperatures since the start [J]")                \
    X(heat_in, "supplied heat rate at t [W]")                                                      \
    X(heat_in_bar, "algorithmic value of it [W]")                                                  \
    X(heat_con, "heat rate of prescribed temperatures at t [W]")                                   \
    X(heat_con_bar, "algorithmic value of it [W]")                                                 \
    X(contraction, "last Newton convergence rate, motion [-]")                                     \
    X(contraction_heat, "last Newton convergence rate, heat [-]")                                  \
    X(iterations, "Newton iterations of the last step")                                            \
    X(fresh, "Newton iterations of the first step with the factorisation")                         \
    X(excess, "additional iterations in later steps with it")                                      \
    X(saved, "unused fraction of the tolerance so far [-]")                                        \
    X(same, "accepted steps with unchanged size")                                                  \
    X(speed, "largest RMS rate of motion so far, relative to the extent [1/s]")                    \
    X(massless, "1: quasi-static motion; kinetic energy is not in the balance")                    \
    X(sets, "number of external input settings")
/* Time history of a set input: linear from y0 at t0 to y1 at t1, then constant. */
typedef struct gos_input_ramp {
    double given; // 1: set; 0: none
    double t0, y0, t1, y1;
} gos_input_ramp;

/* Replaces a time function: now, and before now.t0 (not given: the function). */
typedef struct gos_held {
    gos_input_ramp now, before;
} gos_held;

struct gos_state {
    const gos_system *sys;
#define X(name, doc) double name;
    GOS_STATE_NUMBERS(X)
#undef X
    double weight;          // factor of gravity, 1 except in buckling analyses
    gos_energy energy;      // accumulated work and dissipation
    double *q, *v;          // coordinates, rates (nv, 3), derived vectors in front (derived.h)
    double *a;              // accelerations (nv, 3), likewise
    double *abar;           // algorithmic accelerations (nv, 3)
    double *jerk;           // rate of accelerations, for the predictor (nv, 3)
    double *th, *thd, *tau; // temperatures, rates, algorithmic rates (nt)
    double *thdd;           // rate of thd, for the predictor (nt)
    double *lam, *lamT;     // multipliers (nc), (nh)
    double *lamd;           // rate of lam, for the predictor (nc)
    double *mem;            // history variables (nmem)
    gos_held *held;         // externally set inputs, per time function (nfn)
    double *block;
    size_t nblock; // size of block in doubles
    double *past;  // stepper history (npast), see solve/stepper.h
    size_t npast;  // 0: none; any change of the state discards it
    size_t room;   // capacity in doubles
};

/** Reserve n numbers of stepper history. */
gos_status gos__state_past(gos_state *x, size_t n);

/* Scratch of one thread. */
typedef struct gos_work {
    const gos_system *sys;
    double t;                // time of the functions below; NaN: none
    double *fn, *fnd, *fndd; // time functions (nfn), and derivatives
    bool *rated;    // required derivatives: used in constraint rows; others are undefined (nfn)
    gos_held *held; // set inputs of the state (nfn)
    double sets;    // their number; 0: model functions only
    gos_evaluator **evaluator;        // of expressions, else NULL (nfn)
    struct gos_shares *shares;        // mesh partition among threads (thread_shares.h)
    double *points;                   // point kernels of the calling thread
    double *item;                     // item buffers
    gos_derived_work *derived;        // floating bodies, NULL: none
    double *wv;                       // temporary (nv, 3)
    double *values;                   // Newton matrix (pattern.nnz)
    struct gos_loops_work *loops;     // NULL: none
    struct gos_shadows_work *shadows; // NULL: there are none
    // Newton solver whose factors may be overwritten for consistent states; NULL: none (borrowed)
    struct gos_newton_solver *parts;
    double gravity_gradient[9]; // orbital field at t [1/s^2]
    double weight;              // factor of gravity
    bool unloaded;              // omits gravity and loads
    bool floats;                // omits the orbital field
    bool massless;              // omits inertia: quasi-static
    long nresidual, njacobian;
    double time_residual, time_jacobian;
} gos_work;

gos_status gos__work_create(gos_ctx *ctx, const gos_system *sys, gos_work **work);
void gos__work_destroy(gos_ctx *ctx, gos_work *w);
/** Evaluate all time functions at t, unless already there. */
void gos__work_time(gos_work *w, double t);

/** Use the inputs of a state; required if inputs may have been set. */
void gos__work_hold(gos_work *w, const gos_state *x);
/** Time function of a state at t, from model or setting, with derivatives (may be NULL, much
 * cheaper for expressions). */
double gos__state_function(const gos_state *x, int fn, double t, double *d, double *dd);
/** Replace value and derivatives of a function by a set input at t. */
void gos__held_apply(const gos_held *held, double t, double *y, double *d, double *dd);
/** True if the input was set at the time of the state; *y := previous value. */
bool gos__held_before(const gos_state *x, int fn, double *y);

/* Residual arrays; each may be NULL. */
typedef struct gos_residual {
    double *q;   // M a + Q - F + C^T lam (nv, 3)
    double *th;  // C thd + K th - R + H^T lamT (nt)
    double *c;   // constraints (nc)
    double *h;   // temperature constraints (nh)
    bool stored; // points return strain energy only, without forces and sums
} gos_residual;

/* Blocks of one vector r (n). */
static inline gos_residual gos__residual_of(const gos_system *s, double *r) {
    return (gos_residual){
        .q = r + s->at.q, .th = r + s->at.th, .c = r + s->at.lam, .h = r + s->at.lamT};
}

/* Powers and sums for balances. */
typedef struct gos_sums {
    double strain, dissipated, work, thermal; // [J], [W], [W], [W]
    double heat_in, heat_con;                 // [W]
} gos_sums;

/* Evaluation point. */
typedef struct gos_point_of {
    double t, scale;
    const double *q, *v, *a, *th, *thd, *lam, *lamT; // v, a, thd may be NULL: zero
    const double *mem;                               // NULL: initial
} gos_point_of;

/** Residuals; sums may be NULL (saves energy evaluation). Nonfinite results: GOS_RETRY. */
gos_status gos__residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums);

/* Newton matrix factors; force and heat rows are already divided by the caller's scale. */
typedef struct gos_newton_factors {
    double m, k, d; // force rows: m M + k dQ/dq + d dQ/dv, k dQ/dth
    double cm, ck;  // heat rows: cm C + ck (K - dR/dth), coupling ck dR/dq and cd dR/dv
    double cd;
    double lam; // factor of constraint columns in force rows (1 for scaled multipliers)
    double lamT;
    bool triangular; // dense: omits motion terms in heat rows (gos_pattern.group)
    bool symmetric;  // dense: the symmetric part of point stiffness suffices
    bool geometric;  // points: geometric part of dQ/dq only
} gos_newton_factors;
void gos__jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f);

/** Constraint acceleration terms: rhs (nc) of C_q a = rhs, from C_qq v v + 2 C_qt v + C_tt; and ct
 * (nc) of C_q v = -ct if not NULL. */
void gos__constraint_rates(gos_work *w, const gos_point_of *x, double *ct, double *rhs);
/** y (nc) = C_q u, and out (nv, 3) += C_q^T lam. */
void gos__constraint_apply(gos_work *w, const gos_point_of *x, const double *u, double *y);
void gos__constraint_force(gos_work *w, const gos_point_of *x, const double *lam, double *out);
/** out (nv, 3) += (d/dt C_q)^T lam along the velocities of x. */
void gos__constraint_turn(gos_work *w, const gos_point_of *x, const double *lam, double *out);

/** y (n, ncol) = A x for a scalar matrix on rows with ncol = 1 or 3 entries. */
void gos__rows_apply(const gos_rows_matrix *A, int ncol, const double *x, double *y);

/** y (nq) = M x, y (nt) = C x, including constants.c. M depends on q for floating bodies only. */
void gos__inertia_apply(gos_work *w, const double *q, const double *x, double *y);
void gos__storage_apply(const gos_system *s, const double *x, double *y);
/** y = W x for norms x^T W x / total of motion (nq) and heat (nt): mass and capacity, or positive
 * weights of single coordinates. */
void gos__motion_weights(const gos_system *s, const double *x, double *y);
void gos__heat_weights(const gos_system *s, const double *x, double *y);
/** 1 / scale for temperature coordinates that are matrix states, else 0. */
double gos__single_part(const gos_system *s, int i);
double gos__motion_total(const gos_system *s);
double gos__heat_total(const gos_system *s);

/** Memory of an evaluation point, or the initial one. */
static inline const double *gos__memory_of(const gos_system *s, const gos_point_of *x) {
    return x->mem ? x->mem : s->mem0;
}
/** Number history variables and set initial values (history_variables.c). */
gos_status gos__memory_finish(gos_system *sys);
/** Initial memory of a block from reference data; it may be smaller than when numbered. */
void gos__memory_points(gos_system *sys, const gos_points *p);
/** Update memory after a step ending at x; mem may be x->mem or a copy. @return true if forces or
 * their derivatives jump */
bool gos__accept(gos_work *w, const gos_point_of *x, double *mem);
/** Update memory at a start, or after a jump of forces; x has consistent multipliers. */
void gos__memory_begin(gos_work *w, const gos_point_of *x, double *mem);

/** Complete the lines of shapeless rigid bodies (extent.c). */
gos_status gos__rigid_outline_make(gos_system *sys);
gos_status gos__system_sums(gos_system *sys);
/** Refuses what needs a property that a body lacks; `what` needs it, "modes and linear models". */
gos_status gos__check_missing(gos_ctx *ctx, const gos_system *sys, const char *what);
/** Set the extent [m] after the sums (extent.c). */
gos_status gos__extent_find(gos_ctx *ctx, gos_system *sys);
/** Set sparsity and positions, the main cost of setup. */
gos_status gos__system_finish(gos_ctx *ctx, gos_system *sys);
/** Scalar matrix from triplets (duplicates summed). */
gos_status gos__rows_from_triplets(gos_ctx *ctx, gos_arena *a, int n, const gos_triplets *t,
                                   gos_rows_matrix *A);

/* registry.c */
const gos_type *const *gos__registry(void);

/* probe.c */
gos_status gos__probe_make(gos_builder *b, const gos_node *entry, const char *object,
                           gos_probe **probe);
/** Check an entry alone. */
gos_status gos__probe_check(gos_builder *b, const gos_node *entry, const char *object);
extern const gos_type gos__probe_type;

uint64_t gos__system_hash(const gos_system *s);

double gos__state_violation(const gos_system *s, const gos_state *x);
double gos__item_violation(const gos_state *x, const gos_item *it);
/** c (GOS_ITEM_ROWS) += row values of an item. */
void gos__item_rows(const gos_state *x, const gos_item *it, double *c);
/** Marker values (3 nm) and applied forces on them (3 nm). */
void gos__item_forces(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                      double *f);
/* Marker values (nm, 3) and row gradients (nc)(3 nm) of an item. */
void gos__item_gradients(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                         double *cx);
/** Values that an item shows, with its function of time `fn` raised by `change`. */
void gos__item_observe(const gos_system *s, const gos_state *x, const gos_item *it, int fn,
                       double change, double y[GOS_ITEM_OBSERVED]);
/** Energies of a state after gos__derived_refresh. */
void gos__state_energy(const gos_system *sys, const gos_state *state, gos_energy *energy);
/** Potential energy of gravity at q [J]. */
double gos__gravity_energy(const gos_system *s, const double *q);

#endif
