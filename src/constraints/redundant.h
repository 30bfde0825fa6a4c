/* Detection of violated and redundant constraints at t = 0. */
#ifndef GOS_REDUNDANT_H
#define GOS_REDUNDANT_H

#include "system/system.h"

/** Check that constraints are satisfied and independent at t = 0; reports each faulty joint at its
 * location. */
gos_status gos__redundant_check(gos_ctx *ctx, gos_system *s);

/** Drop redundant rows of joints at ends of edges and renumber rows. Completely redundant joints
 * keep theirs and are rejected later. */
gos_status gos__shared_rows_drop(gos_builder *b);

#endif
