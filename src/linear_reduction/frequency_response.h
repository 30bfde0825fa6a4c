/* Responses of one model at many frequencies: from uncoupled modes, from poles and residues
   (dense models), or by factorisations, which are stored for repeated comparisons. */
#ifndef GOS_FREQUENCY_RESPONSE_H
#define GOS_FREQUENCY_RESPONSE_H

#include "gossamer/reduce_linear.h"
#include "linear_reduction/uncoupled.h"

typedef struct gos_responder {
    gos_reduce_pencil *pencil;
    gos_uncoupled *modes;            // NULL: none
    gos_poles poles;                 // n = 0: none
    bool off_axis;                   // poles are off the imaginary axis and usable,
    bool by_poles;                   // and used; false: factorisations
    bool dense;                      // factorise by LAPACK
    gos_complex *P;                  // scratch (n, n)
    int *pivot;                      // (n)
    int nkept, cap_kept, cap_values; // stored responses, capacities
    double *kept;                    // their frequencies (nkept)
    gos_complex *value;              // their values (ny, nu, nkept)
} gos_responder;

gos_status gos__responder_begin(gos_ctx *ctx, const gos_linear *l, gos_responder *r);
void gos__responder_end(gos_ctx *ctx, gos_responder *r);
/** H (ny, nu) at s = i omega. @return GOS_E_SINGULAR, without a message, at a pole. */
gos_status gos__responder_at(gos_responder *r, double omega, gos_complex *H);
/** The same by a new or stored factorisation, or from modes. */
gos_status gos__responder_factored(gos_responder *r, double omega, gos_complex *H);
struct gos_reference_error;
/** gos_linear_band_error with a reusable full model; requires equal ports and a non-empty band.
 *  Peaks of differences below `negligible` of the largest response are not resolved.
 *  reference_error may be NULL. peak: frequencies of the largest differences, descending; *n:
 *  capacity, then number. */
gos_status gos__band_responses(gos_ctx *ctx, gos_responder *full, const gos_linear *reduced,
                               const double band[2], double negligible,
                               struct gos_reference_error *reference_error, gos_band_error *error,
                               int *n, double *peak);

#endif
