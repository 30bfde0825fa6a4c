/* The observer that every system made by reduction brings. */
#ifndef GOS_OBSERVE_H
#define GOS_OBSERVE_H

#include "solve/observer.h"

extern const gos_observer gos__rom_observer;

#endif
