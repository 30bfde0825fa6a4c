/* Revolute joint (theory guide 3.2): the points stay together, and with w the axis
       cable on a frame (ground or rigid body):  w . r_x = 0                       4 equations
       between two frames:  n1 . w' = n2 . w' = 0, n1, n2 normal to w in A, w' in B  5 equations */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two places, e.g. [ground, rod.start]; at least one is the ground or a "
                      "rigid body, which carries the axis"),
    GOS_JOINT_AXIS("axis of rotation at t = 0, global axes; normal to a cable"),
    GOS_JOINT_AT,
    {0}};

/* w . r_x = 0: the cable's end stays in the plane normal to the axis */
static gos_status cable_rows(gos_joint *j, int frame, const double w[3]) {
    int axis, slope;
    double t[3];
    GOS_TRY(gos__joint_direction(j, frame, w, &axis));
    GOS_TRY(gos__joint_tangent(j, 1 - frame, &slope, t));
    if (!(fabs(gos__dot3(w, t)) <= 1e-6 * gos__norm3(t))) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "axis"), j->object,
                            "axis is not normal to '%s', whose tangent is (%g, %g, %g) at t = 0; "
                            "turn the axis, or use a spherical joint",
                            j->end[1 - frame].text, t[0], t[1], t[2]);
    }
    gos__joint_dot(j, axis, slope, -1, 0.0);
    return GOS_OK;
}

/* normals of the axis turn with side `normals`, the axis with the other */
static gos_status frame_rows(gos_joint *j, int normals, const double w[3]) {
    double n[2][3];
    int normal[2], axis;
    gos__normals3(w, n[0], n[1]);
    GOS_TRY(gos__joint_direction(j, normals, n[0], &normal[0]));
    GOS_TRY(gos__joint_direction(j, normals, n[1], &normal[1]));
    GOS_TRY(gos__joint_direction(j, 1 - normals, w, &axis));
    gos__joint_dot(j, normal[0], axis, -1, 0.0);
    gos__joint_dot(j, normal[1], axis, -1, 0.0);
    return GOS_OK;
}

/* a beam has directions across its axis only: the hinge's axis may be one of them, or both its
   normals are */
static gos_status beam_rows(gos_joint *j, int frame, const double w[3]) {
    const gos_place *p = &j->end[1 - frame].place;
    gos_marker m;
    gos_status across = p->body->ops->direction(j->b->arena, p->body, p, w, &m);
    return frame_rows(j, across == GOS_E_INPUT ? 1 - frame : frame, w);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    GOS_TRY(gos__joint_ends(&j, &def));
    gos__joint_meet(&j);
    memcpy(j.sides.axis, def.axis, sizeof j.sides.axis);
    bool frame[2];
    for (int s = 0; s < 2; ++s) {
        frame[s] = gos__turning(&j.end[s].place) == GOS_TURN_FRAME;
    }
    if (frame[0] && frame[1]) {
        GOS_TRY(frame_rows(&j, 0, def.axis));
    } else if ((frame[0] || frame[1]) && gos__turning(&j.end[frame[0]].place) == GOS_TURN_SECTION) {
        GOS_TRY(beam_rows(&j, frame[0] ? 0 : 1, def.axis));
    } else if (frame[0] || frame[1]) {
        GOS_TRY(cable_rows(&j, frame[0] ? 0 : 1, def.axis));
    } else {
        return gos__fail_at(b->ctx, GOS_E_INPUT, j.end[0].loc, object,
                            "neither '%s' nor '%s' has axes that could carry the axis; put a "
                            "rigid body between them, or use a spherical joint",
                            j.end[0].text, j.end[1].text);
    }
    return gos__joint_add(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_revolute = {
    .section = "joints",
    .name = "revolute",
    .doc = "hinge: two points stay together, one rotation about an axis is free (5 equations; 4 "
           "for a cable, which has no twist)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "hinge: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}",
    .ops = &ops};
