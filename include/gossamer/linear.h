/* Gossamer: linear multifield models and their modes. SPDX-License-Identifier: Apache-2.0
 *
 * Sparse linear models of displacements, temperatures and electric potentials with inputs and
 * outputs, from a linearised system (linearise.h), from user-supplied matrices or from a mesh.
 * This header computes frequency responses, transient responses, undamped, damped and coupled
 * modes. Model reduction is in reduce_linear.h. */
#ifndef GOSSAMER_LINEAR_H
#define GOSSAMER_LINEAR_H

#include "gossamer/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Linear model about a state, with increments q of coordinates, theta of temperatures and phi of
 * electric potentials (theory 4.3), inputs u and outputs y:
 *     M q'' + D q' + K q + G theta + G_phi phi = B u,                  C q = 0
 *     C_T theta' + K_T theta + H_q q + H_v q' + P phi' = B_T u,        H theta = 0
 *     K_phi phi + H_phi q + T_phi theta = B_phi u
 *     y = Y_q q + Y_v q' + Y_T theta + Y_phi phi + Y_u u
 * Sparse, constraints not yet eliminated; any block may be empty. K includes the geometric
 * stiffness of stresses, loads and constraint forces. A general first-order system E x' = A x + B
 * u is the thermal part alone: C_T = E, K_T = -A, B_T = B, Y_T = C, Y_u = D. */
typedef struct gos_linear gos_linear;

GOS_API void gos_linear_destroy(gos_linear *linear);

typedef struct gos_linear_info {
    int coordinates;             // q
    int temperatures;            // theta
    int potentials;              // phi
    int constraints;             // rows of C
    int temperature_constraints; // rows of H
    int inputs, outputs;         // u, y
    double mass;                 // mass that takes part in a translation [kg]
    double inertia[3];           // about axes x, y, z through the centre of mass [kg m^2]
    bool symmetric;  // M, D, K, C_T and K_T are symmetric to 1e-10 of their largest entries
    bool gyroscopic; // D has a skew part
} gos_linear_info;
GOS_API void gos_linear_info_get(const gos_linear *linear, gos_linear_info *info);

#define GOS_BLOCK_LIST(X)                                                                          \
    X(M, "mass")                                                                                   \
    X(D, "damping")                                                                                \
    X(K, "stiffness")                                                                              \
    X(G, "force by temperature")                                                                   \
    X(C_T, "heat capacity")                                                                        \
    X(K_T, "conduction")                                                                           \
    X(H_q, "heat by displacement")                                                                 \
    X(H_v, "heat by velocity")                                                                     \
    X(C, "constraints")                                                                            \
    X(H, "temperature constraints")                                                                \
    X(K_phi, "permittivity")                                                                       \
    X(G_phi, "force by potential")                                                                 \
    X(H_phi, "charge by displacement")                                                             \
    X(T_phi, "charge by temperature")                                                              \
    X(P, "heat by potential rate")                                                                 \
    X(B, "force by input")                                                                         \
    X(B_T, "heat by input")                                                                        \
    X(B_phi, "charge by input")                                                                    \
    X(Y_q, "output by displacement")                                                               \
    X(Y_v, "output by velocity")                                                                   \
    X(Y_T, "output by temperature")                                                                \
    X(Y_phi, "output by potential")                                                                \
    X(Y_u, "output by input")
typedef enum gos_block {
#define X(name, doc) GOS_BLOCK_##name, // doc
    GOS_BLOCK_LIST(X)
#undef X
        GOS_NBLOCKS
} gos_block;

/* A sparse matrix in compressed columns. */
typedef struct gos_matrix_view {
    int rows, columns;
    int entries;         // stored
    const int *start;    // first entry of each column (columns + 1)
    const int *row;      // ascending in a column (entries)
    const double *value; // (entries)
} gos_matrix_view;
/** A borrowed view of one matrix. */
GOS_API void gos_linear_block(const gos_linear *linear, gos_block block, gos_matrix_view *view);

/** Rigid-body motions of the whole model (coordinates, 6) by columns: unit translations along x, y,
 * z, and unit rotations about these axes through the centre of mass, at the linearisation state.
 * Borrowed; zero if unknown (user-supplied matrices). */
