/* A flexible body in a floating frame of reference: matrices of small deformations plus the terms
 * of the frame's motion, from any source. */

/* Displacements are linear in amplitudes z and, if stress stiffens the body, also of second order,
 *
 *     u(X) = sum_k phi_k(X) z_k + sum_p phi2_p(X) q_p,   q_p = z^T S_p z / 2,
 *
 * in body axes; X is the position in the undeformed body (docs/theory.md, floating frame). */
#ifndef GOS_FLEX_H
#define GOS_FLEX_H

#include "linalg/ties.h"
#include "linear/linear.h"

#define GOS_FLEX_RIGID 4 // rigid fields: 1, X_1, X_2, X_3
/* Moments of second-order displacements with rigid fields: component c with field d at 4 c + d. */
#define GOS_FLEX_MOMENTS 12

/* Definition of the frame in the deformed body. */
typedef enum gos_flex_condition {
    GOS_FLEX_CLAMPED, // a node has no displacement and rotation
    // a node has no displacement and no rotation about the chord; another node stays on it
    GOS_FLEX_CHORD,
    // deformation has no linear or angular momentum to first order (Tisserand, Buckens)
    GOS_FLEX_MEAN_AXIS
} gos_flex_condition;

/* Loads of the body with fixed frame: from motion of the frame, and at nodes. */
typedef enum gos_flex_load {
    GOS_FLEX_ACCELERATION, // of the origin along an axis [m/s^2]
    GOS_FLEX_EULER,        // angular acceleration about an axis [rad/s^2]
    GOS_FLEX_CENTRIFUGAL,  // product of the angular velocities about two axes [rad^2/s^2]
    GOS_FLEX_FORCE,        // at a node along an axis [N]
    GOS_FLEX_MOMENT        // at a node about an axis [N m]
} gos_flex_load;

typedef struct gos_flex_input {
    gos_flex_load load;
    int axis, other; // 0, 1, 2; second axis of products
    int node;        // node of forces and moments
} gos_flex_input;

/* An input or output of the body with fixed frame: load and heat of a unit input; an output is the
 * conjugate quantity. Either may be NULL. */
typedef struct gos_flex_port {
    const char *name, *unit;
    const double *load; // (n of the body) on amplitudes
    const double *heat; // (heat.n) on temperatures
} gos_flex_port;

/* Temperatures of the body relative to the reference, in coordinates theta. */
typedef struct gos_flex_heat {
    int n;             // coordinates; 0: no temperature
    double T_ref;      // reference temperature for strain heating -T_ref G^T z' [K]; 0: none
    gos_sparse C, S;   // capacity [J/K] and conduction [W/K]: (n, n), both triangles
    gos_sparse G;      // thermal forces G theta, added to K z: (amplitudes, n) [N/K]
    gos_sparse at;     // node temperatures, at the midsurface of shells: (n, nnode)
    gos_sparse across; // thickness gradients in shells (n, nnode) [K/m]; empty: none
    // (n) geometric stiffness (amplitudes, amplitudes) of the stress by each temperature; NULL:
    // unknown
    gos_sparse *stiff;
    double *half; // (nnode) half thickness of shells [m], 0: no shell; may be NULL
    double *mean; // (n) coordinates of uniform 1 K; in a subspace the nearest in the C norm
} gos_flex_heat;

/* Electrodes of piezoelectric patches: Q = charge^T theta + force^T z + capacitance V. */
typedef struct gos_flex_piezo {
    int n;               // electrodes
    gos_sparse force;    // forces per voltage (amplitudes, n) [N/V]
    gos_sparse charge;   // charge per temperature (heat.n, n) [C/K]; empty: none
    double *capacitance; // (n) clamped capacitance [F]
} gos_flex_piezo;

/* Frame states that change the stiffness: products of two angular rates, then accelerations of the
 * origin. */
#define GOS_FLEX_PRODUCTS 6
#define GOS_FLEX_STATES (GOS_FLEX_PRODUCTS + 3)
extern const gos_flex_input gos__flex_state[GOS_FLEX_STATES];

/* A vibration driven one-way by the body's motion: z'' + damping z' + (square + sum_p by[p] (state
 * p - about[p])) z = force / mass. */
