#ifndef GOS_BODY_SID_H
#define GOS_BODY_SID_H

#include "flex/sid.h"
#include "parts/marker.h"

extern const gos_type gos__body_sid;

/** Data of an unchanged body (not reduced, no added damping), else NULL. */
const gos_sid *gos__sid_body_data(const gos_body *body);
/** Node number in the file; of other body types, from 1. */
int gos__sid_body_number(const gos_body *body, int node);

#endif
