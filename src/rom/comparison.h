#ifndef GOS_ROM_COMPARISON_H
#define GOS_ROM_COMPARISON_H

#include "system/system.h"

/** Run the analysis with the full model and with this reduced one, unless its error is known; store
 *  their distance, costs and the training range in it. Numerical failures leave the error unknown.
 */
gos_status gos__rom_compare(gos_ctx *ctx, gos_system *reduced);

#endif
