/* Singular positions of mechanisms, where constraints become dependent. */
#ifndef GOS_SINGULAR_ROWS_H
#define GOS_SINGULAR_ROWS_H

#include "system/system.h"

/** Joint whose constraints depend on earlier ones near x but not at t = 0; NULL: none or
 * unknown. */
const gos_item *gos__singular_joint(gos_ctx *ctx, const gos_system *s, const gos_point_of *x);

#endif
