#ifndef GOS_REDUCE_CORRECT_H
#define GOS_REDUCE_CORRECT_H

#include "linear_reduction/reduce.h"

/** Reject unsupported numbers of modes and models. */
gos_status gos__correct_check(gos_ctx *ctx, const gos_linear *l, int n);
/** Replace out's model and right basis by those of gos_linear_correct; the old basis becomes the
 *  left one. Invalidates error estimates. */
gos_status gos__reduce_correct(gos_ctx *ctx, const gos_linear *full, int modes,
                               gos_linear_reduction *out);

#endif
