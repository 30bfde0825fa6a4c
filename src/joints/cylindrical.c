/* Cylindrical joint (theory guide 3.2): the second place slides along a line that turns with the
   first and turns about it. With the axis w, n1, n2 across it in the first place (A) and w' in the
   second (B) n1 . (x_B - x_A) = n2 . (x_B - x_A) = 0,   n1 . w' = n2 . w' = 0 4 equations */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("what carries the axis (ground, a rigid body), then what slides and turns, "
                      "e.g. [ground, slider.centre]; both points are on the axis, not necessarily "
                      "together"),
    GOS_JOINT_AXIS("direction of the axis at t = 0, global axes"),
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
    GOS_TRY(gos__joint_slide(&j, "slide", def.axis));
    GOS_TRY(gos__joint_turn(&j, &def, "angle", def.axis));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_cylindrical = {
    .section = "joints",
    .name = "cylindrical",
    .doc = "one place slides along an axis of the other and turns about it (4 equations); its "
           "coordinates are `slide` and `angle`, reactions count about the second place "
           "(about the first where the second is the ground)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "sleeve: {type: cylindrical, between: [ground, slider.centre], axis: [1, 0, 0]}",
    .ops = &ops};
