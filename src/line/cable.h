/* Body type ancf_cable. */
#ifndef GOS_CABLE_H
#define GOS_CABLE_H

#include "parts/parts.h"

extern const gos_type gos__body_cable;

#endif
