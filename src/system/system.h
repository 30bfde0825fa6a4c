/* A compiled system, its state, and the evaluation of residuals and Jacobians. */
#ifndef GOS_SYSTEM_INTERNAL_H
#define GOS_SYSTEM_INTERNAL_H

#include "gossamer/sim.h"
#include "gossamer/system.h"
#include "linalg/solver.h"
#include "parts/parts.h"

/* Scalar sparse matrix by rows (mass, capacity, conduction). */
typedef struct gos_rows_matrix {
    int n, nnz;
    int *p, *j;
    double *v;
} gos_rows_matrix;

typedef struct gos_probe gos_probe;
typedef struct gos_crossing gos_crossing;     // system/crossing.h
typedef struct gos_constants gos_constants;   // system/constants.h
typedef struct gos_made_table gos_made_table; // system/made.h
typedef struct gos_made_work gos_made_work;

/* How its model wants it to be reduced: the method and the struct of the method's table, which only
 * the method knows. */
typedef struct gos_reduction_choice {
    const gos_type *type;
    const void *def;
} gos_reduction_choice;

/* How a system is stepped in time when not by the integrator's own Newton steps
   (solve/stepper.h). */
typedef struct gos_stepper gos_stepper;
typedef struct gos_shared_factors gos_shared_factors;

/* Where the blocks of a vector of all unknowns begin: of Newton's iteration (positions,
   temperatures, multipliers of both), of its residuals (forces, heat, constraints, temperature
   constraints), rows and columns of its matrix. Vectors of the state alone (nstate) are the first
   two. */
typedef struct gos_blocks {
    int q, th, lam, lamT; // (nq), (nt), (nc), (nh)
} gos_blocks;

