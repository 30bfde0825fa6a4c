/* Tracking of the files that a model reads. */
#ifndef GOS_SOURCE_FILES_H
#define GOS_SOURCE_FILES_H

#include "base/base.h"

/** From now on call `found` (NULL: none) for each file or folder located by gos__path_below, with
 * its absolute path without links, borrowed during the call. */
void gos__ctx_found(gos_ctx *ctx, void (*found)(void *user, const char *path), void *user);

#endif
