/* Clamp: no relative motion of two places (theory guide 3.2). With t = r_x(0) the cable's initial
   slope: rigid, cable on a frame:  x_A = x_B, r_x = d, d fixed in the frame, d = t at t = 0  6
   equations, linear soft, cable on a frame:   x_A = x_B, n1 . r_x = n2 . r_x = 0, the stretch is
   free   5 equations two frames:               x_A = x_B, a1 . b2 = a1 . b3 = a2 . b3 = 0 for
   triads a of A and b of B that coincide at t = 0                                    6 equations
       two cables:               x_A = x_B, equal slopes (only where they are parallel)    6
   equations The rigid clamp suppresses the axial strain at the end; the soft one lets it free. */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two places that are clamped, e.g. [ground, rod.start]"),
    GOS_JOINT_AT,
    {.name = "rigid",
     .kind = GOS_K_BOOL,
     .unit = "",
     .def = "true",
     .offset = offsetof(gos_joint_def, rigid),
     .doc = "cable: true holds the slope vector (linear, no axial strain at the clamp), false "
            "holds its direction only; no matter for two rigid bodies"},
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

static gos_status orientation(gos_joint *j, const gos_joint_def *def) {
    bool frame[2];
    for (int s = 0; s < 2; ++s) {
        frame[s] = gos__turning(&j->end[s].place) == GOS_TURN_FRAME;
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
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    GOS_TRY(gos__joint_ends(&j, &def));
    gos__joint_meet(&j);
    GOS_TRY(orientation(&j, &def));
    GOS_TRY(gos__joint_temperature(&j, &def));
    return gos__joint_add(&j);
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