struct gos_system {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *name, *text;
    const char *folder;   // of the model's file, NULL: none
    size_t given;         // bytes of text that are the file's; settings follow
    uint64_t tables;      // hash of the tables that were read
    bool foreign;         // functions or laws of the program that runs it: no hash tells these
    int nv, nt, nc, nh;   // vector coordinates, temperatures, constraint rows, temperature rows
    int nq, nstate, n;    // 3 nv; nq + nt; unknowns of Newton
    gos_blocks at;        // where each kind of unknown begins
    double *e0, *v0;      // initial coordinates and rates (nv, 3), made vectors in front
    double *trans;        // field of unit translation (nv), made vectors in front
    double *origin;       // reduced: M-weighted constant part of all positions, Phi^T M E0 (nv, 3)
    double origin_sum[3]; // its part in translation, trans^T M E0 [kg m]
    double *th0, *tmean;  // initial temperatures, field of unit mean temperature (nt)
    size_t nmem;          // what items and points remember from one step to the next [doubles]
    double *mem0;         // its initial values (nmem)
    gos_rows_matrix mass, capacity, conduction;
    int *turn;      // gos_body.turn of all coordinates (nv, 2)
    double *turn_w; // reduced: sum turn_w[i] q_i is a direction that all coordinates turn with (nv)
    double *gw; // weight of gravity on each vector coordinate: M trans (nv), made vectors in front
    double *hw; // weight of each temperature rate in the stored heat: C tmean (nt)
    double
        *light; // weight in the norm of motion that coordinates with little mass get (nv), or NULL
    double gravity[3], T_ref;
    const struct gos_orbit *orbit; // along which its origin falls (math/orbit.h), NULL: none
    int *tide_pos;    // with its field: of mass.v[k] on the six pairs of different components
                      // (mass.nnz, 6)
    bool strain_heat, // rates of strain heat and cool
        steady_heat;  // temperatures are in balance at all times: capacities only weigh them in
                      // norms
    double mass_total, extent, capacity_total;
    int nbody, npoints, nitem, nfn;
    gos_body **body;
    gos_points **points;
    gos_item **item;
    gos_timefn **fn;
    int nshowing;
    const gos_item **showing; // items with coordinates that outputs see otherwise (nshowing)
    int nprobe;
    gos_probe **probe;
    int ncrossing;
    gos_crossing *crossing; // limits of signals
    gos_options options;
    gos_reduction_choice reduction;
    int njoints, nloads, nheat; // entries of the model
    /* pictures */
    int nnodes, ncells;
    gos_marker *node_r;  // node positions (nnodes)
    gos_tmarker *node_T; // mean temperatures (nnodes), n = 0: none
    int *cell_offset, *cell_nodes, *cell_body, *body_first_node;
    const char **body_names;
    const struct gos_electrode *electrode; // the first of its patches (parts/electrode.h), or NULL
    /* Newton matrix */
    gos_pattern pattern;
    int *mass_pos;    // of mass.v[k] on the three components (mass.nnz, 3)
    int *cap_pos;     // of capacity.v[k] (capacity.nnz)
    int *cond_pos;    // of conduction.v[k] (conduction.nnz)
    int **points_pos; // of each element tangent entry (npoints)(nb, n, n, LANES); NULL when dense
    int *item_pos;    // of item contributions in order of traversal
    int nitem_pos;
    bool reduced;
    bool reduced_bodies;           // its floating bodies are, on bases of their own
    const struct gos_system *full; // of a reduced system
    struct gos_rom_info *rom;      // how it was reduced, NULL: it was not
    const struct gos_pod *pod;     // bases of a run that it is stepped on (rom/pod.h), NULL: none
    gos_constants *constants;      // matrices between single coordinates, NULL: none
    gos_made_table *made;          // made vectors of floating bodies, NULL: none
    const gos_linear *linear;      // all that it is, when it is one body of matrices; else NULL
    const gos_stepper *stepper;    // NULL: the integrator's own steps
    gos_shared_factors
        *shared; // matrices of like runs (solve/shared_factors.h, borrowed), NULL: none
    const struct gos_dropped *dropped;   // rows that joints have lost (dropped_rows.h), NULL: none
    const struct gos_observer *observer; // of its runs (solve/observer.h), NULL: none
    struct gos_input *input;             // what can be set from outside (ninput), see ports.h
    int ninput;
    struct gos_fields
        *fields;             // stress and strain at nodes (fields.h), NULL: they are not asked for
    struct gos_loops *loops; // running controllers (loops.h), NULL: none
    struct gos_shadows *shadows; // that bodies cast (shadows.h), NULL: none
};

/* What the next step depends on. All arrays lie in one block; every other number is in this list,
   which checkpoints store. */
#define GOS_STATE_NUMBERS(X)                                                                       \
    X(t, "time [s]")                                                                               \
    X(load, "factor of loads and sources: below 1 on the way to a static equilibrium [-]")         \
    X(h, "step that the algorithmic accelerations belong to [s]; 0: not started")                  \
    X(h_next, "step to try next (error control) [s]")                                              \
    X(energy0, "initial sum of the energies [J]")                                                  \
    X(power_work, "power of loads at t [W]")                                                       \
    X(power_diss, "dissipated power at t [W]")                                                     \
    X(power_thermal, "thermal power at t [W]")                                                     \
    X(heat_stored, "heat stored since the start [J]")                                              \
    X(heat_supplied, "heat supplied since the start [J]")                                          \
    X(heat_constrained, "heat through prescribed temperatures since the start [J]")                \
    X(heat_in, "supplied rate at t [W]")                                                           \
    X(heat_in_bar, "its algorithmic companion [W]")                                                \
    X(heat_con, "rate of prescribed temperatures at t [W]")                                        \
    X(heat_con_bar, "its algorithmic companion [W]")                                               \
    X(contraction, "last observed contraction of Newton, motion [-]")                              \
    X(contraction_heat, "last observed contraction of Newton, heat [-]")                           \
    X(iterations, "Newton iterations of the last step")                                            \
    X(fresh, "of the first step with its factorisation")                                           \
    X(excess, "iterations beyond that of all steps since then")                                    \
    X(saved, "part of the tolerance that the steps so far have left [-]")                          \
    X(same, "accepted steps since the step changed")                                               \
    X(speed, "largest RMS rate of the motion so far, relative to the extent [1/s]")                \
    X(massless, "1: the motion is quasi-static, and its kinetic energy in no balance")             \
    X(sets, "times that inputs were set from outside")
