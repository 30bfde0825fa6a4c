/* Registration of joint types. */
#ifndef GOS_JOINTS_H
#define GOS_JOINTS_H

#include "parts/builder.h"

#define GOS_JOINT_TYPES(X)                                                                         \
    X(spherical)                                                                                   \
    X(revolute)                                                                                    \
    X(universal)                                                                                   \
    X(cylindrical)                                                                                 \
    X(prismatic)                                                                                   \
    X(planar)                                                                                      \
    X(screw)                                                                                       \
    X(gear)                                                                                        \
    X(bushing)                                                                                     \
    X(clamp)                                                                                       \
    X(tie)                                                                                         \
    X(point_on_line)                                                                               \
    X(point_on_plane)                                                                              \
    X(roller)                                                                                      \
    X(driven)                                                                                      \
    X(driven_rotation)                                                                             \
    X(motor)

#define X(name) extern const gos_type gos__joint_##name;
GOS_JOINT_TYPES(X)
#undef X

#endif