GOS_API const double *gos_linear_rigid(const gos_linear *linear);

/** Name of a coordinate, e.g. "rod.node(3).slope.y", or of a temperature, "rod.node(3).T_y", into
 * buf (always zero-terminated). "" outside the range; "q(3)" and "x(3)" if unnamed. */
GOS_API void gos_linear_coordinate(const gos_linear *linear, int i, char *buf, size_t size);
GOS_API void gos_linear_temperature(const gos_linear *linear, int i, char *buf, size_t size);

/* An input or output: a column of B, B_T, B_phi, or a row of the Y blocks. */
typedef struct gos_port {
    const char *name; // "force" or "tip.y"
    const char *unit; // "N", "m", or "" if unknown
} gos_port;
/** Input or output i; names live as long as the model. {"", ""} outside the range. */
GOS_API gos_port gos_linear_input(const gos_linear *linear, int i);
GOS_API gos_port gos_linear_output(const gos_linear *linear, int i);
/** Units of all values, as gos_model_units; borrowed. "SI" for matrices without units. */
GOS_API const char *gos_linear_units(const gos_linear *linear);

/* ---- models given by matrices */

/** User-supplied matrices: of second order, if M is given,
 *     M q'' + D q' + K q = B u,  G q = 0,  y = C q + C_v q' + F u,
 * or of first order, if A is given,
 *     E x' = A x + B u,  y = C x + F u.
 * NULL stands for zero (E: the identity). Names of inputs and outputs may be NULL: u1, u2, ... and
 * y1, y2, ... */
typedef struct gos_matrices {
    const gos_matrix_view *M, *D, *K;       // second order
    const gos_matrix_view *G;               // second order: constraints
    const gos_matrix_view *E, *A;           // first order
    const gos_matrix_view *B, *C, *C_v, *F; // inputs and outputs
    const gos_port *inputs, *outputs;       // names and units
    bool symmetric; // require M, D, K, or E, A, to be symmetric to 1e-10 of their largest entry
    // convert a first-order model to second order; requires E = [I 0; 0 M] or NULL, A = [0 I; -K
    // -D], B = [0; B_2]
    bool second_order;
} gos_matrices;
/** Create a linear model from matrices, which are copied. @return GOS_E_INPUT for inconsistent
 * sizes, entries that are not finite, missing declared symmetry, or no second-order form */
GOS_API gos_status gos_linear_from_matrices(gos_ctx *ctx, const gos_matrices *matrices,
                                            gos_linear **linear);

/** A linear model by its blocks as in gos_linear_block, for programs with their own file
 * formats. */
typedef struct gos_linear_blocks {
    int coordinates, temperatures, potentials, constraints, temperature_constraints;
    int inputs, outputs;
    const gos_matrix_view *block[GOS_NBLOCKS]; // NULL: zero
    const gos_port *input, *output;            // names and units; NULL: u1, u2, ... and y1, y2, ...
    const gos_matrix_view *rigid; // (coordinates, 6) as in gos_linear_rigid; NULL: unknown
} gos_linear_blocks;
/** Create a linear model from blocks, which are copied. @return GOS_E_INPUT for inconsistent sizes
 * or entries that are not finite */
GOS_API gos_status gos_linear_from_blocks(gos_ctx *ctx, const gos_linear_blocks *blocks,
                                          gos_linear **linear);
/** Linear model of a mesh read from a CalculiX or Abaqus deck (*ELEMENT with its sections and
 * materials, *BOUNDARY) or a Nastran file: small motions of all its cells about the undeformed
 * state, coordinates node(NUMBER).x, .y, .z and rotations .rx, .ry, .rz of shells. It has no inputs
 * and outputs. *DAMPING becomes D; loads and prescribed motions are omitted, with a note.
 * @return GOS_E_INPUT, with a message at the line of the deck, for a mesh without a deck and for
 * unsupported contents: *EQUATION, *TIE, *COUPLING, *RIGID BODY, unknown elements */
GOS_API gos_status gos_linear_from_mesh(gos_ctx *ctx, const gos_mesh *mesh, gos_linear **linear);
/** Convert to a dense first-order system with the same inputs and outputs, E x' = A x + B u, y = C
 * x + F u (only the thermal part of the new model). Constraints are eliminated, x = (p, p', theta,
 * phi) with q = Z p, Z an orthonormal basis of the null space of the constraints.
 * @return GOS_E_LIMIT for more than 3000 states */