/* A course that an input was given: from y0 at t0 linearly to y1 at t1, then held. */
typedef struct gos_course {
    double given; // 1, or 0: none
    double t0, y0, t1, y1;
} gos_course;

/* What stands in the place of a function of time: now, and until now.t0 (nothing given: the
 * function itself). */
typedef struct gos_held {
    gos_course now, before;
} gos_held;

struct gos_state {
    const gos_system *sys;
#define X(name, doc) double name; // doc
    GOS_STATE_NUMBERS(X)
#undef X
    gos_energy energy; // work and dissipation so far
    double *q, *v;     // coordinates, rates (nv, 3), with room for made vectors in front (made.h)
    double *a;         // accelerations (nv, 3), likewise
    double *abar;      // algorithmic accelerations (nv, 3)
    double *jerk;      // rate of the accelerations, for the predictor (nv, 3)
    double *th, *thd, *tau; // temperatures, rates, algorithmic rates (nt)
    double *thdd;           // rate of the temperature rates, for the predictor (nt)
    double *lam, *lamT;     // multipliers (nc), (nh)
    double *lamd;           // rate of lam, for the predictor (nc)
    double *mem;            // what items and points remember of the steps so far (nmem)
    gos_held *held;         // inputs that were set from outside, for each function of time (nfn)
    double *block;
    size_t nblock; // doubles in the block
    double *past;  // what its stepper keeps beyond all this (npast), see solve/stepper.h
    size_t npast;  // 0: nothing; any change of the state drops it
    size_t room;   // doubles that fit
};

/** Room for n numbers of its stepper. */
gos_status gos__state_past(gos_state *x, size_t n);

/* Scratch of one thread; may be dropped at any time. */
typedef struct gos_work {
    const gos_system *sys;
    double t;                     // time of the time functions below; NaN: none
    double *fn, *fnd, *fndd;      // time functions and derivatives (nfn), of those alone that
    bool *rated;                  // rows of constraints follow; others' are no numbers (nfn)
    gos_held *held;               // ... of a state where inputs were set (nfn)
    double sets;                  // how often they were; 0: the functions are those of the model
    gos_evaluator **evaluator;    // of those that are expressions, else NULL (nfn)
    struct gos_shares *shares;    // the mesh divided among threads (thread_shares.h)
    double *points;               // for the point kernels, of the thread that calls
    double *item;                 // item inputs and outputs
    gos_made_work *made;          // of floating bodies, NULL: there are none
    double *wv;                   // (nv, 3) temporary
    double *values;               // Newton matrix (pattern.nnz)
    struct gos_loops_work *loops; // of controllers, NULL: there are none
    struct gos_shadows_work *shadows; // NULL: there are none
    struct gos_newton_solver *parts; // of Newton's matrices, whose factors nobody needs when states
                                     // are made consistent; NULL: none (borrowed)
    double tide[9];                  // field near the orbit at t [1/s^2]
    bool unloaded; // gravity and the amounts of loads are left out: the structure alone
    bool floats;   // so is the field of an orbit
    bool massless; // forces of inertia are left out: quasi-static motion
    long nresidual, njacobian;
    double time_residual, time_jacobian;
} gos_work;

gos_status gos__work_create(gos_ctx *ctx, const gos_system *sys, gos_work **work);
void gos__work_destroy(gos_ctx *ctx, gos_work *w);
/** Evaluate all time functions at t (kept until another time is asked for). */
void gos__work_time(gos_work *w, double t);

/** Let the functions be what they are for a state: to be called where inputs may have been set. */
void gos__work_hold(gos_work *w, const gos_state *x);
/** Value at time t of a function of time of a state, with derivatives (NULL: not wanted, which is
 * far cheaper for expressions): as the model says, or as it was set. */
