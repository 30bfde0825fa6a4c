/* Bases of modes, shared by the methods that begin with them. */
#ifndef GOS_REDUCE_MODAL_H
#define GOS_REDUCE_MODAL_H

#include "linear_reduction/reduce.h"

/** Add the `count` modes of highest rank to the basis of displacements, and the slowest temperature
 *  fields to that of temperatures, as many as there are at most. Modes of displacements alone are
 * found with the factorisation of the pencil where that is at 0 and nothing lies below, and are not
 * counted then. */
gos_status gos__add_modes(gos_reduce_task *t, int count);
/** One of the two alone. */
gos_status gos__add_displacement_modes(gos_reduce_task *t, int count);
gos_status gos__add_temperature_modes(gos_reduce_task *t, int count);

#endif
