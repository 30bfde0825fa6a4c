/* Whether steady heat has one solution. */
#ifndef GOS_STATIC_HEAT_H
#define GOS_STATIC_HEAT_H

#include "system/system.h"

/** Does anything say how warm each part is: a prescribed temperature, a film, radiation? w->values
 * is the Newton matrix (factors ck, lamT = 1).
 *  @return GOS_E_SINGULAR, recorded with the name of a body that could as well be warmer */
gos_status gos__static_heat(gos_ctx *ctx, const gos_work *w);

#endif
