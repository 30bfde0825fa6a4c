#ifndef GOS_ROM_LIMITS_H
#define GOS_ROM_LIMITS_H

#include "system/system.h"

/** Warn if the error of a reduced model is unknown or exceeds its tolerance, or if it saves no
 *  time; once per context, stored in results. No effect for full models. */
void gos__rom_limits(gos_ctx *ctx, const gos_system *sys);
/** Warn if the reduction took longer than a single run saves. */
void gos__rom_warn_single_run(gos_ctx *ctx, const gos_system *sys);

#endif
