/* Notes: what a user is told at the end of a run that is no warning. And progress of what is done
 * in a context of its own. */
#ifndef GOS_NOTE_H
#define GOS_NOTE_H

#include "base/base.h"

/** Record a note: a message with status GOS_OK and count 0. */
void gos__note(gos_ctx *ctx, const char *object, const char *text);

/** Let a context that works for `ctx` (gos__ctx_quiet) report its progress, and be asked to stop,
 * as `ctx` does. */
void gos__progress_follow(gos_ctx *quiet, const gos_ctx *ctx);
/** Would gos__progress call back now? Whoever makes its text anew in each of many steps asks
 * first. */
bool gos__progress_due(const gos_ctx *ctx);

#endif
