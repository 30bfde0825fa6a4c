/* Screw joint (theory guide 3.2): cylindrical joint with slide s coupled to angle phi; 5 equations:
       s - p phi / (2 pi) = 0,   s = w . (x_B - x_A) - s0,   phi from parts/hinge.h, both 0
   at t = 0. The angle is unwrapped to the turn nearest the slide. */
#include "joints/joint.h"
#include "joints/joints.h"
#include "parts/hinge.h"

enum { X, Y, W, HINGE, MARKERS = HINGE + GOS_HINGE_MARKERS };

typedef struct screw_def {
    gos_joint_def joint;
    double pitch; // [m] per turn
} screw_def;

typedef struct gos_screw {
    double rate;   // slide per angle [m/rad]
    double slide0; // w . (x_X - x_Y) at t = 0 [m]
    double sign;   // sign of the joint's slide in slide0
    double angle0; // angle of the vectors at t = 0 [rad]
} gos_screw;

static const gos_param params[] = {
    GOS_JOINT_BETWEEN(
        "the nut or body that carries the axis (ground, a rigid body), then the screw, e.g. "
        "[ground, slider.centre]; both points lie on the axis and need not coincide"),
    GOS_JOINT_AXIS("direction of the axis at t = 0, global axes"),
    {.name = "pitch",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(screw_def, pitch),
     .doc = "advance along the axis per revolution; negative for a left-handed screw"},
    GOS_JOINT_AT,
    {0}};

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_screw *k = it->par;
    const double *w = io->x + 3 * W;
    const int n = 3 * MARKERS;
    gos_hinge_angle h;
    double d[3];
    if (!io->c && !io->cx && !io->H) {
        return;
    }
    gos__sub3(io->x + 3 * X, io->x + 3 * Y, d);
    (void)gos__hinge_angle(io->x + 3 * HINGE, &h);
    if (io->c) {
        const double slide = k->sign * (gos__dot3(w, d) - k->slide0);
        io->c[0] = slide - k->rate * gos__hinge_unwrap(h.angle - k->angle0, slide / k->rate);
    }
    for (int c = 0; io->cx && c < 3; ++c) {
        io->cx[3 * X + c] += k->sign * w[c];
        io->cx[3 * Y + c] -= k->sign * w[c];
        io->cx[3 * W + c] += k->sign * d[c];
    }
    if (io->H) {
        gos__addeye(io->H, n, X, W, k->sign * io->lam[0]);
        gos__addeye(io->H, n, W, X, k->sign * io->lam[0]);
        gos__addeye(io->H, n, Y, W, -k->sign * io->lam[0]);
        gos__addeye(io->H, n, W, Y, -k->sign * io->lam[0]);
    }
    for (int i = 0; i < 9; ++i) {
        if (io->cx) {
            io->cx[3 * HINGE + i] -= k->rate * h.dx[i];
        }
        for (int j = 0; io->H && j < 9; ++j) {
            io->H[(3 * HINGE + i) * n + 3 * HINGE + j] -= io->lam[0] * k->rate * h.dxx[9 * i + j];
        }
    }
}

static const gos_item_type type_screw = {.name = "screw", .eval = eval};

/* row coupling slide and angle, in a separate item */
static gos_status couple(const gos_joint *j, const screw_def *def) {
    gos_joint c = *j;
    gos_screw *k = GOS_NEW(j->b->arena, gos_screw, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    c.item.nm = 0;
    c.sides.ncoord = 0;
    const int point = j->end[1].location.body ? 1 : 0;
    const gos_location p[2] = {j->end[0].location, j->end[1].location};
    double d[3];
    int w, carrier;
    gos__joint_marker(&c, point, true, &j->end[point].m);
    gos__joint_marker(&c, 1 - point, true, &j->end[1 - point].m);
    GOS_TRY(gos__joint_direction(&c, 0, def->joint.axis, &w));
    gos__sub3(j->end[point].x, j->end[1 - point].x, d);
    *k = (gos_screw){.rate = def->pitch / (2.0 * 3.14159265358979323846),
                     .slide0 = gos__dot3(def->joint.axis, d),
                     .sign = point == 1 ? 1.0 : -1.0};
    GOS_TRY(gos__hinge_make(j->b, &def->joint.between, p, def->joint.axis, j->object,
                            c.item.m + HINGE, &k->angle0, &carrier));
    c.sides.of[HINGE] = (unsigned char)(1 + carrier);
    c.sides.of[HINGE + 1] = 1;
    c.sides.of[HINGE + 2] = 2;
    memset(c.sides.point + HINGE, 0, GOS_HINGE_MARKERS * sizeof *c.sides.point);
    c.item.nm = MARKERS;
    c.item.nc = 1;
    c.item.type = &type_screw;
    c.item.par = k;
    c.item.nvec = 0;
    c.item.structure = NULL;
    c.item.linear = c.item.isotropic = false;
    return gos__joint_add_item(&c);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    screw_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def.joint));
    if (!(fabs(def.pitch) > 0.0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "pitch"), object,
                            "pitch is 0; specify the advance per revolution, or use a revolute "
                            "joint");
    }
    GOS_TRY(gos__joint_on_line(&j, &def.joint));
    GOS_TRY(gos__joint_parallel(&j, def.joint.axis, false));
    GOS_TRY(gos__joint_slide(&j, "slide", def.joint.axis));
    GOS_TRY(gos__joint_turn(&j, &def.joint, "angle", def.joint.axis));
    GOS_TRY(gos__joint_add(&j));
    return couple(&j, &def);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_screw = {
    .section = "joints",
    .name = "screw",
    .doc = "one body rotates about an axis of the other and advances by the pitch per revolution "
           "(5 equations); coordinates: `slide` and `angle`; reactions refer to the second point "
           "(to the first if the second is the ground)",
    .params = params,
    .size = sizeof(screw_def),
    .example =
        "jack: {type: screw, between: [ground, slider.centre], axis: [0, 0, 1], pitch: 0.005}",
    .ops = &ops};
