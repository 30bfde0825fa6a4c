/* Input u(t) of a matrix body: applies forces B u. Marker c holds the input column of coordinate
   component c. */
#include "loads/load.h"
#include "loads/loads.h"

typedef struct input_def {
    gos_texts on;
    gos_timefn *value;
} input_def;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(input_def, on),
     .doc = "the input or inputs, BODY.INPUT, e.g. station.roll"},
    {.name = "value",
     .kind = GOS_K_TIMEFN,
     .unit = "",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(input_def, value),
     .doc = "input value, a number or a function of time, in the unit of the input"},
    {0}};

static void eval(const gos_item *it, const gos_item_io *io) {
    const double u = io->scale * io->fn[0];
    for (int c = 0; c < it->nm && io->f; ++c) {
        io->f[4 * c] += u;
    }
    if (it->ntm && io->heat) {
        io->heat[0] += u;
    }
}

static const gos_item_type type_input = {
    .name = "input", .eval = eval, .by_input = gos__by_unit_input};

static gos_status add(gos_builder *b, const char *on, gos_loc loc, gos_item item) {
    gos_input_def *input = GOS_NEW(b->arena, gos_input_def, 1);
    gos_signal s;
    if (!input) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__locate_port(b, on, false, loc, item.name, &input->body, &input->port, &s));
    input->unit = s.unit ? s.unit : "";
    input->kind = s.tm.n > 0 ? GOS_INPUT_HEAT : GOS_INPUT_FORCE;
    item.input = input;
    item.ninput = 1;
    if (s.tm.n > 0) {
        item.tm = GOS_NEW(b->arena, gos_tmarker, 1);
        if (!item.tm) {
            return GOS_E_MEMORY;
        }
        item.tm[0] = s.tm;
        item.ntm = 1;
    } else {
        memcpy(item.m, s.m, sizeof s.m);
        item.nm = 3;
    }
    return gos__add_item(b, &item, NULL);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    input_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_item item = {.type = &type_input, .loc = entry->key_loc, .nfn = 1, .dead = true};
    GOS_TRY(gos__add_timefns(b, 1, &def.value, &item.fn0));
    item.name = gos__arena_strdup(b->arena, object);
    item.entry = gos__arena_strdup(b->arena, name);
    if (!item.name || !item.entry) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < def.on.n; ++i) {
        GOS_TRY(add(b, def.on.v[i], def.on.loc[i], item));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_input = {
    .section = "loads",
    .name = "input",
    .doc = "drives an input of a body given by matrices",
    .params = params,
    .size = sizeof(input_def),
    .example = "push: {type: input, on: station.roll, value: \"sin(2*pi*t)\"}",
    .ops = &ops};
