/* Round-off of responses, which dominates where inputs hardly reach outputs. */
#ifndef GOS_REDUCE_ROUNDING_H
#define GOS_REDUCE_ROUNDING_H

#include <float.h>

#include "linear_reduction/reduce.h"

typedef struct gos_rounding {
    gos_ctx *ctx;
    gos_sparse diagonal[2][3]; // per power of P on the bases: right and left
} gos_rounding;

/** For responses of `l`, or of its reduction `r` (NULL: none), with the round-off of l. */
gos_status gos__rounding_begin(gos_ctx *ctx, const gos_linear *l, const gos_linear_reduction *r,
                               gos_rounding *rounding);
void gos__rounding_end(gos_rounding *rounding);
/** H (ny, nu) at s, and solution norms in (fields, nu), out (fields, ny) for gos__rounding_of.
 *  @return GOS_E_SINGULAR at a pole, without a message. */
gos_status gos__rounding_response(const gos_rounding *rounding, gos_reduce_pencil *p, gos_complex s,
                                  gos_complex *H, double *in, double *out);
static inline double gos__rounding_of(const double *in, const double *out) {
    double sum = 0;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        sum += DBL_EPSILON * in[f] * out[f];
    }
    return sum;
}

#endif
