/* Motor: internal moment or force between two points, a function of time and probes,
       f = s M(t) d(angle)/dx,   angle of the second body about the axis (parts/hinge.h)
       f = s F(t) d(w . (x_B - x_A))/dx,   axis w fixed in the first body
   with load factor s of statics. A hinge or slider usually adds constraints. */
#include "joints/joint.h"
#include "joints/joints.h"
#include "parts/hinge.h"

typedef struct motor_def {
    gos_joint_def joint;
    gos_timefn *moment, *force; // [N m], [N]
} motor_def;

typedef struct gos_motor {
    bool turns;
} gos_motor;

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [hub, wheel]; the load on the first is "
                      "opposite to that on the second"),
    GOS_JOINT_AXIS("axis at t = 0, global axes; for a force it rotates with the first body"),
    {.name = "moment",
     .kind = GOS_K_TIMEFN,
     .unit = "N m",
     .flags = GOS_P_PROBES,
     .offset = offsetof(motor_def, moment),
     .doc = "moment on the second body about the axis, a function of time and probes"},
    {.name = "force",
     .kind = GOS_K_TIMEFN,
     .unit = "N",
     .flags = GOS_P_PROBES,
     .offset = offsetof(motor_def, force),
     .doc = "force on the second point along the axis, a function of time and probes; instead of "
            "`moment`"},
    GOS_JOINT_AT,
    {0}};

static void turn(const gos_item_io *io, double moment) {
    gos_hinge_angle h;
    (void)gos__hinge_angle(io->x, &h);
    for (int i = 0; i < 9; ++i) {
        if (io->f) {
            io->f[i] += moment * h.dx[i];
        }
        for (int j = 0; io->fx && j < 9; ++j) {
            io->fx[9 * i + j] += moment * h.dxx[9 * i + j];
        }
    }
}

static void push(const gos_item_io *io, double force) {
    for (int c = 0; io->f && c < 3; ++c) {
        io->f[c] += force * io->x[6 + c];
        io->f[3 + c] -= force * io->x[6 + c];
        io->f[6 + c] += force * (io->x[c] - io->x[3 + c]);
    }
    if (io->fx) {
        gos__addeye(io->fx, 9, 0, 2, force);
        gos__addeye(io->fx, 9, 2, 0, force);
        gos__addeye(io->fx, 9, 1, 2, -force);
        gos__addeye(io->fx, 9, 2, 1, -force);
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_motor *k = it->par;
    if (!io->f && !io->fx) {
        return;
    }
    if (k->turns) {
        turn(io, io->scale * io->fn[0]);
    } else {
        push(io, io->scale * io->fn[0]);
    }
}

static const gos_item_type type_motor = {
    .name = "motor", .eval = eval, .by_input = gos__by_unit_input};
static const gos_input_def inputs[] = {{.fn = 0, .unit = "N", .kind = GOS_INPUT_FORCE},
                                       {.fn = 0, .unit = "N m", .kind = GOS_INPUT_FORCE}};

static gos_status turning(gos_joint *j, const motor_def *def) {
    gos_location p[2];
    double angle0;
    int carrier;
    if (gos__node_given(j->entry, "at")) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "at"), j->object,
                            "a moment acts on bodies, not at a point; remove `at`");
    }
    GOS_TRY(gos__hinge_locations(j->b, &def->joint.between, gos__key_loc(j->entry, "between"),
                                 j->object, p, NULL));
    GOS_TRY(gos__hinge_make(j->b, &def->joint.between, p, def->joint.axis, j->object, j->item.m,
                            &angle0, &carrier));
    for (int s = 0; s < 2; ++s) {
        j->end[s].location = p[s];
        j->end[s].side = 1 + s;
        j->sides.of[1 + s] = (unsigned char)(1 + s);
    }
    j->sides.of[0] = (unsigned char)(1 + carrier);
    return GOS_OK;
}

static gos_status pushing(gos_joint *j, const motor_def *def) {
    int w;
    GOS_TRY(gos__joint_apart(j, &def->joint));
    gos__joint_marker(j, 1, true, &j->end[1].m);
    gos__joint_marker(j, 0, true, &j->end[0].m);
    return gos__joint_direction(j, 0, def->joint.axis, &w);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    motor_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def.joint));
    gos_motor *k = GOS_NEW(b->arena, gos_motor, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->turns = gos__node_given(entry, "moment") != NULL;
    if (k->turns == (gos__node_given(entry, "force") != NULL)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "a motor requires either `moment` or `force`; give one of them");
    }
    memcpy(j.sides.axis, def.joint.axis, sizeof j.sides.axis);
    GOS_TRY(gos__add_timefns(b, 1, k->turns ? &def.moment : &def.force, &j.item.fn0));
    GOS_TRY(k->turns ? turning(&j, &def) : pushing(&j, &def));
    j.item.type = &type_motor;
    j.item.par = k;
    j.item.nm = 3;
    j.item.nfn = j.item.ninput = 1;
    j.item.input = &inputs[k->turns];
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_motor = {
    .section = "joints",
    .name = "motor",
    .doc = "internal moment or force between two bodies, about or along an axis, as a function of "
           "time and probes (no equations; add a hinge or slider)",
    .params = params,
    .size = sizeof(motor_def),
    .example =
        "drive: {type: motor, between: [hub, slider], axis: [0, 0, 1], moment: \"0.2*sin(3*t)\"}",
    .ops = &ops};
