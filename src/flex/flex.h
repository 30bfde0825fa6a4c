/* A flexible body in the axes of a floating frame: beside the matrices of small deformations what
   the motion of the frame needs of them, whoever made them. Displacements of its particles are
   linear in amplitudes z, and, where its stresses stiffen it, of second order in them,

       u(X) = sum_k phi_k(X) z_k + sum_p phi2_p(X) q_p,   q_p = z^T S_p z / 2,

   in body axes, with X the place of the particle in the undeformed body (floating-frame theory in
   docs/theory.md). */
#ifndef GOS_FLEX_H
#define GOS_FLEX_H

#include "linalg/ties.h"
#include "linear/linear.h"

#define GOS_FLEX_RIGID 4 // fields of the rigid body: 1, X_1, X_2, X_3
#define GOS_FLEX_MOMENTS                                                                           \
    12 // of second order displacements with these: component c with field d at 4 c + d

/* What says where the frame is in the deformed body. */
typedef enum gos_flex_condition {
    GOS_FLEX_CLAMPED, // a node neither moves nor turns in it
    GOS_FLEX_CHORD, // a node does not move nor turn about the chord, another one stays on the chord
    GOS_FLEX_MEAN_AXIS // no linear or angular momentum of the deformation, to first order
                       // (Tisserand, Buckens)
} gos_flex_condition;

/* Loads of the body whose frame stands still: those that the motion of the frame makes, and those
 * at nodes. */
typedef enum gos_flex_load {
    GOS_FLEX_ACCELERATION, // of the origin along an axis [m/s^2]
    GOS_FLEX_EULER,        // angular acceleration about it [rad/s^2]
    GOS_FLEX_CENTRIFUGAL,  // product of the angular velocities about two axes [rad^2/s^2]
    GOS_FLEX_FORCE,        // at a node along an axis [N]
    GOS_FLEX_MOMENT        // at a node about it [N m]
} gos_flex_load;

typedef struct gos_flex_input {
    gos_flex_load load;
    int axis, other; // 0, 1, 2; the other one of products
    int node;        // of forces and moments
} gos_flex_input;

/* An input or output of the body whose frame stands still: its load and heat of the amount 1, and
   an output is what is conjugate to them. Either may be NULL. */
typedef struct gos_flex_port {
    const char *name, *unit;
    const double *load; // on amplitudes (n of the body)
    const double *heat; // on temperatures (heat.n of it)
} gos_flex_port;

/* Temperatures of the body over the reference temperature, by coordinates theta. */
typedef struct gos_flex_heat {
    int n;        // coordinates; 0: the body has no temperature
    double T_ref; // reference temperature, for the heat -T_ref G^T z' of strains; 0: they make none
                  // [K]
    gos_sparse C, S;   // capacity [J/K] and conduction [W/K]: (n, n), both triangles
    gos_sparse G;      // generalised forces G theta beside K z: (amplitudes, n) [N/K]
    gos_sparse at;     // temperatures of nodes, of shells in their middle: (n, nnode)
    gos_sparse across; // their gradients through shells (n, nnode) [K/m]; empty: there are none
    gos_sparse *stiff; // stiffness (amplitudes, amplitudes) by the stress that each makes (n);
                       // NULL: not known
    double
        *half; // half the thickness of shells at nodes (nnode) [m], 0: it is not one; NULL likewise
    double *mean; // coordinates of a temperature of 1 K all over (n), in a smaller space the
                  // nearest in C
} gos_flex_heat;

/* Electrodes of piezoelectric patches: Q = charge^T theta + force^T z + capacitance V. */
typedef struct gos_flex_piezo {
    int n;               // electrodes
    gos_sparse force;    // generalised forces by voltages (amplitudes, n) [N/V]
    gos_sparse charge;   // charges by temperatures (heat.n, n) [C/K]; empty: there are none
    double *capacitance; // of each while nothing moves (n) [F]
} gos_flex_piezo;

/* What the motion of the frame stiffens or softens by: products of two of its rates, then
 * accelerations of its origin. */
#define GOS_FLEX_PRODUCTS 6
#define GOS_FLEX_STATES (GOS_FLEX_PRODUCTS + 3)
extern const gos_flex_input gos__flex_state[GOS_FLEX_STATES];

/* A vibration that follows the motion of the body one way: z'' + damping z' + (square + sum of
   by[p] times what amount p of the frame's motion is beyond where `square` belongs) z = force over
   the mass. */