typedef struct gos_flex_oscillator {
    double square, damping; // [rad^2/s^2], [1/s]
    double by[GOS_FLEX_STATES];
} gos_flex_oscillator;

typedef struct gos_flex_missed {
    int n;       // residual modes: the last amplitudes, locked in the body's own equations
    double mass; // modal mass of each [kg]
    gos_flex_oscillator *mode;     // (n)
    double about[GOS_FLEX_STATES]; // states at which `square` applies
} gos_flex_missed;

typedef struct gos_flex {
    gos_ctx *ctx;
    int n; // amplitudes
    int nnode;
    double (*x)[3]; // (nnode) nodes, body axes [m]
    gos_sparse move,
        turn; // displacements [m] and rotations [rad] of nodes: (n, 3 nnode), column 3 node + c
    // scalar mass matrix int f g dm of 1, X_c and shape components (phi_k along c at GOS_FLEX_RIGID
    // + 3 k + c); both triangles
    gos_sparse gram;
    gos_sparse K, D; // (n, n)
    gos_sparse bare_K,
        bare_gram; // used for subspace vectors instead of K and gram; empty: same
    gos_sparse C;  // reference conditions C z = 0 (rows, n)
    int nform;
    gos_sparse *form;                  // (nform) symmetric forms S_p (n, n)
    gos_sparse second;                 // weights of q_p in node displacements: (nform, 3 nnode)
    gos_sparse second_turn;            // weights of q_p in second-order node rotations; empty: none
    gos_sparse left[GOS_FLEX_MOMENTS]; // (n, n) contributions of such loads left out of `moment`
    // int phi_kc phi2_pc dm for forms of axial forces only: (n, 3 nform), column 3 p + c; empty:
    // neglected
    gos_sparse drawn;
    gos_sparse drawn_twice; // int phi2_pc phi2_qc dm of such forms: (3 nform, 3 nform), likewise
    gos_sparse force; // section force conjugate to each form by amplitudes: (n, forms of elements)
    // (n, n) sum_p S_p int phi2_pc dm, int X_d phi2_pc dm; empty: 0
    gos_sparse moment[GOS_FLEX_MOMENTS];
    gos_flex_heat heat;
    gos_flex_piezo piezo;
    // number of last amplitudes that depend on temperatures quasi-statically and are locked in the
    // equations
    int slaved;
    gos_flex_missed missed; // residual modes that correct outputs of a reduced body
    double omega;           // lowest frequency [rad/s], 0: not computed yet
} gos_flex;

/** Creates an empty body with nodes at 0. */
gos_status gos__flex_create(gos_ctx *ctx, int n, int nnode, gos_flex **flex);
void gos__flex_destroy(gos_flex *flex);
/** Index of component c of shape k in the Gram matrix. */
static inline int gos__flex_at(int k, int c) {
    return GOS_FLEX_RIGID + 3 * k + c;
}
/** Adds reference conditions of a free body: C (6, n). Node b: end of the chord, different from a.
 * (conditions.c) */
gos_status gos__flex_hold(gos_flex *flex, gos_flex_condition which, int a, int b);
/** Removes second-order displacements from nodes and mass integrals; forms and section forces
 * stay. */
void gos__flex_first_order(gos_flex *flex);
/** Drops amplitudes with dropped (n) true, and those that a single-entry condition sets to 0. */
gos_status gos__flex_drop(gos_flex *flex, const bool *dropped);
/** Reduces amplitudes and temperatures by exact ties: z = R^T y with R (fewer, flex->n), theta =
 * S^T t with S (fewer, heat.n) of ones, one per column; NULL: unchanged. Only for bodies without
 * conditions and forms; after a failure the body is unusable. (tie.c) */
gos_status gos__flex_tie(gos_flex *flex, const gos_sparse *R, const gos_sparse *S);
/** Keeps linear combinations of amplitudes at 0, for bodies as above: singly locked ones are
 * dropped, others become dependent. (tie.c) */
gos_status gos__flex_still(gos_flex *flex, const gos_conditions *held);
/* A subspace z = V z_r, V (n, r) with columns that satisfy the conditions, and theta = W theta_s, W
 * (heat.n, s); s = 0: no temperatures. */
