/* Error estimator: comparison with a richer reduced model (reference) and a bound of the
   reference's own error (theory 3.4). For a Galerkin model with residuals rho = B - P V x, rho*
   = Y^T - P^T V y exactly H - H_r = rho*^T P^-1 rho, so |H - H_r| <= |rho*|_G |rho|_G / d in the
   norms of G^-1, where 1/d bounds P^-1. */
#ifndef GOS_REDUCE_ESTIMATOR_H
#define GOS_REDUCE_ESTIMATOR_H

#include "linear_reduction/reduce.h"

typedef struct gos_estimator gos_estimator;

/** Reference for a band from the modes up to slightly above it, `seed` (may be NULL) and
 *  responses of the rest. Supports symmetric models of displacements only, with Rayleigh or
 *  modal damping, and of temperatures only. *estimator is NULL, without a message, for others
 *  and if too large. @return GOS_E_MEMORY, GOS_E_INTERRUPTED. */
gos_status gos__estimator_create(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                 const gos_space *seed, gos_estimator **estimator);
void gos__estimator_destroy(gos_estimator *e);
/** Reference model, borrowed until the next refinement. */
const gos_linear *gos__estimator_model(const gos_estimator *e);
/** Add vectors to the reference; *more false: none are left. */
gos_status gos__estimator_refine(gos_estimator *e, bool *more);

/* error estimate of a reduced model on the band, from gos__estimator_compare */
typedef struct gos_estimate {
    gos_band_error error;   // difference from the reference
    double reference_error; // bound of |H - H_ref| relative to the largest |H| [-]
    double bound; // bound of |H - H_r| relative to the largest |H|, including round-off [-]
} gos_estimate;
/** Compare with the reference; reduced NULL: only its own error. */
gos_status gos__estimator_compare(gos_estimator *e, const gos_linear *reduced,
                                  gos_estimate *estimate);
/** Only the difference from the reference (cheaper). */
gos_status gos__estimator_difference(gos_estimator *e, const gos_linear *reduced,
                                     gos_band_error *error);
/** Refine until the reference error is at most `share` of the error of `reduced` (NULL: of
 *  `size`); *settled: reached. */
gos_status gos__estimator_bound(gos_estimator *e, const gos_linear *reduced, double share,
                                double size, gos_estimate *estimate, bool *settled);

/** Error of an inexact first model of a comparison. */
typedef struct gos_reference_error {
    // bound of |H - H_1| at omega, negative: out of memory; *rounding (initially 0): round-off of H
    double (*at)(void *user, double omega, double *rounding);
    void *user;
    double worst; // largest bound, without round-off
    double bound; // largest sum of bound, round-off and difference
    double least; // lower bound of the largest response
} gos_reference_error;
/** gos_linear_band_error for a first model with an error (NULL: none). */
gos_status gos__band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                           double lo, double hi, gos_reference_error *reference_error,
                           gos_band_error *error);

#endif