typedef struct gos_flex_oscillator {
    double square, damping; // [rad^2/s^2], [1/s]
    double by[GOS_FLEX_STATES];
} gos_flex_oscillator;

typedef struct gos_flex_missed {
    int n;                     // the last amplitudes of the body, which its own motion keeps at 0
    double mass;               // of each [kg]
    gos_flex_oscillator *mode; // (n)
    double about[GOS_FLEX_STATES]; // amounts that `square` belongs to
} gos_flex_missed;

typedef struct gos_flex {
    gos_ctx *ctx;
    int n;          // amplitudes
    int nnode;      //
    double (*x)[3]; // nodes, body axes (nnode) [m]
    gos_sparse move,
        turn; // displacements [m] and rotations [rad] of nodes: (n, 3 nnode), column 3 node + c
    gos_sparse gram; // scalar mass: int f g dm of 1, X_c and the components of shapes, that of
                     // phi_k along c at GOS_FLEX_RIGID + 3 k + c; symmetric, both triangles
    gos_sparse K, D; // (n, n)
    gos_sparse bare_K,
        bare_gram; // what vectors of a smaller space are made of where it is not K and gram; empty
    gos_sparse C;  // conditions C z = 0 (rows, n), e.g. those of mean axes
    int nform;
    gos_sparse *form;       // S_p, symmetric (n, n) (nform)
    gos_sparse second;      // weights of q_p at nodes: (nform, 3 nnode)
    gos_sparse second_turn; // of their rotations of second order, likewise; empty: there are none
    gos_sparse left[GOS_FLEX_MOMENTS]; // what moments by such loads would add to `moment`: (n, n)
    gos_sparse drawn; // int phi_kc phi2_pc dm of shapes k, of forms of axial forces alone: (n, 3
                      // nform), column 3 p + c; empty: left out
    gos_sparse drawn_twice; // int phi2_pc phi2_qc dm of such forms: (3 nform, 3 nform), likewise
    gos_sparse force; // section force that works on a form by amplitudes: (n, forms of elements)
    gos_sparse moment[GOS_FLEX_MOMENTS]; // sum_p S_p int phi2_pc dm, int X_d phi2_pc dm: (n, n),
                                         // empty where 0
    gos_flex_heat heat;
    gos_flex_piezo piezo;
    int slaved; // its last amplitudes, which follow the temperatures at once and are held in the
                // equations
    gos_flex_missed missed; // of a reduced body with a correction of what is seen of it
    double omega;           // its lowest frequency once it was looked for, else 0 [rad/s]
} gos_flex;

/** A body without matrices yet: nodes at 0, all else empty. */
gos_status gos__flex_create(gos_ctx *ctx, int n, int nnode, gos_flex **flex);
void gos__flex_destroy(gos_flex *flex);
/** Index of component c of shape k in the Gram matrix. */
static inline int gos__flex_at(int k, int c) {
    return GOS_FLEX_RIGID + 3 * k + c;
}
/** Conditions of a body that is free: C (6, n). Node b is that of the chord's end, not a.
 * (conditions.c) */
gos_status gos__flex_hold(gos_flex *flex, gos_flex_condition which, int a, int b);
/** Leave displacements of second order out of nodes and of integrals over the mass; forms and
 * section forces stay. */
void gos__flex_first_order(gos_flex *flex);
/** Leave out amplitudes, dropped (n) true, and those that a condition of one entry sets to 0. */
gos_status gos__flex_drop(gos_flex *flex, const bool *dropped);
/** Fewer amplitudes y and temperatures t by exact ties: z = R^T y with R (fewer, flex->n), theta =
 * S^T t with S (fewer, heat.n) of ones, one in each column; NULL: they stay. Of a body without
 * conditions and forms yet, which is spoilt by a failure. (tie.c) */
gos_status gos__flex_tie(gos_flex *flex, const gos_sparse *R, const gos_sparse *S);
/** Keep sums of amplitudes at 0, of a body as above: those that are held alone are left out, others
 * follow. (tie.c) */
gos_status gos__flex_still(gos_flex *flex, const gos_conditions *held);
/* A smaller space of amplitudes, z = V z_r with V (n, r) whose columns fulfil the conditions, and
   of temperatures, theta = W theta_s with W (heat.n, s); s = 0: without temperatures. */
