/* Gear: fixed ratio of two rotations relative to a carrier (theory guide 3.2); 1 equation:
       r phi_1 - phi_2 = 0,   phi_k the angle of body k about its axis, 0 at t = 0.
   The turn of each angle is unwrapped from the previous step; an angle must change by less than
   half a turn per step. The carrier takes the unbalanced moment. */
#include "joints/joint.h"
#include "joints/joints.h"
#include "parts/hinge.h"

enum { MARKERS = 2 * GOS_HINGE_MARKERS };

typedef struct gear_def {
    gos_joint_def joint;
    double second[3]; // axis of the second body, unit vector [-]
    double ratio;     // [-]
    const char *carrier;
} gear_def;

typedef struct gos_gear {
    double ratio;     // [-]
    double angle0[2]; // angles of the vectors at t = 0 [rad]
} gos_gear;

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the two rotating bodies, e.g. [pinion, wheel]; model their bearings by separate joints"),
    GOS_JOINT_AXIS("axis of the first body at t = 0, global axes"),
    {.name = "second_axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .offset = offsetof(gear_def, second),
     .doc = "axis of the second body at t = 0, global axes; default: `axis`"},
    {.name = "ratio",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gear_def, ratio),
     .doc = "revolutions of the second body per revolution of the first, each about its own axis; "
            "negative for external gears with axes in the same direction"},
    {.name = "carrier",
     .kind = GOS_K_TEXT,
     .unit = "",
     .def = "ground",
     .offset = offsetof(gear_def, carrier),
     .doc = "the ground or the rigid body that supports both bearings"},
    {0}};

static double angle_of(const gos_gear *k, const gos_item_io *io, int i, gos_hinge_angle *h) {
    (void)gos__hinge_angle(io->x + 9 * i, h);
    return gos__hinge_unwrap(h->angle - k->angle0[i], io->mem ? io->mem[i] : 0.0);
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_gear *k = it->par;
    const double factor[2] = {k->ratio, -1.0};
    for (int i = 0; i < 2 && (io->c || io->cx || io->H); ++i) {
        gos_hinge_angle h;
        const double angle = angle_of(k, io, i, &h);
        if (io->c) {
            io->c[0] += factor[i] * angle;
        }
        for (int r = 0; r < 9; ++r) {
            if (io->cx) {
                io->cx[9 * i + r] += factor[i] * h.dx[r];
            }
            for (int c = 0; io->H && c < 9; ++c) {
                io->H[(9 * i + r) * 3 * MARKERS + 9 * i + c] +=
                    factor[i] * io->lam[0] * h.dxx[9 * r + c];
            }
        }
    }
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    gos_hinge_angle h;
    const double a = angle_of(it->par, io, 0, &h), b = angle_of(it->par, io, 1, &h);
    mem[0] = a;
    mem[1] = b;
    return false;
}

static const gos_item_type type_gear = {.name = "gear", .eval = eval, .accept = accept};

static gos_status hinge(gos_joint *j, const gear_def *def, const gos_location *carrier, int s,
                        gos_gear *k) {
    const double *axis =
        s == 1 && gos__node_given(j->entry, "second_axis") ? def->second : def->joint.axis;
    const char *text[2] = {def->carrier, j->end[s].text};
    gos_loc loc[2] = {gos__key_loc(j->entry, "carrier"), j->end[s].loc};
    const gos_texts names = {.n = 2, .v = text, .loc = loc};
    const gos_location p[2] = {*carrier, j->end[s].location};
    int by;
    GOS_TRY(
        gos__hinge_make(j->b, &names, p, axis, j->object, j->item.m + 3 * s, &k->angle0[s], &by));
    j->sides.of[3 * s] = by == 1 ? (unsigned char)(1 + s) : 0;
    j->sides.of[3 * s + 1] = 0;
    j->sides.of[3 * s + 2] = (unsigned char)(1 + s);
    return GOS_OK;
}

static gos_status find_carrier(gos_joint *j, const gear_def *def, gos_location *carrier) {
    const gos_loc loc = gos__key_loc(j->entry, "carrier");
    GOS_TRY(gos__locate_point(j->b, def->carrier, loc, j->object, carrier));
    if (gos__rotating(carrier) != GOS_TURN_FRAME) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, loc, j->object,
                            "'%s' has no axes to support bearings; use the ground or a rigid body",
                            def->carrier);
    }
    for (int s = 0; s < 2; ++s) {
        if (j->end[s].location.body == carrier->body) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->end[s].loc, j->object,
                                "'%s' does not rotate relative to its carrier '%s'; use two other "
                                "bodies, or another `carrier`",
                                j->end[s].text, def->carrier);
        }
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gear_def def;
    gos_location carrier;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def.joint));
    gos_gear *k = GOS_NEW(b->arena, gos_gear, 1);
    double *memory = GOS_NEW(b->arena, double, 2);
    if (!k || !memory) {
        return GOS_E_MEMORY;
    }
    if (!(fabs(def.ratio) > 0.0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "ratio"), object,
                            "ratio is 0; specify revolutions of the second body per revolution of "
                            "the first");
    }
    k->ratio = def.ratio;
    GOS_TRY(gos__joint_locations(&j, &def.joint));
    GOS_TRY(find_carrier(&j, &def, &carrier));
    GOS_TRY(hinge(&j, &def, &carrier, 0, k));
    GOS_TRY(hinge(&j, &def, &carrier, 1, k));
    memcpy(j.sides.axis, def.joint.axis, sizeof j.sides.axis);
    j.item.type = &type_gear;
    j.item.par = k;
    j.item.nm = MARKERS;
    j.item.nc = 1;
    j.item.nmem = 2;
    j.item.memory = memory;
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_gear = {
    .section = "joints",
    .name = "gear",
    .doc = "two bodies rotate in a fixed ratio relative to a carrier (1 equation; add hinges for "
           "the rest); a wheel must rotate less than half a turn per step; joint_moment is the "
           "moment on the first body",
    .params = params,
    .size = sizeof(gear_def),
    .example = "gear: {type: gear, between: [hub, slider], axis: [0, 0, 1], ratio: -2.5}",
    .ops = &ops};
