/* Files with the same bytes for the same input. */
#ifndef GOS_REPRODUCIBLE_H
#define GOS_REPRODUCIBLE_H

#include <stdbool.h>
#include <stdlib.h>

/** Is SOURCE_DATE_EPOCH set (reproducible-builds.org)? Then files have no wall times and no random
 * identity, and are not written at moments that depend on the clock. */
static inline bool gos__reproducible(void) {
    return getenv("SOURCE_DATE_EPOCH") != NULL;
}

#endif
