/* Body type ancf_beam. */
#ifndef GOS_BEAM_H
#define GOS_BEAM_H

#include "parts/parts.h"

extern const gos_type gos__body_beam;

#endif
