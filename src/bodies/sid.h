/* Flexible bodies of standard input data (flex/sid.h) in their floating frame. */
#ifndef GOS_BODY_SID_H
#define GOS_BODY_SID_H

#include "parts/parts.h"

extern const gos_type gos__body_sid;

#endif