double gos__state_function(const gos_state *x, int fn, double t, double *d, double *dd);
/** Put the course that an input was given in the place of value and derivatives of its function at
 * t. */
void gos__held_apply(const gos_held *held, double t, double *y, double *d, double *dd);
/** Was a function of time set just now, at the time of the state? *y := what it was before. */
bool gos__held_before(const gos_state *x, int fn, double *y);

/* Where residuals go; every output may be NULL. */
typedef struct gos_residual {
    double *q;   // M a + Q - F + C^T lam (nv, 3)
    double *th;  // C thd + K th - R + H^T lamT (nt)
    double *c;   // constraints (nc)
    double *h;   // temperature constraints (nh)
    bool stored; // of the points their strain energy alone is asked for: nothing of theirs is in q,
                 // nor in the sums
} gos_residual;

/* All of them in one vector r (n). */
static inline gos_residual gos__residual_of(const gos_system *s, double *r) {
    return (gos_residual){
        .q = r + s->at.q, .th = r + s->at.th, .c = r + s->at.lam, .h = r + s->at.lamT};
}

/* Powers and sums, for the balances. */
typedef struct gos_sums {
    double strain, dissipated, work, thermal; // [J], [W], [W], [W]
    double heat_in, heat_con;                 // [W]
} gos_sums;

/* Arguments of an evaluation. */
typedef struct gos_point_of {
    double t, scale;
    const double *q, *v, *a, *th, *thd, *lam, *lamT; // v, a, thd may be NULL: zero
    const double *mem;                               // NULL: as at the start
} gos_point_of;

/** Residuals at a point; sums may be NULL (costs the energies when not). Non-finite results are
 *  GOS_RETRY. */
gos_status gos__residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums);

/* Factors of the Newton matrix; rows of forces and of heat are already divided as wanted. */
typedef struct gos_newton_factors {
    double m, k, d; // force rows: m M + k dQ/dq + d dQ/dv, k dQ/dth
    double cm, ck;  // heat rows: cm C + ck (K - dR/dth), coupling ck dR/dq and cd dR/dv
    double cd;
    double lam; // constraint columns in force rows times this (1 with scaled multipliers)
    double lamT;
    bool triangular; // dense: leave out what motion does to the heat rows (gos_pattern.group)
    bool symmetric;  // dense: the symmetric part is enough of what points of bodies do to forces
} gos_newton_factors;
/** Assemble the Newton matrix at x into w->values. */
void gos__jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f);

/** Acceleration terms of the constraints: rhs (nc) of C_q a = rhs, from C_qq v v + 2 C_qt v + C_tt;
 *  also velocity terms ct (nc) of C_q v = -ct when not NULL. */
void gos__constraint_rates(gos_work *w, const gos_point_of *x, double *ct, double *rhs);
/** Dense-free products: y (nc) = C_q u, and out (nv, 3) += C_q^T lam. */
void gos__constraint_apply(gos_work *w, const gos_point_of *x, const double *u, double *y);
void gos__constraint_force(gos_work *w, const gos_point_of *x, const double *lam, double *out);
/** out (nv, 3) += (d/dt C_q)^T lam, as the gradients turn along the velocities of x. */
void gos__constraint_turn(gos_work *w, const gos_point_of *x, const double *lam, double *out);

/** y (n, ncol) = A x for a scalar matrix acting on rows of ncol = 1 or 3 entries. */
void gos__rows_apply(const gos_rows_matrix *A, int ncol, const double *x, double *y);

/** y (nq) = M x, y (nt) = C x with all that the system has of mass and capacity (constants.c). M is
 * that at coordinates q, on which it depends with floating bodies alone. */
void gos__inertia_apply(gos_work *w, const double *q, const double *x, double *y);
void gos__storage_apply(const gos_system *s, const double *x, double *y);
/** y = W x of the norms x^T W x / total of motion (nq) and of heat (nt): mass and capacity; of
 * single coordinates their weights, which are positive whatever their matrices are. */
