/* Which files a model is read from. */
#ifndef GOS_SOURCE_FILES_H
#define GOS_SOURCE_FILES_H

#include "base/base.h"

/** From now on let `found` (NULL: nobody) hear of each file, or folder of files, that a model names
 * when gos__path_below finds it: its absolute path without links, borrowed during the call. */
void gos__ctx_found(gos_ctx *ctx, void (*found)(void *user, const char *path), void *user);

#endif
