/* Notes: messages for the end of a run that are not warnings. Progress of nested contexts. */
#ifndef GOS_NOTE_H
#define GOS_NOTE_H

#include "base/base.h"

/** Record a note: a message with status GOS_OK and count 0. */
void gos__note(gos_ctx *ctx, const char *object, const char *text);

/** Let a context that works for `ctx` (gos__ctx_quiet) report progress and be interrupted as
 * `ctx`. */
void gos__progress_follow(gos_ctx *quiet, const gos_ctx *ctx);
/** Would gos__progress call back now? Check before formatting its text in a loop. */
bool gos__progress_due(const gos_ctx *ctx);

#endif
