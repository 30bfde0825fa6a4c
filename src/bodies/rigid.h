/* The rigid body. */
#ifndef GOS_RIGID_H
#define GOS_RIGID_H

#include "parts/parts.h"

extern const gos_type gos__body_rigid;

#endif
