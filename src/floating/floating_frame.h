#ifndef GOS_FLOATING_FRAME_H
#define GOS_FLOATING_FRAME_H

#include "model/model.h"

extern const gos_type gos__body_floating_frame;

#endif
