/* Where joints along edges of plates share a node. */
#ifndef GOS_SHARED_ROWS_H
#define GOS_SHARED_ROWS_H

#include "parts/parts.h"

/** Drop what a joint says at the end of an edge when others have said it there, and number rows
 * anew. Joints that would say nothing at all keep their rows, and are refused later. */
gos_status gos__shared_rows_drop(gos_builder *b);

#endif
