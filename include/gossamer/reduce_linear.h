/* Gossamer: reduction of linear models. SPDX-License-Identifier: Apache-2.0
 *
 * Modal, Krylov, balanced, snapshot and interface methods for linear multifield models (linear.h),
 * with error estimates on a frequency band, and comparison of two models in frequency and time. */
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

/** Options of a reduction; all zero with a method's name is valid for most methods. */
typedef struct gos_linear_reduction_options {
    const char *method;      // a name of gos_linear_method
    int order;               // basis vectors per field; 0: as many as the tolerance requires
    int npoints;             // expansion points; 0: one, s = 0
    const gos_point *points; // complex points include their conjugates (npoints)
    bool two_sided;          // left vectors from the outputs; else V^T P V
    // of modes: "frequency" (also if NULL), "peak", "gain", "cost", "balanced", "inertia"; for
    // balanced_second: "position", "velocity"
    const char *ranking;
    // modes computed for a ranking, 0: three times the order plus 10; for balanced methods the
    // modes to start from, 0: the whole model
    int candidates;
    int ninterface;               // interface coordinates; 0: those with an input or output
    const char *const *interface; // their names (ninterface)
    double band[2];               // frequency band of interest; {0, 0}: unknown [rad/s]
    // required relative error on the band; 0: none, or 1e-3 if an order must be chosen [-]
    double tolerance;
    int snapshots; // for proper orthogonal decomposition; 0: 100
    // snapshots of all unknowns (q, theta, phi) (unknowns, snapshots); NULL: computed from
    // responses on the band
    const double *data;
    // pod without data: snapshots are transient responses from rest to a pulse on each input in
    // turn, whose spectrum falls to 61 % at the upper end of the band
    bool transient;
    // errors are relative to the largest response on the band of each input and output: responses
    // are scaled so that the largest one to each input, and of each output, is 1; the relative
    // error of the scaled response is controlled and reported
    bool each;
    bool unproved;  // skip the error bound where an error is estimated: `band_bound` remains 0
    bool accept;    // return a model that misses the tolerance with a warning, instead of failing
    int correction; // truncated modes added by one-way coupling, as in gos_linear_correct
    int responses;  // response_modes: temperature fields with a response mode, 0: all, -1: none
    int modes;      // ... and additional vibration modes
    // ... deformations follow the temperatures quasi-statically, without coordinates
    bool quasi_static;
} gos_linear_reduction_options;

/** Options of the entry `reduction:` of a model, with defaults filled in; band and points are
 * converted to rad/s. Strings and arrays live as long as the model. *only: the method exists for
 * linear models only; `auto` and `complex_modes` are also methods for systems. A model that
 * contains only this entry is sufficient. */
GOS_API gos_status gos_linear_reduction_settings(gos_ctx *ctx, gos_model *model,
                                                 gos_linear_reduction_options *options, bool *only);

/** Report of a reduction. */
#define GOS_LINEAR_REDUCTION_FIELDS(X)                                                             \
    X(int, coordinates, "reduced coordinates")                                                     \
    X(int, temperatures, "reduced temperatures, or first-order states")                            \
    X(int, potentials, "reduced potentials")                                                       \
    X(int, condensed, "potentials condensed beforehand; their effect on outputs is kept")          \
    X(int, corrections, "truncated modes added to the reduced motion, included in coordinates")    \
    X(int, deflated, "linearly dependent vectors dropped")                                         \
    X(int, points, "expansion points")                                                             \
    X(int, moments, "moments of H to match at each point, theory 3.2; 0: none")                    \
    X(int, moments_checked, "moments compared: at most 64, for large models 4")                    \
    X(double, moment_error, "largest relative error of the compared moments")                      \
    X(int, each, "1: relative errors refer to responses scaled to 1 for each input and output")    \
    X(double, predicted, "estimated relative error on the band, from a richer model; 0: no band")  \
    X(double, band_bound, "bound of the relative error on the band, from residuals; 0: no bound")  \
    X(double, bound, "bound of the error of H at all frequencies; 0: none")                        \
    X(int, stability,                                                                              \
      "0: unknown, 1: stable by its energy, 2: by its eigenvalues, 3: unstable, like the full "    \
      "model")                                                                                     \
    X(double, growth, "largest real part of its eigenvalues if unstable, 1/s")                     \
    X(int, compared, "responses compared to enlarge and truncate the bases (auto)")                \
    X(int, iterations, "of automatic points, or of the order selection")                           \
    X(int, factorisations, "of the full matrices")                                                 \
    X(double, time_basis, "wall time of basis vectors, factorisations included, s")                \
    X(double, time_factor, "wall time of factorisations, s")                                       \
    X(double, time_project, "wall time of projections, s")                                         \
    X(double, time_check, "wall time of moments and error estimates, s")
typedef struct gos_linear_reduction_report {
#define X(type, name, doc) type name; // doc
    GOS_LINEAR_REDUCTION_FIELDS(X)
#undef X
} gos_linear_reduction_report;

typedef struct gos_linear_reduction gos_linear_reduction;

