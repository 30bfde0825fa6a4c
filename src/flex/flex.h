/* A flexible body in a floating frame: matrices of small deformations and terms of the frame's
 * motion. */

/* Displacements are linear in amplitudes z and, with stress stiffening, of second order,
 *
 * u(X) = sum_k phi_k(X) z_k + sum_p phi2_p(X) q_p,   q_p = z^T S_p z / 2,
 *
 * in body axes, X: undeformed position (docs/theory.md, floating frame). */
#ifndef GOS_FLEX_H
#define GOS_FLEX_H

#include "linalg/ties.h"
#include "linear/linear.h"

#define GOS_FLEX_RIGID 4 // rigid fields: 1, X_1, X_2, X_3
/* Moments of second-order displacements: component c with rigid field d at 4 c + d. */
#define GOS_FLEX_MOMENTS 12

typedef enum gos_flex_condition {
    GOS_FLEX_CLAMPED, // node without displacement and rotation
    // node without displacement and rotation about the chord; another one on the chord
    GOS_FLEX_CHORD,
    // no momentum of deformation to first order (Tisserand, Buckens)
    GOS_FLEX_MEAN_AXIS
} gos_flex_condition;

/* Loads of the body with fixed frame. */
typedef enum gos_flex_load {
    GOS_FLEX_ACCELERATION, // along an axis [m/s^2]
    GOS_FLEX_EULER,        // angular, about an axis [rad/s^2]
    GOS_FLEX_CENTRIFUGAL,  // product of two angular velocities [rad^2/s^2]
    GOS_FLEX_FORCE,        // along an axis [N]
    GOS_FLEX_MOMENT        // about an axis [N m]
} gos_flex_load;

typedef struct gos_flex_input {
    gos_flex_load load;
    int axis, other; // 0, 1, 2; of products
    int node;
} gos_flex_input;

/* Unit input of the body with fixed frame; an output is the conjugate quantity. Either array may be
 * NULL. */
typedef struct gos_flex_port {
    const char *name, *unit;
    const double *load; // (n of the body)
    const double *heat; // (heat.n)
} gos_flex_port;

/* Temperatures above the reference, in coordinates theta. */
typedef struct gos_flex_heat {
    int n;             // 0: no temperature
    double T_ref;      // for strain heating -T_ref G^T z' [K]; 0: none
    gos_sparse C, S;   // [J/K], [W/K]: (n, n), both triangles
    gos_sparse G;      // forces G theta beside K z: (amplitudes, n) [N/K]
    gos_sparse at;     // of nodes, shells: midsurface (n, nnode)
    gos_sparse across; // gradients through shells (n, nnode) [K/m]; or empty
    // (n) stress stiffness (amplitudes, amplitudes) by each temperature; NULL: unknown
    gos_sparse *stiff;
    double *half; // (nnode) half thickness of shells [m], or 0; may be NULL
    double *mean; // (n) uniform 1 K; in subspaces the nearest in C
} gos_flex_heat;

/* Q = charge^T theta + force^T z + capacitance V. */
typedef struct gos_flex_piezo {
    int n;               // electrodes
    gos_sparse force;    // (amplitudes, n) [N/V]
    gos_sparse charge;   // (heat.n, n) [C/K], or empty
    double *capacitance; // (n) clamped capacitance [F]
} gos_flex_piezo;

/* Frame states that change the stiffness: products of angular rates, accelerations of the
 * origin. */
#define GOS_FLEX_PRODUCTS 6
#define GOS_FLEX_STATES (GOS_FLEX_PRODUCTS + 3)
extern const gos_flex_input gos__flex_state[GOS_FLEX_STATES];

/* Vibration driven by the body's motion: z'' + damping z' + (square + sum_p by[p] (state p -
 * about[p])) z = force / mass. */
typedef struct gos_flex_oscillator {
    double square, damping; // [rad^2/s^2], [1/s]
    double by[GOS_FLEX_STATES];
} gos_flex_oscillator;

typedef struct gos_flex_missed {
    int n;                         // the last amplitudes, locked in the body's equations
    double mass;                   // of each [kg]
    gos_flex_oscillator *mode;     // (n)
    double about[GOS_FLEX_STATES]; // states of `square`
} gos_flex_missed;

typedef struct gos_flex {
    gos_ctx *ctx;
    int n; // amplitudes
    int nnode;
    double (*x)[3];        // (nnode) body axes [m]
    gos_sparse move, turn; // of nodes [m], [rad]: (n, 3 nnode), column 3 node + c
    // int f g dm of 1, X_c and shape components (phi_k along c at GOS_FLEX_RIGID + 3 k + c); both
    // triangles
    gos_sparse gram;
    gos_sparse K, D;              // (n, n)
    gos_sparse bare_K, bare_gram; // for subspace vectors instead of K, gram; or empty
    gos_sparse C;                 // conditions C z = 0 (rows, n)
    int nform;
    gos_sparse *form;                  // (nform) symmetric S_p (n, n)
    gos_sparse second;                 // of q_p at nodes: (nform, 3 nnode)
    gos_sparse second_turn;            // of rotations; or empty
    gos_sparse left[GOS_FLEX_MOMENTS]; // (n, n) neglected in `moment`
    // int phi_kd phi2_pc dm of axial forces: rows as gram, column 3 p + c; empty: neglected
    gos_sparse drawn;
    gos_sparse drawn_twice; // int phi2_pc phi2_qd dm: (3 nform, 3 nform), likewise
    gos_sparse force;       // conjugate to forms by amplitudes: (n, forms of elements)
    // (n, n) sum_p S_p int phi2_pc dm, int X_d phi2_pc dm; or empty
    gos_sparse moment[GOS_FLEX_MOMENTS];
    gos_flex_heat heat;
    gos_flex_piezo piezo;
    // last amplitudes that follow temperatures quasi-statically, locked in the equations
    int dependent;
    gos_flex_missed missed; // residual modes of a reduced body
    double omega;           // lowest frequency [rad/s], 0: unknown
    bool guided;            // prescribed displacements prevent rigid motions of the shapes
} gos_flex;

