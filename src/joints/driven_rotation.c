/* Driven rotation: angle of the second body relative to the first about an axis (theory guide 3.2,
   end),
       s phi(t) - angle = 0,   angle from parts/hinge.h, 0 at t = 0,
   with s the load factor of a static solution, else 1. The angle is unwrapped to the turn nearest
   the prescribed value; the multiplier is minus the moment on the first body. A revolute joint
   usually constrains the rest. */
#include "joints/joint.h"
#include "joints/joints.h"
#include "parts/hinge.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the two bodies, e.g. [hub, wheel]; the second rotates relative to the first"),
    GOS_JOINT_AXIS("axis of rotation at t = 0, global axes"),
    {.name = "angle",
     .kind = GOS_K_TIMEFN,
     .unit = "rad",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_joint_def, angle),
     .doc = "rotation angle about the axis since t = 0 (may exceed one turn), a function of time"},
    {0}};

static void eval(const gos_item *it, const gos_item_io *io) {
    const double *angle0 = it->par;
    gos_hinge_angle h;
    if (io->c || io->cx || io->H) {
        (void)gos__hinge_angle(io->x, &h);
    }
    if (io->c) {
        double phi = io->scale * io->fn[0];
        io->c[0] = phi - gos__hinge_unwrap(h.angle - *angle0, phi);
    }
    for (int i = 0; io->cx && i < 9; ++i) {
        io->cx[i] -= h.dx[i];
    }
    for (int i = 0; io->H && i < 81; ++i) {
        io->H[i] -= io->lam[0] * h.dxx[i];
    }
    if (io->ct) {
        io->ct[0] = io->scale * io->fnd[0];
    }
    if (io->ctt) {
        io->ctt[0] = io->scale * io->fndd[0];
    }
}

static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(it);
    GOS_UNUSED(k);
    if (io->c) {
        io->c[0] = io->scale;
    }
}

static const gos_item_type type_driven_rotation = {
    .name = "driven rotation", .eval = eval, .by_input = by_input};
static const gos_input_def input = {.fn = 0, .unit = "rad", .kind = GOS_INPUT_MOTION};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    gos_location p[2];
    int carrier;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    double *angle0 = GOS_NEW(b->arena, double, 1);
    if (!angle0) {
        return GOS_E_MEMORY;
    }
    j.item.type = &type_driven_rotation;
    j.item.par = angle0;
    j.item.nm = GOS_HINGE_MARKERS;
    j.item.nc = 1;
    j.item.nfn = 1;
    j.item.ninput = 1;
    j.item.input = &input;
    GOS_TRY(gos__add_timefns(b, 1, &def.angle, &j.item.fn0));
    GOS_TRY(gos__hinge_locations(b, &def.between, gos__key_loc(entry, "between"), object, p, NULL));
    GOS_TRY(gos__hinge_make(b, &def.between, p, def.axis, object, j.item.m, angle0, &carrier));
    for (int s = 0; s < 2; ++s) {
        j.end[s].location = p[s];
        j.end[s].side = 1 + s;
        j.sides.of[1 + s] = (unsigned char)(1 + s);
    }
    j.sides.of[0] = (unsigned char)(1 + carrier);
    j.sides.couple = true;
    memcpy(j.sides.axis, def.axis, sizeof j.sides.axis);
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_driven_rotation = {
    .section = "joints",
    .name = "driven_rotation",
    .doc = "prescribes the angle between two bodies about an axis as a function of time (1 "
           "equation; add a revolute joint for the rest)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example =
        "motor: {type: driven_rotation, between: [ground, rod.start], axis: [0, 0, 1], angle: "
        "\"0.1*t^2\"}",
    .ops = &ops};
