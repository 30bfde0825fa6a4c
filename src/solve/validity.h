/* The observer of runs of systems with bodies whose equations hold for a range of states
 * (gos_body_ops.range). */
#ifndef GOS_VALIDITY_H
#define GOS_VALIDITY_H

#include "solve/observer.h"

/** It, or NULL: the system has no such body. */
const gos_observer *gos__range_observer(const gos_system *sys);

#endif
