/* Error estimator of reduced models: a richer reduced model, the reference, that others are
   compared with, and a bound of its own distance from the full one (theory 3.4). With the residuals
   rho = B - P V x and rho* = Y^T - P^T V y of a Galerkin model, H - H_r = rho*^T P^-1 rho exactly,
   so that    |H - H_r| <= |rho*|_G |rho|_G / d in the norms of G^-1, where 1/d bounds P^-1 in the
   same norms. */
#ifndef GOS_REDUCE_ESTIMATOR_H
#define GOS_REDUCE_ESTIMATOR_H

#include "linear_reduction/reduce.h"

typedef struct gos_estimator gos_estimator;

/** A reference for a band of angular frequencies, made of the modes below and a little above it,
 * the vectors of `seed` (may be NULL) and responses of the rest. It exists for models of
 * displacements alone with symmetric matrices and a damping that is Rayleigh's or does not couple
 * those modes, and for symmetric models of temperatures alone. *estimator is NULL, without a
 * record, for others, and where it would need too many modes or too much memory. @return
 * GOS_E_MEMORY, GOS_E_INTERRUPTED. */
gos_status gos__estimator_create(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                 const gos_space *seed, gos_estimator **estimator);
void gos__estimator_destroy(gos_estimator *e);
/** Its reference model, borrowed until it is refined. */
const gos_linear *gos__estimator_model(const gos_estimator *e);
/** Add vectors to the reference; *more false: there are no more to be had. */
gos_status gos__estimator_refine(gos_estimator *e, bool *more);

/* what is known of the error of a reduced model on the band; filled by gos__estimator_compare */
typedef struct gos_estimate {
    gos_band_error error;   // the difference to the reference
    double reference_error; // largest |H - H_ref| there can be, relative to the largest |H| [-]
    double bound;           // largest |H - H_r| there can be, relative to the largest |H|, with the
                            // rounding of H [-]
} gos_estimate;
/** Compare with the reference; reduced NULL: only its own error. */
gos_status gos__estimator_compare(gos_estimator *e, const gos_linear *reduced,
                                  gos_estimate *estimate);
/** Only the difference to the reference, which is cheaper. */
gos_status gos__estimator_difference(gos_estimator *e, const gos_linear *reduced,
                                     gos_band_error *error);
/** Refine until the error of the reference is at most `share` of what is found for `reduced` (NULL:
 * of `size`), or nothing more can be done: *settled false. */
gos_status gos__estimator_settle(gos_estimator *e, const gos_linear *reduced, double share,
                                 double size, gos_estimate *estimate, bool *settled);

/** A comparison whose first model is not exact: its error at an angular frequency, and what was
 * found. */
typedef struct gos_reference_error {
    // |H - H_1| at most, negative: out of memory; *rounding (0 before): of H itself, as it is
    // computed
    double (*at)(void *user, double omega, double *rounding);
    void *user;
    double worst; // largest found, without rounding
    double bound; // largest sum of it, its rounding and the difference
    double least; // the largest response is at least this
} gos_reference_error;
/** gos_linear_band_error where the first model has an error of its own (NULL: none). */
gos_status gos__band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                           double lo, double hi, gos_reference_error *reference_error,
                           gos_band_error *error);

#endif
