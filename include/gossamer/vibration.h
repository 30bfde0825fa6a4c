/* Gossamer: base drive, random vibration, jitter and shock. SPDX-License-Identifier: Apache-2.0
 *
 * Responses of linear models to an acceleration of their base, root mean squares under power
 * spectral densities, jitter by rotors, shock response spectra of accelerations. */
#ifndef GOSSAMER_VIBRATION_H
#define GOSSAMER_VIBRATION_H

#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- base drive */

/** A linear model on an accelerated base. Coordinates are relative to the base, in which M q'' + D
 * q' + K q = -M T a with the unit translation T. */
typedef struct gos_base gos_base;

/** Base is the ground (body NULL or "ground"), or the frame of a rigid or floating body that alone
 * carries the model, along axis 0, 1, 2 (x, y, z). The model is copied.
 * @return GOS_E_INPUT if rigid motions are unknown (matrices), there is no such body, or the model
 * is also connected to the ground */
GOS_API gos_status gos_base_create(gos_ctx *ctx, const gos_linear *linear, const char *body,
                                   int axis, gos_base **base);
GOS_API void gos_base_destroy(gos_base *base);
/** Number of outputs: those of the model, then the force of the base on the model along the axis.
 */
GOS_API int gos_base_noutputs(const gos_base *base);
/** Name and unit. Positions, displacements and velocities become absolute accelerations [m/s^2];
 * all others (forces, stresses, angles, relative displacements) keep their unit. */
GOS_API gos_port gos_base_output(const gos_base *base, int i);
/** The model in relative coordinates, input "base" [m/s^2]; borrowed. */
GOS_API const gos_linear *gos_base_linear(const gos_base *base);
/** Frequency response to a unit acceleration of the base at n angular frequencies [rad/s], (n,
 * outputs, 2): real and imaginary part. @return as gos_linear_response */
GOS_API gos_status gos_base_response(gos_ctx *ctx, const gos_base *base, int n, const double *omega,
                                     double *H);

/* ---- random vibration */

/* One-sided power spectral density: straight segments in log-log axes between n points with
 * ascending frequencies [Hz] and positive densities [unit^2/Hz]; zero outside. */
typedef struct gos_psd {
    int n;
    const double *frequency, *density;
} gos_psd;
/** Value at a frequency [Hz]. */
GOS_API double gos_psd_at(const gos_psd *psd, double frequency);
/** Mean square of the density over its band, exact. */
GOS_API double gos_psd_mean_square(const gos_psd *psd);

typedef struct gos_random {
    gos_ctx *ctx;       // that frees the arrays
    int outputs, n;     // points of the curves
    double *rms;        // root mean squares (outputs)
    double *crossings;  // zero crossings with positive slope per second (outputs) [Hz]
    double *error;      // estimated relative errors of rms (outputs)
    double *frequency;  // (n) ascending [Hz]
    double *density;    // (n, outputs) [unit^2/Hz]
    double *cumulative; // root mean squares up to each frequency (n, outputs)
} gos_random;
/** Response to a random acceleration of the base with the density [(m/s^2)^2/Hz]: integrals over
 * its band by adaptive quadrature (Gauss and Kronrod), refined about the 200 lowest modes, to 1e-8
 * of the mean squares. Free with gos_random_free.
 * @return GOS_E_INPUT for an invalid density, GOS_E_DIVERGED, GOS_E_SINGULAR (undamped mode) */
GOS_API gos_status gos_base_random(gos_ctx *ctx, const gos_base *base, const gos_psd *psd,
                                   gos_random *random);
GOS_API void gos_random_free(gos_random *random);

/* ---- jitter */

/* Harmonic of a rotor: amplitude coefficient * speed^2 of an input at the angular frequency order *
   speed. */
typedef struct gos_harmonic {
    int input;
    double order, coefficient;
} gos_harmonic;

typedef struct gos_jitter_options {
    int harmonics;
    const gos_harmonic *harmonic;
    int sights;
    const double *sight; // coefficients of the outputs (sights, outputs); NULL: sights are outputs
    double from, to;     // speeds [rad/s], 0 < from <= to
    int points;          // equal intervals between them, at least 1
    double window;       // exposure time [s]; 0: the mean is 0, jitter equals the whole motion
} gos_jitter_options;

typedef struct gos_jitter {
    gos_ctx *ctx;  // that frees the arrays
    int n, sights; // numbers of speeds, and of sights or outputs
    double *speed; // ascending: those of the intervals, and those that excite a mode (n) [rad/s]
    double *rms;   // root mean squares of all motion, of window means, of the rest (n, sights, 3)
    int *dominant; // index of the harmonic with the largest mean square (n, sights)
} gos_jitter;
/** Steady response of combinations of outputs to the harmonics of a rotor over its speed. Phases of
 * all harmonics, also of equal order, are taken as unrelated: mean squares add. An exposure splits
 * them: W = 2 (1 - cos wT) / (wT)^2 of each belongs to window means, 1 - W to the motion about them
 * (ECSS-E-HB-60-10A). The
 * speeds include those at which a harmonic meets one of the 200 lowest modes, so that no resonance
 * lies between two points. Free with gos_jitter_free.
 * @return GOS_E_USE for invalid numbers; errors of gos_linear_response and of modes */
GOS_API gos_status gos_jitter_response(gos_ctx *ctx, const gos_linear *linear,
                                       const gos_jitter_options *options, gos_jitter *jitter);
GOS_API void gos_jitter_free(gos_jitter *jitter);

/* ---- shock */

/** Shock response spectrum of an acceleration history a (n) at times 0, h, 2 h ... [s]: largest
 * magnitude of the absolute acceleration of a damped oscillator, during the history and after it,
 * for nf natural frequencies [Hz] and the quality factor q = 1 / (2 zeta) > 0.5. Exact for
 * histories that are linear between the times (Smallwood 1981).
 * @return GOS_E_USE for invalid numbers */
GOS_API gos_status gos_srs(gos_ctx *ctx, int n, double h, const double *a, double q, int nf,
                           const double *frequency, double *srs);

#ifdef __cplusplus
}
#endif
#endif