typedef struct gos_flex_space {
    int r, s;
    const double *V, *W;
} gos_flex_space;
gos_status gos__flex_project(const gos_flex *flex, const gos_flex_space *space, gos_flex **reduced);
/** B (r, r) = V^T A V, symmetric to the last digit. */
gos_status gos__flex_congruence(gos_ctx *ctx, const gos_sparse *A, int r, const double *V,
                                gos_sparse *B);
/* What the stress in a body does to its stiffness, where it is known by displacements and
 * temperatures. */
typedef struct gos_flex_stress {
    const void *of;
    /* K_G (flex->n, flex->n) of the stress of amplitudes u (flex->n) and temperatures t (heat.n;
       NULL: 0), linear in them. `inertia`: of loads on the mass, for which beams take their axial
       force alone */
    gos_status (*stiffness)(const void *of, bool inertia, const double *u, const double *t,
                            gos_sparse *G);
    /* The form S (flex->n, flex->n) of second order that the displacement of a node along c < 3, or
       its rotation about c - 3, has whatever the stress is; of node -1: its integral over the mass
       with field d of the rigid body. NULL: there are none. */
    gos_status (*known)(const void *of, int node, int c, int d, gos_sparse *S);
    int nplace;
    const int *place; // nodes whose displacement of second order is wanted (nplace) ...
    bool turns;       // ... and their rotation, which moments work on
    double most;      // most numbers that all matrices together may have; more are GOS_E_LIMIT
} gos_flex_stress;
/** Displacements of second order of the body `flex`, whose conditions are there, and what
 * temperatures do to its stiffness, into `to`: the body itself (space NULL), or what its projection
 * gave. (second.c) @return GOS_E_LIMIT without a record */
gos_status gos__flex_second_order(const gos_flex *flex, const gos_flex_stress *stress,
                                  const gos_flex_space *space, gos_flex *to);
/** The linear model of the body whose frame stands still, C its conditions, with nu inputs and ny
 * outputs (copied). */
gos_status gos__flex_linear(const gos_flex *flex, int nu, const gos_flex_port *inputs, int ny,
                            const gos_flex_port *outputs, gos_linear **linear);
/** Add `factor` times the load vector (flex->n) of an input of the amount 1. (inputs.c) */
void gos__flex_load(const gos_flex *flex, const gos_flex_input *input, double factor, double *load);
/** Add to K (flex->n) what `factor` times a load of the amount 1 changes in the stiffness while the
 * frame stands still: nothing for angular accelerations. Moments are semitangential. K is left as
 * it was after a failure. (stiffness.c) */
gos_status gos__flex_stiffen(const gos_flex *flex, const gos_flex_input *input, double factor,
                             gos_sparse *K);
/** Mass between two motions of the frame, each an acceleration of the origin and an angular one
 * about it: int (a + e x X) . (b + d x X) dm (free_frame.c). */
double gos__flex_frame_mass(const gos_flex *flex, const double one[6], const double other[6]);
/** Add `factor` times the load vector (flex->n) of a motion of the frame. */
void gos__flex_frame_load(const gos_flex *flex, const double motion[6], double factor,
                          double *load);
/** The n lowest modes of the body, its frame free along k motions with these inertias besides its
 * own: lambda (n), the squares of their frequencies, X (flex->n, n) with X^T (M - B J^-1 B^T) X =
 * 1; fewer, *found, when there are no more. */
gos_status gos__flex_free_modes(const gos_flex *flex, int k, const double (*motion)[6],
                                const double *inertia, int n, double *lambda, double *X,
                                int *found);
/** Y (flex->n, count) := (M - B J^-1 B^T) X, the mass that is felt when its frame is free so. */
gos_status gos__flex_free_mass(const gos_flex *flex, int k, const double (*motion)[6],
                               const double *inertia, int count, const double *X, double *Y);
/** Unit of such an amount, and of what is conjugate to it: m of a force, ... */
const char *gos__flex_unit(gos_flex_load load, bool conjugate);
/** Add the damping D = M X diag(2 zeta omega) X^T M of all its modes X, each with the ratio
 * zeta. */
gos_status gos__flex_damp(gos_flex *flex, double zeta);
/** Refuse a body whose shapes contain motions without deformation, by their names; flex->omega is
 * known after it.
 *  @return GOS_E_INPUT with a record at loc. */
gos_status gos__flex_check(gos_flex *flex, gos_loc loc, const char *object);

#endif
