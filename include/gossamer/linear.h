/* Gossamer: linear multifield models and their modes. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_LINEAR_H
#define GOSSAMER_LINEAR_H

#include "gossamer/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** About a state, for increments q of the coordinates, theta of the temperatures and phi of
 * electric potentials (theory 4.3), with inputs u and outputs y, M q'' + D q' + K q + G theta +
 * G_phi phi = B u,          C q = 0, C_T theta' + K_T theta + H_q q + H_v q' + P phi' = B_T u,  H
 * theta = 0, K_phi phi + H_phi q + T_phi theta = B_phi u, y = Y_q q + Y_v q' + Y_T theta + Y_phi
 * phi + Y_u u, sparse, constraints not yet eliminated; any block may be empty. K has the geometric
 * stiffness of stresses, loads and constraint forces. A general first-order system E x' = A x + B u
 * is the thermal part alone: C_T = E, K_T = -A, B_T = B, Y_T = C, Y_u = D. */
typedef struct gos_linear gos_linear;

GOS_API void gos_linear_destroy(gos_linear *linear);

typedef struct gos_linear_info {
    int coordinates;             // q
    int temperatures;            // theta
    int potentials;              // phi
    int constraints;             // rows of C
    int temperature_constraints; // rows of H
    int inputs, outputs;         // u, y
    double mass;                 // that moves in a translation [kg]
    double inertia[3];           // about axes x, y, z through the centre of mass [kg m^2]
    bool symmetric;              // M, D, K, C_T and K_T are, to 1e-10 of their largest entries
    bool gyroscopic;             // D has a skew part
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

/* A sparse matrix by columns. */
typedef struct gos_matrix_view {
    int rows, columns;
    int entries;         // stored
    const int *start;    // first entry of each column (columns + 1)
    const int *row;      // ascending in a column (entries)
    const double *value; // (entries)
} gos_matrix_view;
/** A borrowed view of one matrix. */
GOS_API void gos_linear_block(const gos_linear *linear, gos_block block, gos_matrix_view *view);

/** Motions of the whole model (coordinates, 6), columns one after another: unit translations along
 * x, y, z, and unit rotations about these axes through the centre of mass, at the state that was
 * linearised. Borrowed; zero where they are not known (matrices of others). */
GOS_API const double *gos_linear_rigid(const gos_linear *linear);

/** Name of a coordinate, e.g. "rod.node(3).slope.y", or of a temperature, "rod.node(3).T_y",
 *  into buf (always terminated); "" outside the range, "q(3)" and "x(3)" where they have no
 * names. */
GOS_API void gos_linear_coordinate(const gos_linear *linear, int i, char *buf, size_t size);
GOS_API void gos_linear_temperature(const gos_linear *linear, int i, char *buf, size_t size);

/* An input or output: a column of B, B_T, B_phi, or a row of Y_... */
typedef struct gos_port {
    const char *name; // "force" or "tip.y"
    const char *unit; // "N", "m", or "" when not known
} gos_port;
/** Input or output i; names live as long as the model. {"", ""} outside the range. */
GOS_API gos_port gos_linear_input(const gos_linear *linear, int i);
GOS_API gos_port gos_linear_output(const gos_linear *linear, int i);

/* ---- models of matrices
 * -------------------------------------------------------------------------- */

/** Matrices of anybody's model: of second order,
 *      M q'' + D q' + K q = B u,  G q = 0,  y = C q + C_v q' + F u,
 *  when M is given, or of first order,
 *      E x' = A x + B u,  y = C x + F u,
 *  when A is. What is NULL is left out (zero; E: the identity). Names of inputs and outputs may be
 *  NULL: u1, u2, ... and y1, y2, ... */
typedef struct gos_matrices {
    const gos_matrix_view *M, *D, *K;       // second order
    const gos_matrix_view *G;               // its constraints
    const gos_matrix_view *E, *A;           // first order
    const gos_matrix_view *B, *C, *C_v, *F; // inputs and outputs
    const gos_port *inputs, *outputs;       // names and units
    bool symmetric;                         // M, D, K, or E, A must be, to 1e-10 of their largest
    bool second_order; // the first-order model hides one of second order, which shall be made of
                       // it: E = [I 0; 0 M] or NULL, A = [0 I; -K -D], B = [0; B_2]
} gos_matrices;
/** A linear model of matrices, which are copied. @return GOS_E_INPUT when sizes do not fit
 * together, entries are not finite, declared symmetry is not there, or there is no second order to
 * find. */
GOS_API gos_status gos_linear_from_matrices(gos_ctx *ctx, const gos_matrices *matrices,
                                            gos_linear **linear);

/** A linear model by its blocks, as gos_linear_block gives them: for those who keep models in files
 * of their own. */
typedef struct gos_linear_blocks {
    int coordinates, temperatures, potentials, constraints, temperature_constraints;
    int inputs, outputs;
    const gos_matrix_view *block[GOS_NBLOCKS]; // NULL: zero
    const gos_port *input, *output;            // names and units; NULL: u1, u2, ... and y1, y2, ...
    const gos_matrix_view *rigid; // (coordinates, 6) as gos_linear_rigid; NULL: not known
} gos_linear_blocks;
/** A model of blocks, which are copied. @return GOS_E_INPUT when sizes do not fit together or
 * entries are not finite */
GOS_API gos_status gos_linear_from_blocks(gos_ctx *ctx, const gos_linear_blocks *blocks,
                                          gos_linear **linear);
/** The model of a mesh that was read from a deck of CalculiX or Abaqus (*ELEMENT with its sections
 * and materials, *BOUNDARY): small motions of all its cells about the undeformed state, coordinates
 * node(NUMBER).x, .y, .z and rotations .rx, .ry, .rz of shells. It has no inputs and outputs.
 * *DAMPING becomes D; loads and prescribed motions are left out, with a note.
 *  @return GOS_E_INPUT, with a record at the deck's line, for a mesh of no deck and for what the
 * model cannot have: *EQUATION, *TIE, *COUPLING, *RIGID BODY, elements that are not there */
GOS_API gos_status gos_linear_from_mesh(gos_ctx *ctx, const gos_mesh *mesh, gos_linear **linear);
/** The same inputs and outputs by one dense system of first order E x' = A x + B u, y = C x + F u
 * (the thermal part of the new model alone): constraints are eliminated, x = (p, p', theta, phi)
 * with q = Z p, Z an orthonormal basis of what the constraints leave free.
 *  @return GOS_E_LIMIT for more than 3000 states */
GOS_API gos_status gos_linear_first_order(gos_ctx *ctx, const gos_linear *linear,
                                          gos_linear **first);

/* ---- frequency response
 * -------------------------------------------------------------------------- */

/** y = H(i omega) u at n angular frequencies [rad/s], (n, outputs, inputs, 2): real and imaginary
 *  part. Constraints are kept, temperatures and potentials coupled. Sparse models are factorised at
 *  each frequency after one symbolic analysis, small dense ones once for all (Hessenberg form).
 *  @return GOS_E_SINGULAR at a pole (a free body at omega = 0), with a record. */
GOS_API gos_status gos_linear_response(gos_ctx *ctx, const gos_linear *linear, int n,
                                       const double *omega, double *H);
/** The same by so many processes at a time, which are forked from this one and divide the
 * frequencies; one factorises as fast as before, so it pays for large models. The digits are those
 * of gos_linear_response, but where a matrix needs pivots other than those of the first frequency.
 * No other thread of the program may be in the library meanwhile. */
GOS_API gos_status gos_linear_response_divided(gos_ctx *ctx, const gos_linear *linear, int workers,
                                               int n, const double *omega, double *H);
/** A band of frequencies [Hz] around the ten lowest modes of motion or, where nothing moves, of
 * temperature: from a tenth of the lowest frequency above 0 to twice the highest. @return
 * GOS_E_USE: there are none */
GOS_API gos_status gos_linear_band(gos_ctx *ctx, const gos_linear *linear, double band[2]);

/* ---- transient response
 * -------------------------------------------------------------------------- */

typedef enum gos_transient {
    GOS_TRANSIENT_AUTO,    // exact where it can be, for up to 300 states and inputs
    GOS_TRANSIENT_EXACT,   // exact at the points of time, dense
    GOS_TRANSIENT_IMPLICIT // trapezoidal rule, error of second order, sparse
} gos_transient;
/** From rest, y (n, outputs) at n points of time 0, h, 2 h, ... [s] for inputs u (n, inputs), which
 * are linear between the points. u[0] sets in at once when it is not 0.
 *  @return GOS_E_SINGULAR: algebraic unknowns where the exact scheme was asked for, or equations
 * that do not determine the motion. */
GOS_API gos_status gos_linear_transient(gos_ctx *ctx, const gos_linear *linear,
                                        gos_transient scheme, double h, int n, const double *u,
                                        double *y);

/* ---- modes
 * --------------------------------------------------------------------------------------- */

typedef enum gos_mode_kind {
    GOS_MODE_ELASTIC,     // all that have a frequency, and unstable ones
    GOS_MODE_RIGID,       // without restoring force; more is not known
    GOS_MODE_TRANSLATION, // of the whole model along an axis
    GOS_MODE_ROTATION, // of the whole model about an axis, which need not pass through its centre
                       // of mass
    GOS_MODE_MECHANISM // what joints leave free inside
} gos_mode_kind;

typedef struct gos_mode {
    double omega;      // undamped angular frequency, 0 when rigid or unstable [rad/s]
    double frequency;  // omega / (2 pi) [Hz]
    double damping;    // damping ratio, > 1 when overdamped, 0 for rigid modes [-]
    double re, im;     // eigenvalue s of motions e^(s t): re > 0 grows, im >= 0 [1/s]
    double mass[3];    // effective modal masses in x, y, z [kg] (undamped modes)
    double inertia[3]; // the same of rotations about x, y, z through the centre of mass [kg m^2]
    bool rigid;        // moves without restoring force: rigid-body motion or mechanism
    gos_mode_kind kind;
    double axis[3];  // of a translation or rotation, of length 1, its largest component positive
    int whirl;       // gyroscopic: 1 with the rotation, -1 against it, in turning axes; else 0
    double residual; // error of the shape at most, in the norm of M (gos_linear_modes_proved) [-]
} gos_mode;

/** The n lowest modes, in order of undamped frequency; *found modes are returned in modes (n),
 *  fewer than n only when there are no more.
 *  Undamped: K x = omega^2 M x. Unstable modes (omega^2 < 0) come first, with a warning. That none
 *  is missing is proved: small models are solved whole, in large ones modes are counted by inertia.
 *  Damped: eigenvalues of the quadratic problem. A pair of conjugate roots is one entry. The two
 *  real roots s1, s2 of an overdamped mode are two entries, slower first, with the same omega =
 *  sqrt(s1 s2) and damping ratio -(s1 + s2) / (2 omega). Residuals are checked.
 *  Modes without restoring force are given as translations along x, y, z and rotations about these
 * axes, as far as the whole model is free to make them: about principal axes of inertia when x, y,
 * z are none, about axes elsewhere when it is held at a point; mechanisms follow. Damped, that
 * holds of modes that damping does not slow down. When undamped modes of equal frequency (1e-6) go
 * on behind the last one, a warning says so. Effective masses of all modes sum to the mass,
 * inertias to the moments of inertia (gos_linear_info). When K is not symmetric (follower loads)
 * undamped modes are roots of the quadratic problem without D, and have no effective masses; so do
 * those of gyroscopic models, where the skew part of D belongs to the problem. Electric potentials
 * are condensed: electrodes whose charge is given stiffen, K - G_phi K_phi^-1 H_phi.
 *  @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT with a record. */
GOS_API gos_status gos_linear_modes(gos_ctx *ctx, const gos_linear *linear, int n, bool damped,
                                    gos_mode *modes, int *found);
/* A root s = re + i im of motions e^(s t), im >= 0; a conjugate pair is one [1/s] */
typedef struct gos_root {
    double re, im;
} gos_root;
/** Damped modes of all fields, displacements and temperatures together: the n lowest mechanical
 * ones as gos_linear_modes gives them (whose damped modes these are), with thermoelastic damping
 * where heat goes both ways, and every other oscillation of the coupled fields; and the nthermal
 * slowest roots of first order: real ones, and pairs that hardly swing, in which temperatures and
 * states take the larger part (participation factors), in order of |s|; *nroots of them, fewer only
 * when there are no more. Up to 1500 unknowns of first order all roots come from LAPACK. A model of
 * first order has only these. Electric potentials are condensed, as for all modes: electrodes whose
 * charge is given stiffen.
 *  @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT with a record. Zener (1938); theory
 * guide 4.3. */
GOS_API gos_status gos_linear_coupled_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                            gos_mode *modes, int *found, int nthermal,
                                            gos_root *roots, int *nroots);
