/* Bases of modes. */
#ifndef GOS_REDUCE_MODAL_H
#define GOS_REDUCE_MODAL_H

#include "linear_reduction/reduce.h"

/** Add the `count` modes of highest rank and the slowest temperature fields to their bases, as
 *  far as available. Models of displacements only reuse a factorisation at 0 without lower
 *  modes, which is not counted. */
gos_status gos__add_modes(gos_reduce_task *t, int count);
/** Only one of the two. */
gos_status gos__add_displacement_modes(gos_reduce_task *t, int count);
gos_status gos__add_temperature_modes(gos_reduce_task *t, int count);

#endif
