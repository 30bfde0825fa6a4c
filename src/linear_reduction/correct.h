/* Correction of a reduced model by truncated modes that follow it. */
#ifndef GOS_REDUCE_CORRECT_H
#define GOS_REDUCE_CORRECT_H

#include "linear_reduction/reduce.h"

/** Refuse a number of modes, or a model, that correction is not for. */
gos_status gos__correct_check(gos_ctx *ctx, const gos_linear *l, int n);
/** Put the model of gos_linear_correct in place of out's, and its basis, of which the first columns
 * have lost their part along the modes; the old basis stays as the left one. Errors are to be
 * predicted anew. */
gos_status gos__reduce_correct(gos_ctx *ctx, const gos_linear *full, int modes,
                               gos_linear_reduction *out);

#endif