/** "translation x", "rotation (0.6, 0.8, 0)", "mechanism", "rigid", or "" for elastic modes, into
 * buf (always terminated). */
GOS_API void gos_mode_name(const gos_mode *mode, char *buf, size_t size);
/* What shows that undamped modes are complete: modes below a frequency in a gap above those asked
   for, counted by the inertia of K - omega^2 M, beside the number that was found there. */
typedef struct gos_mode_proof {
    double frequency;   // [Hz]; 0: nothing to count, the model has no more modes or all are rigid
    int found, counted; // below it
    bool computed;      // shapes are known: effective masses and residuals of the modes are
    int cluster;        // further modes of the frequency of the last one (1e-6), at least
} gos_mode_proof;
/** Undamped modes as gos_linear_modes gives them, with their residuals and the proof. A K that is
 * not symmetric and gyroscopic models have no such proof: it is all zero. */
GOS_API gos_status gos_linear_modes_proved(gos_ctx *ctx, const gos_linear *linear, int n,
                                           gos_mode *modes, int *found, gos_mode_proof *proof);
/** The same for undamped modes with their shapes (coordinates, n; columns one after another), with
 *  X^T M X = 1 and C X = 0. modes may be NULL. Of a K that is not symmetric, its symmetric part is
 *  used, and gyroscopic terms are left out: the shapes serve as a basis. Shapes of equal frequency
 * (1e-6) are turned to what inputs and outputs see, each as few as it can, in their order, then to
 * the axes. */
GOS_API gos_status gos_linear_shapes(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                     double *shapes, int *found);
/** The n slowest decaying temperature fields: K_T x = rate C_T x with the symmetric part of K_T,
 *  H x = 0; rates (n) [1/s], shapes (temperatures, n) with X^T C_T X = 1, may be NULL. */
GOS_API gos_status gos_linear_thermal_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                            double *rates, double *shapes, int *found);

#ifdef __cplusplus
}
#endif
#endif
