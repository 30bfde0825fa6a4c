/* Prescribed temperature: rows h = mean - scale * value(t) = 0 and, unless gradients are free,
   every other family = 0. In statics the increment grows from the stress-free reference to its
   value. */
#include "heat/heat.h"
#include "model/model.h"

typedef struct temperature {
    gos_texts on;
    gos_timefn *value;
    int gradients;
} temperature;

static const gos_param params[] = {
    GOS_HEAT_ON(
        temperature,
        "ends (rod.end), nodes (rod.node(3)), points (rod.at(0.5)), plate edges (panel.edge.x0), "
        "node sets of meshes, or bodies (all their nodes; for a floating mesh body name a set)"),
    {.name = "value",
     .kind = GOS_K_TIMEFN,
     .unit = "K",
     .flags = GOS_P_REQUIRED | GOS_P_OVER_REFERENCE,
     .offset = offsetof(temperature, value),
     .doc = "mean temperature of the section, relative to reference_temperature"},
    {.name = "gradients",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .choices = "zero|free",
     .def = "zero",
     .offset = offsetof(temperature, gradients),
     .doc = "zero: uniform section temperature; free: only the mean is prescribed"},
    {.name = NULL},
};

typedef struct rows {
    bool mean; // row 0 follows the time function
} rows;

static const rows with_mean = {true}, without_mean = {false};

static void rows_item(const gos_item *it, const gos_item_io *io) {
    const rows *p = it->par;
    for (int i = 0; i < it->nh; i++) {
        if (io->h) {
            io->h[i] += io->th[i] - (p->mean && i == 0 ? io->scale * io->fn[0] : 0.0);
        }
        if (io->hth) {
            io->hth[i * it->ntm + i] += 1.0;
        }
    }
}

static void rows_by_value(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(it);
    GOS_UNUSED(k);
    if (io->h) {
        io->h[0] -= io->scale;
    }
}

static const gos_item_type rows_type = {
    .name = "prescribed temperature", .eval = rows_item, .by_input = rows_by_value};
static const gos_input_def input = {.fn = 0, .unit = "K", .kind = GOS_INPUT_TEMPERATURE};

/* rows for n families, the mean first if it is one of them, at most GOS_ITEM_ROWS per item */
static gos_status add_rows(const gos_heat_entry *e, const gos_heat_location *p, gos_tmarker *tm,
                           int n, bool mean) {
    for (int k = 0; k < n; k += GOS_ITEM_ROWS) {
        gos_item it;
        memset(&it, 0, sizeof it);
        it.type = &rows_type;
        it.par = k == 0 && mean ? &with_mean : &without_mean;
        it.name = gos__arena_strdup(e->b->arena, e->object);
        it.loc = p->loc;
        it.ntm = it.nh = n - k < GOS_ITEM_ROWS ? n - k : GOS_ITEM_ROWS;
        it.tm = tm + k;
        it.entry = gos__arena_strdup(e->b->arena, e->name);
        it.fn0 = e->fn0;
        it.nfn = e->nfn;
        it.ninput = k == 0 && mean; // other rows fix gradients at 0
        it.input = &input;
        if (!it.name || !it.entry) {
            return GOS_E_MEMORY;
        }
        GOS_TRY(gos__add_item(e->b, &it, NULL));
    }
    return GOS_OK;
}

/* the item that prescribes this temperature coordinate alone, NULL: none does */
static const gos_item *prescribed(const gos_builder *b, const gos_tmarker *tm) {
    for (int i = b->nitem - 1; i >= 0 && tm->n == 1; i--) {
        const gos_item *it = b->item[i];
        for (int r = 0; r < it->ntm && it->type == &rows_type; r++) {
            if (it->tm[r].n == 1 && it->tm[r].idx[0] == tm->idx[0]) {
                return it;
            }
        }
    }
    return NULL;
}

/* two entries with values that differ at one point */
static gos_status check_value(const gos_heat_entry *e, const gos_heat_location *p,
                              const gos_item *other) {
    const gos_node *entry = gos__next_entry(e->b, "heat", NULL);
    while (entry && strcmp(entry->key, other->entry) != 0) {
        entry = gos__next_entry(e->b, "heat", entry);
    }
    if (!entry || entry == e->node ||
        gos__same_value(gos__node_given(entry, "value"), gos__node_given(e->node, "value"))) {
        return GOS_OK;
    }
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                        "prescribes another temperature than '%s' where '%s' meets it; give both "
                        "the same value, or prescribe one of them at single nodes that they do not "
                        "share",
                        other->entry, p->text);
}

