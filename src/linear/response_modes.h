#ifndef GOS_RESPONSE_MODES_H
#define GOS_RESPONSE_MODES_H

#include "linear/linear.h"

/** Static shapes u (coordinates, n) under n temperature fields (temperatures, n): K u = -G
 *  field, C u = 0. @return GOS_E_SINGULAR with a message for free motions. */
gos_status gos__linear_response_modes(gos_ctx *ctx, const gos_linear *linear, int n,
                                      const double *fields, double *u);
/** The same without the part in shapes V (coordinates, m; independent): V^T K u = 0. */
gos_status gos__linear_dependent_modes(gos_ctx *ctx, const gos_linear *linear, int m,
                                       const double *V, int n, const double *fields, double *u);

#endif