/** Creates an empty body, nodes at 0. */
gos_status gos__flex_create(gos_ctx *ctx, int n, int nnode, gos_flex **flex);
void gos__flex_destroy(gos_flex *flex);
/** Index of component c of shape k in the Gram matrix. */
static inline int gos__flex_at(int k, int c) {
    return GOS_FLEX_RIGID + 3 * k + c;
}
/** Conditions C (6, n) of a free body. b: other end of the chord. (conditions.c) */
gos_status gos__flex_hold(gos_flex *flex, gos_flex_condition which, int a, int b);
/** Removes second-order displacements, not forms and section forces. */
void gos__flex_first_order(gos_flex *flex);
/** Drops amplitudes with dropped (n), and those that a single-entry condition sets to 0. */
gos_status gos__flex_drop(gos_flex *flex, const bool *dropped);
/** Exact ties z = R^T y, R (fewer, flex->n); theta = S^T t, S (fewer, heat.n) of ones, one per
 * column; NULL: unchanged. Not for bodies with conditions or forms; unusable after a failure.
 * (tie.c) */
gos_status gos__flex_tie(gos_flex *flex, const gos_sparse *R, const gos_sparse *S);
/** Keeps sums of amplitudes at 0, for bodies as above: single ones are dropped, others dependent.
 * (tie.c) */
gos_status gos__flex_fix(gos_flex *flex, const gos_conditions *held);
/* z = V z_r, V (n, r) satisfying the conditions; theta = W theta_s, W (heat.n, s); s may be 0. */
typedef struct gos_flex_space {
    int r, s;
    const double *V, *W;
} gos_flex_space;
gos_status gos__flex_project(const gos_flex *flex, const gos_flex_space *space, gos_flex **reduced);
/** B (r, r) = V^T A V, exactly symmetric. */
gos_status gos__flex_congruence(gos_ctx *ctx, const gos_sparse *A, int r, const double *V,
                                gos_sparse *B);
/* Stress stiffness by displacements and temperatures. */
typedef struct gos_flex_stress {
    const void *of;
    /* K_G (flex->n, flex->n), linear in u (flex->n) and t (heat.n; NULL: 0). `inertia`: loads on
     * the mass; beams use only their axial force. */
    gos_status (*stiffness)(const void *of, bool inertia, const double *u, const double *t,
                            gos_sparse *G);
    /* Stress-independent form S (flex->n, flex->n) of a node's displacement c < 3, rotation c - 3;
     * node -1: mass integral with field d. May be NULL. */
    gos_status (*known)(const void *of, int node, int c, int d, gos_sparse *S);
    int nlocation;
    const int *location; // (nlocation) nodes with second-order displacements ...
    bool turns;          // ... and rotations
    double most;         // limit of numbers in all matrices
} gos_flex_stress;
/** Second-order displacements and thermal stress stiffness of `flex`, with conditions, into `to`:
 * itself (space NULL) or its projection. (second_order.c) @return GOS_E_LIMIT without a message */
gos_status gos__flex_second_order(const gos_flex *flex, const gos_flex_stress *stress,
                                  const gos_flex_space *space, gos_flex *to);
/** Linear model with fixed frame, conditions C, nu inputs, ny outputs (copied). */
gos_status gos__flex_linear(const gos_flex *flex, int nu, const gos_flex_port *inputs, int ny,
                            const gos_flex_port *outputs, gos_linear **linear);
/** Adds `factor` times the load (flex->n) of a unit input. (inputs.c) */
void gos__flex_load(const gos_flex *flex, const gos_flex_input *input, double factor, double *load);
/** Adds the stiffness of `factor` times a unit load, with fixed frame; none for angular
 * accelerations. Moments are semitangential. K is unchanged after a failure. (stiffness.c) */
gos_status gos__flex_stiffen(const gos_flex *flex, const gos_flex_input *input, double factor,
                             gos_sparse *K);
/** int (a + e x X) . (b + d x X) dm of two motions, accelerations of the origin and angular ones
 * (free_frame.c). */
double gos__flex_frame_mass(const gos_flex *flex, const double one[6], const double other[6]);
/** Adds `factor` times the load (flex->n) of a motion. */
void gos__flex_frame_load(const gos_flex *flex, const double motion[6], double factor,
                          double *load);
/** The n lowest modes, frame free along k motions with added inertias: lambda (n), X (flex->n, n),
 * X^T (M - B J^-1 B^T) X = 1; *found <= n. */
gos_status gos__flex_free_modes(const gos_flex *flex, int k, const double (*motion)[6],
                                const double *inertia, int n, double *lambda, double *X,
                                int *found);
/** Effective mass with free frame: Y (flex->n, count) := (M - B J^-1 B^T) X. */
gos_status gos__flex_free_mass(const gos_flex *flex, int k, const double (*motion)[6],
                               const double *inertia, int count, const double *X, double *Y);
/** Unit of an input, or of the conjugate quantity (m for a force). */
const char *gos__flex_unit(gos_flex_load load, bool conjugate);
/** Adds D = M X diag(2 zeta omega) X^T M of all modes X. */
gos_status gos__flex_damp(gos_flex *flex, double zeta);
/** Rejects rigid motions in shapes; sets flex->omega. @return GOS_E_INPUT with a message at loc. */
gos_status gos__flex_check(gos_flex *flex, gos_loc loc, const char *object);

#endif
