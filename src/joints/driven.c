/* Driven point: selected position components are functions of time (theory guide 3.2, end),
       x_k - x0_k - s u_k(t) = 0,   u = displacement, or position - x0,
   with s the load factor of a static solution, else 1. Rows are first minus second point, as in all
   joints, so multipliers have the same sign for either order.

   Between two bodies, a_k . (x_B - x_A) replaces x_k; a_k are fixed in the first body, global axes
   or given directions at t = 0. */
#include "joints/joint.h"
#include "joints/joints.h"

typedef struct gos_drive {
    double x0[3];      // position at t = 0 [m]; between two bodies along `axis`
    double axis[3][3]; // between two bodies: directions of components at t = 0 (rows)
    bool absolute;     // functions are positions
    double sign;       // of the point in its rows: 1 if listed first, -1 after the ground
    int n, comp[3];
} gos_drive;

static const char component_names[] = "xyz|x|y|z|xy|xz|yz";
static const unsigned component_bits[] = {7u, 1u, 2u, 4u, 3u, 5u, 6u}; // x = 1, y = 2, z = 4

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the ground and the driven point, e.g. [ground, rod.start]; or a rigid body "
                      "and the point driven relative to it"),
    {.name = "displacement",
     .kind = GOS_K_TIMEFNS,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_joint_def, displacement),
     .doc = "displacement from the position at t = 0, functions of time, global axes; relative to "
            "a rigid body: in axes fixed in it, which at t = 0 are the global ones, or given by "
            "`direction`"},
    {.name = "position",
     .kind = GOS_K_TIMEFNS,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_joint_def, position),
     .doc = "position, functions of time, instead of `displacement`; relative to a rigid body: "
            "vector from its point, in the same axes"},
    {.name = "components",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "xyz",
     .choices = component_names,
     .offset = offsetof(gos_joint_def, components),
     .doc = "the driven components; the others stay free"},
    {.name = "direction",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_joint_def, direction),
     .doc = "relative to a rigid body: direction of component x at t = 0, global axes; zero: e1"},
    {.name = "direction2",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_joint_def, direction2),
     .doc = "direction of component y, orthogonalised to that of x; zero: e2, or e3 where x is "
            "nearly e2"},
    {0}};

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_drive *d = it->par;
    for (int r = 0; r < d->n; ++r) {
        int k = d->comp[r];
        if (io->c) {
            const double u = io->fn[k] - (d->absolute ? d->x0[k] : 0.0);
            // a single subtraction limits rounding, amplified in accelerations by small steps
            const double position =
                d->absolute && io->scale == 1 ? io->fn[k] : d->x0[k] + io->scale * u;
            io->c[r] = d->sign * (io->x[k] - position);
        }
        if (io->cx) {
            io->cx[3 * r + k] = d->sign;
        }
        if (io->ct) {
            io->ct[r] -= d->sign * io->scale * io->fnd[k];
        }
        if (io->ctt) {
            io->ctt[r] -= d->sign * io->scale * io->fndd[k];
        }
    }
}

/* x_k - x0_k - s u_k(t) for the vector from the first to the second point, in axes of the first */
static void eval_between(const gos_item *it, const gos_item_io *io) {
    const gos_drive *d = it->par;
    const int n = 3 * it->nm;
    double way[3];
    gos__sub3(io->x, io->x + 3, way);
    for (int r = 0; r < d->n; ++r) {
        const int k = d->comp[r], m = 2 + r; // markers x_B, x_A, then one axis per row
        const double *a = io->x + 3 * m;
        if (io->c) {
            const double u = io->fn[k] - (d->absolute ? d->x0[k] : 0.0);
            io->c[r] = d->sign * (gos__dot3(a, way) - d->x0[k] - io->scale * u);
        }
        for (int c = 0; io->cx && c < 3; ++c) {
            io->cx[r * n + c] += d->sign * a[c];
            io->cx[r * n + 3 + c] -= d->sign * a[c];
            io->cx[r * n + 3 * m + c] += d->sign * way[c];
        }
        if (io->H) {
            gos__addeye(io->H, n, 0, m, d->sign * io->lam[r]);
            gos__addeye(io->H, n, m, 0, d->sign * io->lam[r]);
            gos__addeye(io->H, n, 1, m, -d->sign * io->lam[r]);
            gos__addeye(io->H, n, m, 1, -d->sign * io->lam[r]);
        }
        if (io->ct) {
            io->ct[r] -= d->sign * io->scale * io->fnd[k];
        }
        if (io->ctt) {
            io->ctt[r] -= d->sign * io->scale * io->fndd[k];
        }
    }
}

static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    const gos_drive *d = it->par;
    for (int r = 0; r < d->n && io->c; ++r) {
        io->c[r] = d->comp[r] == k->fn ? -d->sign * io->scale : 0.0;
    }
}

static const gos_item_type type_driven = {.name = "driven", .eval = eval, .by_input = by_input};
static const gos_item_type type_between = {
    .name = "driven between", .eval = eval_between, .by_input = by_input};
