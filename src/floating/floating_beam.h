#ifndef GOS_FLOATING_BEAM_H
#define GOS_FLOATING_BEAM_H

#include "model/model.h"

extern const gos_type gos__body_floating_beam;

#endif
