/* Gossamer: reduced models of linear models. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_REDUCE_LINEAR_H
#define GOSSAMER_REDUCE_LINEAR_H

#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A complex frequency s. */
typedef struct gos_point {
    double re, im; // [1/s]
} gos_point;

/** What is wanted; all zero with a method's name is valid for most methods. */
typedef struct gos_linear_reduction_options {
    const char *method;      // a name of gos_linear_method
    int order;               // basis vectors of each field; 0: as many as the tolerance needs
    int npoints;             // expansion points; 0: one, s = 0
    const gos_point *points; // a complex point stands for its conjugate too (npoints)
    bool two_sided;          // left vectors from the outputs, else V^T P V
    const char *ranking;     // of modes: "frequency" (also when NULL), "peak", "gain", "cost",
                             // "balanced", "inertia"; of balanced_second: "position", "velocity"
    int candidates;          // modes computed for a ranking, 0: three times the order and 10 more;
                             // modes that balanced methods start from, 0: the whole model
    int ninterface;          // interface coordinates; 0: those with an input or output
    const char *const *interface; // their names (ninterface)
    double band[2];               // frequencies that matter; {0, 0}: unknown [rad/s]
    double tolerance;             // relative error wanted on the band; 0: none is asked for, 1e-3
                                  // where an order must be chosen [-]
    int snapshots;                // of proper orthogonal decomposition; 0: 100
    const double *data;           // these, each of all unknowns (q, theta, phi); NULL: responses on
                                  // the band (unknowns, snapshots)
    bool transient; // without data: responses over time, from rest to a pulse on each input in turn
                    // whose spectrum falls to 61 % at the upper end of the band (pod)
    bool each; // errors are relative to each input's and output's own largest response on the band:
               // these are scaled so that the largest response to each input, and of each output,
               // is 1, and the relative error of the scaled response is what is kept and told
    bool unproved;     // no proof is wanted where an error is measured: `band_bound` stays 0
    bool accept;       // a model that misses the tolerance is given with a warning, not refused
    int correction;    // truncated modes that follow the reduced motion, as of gos_linear_correct
    int responses;     // of response_modes: temperature fields with a response, 0: all, -1: none
    int modes;         // ... and modes of motion beside them
    bool quasi_static; // ... its deformations under temperatures follow these at once, without
                       // coordinates
} gos_linear_reduction_options;

/** What the entry `reduction:` of a model asks for, with its defaults; band and points come in
 * rad/s. Texts and arrays live as long as the model. *only: the method is one of linear models
 * only; `auto` and `complex_modes` are names of methods for systems, too. A model without anything
 * but that entry will do. */
GOS_API gos_status gos_linear_reduction_settings(gos_ctx *ctx, gos_model *model,
                                                 gos_linear_reduction_options *options, bool *only);

/** What a reduction did. */
#define GOS_LINEAR_REDUCTION_FIELDS(X)                                                             \
    X(int, coordinates, "reduced coordinates")                                                     \
    X(int, temperatures, "reduced temperatures, or states of first order")                         \
    X(int, potentials, "reduced potentials")                                                       \
    X(int, condensed, "potentials that were condensed before: outputs have what they see of them") \
    X(int, corrections, "truncated modes beside the reduced motion, counted in its coordinates")   \
    X(int, deflated, "vectors dropped because earlier ones contain them")                          \
    X(int, points, "expansion points")                                                             \
    X(int, moments, "coefficients of H at each point that must agree, theory 3.2; 0: none")        \
    X(int, moments_checked, "so many of them were compared: 64, of large models 4, at most")       \
    X(double, moment_error, "largest relative difference of one of these")                         \
    X(int, each, "1: relative errors are of responses scaled to 1 for each input and output")      \
    X(double, predicted, "relative error on the band, from a richer model; 0: no band")            \
    X(double, band_bound, "relative error on the band at most, from residuals; 0: no proof")       \
    X(double, bound, "bound of the error of H at all frequencies; 0: none")                        \
    X(int, stability,                                                                              \
      "0: not known, 1: stable by its energy, 2: by its roots, 3: unstable, as the "               \
      "full model is")                                                                             \
    X(double, growth, "largest real part of its roots where it is unstable, 1/s")                  \
    X(int, compared, "responses that were compared to grow and cut the bases (auto)")              \
    X(int, iterations, "of automatic points, or of the search for the order")                      \
    X(int, factorisations, "of the full matrices")                                                 \
    X(double, time_basis, "wall time of vectors, factorisations included, s")                      \
    X(double, time_factor, "wall time of factorisations, s")                                       \
    X(double, time_project, "wall time of projections, s")                                         \
    X(double, time_check, "wall time of moments and predicted errors, s")
typedef struct gos_linear_reduction_report {
#define X(type, name, doc) type name; // doc
    GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
} gos_linear_reduction_report;

typedef struct gos_linear_reduction gos_linear_reduction;

/** Reduce a linear model. Constraints are eliminated; inputs and outputs keep their order and
 *  names. Fields stay apart: displacements, temperatures and potentials each have a basis, and a
 *  model of second order stays one, except by methods that say "first order". Symmetric pairs
 *  (M, K) and (C_T, K_T) come out diagonal, but for methods that keep physical coordinates.
 *  Methods that know no potentials (all but auto, krylov, static_vectors, frequency_vectors and
 * pod), and corrections, take the model with potentials condensed: electrodes whose charge is given
 * stiffen it, driven voltages are forces, outputs of charges and potentials stay what they are,
 * with what inputs do to them at once. The basis then has none for potentials.
 *  @return GOS_E_INPUT for what the model or options do not allow, GOS_E_SINGULAR when an expansion
 *  point is a pole, GOS_E_DIVERGED also for a model that misses the tolerance or is unstable where
 * the full one is not, GOS_E_LIMIT; always with a record. */
