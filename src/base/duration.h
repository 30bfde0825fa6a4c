/* Telling how long something will take before it begins. */
#ifndef GOS_DURATION_H
#define GOS_DURATION_H

#include "base/base.h"

/** Tell that what follows will take about so many seconds; of a few seconds nothing is told.
 *  @return GOS_E_INTERRUPTED when the progress function does not want to wait */
gos_status gos__foretell(gos_ctx *ctx, double seconds, const char *text);

#endif