GOS_API gos_status gos_linear_first_order(gos_ctx *ctx, const gos_linear *linear,
                                          gos_linear **first);

/* ---- frequency response */

/** Frequency response y = H(i omega) u at n angular frequencies [rad/s], (n, outputs, inputs, 2):
 * real and imaginary part. Constraints are kept, temperatures and potentials are coupled. Sparse
 * models are factorised at each frequency after one symbolic analysis, small dense ones only once
 * (Hessenberg form).
 * @return GOS_E_SINGULAR at a pole (a free body at omega = 0), with a message */
GOS_API gos_status gos_linear_response(gos_ctx *ctx, const gos_linear *linear, int n,
                                       const double *omega, double *H);
/** As gos_linear_response, with the frequencies distributed over `workers` processes, which are
 * forked from this one. Single factorisations are not faster; useful for large models only. Results
 * are bitwise identical to gos_linear_response, except where a matrix needs other pivots than at
 * the first frequency. No other thread of the program may use the library meanwhile. */
GOS_API gos_status gos_linear_response_divided(gos_ctx *ctx, const gos_linear *linear, int workers,
                                               int n, const double *omega, double *H);
/** Frequency band [Hz] around the ten lowest modes of motion or, without motion, of temperature:
 * from a tenth of the lowest nonzero frequency to twice the highest. @return GOS_E_USE: there are
 * no modes */
GOS_API gos_status gos_linear_band(gos_ctx *ctx, const gos_linear *linear, double band[2]);

/* ---- transient response */

typedef enum gos_transient {
    // exact if possible, for up to 300 states and inputs; else trapezoidal, with steps divided
    // until outputs change by less than 0.3 % of their largest value
    GOS_TRANSIENT_AUTO,
    GOS_TRANSIENT_EXACT,   // exact at the time points, dense
    GOS_TRANSIENT_IMPLICIT // trapezoidal rule, second order, sparse
} gos_transient;
/** Response from rest: y (n, outputs) at n times 0, h, 2 h, ... [s] for inputs u (n, inputs), which
 * are linear between these times. A nonzero u[0] acts as a step.
 * @return GOS_E_SINGULAR: algebraic unknowns with the exact scheme, or equations that do not
 * determine the motion */
GOS_API gos_status gos_linear_transient(gos_ctx *ctx, const gos_linear *linear,
                                        gos_transient scheme, double h, int n, const double *u,
                                        double *y);

/* ---- modes */

typedef enum gos_mode_kind {
    GOS_MODE_ELASTIC,     // modes with a frequency, and unstable ones
    GOS_MODE_RIGID,       // without restoring force, not classified further
    GOS_MODE_TRANSLATION, // of the whole model along an axis
    // of the whole model about an axis, not necessarily through the centre of mass
    GOS_MODE_ROTATION,
    GOS_MODE_MECHANISM // internal motion that joints leave free
} gos_mode_kind;

typedef struct gos_mode {
    double omega;      // undamped angular frequency, 0 if rigid or unstable [rad/s]
    double frequency;  // omega / (2 pi) [Hz]
    double damping;    // damping ratio, > 1 if overdamped, 0 for rigid modes [-]
    double re, im;     // eigenvalue s of motions e^(s t): re > 0 grows, im >= 0 [1/s]
    double mass[3];    // effective modal masses in x, y, z [kg] (undamped modes)
    double inertia[3]; // the same of rotations about x, y, z through the centre of mass [kg m^2]
    bool rigid;        // moves without restoring force: rigid-body motion or mechanism
    gos_mode_kind kind;
    double axis[3]; // of a translation or rotation, unit length, largest component positive
    // gyroscopic: 1 with the rotation, -1 against it, in rotating axes; else 0
    int whirl;
    // bound on the error of the shape in the norm of M (gos_linear_modes_verified) [-]
    double residual;
} gos_mode;

