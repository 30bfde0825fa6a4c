/* Singular positions of mechanisms: constraints that lose their independence along a motion. */
#ifndef GOS_SINGULAR_ROWS_H
#define GOS_SINGULAR_ROWS_H

#include "system/system.h"

/** The joint whose equations depend on those before it near a place x, while they do not at t = 0;
 * NULL: there is none, or it is not known. */
const gos_item *gos__singular_joint(gos_ctx *ctx, const gos_system *s, const gos_point_of *x);

#endif
