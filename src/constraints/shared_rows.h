/* Redundant rows where joints along edges of plates share a node. */
#ifndef GOS_SHARED_ROWS_H
#define GOS_SHARED_ROWS_H

#include "parts/parts.h"

/** Drop redundant rows of joints at ends of edges and renumber rows. Completely redundant joints
 * keep theirs and are rejected later. */
gos_status gos__shared_rows_drop(gos_builder *b);

#endif
