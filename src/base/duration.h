/* Announcement of long computations. */
#ifndef GOS_DURATION_H
#define GOS_DURATION_H

#include "base/base.h"

/** Report the estimated duration of the following computation if it exceeds a few seconds.
 * @return GOS_E_INTERRUPTED if the progress function requests it */
gos_status gos__announce_duration(gos_ctx *ctx, double seconds, const char *text);

#endif
