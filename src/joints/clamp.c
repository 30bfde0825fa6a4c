/* Clamp: no relative motion of two places (theory guide 3.2), x_A = x_B and

   - rigid, cable on a frame: r_x = d, d fixed in the frame, equal to the initial slope at t = 0; 6
     equations, linear; it suppresses the axial strain at the end
   - soft, cable on a frame: n1 . r_x = n2 . r_x = 0, the stretch is free; 5 equations
   - two frames: a1 . b2 = a1 . b3 = a2 . b3 = 0 for triads that coincide at t = 0; 6 equations
   - two cables: equal slopes (only where they are parallel); 6 equations
   - plate on a frame, or two plates in one plane: r_x = d1, r_y = d2; 9 equations, linear
   - beam on a frame, or two beams in line: section vectors a = d1, b = d2; 9 equations, linear
   - cable on a plate in whose plane it is, or across a beam: r_x = d; 6 equations, linear */
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
            "holds its direction only; no matter for two rigid bodies, for plates and beams"},
    GOS_JOINT_TEMPERATURE,
    GOS_JOINT_GRADIENTS,
    {0}};

/* the vectors of the other side stay what they are in the axes of `frame` */
static gos_status tie_vectors(gos_joint *j, int frame) {
    const gos_place *p = &j->end[1 - frame].place;
    gos_marker m[2];
    int n, held;
    GOS_TRY(p->body->ops->vectors(j->b->arena, p->body, p, &n, m));
    for (int i = 0; i < n; ++i) {
        double x[3];
        gos__marker_initial(j->b, &m[i], x);
        int mine = gos__joint_marker(j, &m[i]);
        GOS_TRY(gos__joint_direction(j, frame, x, &held));
        gos__joint_vector(j, mine, 1.0, held, -1.0);
    }
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

/* how many directions turn with a place: all, those in a plane, one */
static int directions(const gos_end *e) {
    switch (gos__turning(&e->place)) {
    case GOS_TURN_NOTHING:
        return 0;
    case GOS_TURN_FRAME:
        return 3;
    case GOS_TURN_PLANE:
    case GOS_TURN_SECTION:
        return 2;
    default:
        return 1;
    }
}

static gos_status orientation(gos_joint *j, const gos_joint_def *def) {
    int n[2] = {directions(&j->end[0]), directions(&j->end[1])};
    int frame = n[0] > n[1] ? 0 : 1; // the side that has more of them
    for (int s = 0; s < 2; ++s) {
        if (n[s] == 0) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->end[s].loc, j->object,
                                "'%s' has no rotations that a clamp could hold; use a spherical "
                                "joint, or give rx, ry, rz in the table of nodes",
                                j->end[s].text);
        }
    }
    if (n[0] == 3 && n[1] == 3) {
        return two_frames(j);
    }
    if (n[frame] == 3 && n[1 - frame] == 1 && !def->rigid) {
        return soft_cable(j, frame);
    }
    if (n[frame] > 1) {
        return tie_vectors(j, frame);
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
