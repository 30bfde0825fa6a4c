/* Responses of one model at many frequencies: from its modes, where they are uncoupled; of small
   models, and dense ones of some size, from their poles and residues. Both cost next to nothing at
   each. Others by a factorisation each, which is remembered: a model that is compared with many is
   asked for the same frequencies again and again. */
#ifndef GOS_FREQUENCY_RESPONSE_H
#define GOS_FREQUENCY_RESPONSE_H

#include "gossamer/reduce_linear.h"
#include "linear_reduction/uncoupled.h"

typedef struct gos_responder {
    gos_reduce_pencil *pencil;
    gos_uncoupled *modes;            // NULL: none
    gos_poles poles;                 // n = 0: none
    bool off_axis;                   // they are, so that they can give the response,
    bool by_poles;                   // and do; set false to have it by factorisations
    bool dense;                      // these are by LAPACK
    gos_complex *P;                  // scratch for them (n, n)
    int *pivot;                      // (n)
    int nkept, cap_kept, cap_values; // responses by factorisations that are kept, room
    double *kept;                    // their frequencies (nkept)
    gos_complex *value;              // and values (ny, nu, nkept)
} gos_responder;

gos_status gos__responder_begin(gos_ctx *ctx, const gos_linear *l, gos_responder *r);
void gos__responder_end(gos_ctx *ctx, gos_responder *r);
/** H (ny, nu) at s = i omega. @return GOS_E_SINGULAR, without a record, on a pole. */
gos_status gos__responder_at(gos_responder *r, double omega, gos_complex *H);
/** The same by a factorisation, of now or before, or from modes where there are any. */
gos_status gos__responder_factored(gos_responder *r, double omega, gos_complex *H);
struct gos_reference_error;
/** gos_linear_band_error of a full model that is compared with many; inputs and outputs agree, and
 * the band is not empty. Peaks of differences below `negligible` of the largest response are not
 * resolved. reference_error (estimator.h) may be NULL. Where the difference has its highest peaks:
 * frequencies, highest first, *n at most; *n are found (error.c). */
gos_status gos__band_responses(gos_ctx *ctx, gos_responder *full, const gos_linear *reduced,
                               const double band[2], double negligible,
                               struct gos_reference_error *reference_error, gos_band_error *error,
                               int *n, double *peak);

#endif
