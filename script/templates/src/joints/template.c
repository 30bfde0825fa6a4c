/* template: say in a line what stays together and what is free, then the rows and their source.
   The skeleton holds two points together, x_A - x_B = 0. */
#include "joints/joint.h"
#include "joints/joints.h"

/* keys of its own: a struct that begins with a gos_joint_def, as in universal.c */
static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [ground, rod.start]"),
    GOS_JOINT_AT,
    GOS_JOINT_TEMPERATURE,
    GOS_JOINT_GRADIENTS,
    {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    GOS_TRY(gos__joint_ends(&j, &def));
    // three vector rows; gos__joint_vector adds others, gos__joint_dot adds x_p . (x_i - x_k) =
    // value on markers from gos__joint_direction. A joint of another form has its own
    // gos_item_type, as driven.c.
    gos__joint_meet(&j);
    GOS_TRY(gos__joint_temperature(&j, &def));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_template = {.section = "joints",
                                      .name = "template",
                                      .doc = "one line for the reference",
                                      .params = params,
                                      .size = sizeof(gos_joint_def),
                                      .example =
                                          "pin: {type: template, between: [ground, rod.start]}",
                                      .ops = &ops};
