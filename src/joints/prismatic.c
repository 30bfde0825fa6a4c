/* Prismatic joint (theory guide 3.2): the second place slides along a line that turns with the
   first and does not turn against it. With the axis w, n1, n2 across it in the first place (A) and
   primes in the second (B) n1 . (x_B - x_A) = n2 . (x_B - x_A) = 0,   n1 . w' = n2 . w' = 0,   n2 .
   n1' = 0        5 equations */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("what carries the guide (ground, a rigid body), then what slides, e.g. "
                      "[ground, slider.centre]; both points are on the line, not necessarily "
                      "together"),
    GOS_JOINT_AXIS("direction of the line at t = 0, global axes"),
    GOS_JOINT_AT,
    {0}};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    GOS_TRY(gos__joint_on_line(&j, &def));
    GOS_TRY(gos__joint_parallel(&j, def.axis, false));
    GOS_TRY(gos__joint_no_turn(&j, def.axis));
    GOS_TRY(gos__joint_slide(&j, "slide", def.axis));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_prismatic = {
    .section = "joints",
    .name = "prismatic",
    .doc = "slider: one place slides along a line of the other and does not turn against it (5 "
           "equations); its coordinate is `slide`, reactions count about the second place "
           "(about the first where the second is the ground)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "rail: {type: prismatic, between: [ground, slider.centre], axis: [1, 0, 0]}",
    .ops = &ops};
