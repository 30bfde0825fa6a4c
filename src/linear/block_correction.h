/* Corrections of many roots at once from one real factorisation (block_correction.c). */
#ifndef GOS_BLOCK_CORRECTION_H
#define GOS_BLOCK_CORRECTION_H

#include "linear/quadratic.h"

typedef struct gos_block_correction gos_block_correction;

/** Whether the corrections apply: symmetric matrices, no unstable mode, light damping. The
 * projection is solved. */
bool gos__block_correction_applies(const gos_quadratic *q, int count, const gos_target *list);
/** Factorise for the basis at hand. */
gos_status gos__block_correction_begin(gos_quadratic *q);
void gos__block_correction_free(gos_quadratic *q);
/** Check the roots that are not settled; *worst is the largest error, *added directions were added
 * for them. */
gos_status gos__block_correction_run(gos_quadratic *q, int count, gos_target *list, double *worst,
                                     int *added);

#endif
