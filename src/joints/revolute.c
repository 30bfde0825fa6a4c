/* Revolute joint (theory guide 3.2): coincident points and a common axis (axes.c), 5 equations; 4
   with a cable, whose slope stays normal to the axis. */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [ground, rod.start]: rigid bodies, the "
                      "ground, beams with the axis along or across them, plates with the axis in "
                      "or normal to their plane; one may be a cable normal to the axis"),
    GOS_JOINT_AXIS("axis of rotation at t = 0, global axes; normal to a cable"),
    GOS_JOINT_AT,
    {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    GOS_TRY(gos__joint_ends(&j, &def));
    gos__joint_meet(&j);
    memcpy(j.sides.axis, def.axis, sizeof j.sides.axis);
    GOS_TRY(gos__joint_parallel(&j, def.axis, true));
    GOS_TRY(gos__joint_turn(&j, &def, "angle", def.axis));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_revolute = {
    .section = "joints",
    .name = "revolute",
    .doc = "hinge: coincident points, free rotation about one axis (5 equations; 4 for a cable, "
           "which has no twist); coordinate: `angle`",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "hinge: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}",
    .ops = &ops};
