/* Constraints that cannot be: not closed at t = 0, or saying the same twice. */
#ifndef GOS_REDUNDANT_H
#define GOS_REDUNDANT_H

#include "system/system.h"

/** Check that constraints hold at t = 0 and that their rows are independent; each joint at fault is
 * an error with its place. */
gos_status gos__redundant_check(gos_ctx *ctx, gos_system *s);

#endif
