/* Universal joint (Hooke, Cardan; theory guide 3.2): coincident points, axis u of the first body
   normal to axis v of the second: x_A - x_B = 0, u . v = 0; 4 equations. The cross has no mass. */
#include "joints/joint.h"
#include "joints/joints.h"

typedef struct universal_def {
    gos_joint_def joint;
    double second[3]; // unit vector [-]
} universal_def;

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [shaft.end, fork.start]"),
    GOS_JOINT_AXIS("axis of the cross in the first body at t = 0, global axes"),
    {.name = "second_axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(universal_def, second),
     .doc = "axis of the cross in the second body at t = 0, global axes, normal to `axis`"},
    GOS_JOINT_AT,
    {0}};

/* angles of the cross about u and of the second body about v, if both bodies carry both axes */
static gos_status coordinates(gos_joint *j, const universal_def *def, int u, int v) {
    for (int s = 0; s < 2; ++s) {
        if (gos__rotating(&j->end[s].location) != GOS_TURN_FRAME) {
            return GOS_OK;
        }
    }
    gos_marker other[2]; // v in the first body, u in the second
    GOS_TRY(gos__direction(j->b, &j->end[0].location, def->second, j->end[0].loc, j->object,
                           &other[0]));
    GOS_TRY(gos__direction(j->b, &j->end[1].location, def->joint.axis, j->end[1].loc, j->object,
                           &other[1]));
    const gos_marker first[3] = {j->item.m[u], other[0], j->item.m[v]};
    const gos_marker second[3] = {j->item.m[v], j->item.m[u], other[1]};
    gos__joint_turn_of(j, "angle", first);
    gos__joint_turn_of(j, "second_angle", second);
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    universal_def def;
    int u, v;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def.joint));
    GOS_TRY(gos__joint_ends(&j, &def.joint));
    if (!(fabs(gos__dot3(def.joint.axis, def.second)) <= 1e-6)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "second_axis"), object,
            "second_axis must be normal to axis (the cosine of their angle is %.3g)",
            gos__dot3(def.joint.axis, def.second));
    }
    gos__joint_meet(&j);
    GOS_TRY(gos__joint_direction(&j, 0, def.joint.axis, &u));
    GOS_TRY(gos__joint_direction(&j, 1, def.second, &v));
    gos__joint_dot(&j, u, v, -1, 0.0);
    GOS_TRY(coordinates(&j, &def, u, v));
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_universal = {
    .section = "joints",
    .name = "universal",
    .doc = "Cardan joint: coincident points; an axis of one body stays normal to an axis of the "
           "other (4 equations); coordinates: `angle` and `second_angle` about them",
    .params = params,
    .size = sizeof(universal_def),
    .example = "cross: {type: universal, between: [ground, slider.centre], axis: [0, 1, 0], "
               "second_axis: [0, 0, 1]}",
    .ops = &ops};
