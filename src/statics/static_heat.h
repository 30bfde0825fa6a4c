/* Uniqueness of steady temperatures. */
#ifndef GOS_STATIC_HEAT_H
#define GOS_STATIC_HEAT_H

#include "system/system.h"

/** Check that each part has a prescribed temperature or exchanges heat. w->values is the Newton
 * matrix (factors ck, lamT = 1). @return GOS_E_SINGULAR, with the name of a body without either */
gos_status gos__static_heat(gos_ctx *ctx, const gos_work *w);

#endif
