/* Structures by vibration modes of other programs. */
#ifndef GOS_MODAL_H
#define GOS_MODAL_H

#include "parts/parts.h"

extern const gos_type gos__body_modal, gos__body_modal_shell;

#endif
