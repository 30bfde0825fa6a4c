/* A richer reduced model that others are compared with, and a proof of how far it can be from the full one
   (theory 3.4). With the residuals rho = B - P V x and rho* = Y^T - P^T V y of a Galerkin model,
       H - H_r = rho*^T P^-1 rho    exactly, so that    |H - H_r| <= |rho*|_G |rho|_G / d
   in the norms of G^-1, where 1/d bounds P^-1 in the same norms. */
#ifndef GOS_REDUCE_JUDGE_H
#define GOS_REDUCE_JUDGE_H

#include "linear_reduction/reduce.h"

typedef struct gos_judge gos_judge;

/** A richer model for a band of angular frequencies, made of the modes below and a little above it, the
 *  vectors of `seed` (may be NULL) and responses of the rest. It exists for models of displacements alone
 *  with symmetric matrices and a damping that is Rayleigh's or does not couple those modes, and for
 *  symmetric models of temperatures alone. *judge is NULL, without a record, for others, and where it
 *  would need too many modes or too much memory. @return GOS_E_MEMORY, GOS_E_INTERRUPTED. */
gos_status gos__judge_create(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                             const gos_space *seed, gos_judge **judge);
void gos__judge_destroy(gos_judge *j);
/** Its model, borrowed until more vectors come. */
const gos_linear *gos__judge_model(const gos_judge *j);
/** More vectors; *more false: there are no more to be had. */
gos_status gos__judge_refine(gos_judge *j, bool *more);

/* what a judge says about a model, on the band */
typedef struct gos_verdict {
    gos_band_error error; // the difference to the judge
    double doubt;         // largest |H - H_judge| there can be, relative to the largest |H| [-]
    double bound;         // largest |H - H_r| there can be, relative to the largest |H|, with the
                          // rounding of H [-]
} gos_verdict;
/** Compare; reduced NULL: only the doubt. */
gos_status gos__judge_compare(gos_judge *j, const gos_linear *reduced, gos_verdict *verdict);
/** Only the difference to the judge, which is cheaper. */
gos_status gos__judge_difference(gos_judge *j, const gos_linear *reduced, gos_band_error *error);
/** Refine until the doubt is at most `share` of what is found for `reduced` (NULL: of `size`), or nothing
 *  more can be done: *settled false. */
gos_status gos__judge_settle(gos_judge *j, const gos_linear *reduced, double share, double size,
                             gos_verdict *verdict, bool *settled);

/** How far the first model of a comparison may be from the truth at an angular frequency. */
typedef struct gos_doubt {
    // |H - H_1| at most, negative: out of memory; *rounding (0 before): of H itself, as it is computed
    double (*at)(void *user, double omega, double *rounding);
    void *user;
    double worst; // largest found, without rounding
    double bound; // largest sum of it, its rounding and the difference
    double least; // the largest response is at least this
} gos_doubt;
/** gos_linear_band_error where the full model itself is in doubt (NULL: is not). */
gos_status gos__band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                           double lo, double hi, gos_doubt *doubt, gos_band_error *error);

#endif