void gos__motion_weigh(const gos_system *s, const double *x, double *y);
void gos__heat_weigh(const gos_system *s, const double *x, double *y);
/** 1 / scale of a temperature coordinate that is a state of matrices, else 0. */
double gos__single_part(const gos_system *s, int i);
double gos__motion_total(const gos_system *s);
double gos__heat_total(const gos_system *s);

/** Memory of a point of evaluation; that of the start where it has none. */
static inline const double *gos__memory_of(const gos_system *s, const gos_point_of *x) {
    return x->mem ? x->mem : s->mem0;
}
/** Number the memory of all items and points, and fill its initial values (history_variables.c). */
gos_status gos__memory_finish(gos_system *sys);
/** Initial memory of a block from its reference data; it may be smaller than the one that was
 * numbered. */
void gos__memory_points(gos_system *sys, const gos_points *p);
/** Let items and points remember an accepted step: x is its end, mem (x->mem itself, or a copy) is
 *  written. @return whether forces or their derivatives jump by that. */
bool gos__accept(gos_work *w, const gos_point_of *x, double *mem);
/** Let items see where a run begins, or goes on after forces have jumped: a step begins at x, whose
 * multipliers belong to its accelerations; mem as above. */
void gos__memory_begin(gos_work *w, const gos_point_of *x, double *mem);

/** Complete the lines by which rigid bodies without a shape are drawn, when bodies and joints are
 * in place (rigid_outline.c). */
gos_status gos__arms_make(gos_system *sys);
/** Count and sum up a system whose parts are in place. */
gos_status gos__system_sums(gos_system *sys);
/** Its extent [m], when its sums are known (extent.c). */
gos_status gos__extent_find(gos_ctx *ctx, gos_system *sys);
/** Then finish it: sparsity, positions, which take most of the time and memory. */
gos_status gos__system_finish(gos_ctx *ctx, gos_system *sys);
/** Scalar matrix from triplets (duplicates summed). */
gos_status gos__rows_from_triplets(gos_ctx *ctx, gos_arena *a, int n, const gos_triplets *t,
                                   gos_rows_matrix *A);

/* all entry types of the model, by section (registry.c) */
const gos_type *const *gos__registry(void);

/* probes (probe.c) */
gos_status gos__probe_make(gos_builder *b, const gos_node *entry, const char *object,
                           gos_probe **probe);
/** Is the entry right as far as it stands by itself, whatever it observes? */
gos_status gos__probe_check(gos_builder *b, const gos_node *entry, const char *object);
extern const gos_type gos__probe_type;

/** Hash of all that a system was made of: text, tables, and the numbers that came out. */
uint64_t gos__system_hash(const gos_system *s);

/** Largest violation of any constraint at a state. */
double gos__state_violation(const gos_system *s, const gos_state *x);
/** The same of one item. */
double gos__item_violation(const gos_state *x, const gos_item *it);
/** c (GOS_ITEM_ROWS) += the values of the rows of an item, 0 where they hold. */
void gos__item_rows(const gos_state *x, const gos_item *it, double *c);
/** Marker values (3 nm) and applied forces on them (3 nm) of an item at a state. */
void gos__item_forces(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                      double *f);
/** What the item's type shows to probes at a state. */
/* values of an item's markers at a state, (nm, 3), and the gradients of its rows, (nc)(3 nm) */
void gos__item_gradients(const gos_system *s, const gos_state *x, const gos_item *it, double *at,
                         double *cx);
void gos__item_observe(const gos_system *s, const gos_state *x, const gos_item *it,
                       double y[GOS_ITEM_OBSERVED]);
/** Energies at a state whose made vectors are found (gos__made_refresh). */
void gos__state_energy(const gos_system *sys, const gos_state *state, gos_energy *energy);
/** Potential energy of gravity [J] at coordinates q. */
double gos__gravity_energy(const gos_system *s, const double *q);

#endif