/** The n lowest modes by undamped frequency; *found of them in modes (n), fewer than n only if
 * there are no more.
 * Undamped: K x = omega^2 M x. Unstable modes (omega^2 < 0) come first, with a warning.
 * Completeness is proved: small models are solved completely, in large ones modes are counted by
 * inertia. Damped: eigenvalues of the quadratic problem. A conjugate pair is one entry. The two
 * real roots s1, s2 of an overdamped mode are two entries, slower first, with the same omega =
 * sqrt(s1 s2) and damping ratio -(s1 + s2) / (2 omega). Residuals are checked.
 * Modes without restoring force are expressed as translations along x, y, z and rotations about
 * these axes as far as the whole model is free to make them: about principal axes of inertia if x,
 * y, z are not principal axes, about axes through the fixed point if the model is fixed at a point;
 * mechanisms follow. In the damped
 * case this holds for modes without damping forces. If undamped modes of the same frequency (1e-6)
 * continue after the last one, a warning is issued. Effective masses of all modes sum to the mass,
 * effective inertias to the moments of inertia (gos_linear_info). If K is not symmetric (follower
 * loads), undamped modes are roots of the quadratic problem without D and have no effective
 * masses; likewise for gyroscopic models, where the skew part of D is included. Electric
 * potentials are condensed: charge-controlled electrodes add stiffness, K - G_phi K_phi^-1 H_phi.
 * @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT with a message */
GOS_API gos_status gos_linear_modes(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                                    gos_mode *modes, int *found);
/* A root s = re + i im of motions e^(s t), im >= 0; one entry for a conjugate pair [1/s] */
typedef struct gos_root {
    double re, im;
} gos_root;
/** Damped modes of all fields, displacements and temperatures coupled: the n lowest mechanical ones
 * as in gos_linear_modes (damped), with thermoelastic damping if the coupling is two-way, and
 * every other oscillation of the coupled fields; and the nthermal slowest first-order eigenvalues:
 * real ones and nearly real pairs in which temperatures and states have the larger participation,
 * in order of |s|; *nroots of them, fewer only if there are no more. Up to 1500 first-order
 * unknowns all eigenvalues are computed by LAPACK. A first-order model has only first-order
 * eigenvalues. Electric potentials are
 * condensed as for all modes: charge-controlled electrodes add stiffness.
 * @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT with a message. Zener (1938); theory guide
 * 4.3 */
GOS_API gos_status gos_linear_coupled_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                            gos_mode *modes, int *found, int nthermal,
                                            gos_root *roots, int *nroots);
/** "translation x", "rotation (0.6, 0.8, 0)", "mechanism", "rigid", or "" for elastic modes, into
 * buf (always zero-terminated). */
GOS_API void gos_mode_name(const gos_mode *mode, char *buf, size_t size);
/* Completeness proof for undamped modes: the number of modes below a frequency in a gap above the
 * requested ones, counted by the inertia of K - omega^2 M, and the number found. */
typedef struct gos_mode_proof {
    double frequency;   // [Hz]; 0: nothing to count: no further modes, or all are rigid
    int found, counted; // below that frequency
    bool computed;      // shapes were computed: effective masses and residuals are valid
    int cluster;        // at least this many further modes have the frequency of the last one
                        // (1e-6)
} gos_mode_proof;
/** Undamped modes as gos_linear_modes, with residuals and the completeness proof. For unsymmetric K
 * and gyroscopic models there is no such proof, and *proof is all zero. */
GOS_API gos_status gos_linear_modes_verified(gos_ctx *ctx, const gos_linear *linear, int n,
                                             gos_mode *modes, int *found, gos_mode_proof *proof);
/** Undamped modes with shapes (coordinates, n; by columns), X^T M X = 1 and C X = 0. modes may be
 * NULL. An unsymmetric K is replaced by its symmetric part and gyroscopic terms are omitted: the
 * shapes serve as a basis. Shapes of equal frequency (1e-6) are rotated so that each input and
 * output, in order, couples to as few as possible, then to the axes. */
GOS_API gos_status gos_linear_shapes(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                     double *shapes, int *found);
/** The n slowest decaying temperature fields: K_T x = rate C_T x with the symmetric part of K_T, H
 * x = 0. rates (n) [1/s]; shapes (temperatures, n) with X^T C_T X = 1, may be NULL. */
GOS_API gos_status gos_linear_thermal_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                            double *rates, double *shapes, int *found);

#ifdef __cplusplus
}
#endif
#endif