typedef struct gos_flex_space {
    int r, s;
    const double *V, *W;
} gos_flex_space;
gos_status gos__flex_project(const gos_flex *flex, const gos_flex_space *space, gos_flex **reduced);
/** B (r, r) = V^T A V, exactly symmetric. */
gos_status gos__flex_congruence(gos_ctx *ctx, const gos_sparse *A, int r, const double *V,
                                gos_sparse *B);
/* Geometric stiffness of a body as a function of displacements and temperatures. */
typedef struct gos_flex_stress {
    const void *of;
    /* K_G (flex->n, flex->n) for amplitudes u (flex->n) and temperatures t (heat.n; NULL: 0),
     * linear in both. `inertia`: loads on the mass, for which beams use only the axial force. */
    gos_status (*stiffness)(const void *of, bool inertia, const double *u, const double *t,
                            gos_sparse *G);
    /* Stress-independent second-order form S (flex->n, flex->n) of a node's displacement along c <
     * 3 or rotation about c - 3; node -1: its mass integral with rigid field d. NULL: none. */
    gos_status (*known)(const void *of, int node, int c, int d, gos_sparse *S);
    int nplace;
    const int *place; // nodes with second-order displacements (nplace) ...
    bool turns;       // ... and rotations, for moments
    double most;      // limit of numbers in all matrices together; beyond it GOS_E_LIMIT
} gos_flex_stress;
/** Sets second-order displacements of `flex`, which has its conditions, and its thermal stress
 * stiffness in `to`: the body itself (space NULL) or its projection. (second.c) @return GOS_E_LIMIT
 * without a message */
gos_status gos__flex_second_order(const gos_flex *flex, const gos_flex_stress *stress,
                                  const gos_flex_space *space, gos_flex *to);
/** Linear model of the body with fixed frame, with conditions C, nu inputs and ny outputs
 * (copied). */
gos_status gos__flex_linear(const gos_flex *flex, int nu, const gos_flex_port *inputs, int ny,
                            const gos_flex_port *outputs, gos_linear **linear);
/** Adds `factor` times the load vector (flex->n) of a unit input. (inputs.c) */
void gos__flex_load(const gos_flex *flex, const gos_flex_input *input, double factor, double *load);
/** Adds to K (flex->n) the stiffness change by `factor` times a unit load with fixed frame; none
 * for angular accelerations. Moments are semitangential. K is unchanged after a failure.
 * (stiffness.c) */
gos_status gos__flex_stiffen(const gos_flex *flex, const gos_flex_input *input, double factor,
                             gos_sparse *K);
/** Mass between two frame motions, each an acceleration of the origin and an angular acceleration:
 * int (a + e x X) . (b + d x X) dm (free_frame.c). */
double gos__flex_frame_mass(const gos_flex *flex, const double one[6], const double other[6]);
/** Adds `factor` times the load vector (flex->n) of a frame motion. */
void gos__flex_frame_load(const gos_flex *flex, const double motion[6], double factor,
                          double *load);
/** The n lowest modes with the frame free along k motions, which have these inertias in addition to
 * the body's: lambda (n), squared frequencies, X (flex->n, n) with X^T (M - B J^-1 B^T) X = 1;
 * *found may be less than n. */
gos_status gos__flex_free_modes(const gos_flex *flex, int k, const double (*motion)[6],
                                const double *inertia, int n, double *lambda, double *X,
                                int *found);
/** Y (flex->n, count) := (M - B J^-1 B^T) X, the effective mass with free frame. */
gos_status gos__flex_free_mass(const gos_flex *flex, int k, const double (*motion)[6],
                               const double *inertia, int count, const double *X, double *Y);
/** Unit of such an input, or of the conjugate quantity (m for a force). */
const char *gos__flex_unit(gos_flex_load load, bool conjugate);
/** Adds the damping D = M X diag(2 zeta omega) X^T M of all modes X, with ratio zeta. */
gos_status gos__flex_damp(gos_flex *flex, double zeta);
/** Rejects a body whose shapes contain rigid motions; sets flex->omega. @return GOS_E_INPUT with a
 * message at loc that identifies the motion. */
gos_status gos__flex_check(gos_flex *flex, gos_loc loc, const char *object);

#endif
