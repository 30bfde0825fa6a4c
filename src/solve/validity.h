/* Monitoring of bodies with a limited range of validity (gos_body_ops.range). */
#ifndef GOS_VALIDITY_H
#define GOS_VALIDITY_H

#include "solve/observer.h"

/** NULL: the system has no such body. */
const gos_observer *gos__range_observer(const gos_system *sys);

#endif
