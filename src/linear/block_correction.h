/* Simultaneous correction of roots with one real factorisation. */
#ifndef GOS_BLOCK_CORRECTION_H
#define GOS_BLOCK_CORRECTION_H

#include "linear/quadratic.h"

typedef struct gos_block_correction gos_block_correction;

/** True for symmetric matrices, no unstable mode and light damping. Requires a solved
 *  projection. */
bool gos__block_correction_applies(const gos_quadratic *q, int count, const gos_target *list);
/** Factorise for the current basis. */
gos_status gos__block_correction_begin(gos_quadratic *q);
void gos__block_correction_free(gos_quadratic *q);
/** Check unsettled roots; *worst: largest error, *added: new directions. */
gos_status gos__block_correction_run(gos_quadratic *q, int count, gos_target *list, double *worst,
                                     int *added);

#endif
