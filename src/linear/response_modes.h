/* Deformations under temperature fields. */
#ifndef GOS_RESPONSE_MODES_H
#define GOS_RESPONSE_MODES_H

#include "linear/linear.h"

/** Shapes u (coordinates, n) in which the structure rests under n temperature fields (temperatures,
 * n): K u = -G field, C u = 0.
 *  @return GOS_E_SINGULAR with a record when it moves freely without deforming */
gos_status gos__linear_response_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                      const double *fields, double *u);
/** The same without what shapes V (coordinates, m; independent) take of it when they are at rest,
 * too: V^T K u = 0. */
gos_status gos__linear_slaved_modes(gos_ctx *ctx, const gos_linear *linear, int m, const double *V,
                                    int n, const double *fields, double *u);

#endif
