/* Warnings and notes as bytes, so that a resumed run continues the list of the interrupted one. */
#ifndef GOS_STORED_MESSAGES_H
#define GOS_STORED_MESSAGES_H

#include "base/base.h"

/** Write all warnings and notes of a context to `to` (room bytes; NULL, 0: nothing is written).
 * @return number of bytes needed, a multiple of 8 */
size_t gos__messages_put(const gos_ctx *ctx, char *to, size_t room);
/** Record stored messages (n bytes, may be damaged). A warning that was repeated meanwhile keeps
 * the stored text and count.
 * @return false: the bytes are invalid, messages before the first invalid one are recorded */
bool gos__messages_take(gos_ctx *ctx, const char *bytes, size_t n);

#endif