static const gos_input_def inputs[3] = {
    {.fn = 0, .component = "x", .unit = "m", .kind = GOS_INPUT_MOTION},
    {.fn = 1, .component = "y", .unit = "m", .kind = GOS_INPUT_MOTION},
    {.fn = 2, .component = "z", .unit = "m", .kind = GOS_INPUT_MOTION}};

/* Exactly one of the two must be given; the builder takes over the functions. */
static gos_status functions(gos_joint *j, const gos_joint_def *def, gos_drive *d) {
    bool moved = gos__node_given(j->entry, "displacement") != NULL;
    d->absolute = gos__node_given(j->entry, "position") != NULL;
    if (moved == d->absolute) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->entry->key_loc, j->object,
                            "%s; give either `displacement` or `position`, each "
                            "[fx, fy, fz]",
                            moved ? "displacement and position are both given"
                                  : "no motion is given");
    }
    j->item.nfn = 3;
    return gos__add_timefns(j->b, 3, d->absolute ? def->position : def->displacement, &j->item.fn0);
}

static gos_status one_body(gos_joint *j, gos_drive *d) {
    const int moved = j->end[0].location.body ? 0 : 1;
    const gos_end *e = &j->end[moved];
    gos_marker m;
    d->sign = moved == 0 ? 1.0 : -1.0;
    GOS_TRY(gos__position(j->b, &e->location, &m));
    gos__joint_marker(j, moved, true, &m);
    memcpy(d->x0, e->location.x, sizeof d->x0);
    return GOS_OK;
}

static gos_status two_bodies(gos_joint *j, gos_drive *d) {
    const gos_end *first = &j->end[0];
    if (gos__rotating(&first->location) != GOS_TURN_FRAME) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, first->loc, j->object,
            "'%s' has no axes relative to which '%s' can be driven; list a rigid body or the "
            "ground first",
            first->text, j->end[1].text);
    }
    d->sign = -1.0;
    for (int s = 1; s >= 0; --s) {
        gos_marker m;
        GOS_TRY(gos__position(j->b, &j->end[s].location, &m));
        gos__joint_marker(j, s, true, &m);
    }
    double way[3];
    gos__sub3(j->end[1].location.x, first->location.x, way);
    for (int k = 0; k < 3; ++k) {
        d->x0[k] = gos__dot3(d->axis[k], way);
    }
    return GOS_OK;
}

#define PARALLEL_COSINE 0.99 // cosine to e2: axis 2 is e3

static gos_status make_axes(const gos_joint *j, const gos_joint_def *def, bool between,
                            gos_drive *d) {
    const bool first = gos__norm3(def->direction) > 0, second = gos__norm3(def->direction2) > 0;
    for (int k = 0; k < 3; ++k) {
        d->axis[0][k] = first ? def->direction[k] : k == 0;
        d->axis[1][k] = second ? def->direction2[k] : k == 1;
    }
    if (!between && (first || second)) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT,
                            gos__key_loc(j->entry, first ? "direction" : "direction2"), j->object,
                            "directions of components apply relative to a rigid body or a frame; "
                            "relative to the ground components are along the global axes");
    }
    (void)gos__unit3(d->axis[0]);
    if (!second && fabs(d->axis[0][1]) > PARALLEL_COSINE) {
        memcpy(d->axis[1], (const double[3]){0, 0, 1}, sizeof d->axis[1]);
    }
    const double size = gos__norm3(d->axis[1]), along = gos__dot3(d->axis[0], d->axis[1]);
    for (int k = 0; k < 3; ++k) {
        d->axis[1][k] -= along * d->axis[0][k];
    }
    if (!(gos__norm3(d->axis[1]) > 1e-6 * size)) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "direction2"), j->object,
                            "`direction` and `direction2` are parallel");
    }
    (void)gos__unit3(d->axis[1]);
    gos__cross3(d->axis[0], d->axis[1], d->axis[2]);
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    gos_joint_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def));
    gos_drive *d = GOS_NEW(b->arena, gos_drive, 1);
    if (!d) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(functions(&j, &def, d));
    GOS_TRY(gos__joint_locations(&j, &def));
    const bool between = j.end[0].location.body && j.end[1].location.body;
    GOS_TRY(make_axes(&j, &def, between, d));
    GOS_TRY(between ? two_bodies(&j, d) : one_body(&j, d));
    gos_input_def *input = GOS_NEW(b->arena, gos_input_def, 3);
    if (!input) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < 3; ++k) {
        if (component_bits[def.components] & (1u << k)) {
            input[d->n] = inputs[k];
            d->comp[d->n++] = k;
            int m;
            GOS_TRY(between ? gos__joint_direction(&j, 0, d->axis[k], &m) : GOS_OK);
        }
    }
    j.item.input = input;
    j.item.ninput = d->n;
    j.item.type = between ? &type_between : &type_driven;
    j.item.par = d;
    j.item.nc = d->n;
    j.item.linear = !between;
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_driven = {
    .section = "joints",
    .name = "driven",
    .doc = "prescribes the motion of a point as functions of time (1 to 3 equations)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "shaker: {type: driven, between: [ground, rod.start], displacement: [0, "
               "\"0.01*sin(20*t)\", 0]}",
    .ops = &ops};
