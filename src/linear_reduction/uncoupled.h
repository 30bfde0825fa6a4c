/* Responses of symmetric models that are undamped or modally damped. */
#ifndef GOS_REDUCE_UNCOUPLED_H
#define GOS_REDUCE_UNCOUPLED_H

#include "linear_reduction/poles.h"

typedef struct gos_uncoupled gos_uncoupled;

/** *u NULL: the model is not of this kind, or too large. */
gos_status gos__uncoupled_create(gos_ctx *ctx, const gos_linear *l, gos_uncoupled **u);
void gos__uncoupled_destroy(gos_uncoupled *u);
/** H (ny, nu) at s = i omega. @return GOS_E_SINGULAR, without a message, at a pole. */
gos_status gos__uncoupled_at(const gos_uncoupled *u, double omega, gos_complex *H);
/** One pole per mode, with non-negative imaginary part, without residues. */
gos_status gos__uncoupled_poles(const gos_uncoupled *u, gos_poles *poles);

#endif
