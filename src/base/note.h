/* Notes: what a user is told at the end of a run that is no warning. */
#ifndef GOS_NOTE_H
#define GOS_NOTE_H

#include "base/base.h"

/** Record a note: a message with status GOS_OK and count 0. */
void gos__note(gos_ctx *ctx, const char *object, const char *text);

#endif
