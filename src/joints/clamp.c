/* Clamp: no relative motion of two places (theory guide 3.2), x_A = x_B and

   - rigid, cable on a frame: r_x = d, d fixed in the frame, equal to the initial slope at t = 0; 6
     equations, linear; it suppresses the axial strain at the end
   - soft, cable on a frame: n1 . r_x = n2 . r_x = 0, the stretch is free; 5 equations
   - two frames: a1 . b2 = a1 . b3 = a2 . b3 = 0 for triads that coincide at t = 0; 6 equations
   - two cables: equal slopes (only where they are parallel); 6 equations
   - plate on a frame, or two plates in one plane: r_x = d1, r_y = d2; 9 equations, linear
   - cable on a plate in whose plane it is: r_x = d; 6 equations, linear */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the two places that are clamped, e.g. [ground, rod.start]; an edge of a plate "
        "(panel.edge.x0) means all its nodes"),
    GOS_JOINT_AT,
    {.name = "rigid",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(gos_joint_def, rigid),
     .doc = "cable: true holds the slope vector (linear, no axial strain at the clamp), false "
            "holds its direction only; no matter for two rigid bodies and for plates"},
    GOS_JOINT_TEMPERATURE,
    GOS_JOINT_GRADIENTS,
    {0}};

static gos_status rigid_cable(gos_joint *j, int frame) {
    int slope, held;
    double t[3];
    GOS_TRY(gos__joint_tangent(j, 1 - frame, &slope, t));
    GOS_TRY(gos__joint_direction(j, frame, t, &held));
    gos__joint_vector(j, slope, 1.0, held, -1.0);
    return GOS_OK;
}

static gos_status soft_cable(gos_joint *j, int frame) {
    int slope, normal[2];
    double t[3], n[2][3];
    GOS_TRY(gos__joint_tangent(j, 1 - frame, &slope, t));
    double l = gos__norm3(t);
    for (int k = 0; k < 3; ++k) {
        t[k] /= l;
    }
    gos__normals3(t, n[0], n[1]);
    for (int i = 0; i < 2; ++i) {
        GOS_TRY(gos__joint_direction(j, frame, n[i], &normal[i]));
        gos__joint_dot(j, normal[i], slope, -1, 0.0);
    }
    return GOS_OK;
}

static gos_status two_frames(gos_joint *j) {
    static const double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int a1, a2, b2, b3;
    GOS_TRY(gos__joint_direction(j, 0, e[0], &a1));
    GOS_TRY(gos__joint_direction(j, 0, e[1], &a2));
    GOS_TRY(gos__joint_direction(j, 1, e[1], &b2));
    GOS_TRY(gos__joint_direction(j, 1, e[2], &b3));
    gos__joint_dot(j, a1, b2, -1, 0.0);
    gos__joint_dot(j, a1, b3, -1, 0.0);
    gos__joint_dot(j, a2, b3, -1, 0.0);
    return GOS_OK;
}

/* The slopes of a plate equal vectors fixed to what it is clamped to; a cable's slope equals one
   fixed to the plate. */
static gos_status plate(gos_joint *j, int side) {
    const bool cable = gos__turning(&j->end[1 - side].place) == GOS_TURN_TANGENT;
    const gos_body *body = j->end[side].place.body;
    for (int i = 0; i < (cable ? 1 : 2); ++i) {
        gos_marker own;
        int slope, held;
        double t[3];
        if (cable) {
            GOS_TRY(gos__joint_tangent(j, 1 - side, &slope, t));
        } else {
            gos_place first;
            double axis[2][3];
            body->ops->edge(body, 1, 0.0, &first, axis[1], axis[0]);
            memcpy(t, axis[i], sizeof t);
            GOS_TRY(body->ops->direction(j->b->arena, body, &j->end[side].place, t, &own));
            slope = gos__joint_marker(j, &own);
        }
        GOS_TRY(gos__joint_direction(j, cable ? side : 1 - side, t, &held));
        gos__joint_vector(j, slope, 1.0, held, -1.0);
    }
    return GOS_OK;
}

static gos_status orientation(gos_joint *j, const gos_joint_def *def) {
    bool frame[2];
    for (int s = 0; s < 2; ++s) {
        frame[s] = gos__turning(&j->end[s].place) == GOS_TURN_FRAME;
    }
    for (int s = 0; s < 2; ++s) {
        if (gos__turning(&j->end[s].place) == GOS_TURN_PLANE) {
            return plate(j, s);
        }
    }
    if (frame[0] && frame[1]) {
        return two_frames(j);
    }
    if (frame[0] || frame[1]) {
        int side = frame[0] ? 0 : 1;
        return def->rigid ? rigid_cable(j, side) : soft_cable(j, side);
    }
    if (!def->rigid) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "rigid"), j->object,
                            "neither '%s' nor '%s' has axes for a soft clamp; drop `rigid: false` "
                            "or put a rigid body between them",
                            j->end[0].text, j->end[1].text);
    }
    return gos__joint_equal_slopes(j);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__joint_each(b, type, entry, object, orientation);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_clamp = {
    .section = "joints",
    .name = "clamp",
    .doc = "clamp: no relative motion; `rigid: false` leaves the stretch of a cable free",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "root: {type: clamp, between: [ground, rod.start]}",
    .ops = &ops};
