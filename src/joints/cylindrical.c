/* Cylindrical joint (theory guide 3.2): sliding along and rotation about an axis w with normals n1,
   n2 of the first body (A), w' in the second (B); 4 equations:
       n1 . (x_B - x_A) = n2 . (x_B - x_A) = 0,   n1 . w' = n2 . w' = 0 */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the body that carries the axis (ground, a rigid body), then the one that slides and "
        "rotates, e.g. [ground, slider.centre]; both points lie on the axis and need not coincide"),
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
    .doc = "one body slides along an axis of the other and rotates about it (4 equations); "
           "coordinates: `slide` and `angle`; reactions refer to the second point (to the first if "
           "the second is the ground)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "sleeve: {type: cylindrical, between: [ground, slider.centre], axis: [1, 0, 0]}",
    .ops = &ops};
