/* What a reduced model does not promise, said wherever one is made, loaded or run. */
#ifndef GOS_ROM_LIMITS_H
#define GOS_ROM_LIMITS_H

#include "system/system.h"

/** Warn of a reduced model whose error is not known or beyond its tolerance, and of one that does
 * not pay; once in each context. Nothing for full models. The run's file has what its context
 * has. */
void gos__rom_promise(gos_ctx *ctx, const gos_system *sys);
/** Warn when choosing a reduced model took longer than a single run of it saves. For runs: a model
 * that is stored serves more than one. */
void gos__rom_warn_single_run(gos_ctx *ctx, const gos_system *sys);

#endif
