/* Tie of two cable points: x_A - x_B = 0 and, if smooth, equal slopes (theory guide 3.2). Linear.
   Two cables starting at the same point have opposite slopes, hence the sign. */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two tied points, e.g. [left.end, right.start]"),
    {.name = "smooth",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "false",
     .offset = offsetof(gos_joint_def, smooth),
     .doc = "true: equal slopes too, as in one continuous cable (6 equations)"},
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
    for (int s = 0; s < 2; ++s) {
        if (!j.end[s].location.body || j.end[s].location.whole) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, j.end[s].loc, object,
                                "a tie joins points of two bodies, not '%s'; use a spherical "
                                "joint or a clamp",
                                j.end[s].text);
        }
    }
    gos__joint_meet(&j);
    if (def.smooth) {
        GOS_TRY(gos__joint_equal_slopes(&j));
    }
    GOS_TRY(gos__joint_temperature(&j, &def));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_tie = {
    .section = "joints",
    .name = "tie",
    .doc = "ties two points of bodies, optionally with equal slopes (3 or 6 equations)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "weld: {type: tie, between: [left.end, right.start], smooth: true}",
    .ops = &ops};
