#ifndef GOS_RUN_OBSERVER_H
#define GOS_RUN_OBSERVER_H

#include "solve/observer.h"

extern const gos_observer gos__rom_observer;

#endif