GOS_API gos_status gos_linear_reduce(gos_ctx *ctx, const gos_linear *linear,
                                     const gos_linear_reduction_options *options,
                                     gos_linear_reduction **reduction);
GOS_API void gos_linear_reduction_destroy(gos_linear_reduction *reduction);
/** The reduced model, borrowed. */
GOS_API const gos_linear *gos_linear_reduction_model(const gos_linear_reduction *reduction);
GOS_API void gos_linear_reduction_get(const gos_linear_reduction *reduction,
                                      gos_linear_reduction_report *report);
/* Fields of a model. */
typedef enum gos_field { GOS_DISPLACEMENT, GOS_TEMPERATURE, GOS_POTENTIAL } gos_field;
/** The basis of a field, columns one after another (rows, columns), borrowed: full values = V
 *  reduced ones. left: the test vectors W; V when the projection is one-sided. Of a method that
 *  says "first order", the temperatures' one holds all states. Of a corrected model V is that of
 * all its coordinates, W the test vectors of the reduced motion, which come first. */
GOS_API const double *gos_linear_reduction_basis(const gos_linear_reduction *reduction,
                                                 gos_field field, bool left, int *rows,
                                                 int *columns);
/** Displacements (rows, columns) that quasi-static response modes add to those of the basis, one
 * column for each of the first reduced temperatures, borrowed: q = V q_r + U theta_r. NULL and no
 * columns: there are none. The outputs of the model contain them. */
GOS_API const double *gos_linear_reduction_slaved(const gos_linear_reduction *reduction, int *rows,
                                                  int *columns);
/** A reduced model of displacements with `modes` truncated modes of the full model beside it: the
 * lowest ones that the basis does not contain (to 1e-7), as oscillators driven one way, eta'' + d
 * eta' + omega^2 eta = phi^T (B u - M V p'' - D V p' - K V p), y = Y_q (V p + Phi eta) + Y_v (V p +
 * Phi eta)', which the reduced motion does not feel: its matrices are the first rows, as they were.
 * The unknowns are p and z = eta + Phi^T M V p ("mode(3)" is the full model's third), so that M = 1
 * and K is diagonal beside the reduced ones. Along these modes the motion is that of the full
 * model, across them the reduced one; with all modes outputs are the full model's. Free with
 * gos_linear_destroy.
 *  @return GOS_E_INPUT for other than displacements with symmetric matrices, a reduction of first
 * order or of another model, and numbers that are not between 1 and that of the modes left;
 * GOS_E_SINGULAR for dependent basis vectors; what gos_linear_modes returns. */
GOS_API gos_status gos_linear_correct(gos_ctx *ctx, const gos_linear *full,
                                      const gos_linear_reduction *reduction, int modes,
                                      gos_linear **corrected);
/** Hankel singular values of balanced methods, descending; *n = 0 for others. */
GOS_API const double *gos_linear_reduction_hankel(const gos_linear_reduction *reduction, int *n);
/** Difference of two models on a band of frequencies. */
typedef struct gos_band_error {
    double relative;  // max |H - H_r| / max |H|, 2-norms: H-infinity on the band [-]
    double pointwise; // max |H - H_r| / |H| [-]
    double worst;     // where |H - H_r| is largest [rad/s]
    double largest;   // max |H|
    int evaluations;  // frequencies
} gos_band_error;
/** Compare two models with like inputs and outputs at frequencies from lo to hi [rad/s] of a grid
 *  that is refined around peaks until maxima are known to 0.2 %. Poles of the full model on the
 *  imaginary axis are left out.
 *  @return GOS_E_INPUT for an impossible band or models with other inputs or outputs. */
GOS_API gos_status gos_linear_band_error(gos_ctx *ctx, const gos_linear *full,
                                         const gos_linear *reduced, double lo, double hi,
                                         gos_band_error *error);
/** Difference of one output of two models over time. */
typedef struct gos_time_error {
    double relative;     // max |y - y_r| / max |y| [-]
    double relative_rms; // RMS of y - y_r / RMS of y [-]
    double max, rms;     // of y - y_r over the points of time [unit of the output]
    double largest;      // max |y|
    double worst;        // when |y - y_r| is largest [s]
} gos_time_error;
/** Compare two models with like inputs and outputs from rest, under the same inputs u (n, inputs)
 * at points of time 0, h, 2 h, ... [s], as of gos_linear_transient. Both go by the same scheme:
 * AUTO takes exact steps when both models have them. error (outputs). Relative errors of an output
 * that stays 0 are 0, or infinite when the reduced model's does not.
 *  @return GOS_E_INPUT for models with other inputs or outputs, GOS_E_NONFINITE for a response that
 *  overflows, and what gos_linear_transient returns. */
GOS_API gos_status gos_linear_time_error(gos_ctx *ctx, const gos_linear *full,
                                         const gos_linear *reduced, gos_transient scheme, double h,
                                         int n, const double *u, gos_time_error *error);
/** Modal assurance criterion |x^T y|^2 / (x^T x y^T y) of every pair of columns of X (n, nx) and Y
 *  (n, ny): mac (nx, ny). */
GOS_API void gos_linear_mac(int n, int nx, const double *X, int ny, const double *Y, double *mac);
/** Name of method i and in one line what it is; NULL beyond the last. */
GOS_API const char *gos_linear_method(int i, const char **doc);

#ifdef __cplusplus
}
#endif
#endif
