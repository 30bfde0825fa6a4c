/* Point on a line or plane fixed in the ground or a rigid body (theory guide 3.2). P is a point of
   the guide; n1, n2 are normals of the line, n of the plane: n_k . (x - x_P) = 0, two equations on
   a line, one in a plane. */
#include "joints/joint.h"
#include "base/units.h"
#include "joints/joints.h"

#define GUIDE_BETWEEN                                                                              \
    GOS_JOINT_BETWEEN("the guided point, then the ground or rigid body that carries the guide; "   \
                      "e.g. [rod.end, ground]")
#define GUIDE_POINT                                                                                \
    {                                                                                              \
        .name = "point", .kind = GOS_K_VECTOR, .unit = "m", .shape = 3, .lo = -HUGE_VAL,           \
        .hi = HUGE_VAL, .offset = offsetof(gos_joint_def, point),                                  \
        .doc = "a point of the guide at t = 0, global axes; default: the guided point"             \
    }
#define GUIDE_VECTOR(key, text)                                                                    \
    {                                                                                              \
        .name = key, .kind = GOS_K_VECTOR, .unit = "-", .shape = 3, .lo = -HUGE_VAL,               \
        .hi = HUGE_VAL, .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,                               \
        .offset = offsetof(gos_joint_def, direction), .doc = text                                  \
    }

static const gos_param line_params[] = {
    GUIDE_BETWEEN,
    GUIDE_VECTOR("direction", "direction of the line at t = 0, global axes"),
    GUIDE_POINT,
    {0}};

static const gos_param plane_params[] = {
    GUIDE_BETWEEN,
    GUIDE_VECTOR("normal", "normal of the plane at t = 0, global axes"),
    GUIDE_POINT,
    {0}};

/* Order the ends: 0 the guided point, 1 the carrier; the ground is always the carrier. */
static gos_status order_ends(gos_joint *j) {
    if (!j->end[0].location.body) {
        gos_end e = j->end[0];
        j->end[0] = j->end[1];
        j->end[1] = e;
    }
    const gos_end *carrier = &j->end[1];
    if (gos__rotating(&carrier->location) != GOS_TURN_FRAME) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, carrier->loc, j->object,
            "'%s' has no axes to carry a guide; list the ground or a rigid body second",
            carrier->text);
    }
    return GOS_OK;
}

/* Markers 0: guided point, 1: point of the guide. */
static gos_status guide_points(gos_joint *j, const gos_joint_def *def, double d[3]) {
    gos_end *moved = &j->end[0], *carrier = &j->end[1];
    const double *p = gos__node_given(j->entry, "point") ? def->point : moved->location.x;
    gos__sub3(moved->location.x, p, d);
    GOS_TRY(gos__position(j->b, &moved->location, &moved->m));
    GOS_TRY(gos__carried_point(j->b, &carrier->location, p, carrier->loc, j->object, &carrier->m));
    gos__joint_marker(j, 0, true, &moved->m);
    gos__joint_marker(j, 1, true, &carrier->m);
    memcpy(j->sides.axis, def->direction, sizeof j->sides.axis);
    return GOS_OK;
}

static gos_status guide_row(gos_joint *j, const double n[3], const double d[3]) {
    int normal;
    double off = gos__dot3(n, d);
    if (!(fabs(off) <= 1e-6 * (gos__extent(j->b) + gos__norm3(d)))) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "point"), j->object,
            "'%s' is %g %s away from the guide at t = 0; move `point`, or remove it",
            j->end[0].text, fabs(off), gos__unit_label(j->b->model->units, "m", GOS_UNIT_BUFFER));
    }
    GOS_TRY(gos__joint_direction(j, 1, n, &normal));
    gos__joint_dot(j, normal, 0, 1, 0.0);
    return GOS_OK;
}

static gos_status begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *object, gos_joint *j, gos_joint_def *def, double d[3]) {
    GOS_TRY(gos__joint_begin(b, type, entry, object, j, def));
    GOS_TRY(gos__joint_locations(j, def));
    GOS_TRY(order_ends(j));
    return guide_points(j, def, d);
}

static gos_status line_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                             const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    double d[3], n[2][3];
    GOS_TRY(begin(b, type, entry, object, &j, &def, d));
    gos__normals3(def.direction, n[0], n[1]);
    GOS_TRY(guide_row(&j, n[0], d));
    GOS_TRY(guide_row(&j, n[1], d));
    return gos__joint_add(&j);
}

static gos_status plane_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                              const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    double d[3];
    GOS_TRY(begin(b, type, entry, object, &j, &def, d));
    GOS_TRY(guide_row(&j, def.direction, d));
    return gos__joint_add(&j);
}

static const gos_build_ops line_ops = {.build = line_build};
static const gos_build_ops plane_ops = {.build = plane_build};

const gos_type gos__joint_point_on_line = {
    .section = "joints",
    .name = "point_on_line",
    .doc = "a point slides along a line (2 equations)",
    .params = line_params,
    .size = sizeof(gos_joint_def),
    .example = "slider: {type: point_on_line, between: [rod.end, ground], direction: [1, 0, 0]}",
    .ops = &line_ops};

const gos_type gos__joint_point_on_plane = {
    .section = "joints",
    .name = "point_on_plane",
    .doc = "a point stays in a plane (1 equation)",
    .params = plane_params,
    .size = sizeof(gos_joint_def),
    .example = "floor: {type: point_on_plane, between: [rod.end, ground], normal: [0, 1, 0]}",
    .ops = &plane_ops};

const gos_type gos__joint_roller = {
    .section = "joints",
    .name = "roller",
    .doc = "roller support: a point stays in a plane (1 equation); the same as point_on_plane",
    .params = plane_params,
    .size = sizeof(gos_joint_def),
    .example = "support: {type: roller, between: [rod.end, ground], normal: [0, 1, 0]}",
    .ops = &plane_ops};
