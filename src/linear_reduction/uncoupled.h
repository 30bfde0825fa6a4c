/* Responses of models whose modes do not know of each other: symmetric ones without damping, or
   with one that is diagonal in the modes. */
#ifndef GOS_REDUCE_UNCOUPLED_H
#define GOS_REDUCE_UNCOUPLED_H

#include "linear_reduction/poles.h"

typedef struct gos_uncoupled gos_uncoupled;

/** *u: NULL where a model is none of these, or so large that its modes cost more than
 * factorisations. */
gos_status gos__uncoupled_create(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u);
void gos__uncoupled_destroy(gos_uncoupled *u);
/** H (ny, nu) at s = i omega. @return GOS_E_SINGULAR, without a record, on a pole. */
gos_status gos__uncoupled_at(const gos_uncoupled *u, double omega, gos_complex *H);
/** One pole of each mode, that with the imaginary part that is not negative, without residues. */
gos_status gos__uncoupled_poles(const gos_uncoupled *u, gos_poles *poles);

#endif