static gos_status at_location(const gos_heat_entry *e, const gos_heat_location *p, int n) {
    const gos_body *body = p->location.body;
    gos_tmarker *tm = GOS_NEW(e->b->arena, gos_tmarker, body->nfam);
    if (!tm) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(body->ops->temperature(e->b->arena, body, &p->location, tm));
    while (n > 1 && tm[n - 1].n == 0) {
        n--; // no shell at this mesh node
    }
    const gos_item *other = prescribed(e->b, tm);
    GOS_TRY(other ? check_value(e, p, other) : GOS_OK);
    return add_rows(e, p, tm, n, true);
}

/* Temperature and gradients of a node, except what another edge or set prescribes with the same
 * value. *added counts the rows. */
static gos_status at_node(const gos_heat_entry *e, const gos_heat_location *p, int node, int n,
                          int *added) {
    gos_arena *a = e->b->arena;
    gos_tmarker *tm = GOS_NEW(a, gos_tmarker, n);
    int *idx = GOS_NEW(a, int, n);
    double *w = GOS_NEW(a, double, n);
    if (!tm || !idx || !w) {
        return GOS_E_MEMORY;
    }
    int kept = 0;
    bool mean = false;
    for (int k = 0; k < n; k++) {
        idx[k] = p->location.body->node_t[node] + k;
        w[k] = 1.0;
        tm[kept] = (gos_tmarker){.n = 1, .idx = &idx[k], .w = &w[k]};
        const gos_item *other = prescribed(e->b, &tm[kept]);
        GOS_TRY(other && k == 0 ? check_value(e, p, other) : GOS_OK);
        mean = mean || (k == 0 && !other);
        kept += !other;
    }
    *added += kept;
    return add_rows(e, p, tm, kept, mean);
}

static gos_status nothing_new(const gos_heat_entry *e, const gos_heat_location *p) {
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                        "'%s' has prescribed temperatures already, all over; remove it", p->text);
}

static gos_status at_edge(const gos_heat_entry *e, const gos_heat_location *p, int n) {
    const gos_body *body = p->location.body;
    gos_location node = p->location;
    double along[3], across[3];
    int added = 0;
    if (p->location.set) {
        int count = body->ops->set_node(body, p->location.set, 0, &node);
        for (int k = 0; k < count; k++) {
            count = body->ops->set_node(body, p->location.set, k, &node);
            GOS_TRY(at_node(e, p, node.node, n, &added));
        }
        return added > 0 ? GOS_OK : nothing_new(e, p);
    }
    const int last = body->ops->edge(body, p->location.edge, 0.0, &node, along, across);
    for (int k = 0; k <= last; k++) {
        body->ops->edge(body, p->location.edge, (double)k / last, &node, along, across);
        GOS_TRY(at_node(e, p, node.node, n, &added));
    }
    return added > 0 ? GOS_OK : nothing_new(e, p);
}

/* The nodes of a floating body's set share one temperature (floating/mesh_loads.c). */
static gos_status attach(const gos_heat_entry *e, const gos_heat_location *p, bool free_gradients) {
    const gos_body *body = p->location.body;
    int n = free_gradients || p->location.side != 0 ? 1 : body->nfam;
    if (p->where == GOS_ON_EDGE) {
        return at_edge(e, p, n);
    }
    if (p->location.set && n < body->nfam) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "the nodes of '%s' share one gradient, which cannot be free; set "
                            "gradients: zero, or list single nodes",
                            p->text);
    }
    if (p->where != GOS_ON_BODY) {
        return at_location(e, p, n);
    }
    if (!body->node_t) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "'%s' is a whole mesh body without a single temperature; specify %s",
                            body->name, gos__heat_points(e, body));
    }
    int added = 0;
    for (int i = 0; i < body->nnode; i++) {
        GOS_TRY(at_node(e, p, i, n, &added));
    }
    return added > 0 ? GOS_OK : nothing_new(e, p);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    temperature in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    GOS_TRY(gos__heat_fns(&e, 1, &in.value));
    GOS_TRY(gos__heat_above_zero(&e, "value", in.value));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i,
                                   GOS_ON_BODY | GOS_ON_END | GOS_ON_POINT | GOS_ON_EDGE, &p));
        GOS_TRY(attach(&e, &p, in.gradients == 1));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_temperature = {
    .section = "heat",
    .name = "temperature",
    .doc = "Prescribed temperature of an end, a point, an edge or a whole body.",
    .params = params,
    .size = sizeof(temperature),
    .example = "wall: {type: temperature, value: \"100*sin(pi*t/40)\", on: rod.end}",
    .ops = &ops,
};
