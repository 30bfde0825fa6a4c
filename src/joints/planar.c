/* Planar joint (theory guide 3.2): the second body (B, primed) moves in a plane with normal w fixed
   in the first (A) and rotates about w only; 3 equations:
       w . (x_B - x_A) = 0,   n1 . w' = n2 . w' = 0,   n1, n2 normal to w */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the body that carries the plane (ground, a rigid body), then the one that moves in it, "
        "e.g. [ground, slider.centre]; both points lie in the plane and need not coincide"),
    {.name = "normal",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(gos_joint_def, axis),
     .doc = "normal of the plane at t = 0, global axes"},
    GOS_JOINT_AT,
    {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    double n[2][3];
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    gos__normals3(def.axis, n[0], n[1]);
    GOS_TRY(gos__joint_on_plane(&j, &def));
    GOS_TRY(gos__joint_parallel(&j, def.axis, false));
    GOS_TRY(gos__joint_slide(&j, "x", n[0]));
    GOS_TRY(gos__joint_slide(&j, "y", n[1]));
    GOS_TRY(gos__joint_turn(&j, &def, "angle", def.axis));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_planar = {
    .section = "joints",
    .name = "planar",
    .doc = "one body moves in a plane of the other and rotates about its normal (3 equations); "
           "coordinates: `x`, `y` (along the joint's axes) and `angle`; reactions refer to the "
           "second point (to the first if the second is the ground)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "table: {type: planar, between: [ground, slider.centre], normal: [0, 0, 1]}",
    .ops = &ops};
