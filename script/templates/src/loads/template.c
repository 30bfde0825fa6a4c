/* template: one line on its effect, then the law and its source.
   The template applies a given force and a drag to one point,
       f = s F(t) - c x',
   where s is the load factor of a static solution. */
#include "loads/load.h"
#include "loads/loads.h"

/* filled from the table below */
typedef struct definition {
    gos_texts on;
    gos_timefn *force[3]; // [N]
    double drag;          // [N s/m]
} definition;

/* data of the law */
typedef struct data {
    double c; // [N s/m]
} data;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(definition, on),
     .doc = "the point or points that carry it, e.g. rod.end"},
    {.name = "force",
     .kind = GOS_K_TIMEFNS,
     .unit = "N",
     .shape = 3,
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(definition, force),
     .doc = "force [Fx, Fy, Fz], each a number or a function of time"},
    {.name = "drag",
     .kind = GOS_K_NUMBER,
     .unit = "N s/m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(definition, drag),
     .doc = "drag coefficient of the velocity of the point"},
    {0}};

/* Outputs are NULL if not requested, else zeroed; rates are NULL in a static solution. */
static void eval(const gos_item *it, const gos_item_io *io) {
    const data *d = it->par;
    for (int k = 0; k < 3; ++k) {
        if (io->f) {
            io->f[k] = io->scale * io->fn[k] - (io->xd ? d->c * io->xd[k] : 0.0);
        }
        if (io->fv) {
            io->fv[4 * k] = -d->c; // (k, k) of a 3 x 3 matrix
        }
    }
}

/* Declares the force as an input of the system (for responses, controllers); by_input computes the
   derivative of f with respect to component k->fn. */
static const gos_input_def inputs[3] = GOS_LOAD_INPUTS("N");

static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(it);
    if (io->f) {
        io->f[k->fn] = io->scale;
    }
}

static const gos_item_type item_type = {.name = "template", .eval = eval, .by_input = by_input};

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    definition def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    if (def.on.n != 1) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "on"), object,
                            "on lists %d points; give one, e.g. rod.end", def.on.n);
    }
    gos_location p;
    GOS_TRY(gos__locate_point(b, def.on.v[0], def.on.loc[0], object, &p));
    if (!p.body) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, def.on.loc[0], object,
                            "the ground cannot carry a load; name a point of a body");
    }
    gos_item item = {
        .type = &item_type, .loc = entry->key_loc, .nm = 1, .nfn = 3, .ninput = 3, .input = inputs};
    data *d = GOS_NEW(b->arena, data, 1);
    item.par = d;
    item.name = gos__arena_strdup(b->arena, object);
    if (!d || !item.name) {
        return GOS_E_MEMORY;
    }
    d->c = def.drag;
    GOS_TRY(gos__position(b, &p, &item.m[0]));
    GOS_TRY(gos__add_timefns(b, 3, def.force, &item.fn0));
    return gos__add_item(b, &item, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_template = {
    .section = "loads",
    .name = "template",
    .doc = "one line for the reference",
    .params = params,
    .size = sizeof(definition),
    .example = "push: {type: template, on: rod.end, force: [0, 0, \"2*sin(t)\"], drag: 0.1}",
    .ops = &ops};
