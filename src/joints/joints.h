/* The joint types. */
#ifndef GOS_JOINTS_H
#define GOS_JOINTS_H

#include "parts/parts.h"

extern const gos_type gos__joint_spherical;
extern const gos_type gos__joint_revolute;
extern const gos_type gos__joint_clamp;
extern const gos_type gos__joint_tie;
extern const gos_type gos__joint_point_on_line;
extern const gos_type gos__joint_point_on_plane;
extern const gos_type gos__joint_roller;
extern const gos_type gos__joint_driven;
extern const gos_type gos__joint_driven_rotation;

#endif