/** Reduce a linear model. Constraints are eliminated; inputs and outputs keep their order and
 * names. Displacements, temperatures and potentials have separate bases, and a second-order model
 * stays of second order, except for methods described as "first order". Symmetric pairs (M, K) and
 * (C_T, K_T) become diagonal, except for methods that keep physical coordinates. Methods without
 * potentials (all but auto, krylov, static_vectors, frequency_vectors and pod), and corrections,
 * use the model with potentials condensed: charge-controlled electrodes add stiffness, driven
 * voltages act as forces, outputs of charges and potentials are kept with their direct
 * feed-through. There is then no basis for potentials.
 * @return GOS_E_INPUT for an unsuitable model or options, GOS_E_SINGULAR if an expansion point is
 * a pole, GOS_E_DIVERGED also for a model that misses the tolerance or is unstable although the
 * full one is not, GOS_E_LIMIT; always with a message */
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
/** Basis of a field by columns (rows, columns), borrowed: full values = V times reduced ones. left:
 * the test vectors W; equal to V for a one-sided projection. For "first order" methods the basis
 * of temperatures contains all states. For a corrected model V is that of all its coordinates, W
 * the test vectors of the reduced motion, which comes first. */
GOS_API const double *gos_linear_reduction_basis(const gos_linear_reduction *reduction,
                                                 gos_field field, bool left, int *rows,
                                                 int *columns);
/** Displacements (rows, columns) added by quasi-static response modes, one column for each of the
 * first reduced temperatures, borrowed: q = V q_r + U theta_r. NULL and no columns: none. The
 * outputs of the model include them. */
GOS_API const double *gos_linear_reduction_dependent(const gos_linear_reduction *reduction,
                                                     int *rows, int *columns);
/** Add `modes` truncated modes of the full model to a reduced model of displacements: the lowest
 * ones that the basis does not contain (to 1e-7), as oscillators with one-way coupling, eta'' + d
 * eta' + omega^2 eta = phi^T (B u - M V p'' - D V p' - K V p), y = Y_q (V p + Phi eta) + Y_v (V p
 * + Phi eta)'. They do not act on the reduced motion, whose matrices are the first rows,
 * unchanged. Unknowns are p and z = eta + Phi^T M V p ("mode(3)" is the third mode of the full
 * model), so that M = 1 and K is diagonal beside the reduced blocks. Along these modes the motion
 * is that of the full model, orthogonal to them the reduced one; with all modes outputs equal
 * those of the full model. Free with gos_linear_destroy.
 * @return GOS_E_INPUT for models with other fields or unsymmetric matrices, a first-order
 * reduction, a reduction of another model, and a number that is not between 1 and the number of
 * remaining modes; GOS_E_SINGULAR for dependent basis vectors; errors of gos_linear_modes */
GOS_API gos_status gos_linear_correct(gos_ctx *ctx, const gos_linear *full,
                                      const gos_linear_reduction *reduction, int modes,
                                      gos_linear **corrected);
/** Hankel singular values of balanced methods, descending; *n = 0 for other methods. */
GOS_API const double *gos_linear_reduction_hankel(const gos_linear_reduction *reduction, int *n);
/** Difference of two models on a frequency band. */
typedef struct gos_band_error {
    double relative;  // max |H - H_r| / max |H|, 2-norms: H-infinity on the band [-]
    double pointwise; // max |H - H_r| / |H| [-]
    double worst;     // frequency with the largest |H - H_r| [rad/s]
    double largest;   // max |H|
    int evaluations;  // frequencies
} gos_band_error;
/** Compare two models with the same inputs and outputs from lo to hi [rad/s], on a grid that is
 * refined at peaks until maxima are accurate to 0.2 %. Poles of the full model on the imaginary
 * axis are excluded.
 * @return GOS_E_INPUT for an invalid band or models with different inputs or outputs */
GOS_API gos_status gos_linear_band_error(gos_ctx *ctx, const gos_linear *full,
                                         const gos_linear *reduced, double lo, double hi,
                                         gos_band_error *error);
/** Difference of one output of two models over time. */
typedef struct gos_time_error {
    double relative;     // max |y - y_r| / max |y| [-]
    double relative_rms; // RMS of y - y_r / RMS of y [-]
    double max, rms;     // of y - y_r over the time points [unit of the output]
    double largest;      // max |y|
    double worst;        // time with the largest |y - y_r| [s]
} gos_time_error;
/** Compare two models with the same inputs and outputs from rest, under inputs u (n, inputs) at
 * times 0, h, 2 h, ... [s], as in gos_linear_transient. Both use the same scheme: AUTO uses exact
 * steps if both models allow them. error (outputs). The relative error of an output that stays 0
 * is 0, or infinite if it is nonzero in the reduced model.
 * @return GOS_E_INPUT for models with different inputs or outputs, GOS_E_NONFINITE for a response
 * that overflows, and what gos_linear_transient returns */
GOS_API gos_status gos_linear_time_error(gos_ctx *ctx, const gos_linear *full,
                                         const gos_linear *reduced, gos_transient scheme, double h,
                                         int n, const double *u, gos_time_error *error);
/** Modal assurance criterion |x^T y|^2 / (x^T x y^T y) of every pair of columns of X (n, nx) and Y
 *  (n, ny): mac (nx, ny). */
GOS_API void gos_linear_mac(int n, int nx, const double *X, int ny, const double *Y, double *mac);
/** Name of method i and its one-line description; NULL after the last. */
GOS_API const char *gos_linear_method(int i, const char **doc);

#ifdef __cplusplus
}
#endif
#endif
