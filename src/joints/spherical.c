/* Spherical joint: coincident points, x_A - x_B = 0 (theory guide 3.2). Linear. */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [ground, rod.start]; an edge of a plate "
                      "(panel.edge.x0) means all its nodes"),
    GOS_JOINT_AT,
    GOS_JOINT_TEMPERATURE,
    GOS_JOINT_GRADIENTS,
    {0}};

static gos_status nothing_more(gos_joint *j, const gos_joint_def *def) {
    GOS_UNUSED(j);
    GOS_UNUSED(def);
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__joint_each(b, type, entry, object, false, nothing_more);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_spherical = {
    .section = "joints",
    .name = "spherical",
    .doc = "ball joint: coincident points, free rotations (3 equations)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "pin: {type: spherical, between: [ground, rod.start]}",
    .ops = &ops};
