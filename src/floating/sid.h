/* Flexible bodies of standard input data (flex/sid.h) in their floating frame. */
#ifndef GOS_BODY_SID_H
#define GOS_BODY_SID_H

#include "flex/sid.h"
#include "parts/parts.h"

extern const gos_type gos__body_sid;

/** The data that a body was read from, where it is still what they say (not reduced, without
 * further damping); else, and of bodies of other types, NULL. */
const gos_sid *gos__sid_body_data(const gos_body *body);
/** Number of a node in its file; of bodies of other types, from 1. */
int gos__sid_body_number(const gos_body *body, int node);

#endif
