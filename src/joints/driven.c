/* Driven place: chosen components of a position are functions of time (theory guide 3.2, last
   lines), x_k - x0_k - s u_k(t) = 0,   u = displacement, or position - x0, with s the load factor
   of a static solution, else 1, so that a static drive comes on gradually. Rows are first place minus
   second, as in all joints, so that the multipliers are the force on either side alike. */
#include "joints/joint.h"
#include "joints/joints.h"

typedef struct gos_drive {
    double x0[3];   // position at t = 0 [m]
    bool absolute;  // the functions are positions, not displacements
    double sign;    // of the place in its rows: 1 when it is named first, -1 after the ground
    int n, comp[3]; // driven components
} gos_drive;

static const char component_names[] = "xyz|x|y|z|xy|xz|yz";
static const unsigned component_bits[] = {7u, 1u, 2u, 4u, 3u, 5u, 6u}; // x = 1, y = 2, z = 4

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the ground and the place that is driven, e.g. [ground, rod.start]"),
    {.name = "displacement",
     .kind = GOS_K_TIMEFNS,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_joint_def, displacement),
     .doc = "displacement from the place at t = 0, functions of time, global axes"},
    {.name = "position",
     .kind = GOS_K_TIMEFNS,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_joint_def, position),
     .doc = "position, functions of time, global axes; in place of `displacement`"},
    {.name = "components",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "xyz",
     .choices = component_names,
     .offset = offsetof(gos_joint_def, components),
     .doc = "the driven components; the others stay free"},
    {0}};

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_drive *d = it->par;
    for (int r = 0; r < d->n; ++r) {
        int k = d->comp[r];
        if (io->c) {
            const double u = io->fn[k] - (d->absolute ? d->x0[k] : 0.0);
            // one subtraction where it can be: small steps make large accelerations of rounding
            const double place =
                d->absolute && io->scale == 1 ? io->fn[k] : d->x0[k] + io->scale * u;
            io->c[r] = d->sign * (io->x[k] - place);
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

/* x_k - x0_k - s u_k(t) = 0 */
static void by_amount(const gos_item *it, const gos_item_io *io, const gos_amount *k) {
    const gos_drive *d = it->par;
    for (int r = 0; r < d->n && io->c; ++r) {
        io->c[r] = d->comp[r] == k->fn ? -d->sign * io->scale : 0.0;
    }
}

static const gos_item_type type_driven = {.name = "driven", .eval = eval, .by_amount = by_amount};
static const gos_amount amounts[3] = {
    {.fn = 0, .component = "x", .unit = "m", .kind = GOS_AMOUNT_MOTION},
    {.fn = 1, .component = "y", .unit = "m", .kind = GOS_AMOUNT_MOTION},
    {.fn = 2, .component = "z", .unit = "m", .kind = GOS_AMOUNT_MOTION}};

/* Exactly one of the two; the functions become the builder's. */
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
    GOS_TRY(gos__joint_places(&j, &def));
    if (j.end[0].place.body && j.end[1].place.body) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "between"), object,
                            "places are driven against the ground; write [ground, %s]",
                            j.end[0].text);
    }
    const int moved = j.end[0].place.body ? 0 : 1;
    const gos_end *e = &j.end[moved];
    d->sign = moved == 0 ? 1.0 : -1.0;
    gos_marker m;
    GOS_TRY(gos__position(b, &e->place, &m));
    gos__joint_marker(&j, moved, true, &m);
    memcpy(d->x0, e->place.x, sizeof d->x0);
    gos_amount *amount = GOS_NEW(b->arena, gos_amount, 3);
    if (!amount) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < 3; ++k) {
        if (component_bits[def.components] & (1u << k)) {
            amount[d->n] = amounts[k];
            d->comp[d->n++] = k;
        }
    }
    j.item.amount = amount;
    j.item.namount = d->n;
    j.item.type = &type_driven;
    j.item.par = d;
    j.item.nc = d->n;
    j.item.linear = true;
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_driven = {
    .section = "joints",
    .name = "driven",
    .doc = "a place moves as functions of time say (1 to 3 equations)",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "shaker: {type: driven, between: [ground, rod.start], displacement: [0, "
               "\"0.01*sin(20*t)\", 0]}",
    .ops = &ops};
