/* Controller whose law is supplied by a design or by the calling program. */
#include "base/base.h"
#include <math.h>

#include "controllers/controllers.h"
#include "gossamer/controller.h"

typedef struct designed {
    const char *file, *design;
    const gos_node *signals;
    gos_control_common common;
} designed;

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(designed, file),
     .doc = "output file of `gossamer design`, below the model's folder; default: the law of "
            "`design`, or one supplied by the calling program (gos_model_control_law)"},
    {.name = "design",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(designed, design),
     .doc = "without `file`: entry of `designs`, designed when needed; default: the entry with the "
            "controller's name, or the only one"},
    {.name = "signals",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(designed, signals),
     .doc = "replacements of the law's signals, in its order: components of probes, or expressions "
            "of these and t, such as the tracking error \"angle.x - 0.1*t\"; default: the signals "
            "themselves"},
    GOS_CONTROL_COMMON(offsetof(designed, common)),
    {0}};

static gos_status take_names(const gos_control_maker *k, int n, const char *const *name,
                             const gos_control_name **to) {
    gos_control_name *list = GOS_NEW(k->b->arena, gos_control_name, n + 1);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        list[i] = (gos_control_name){.text = gos__arena_strdup(k->b->arena, name[i]),
                                     .loc = k->entry->key_loc};
        GOS_TRY(list[i].text ? GOS_OK : GOS_E_MEMORY);
    }
    *to = list;
    return GOS_OK;
}

/* copied, as part of the system's definition */
static gos_status take(gos_control_maker *k, int m, int n, const double *from, const double **to) {
    const size_t count = (size_t)m * (size_t)n;
    *to = NULL;
    if (!from || count == 0) {
        return GOS_OK;
    }
    double *x = gos__control_zeros(k, m, n);
    GOS_TRY(x ? GOS_OK : GOS_E_MEMORY);
    memcpy(x, from, count * sizeof *x);
    gos_model *model = k->b->model;
    model->tables = gos__hash(model->tables, x, count * sizeof *x);
    *to = x;
    return GOS_OK;
}

static gos_status take_limits(gos_control_maker *k, const gos_control_law *l) {
    GOS_TRY(take(k, l->nu, 1, l->limit, &k->c.upper));
    double *lower = k->c.upper ? gos__control_zeros(k, l->nu, 1) : NULL;
    GOS_TRY(!k->c.upper || lower ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < l->nu && lower; i++) {
        lower[i] = -k->c.upper[i];
    }
    k->c.lower = lower;
    return GOS_OK;
}

static gos_status take_law(gos_control_maker *k, const gos_control_law *l) {
    gos_controller *c = &k->c;
    c->n = l->n;
    c->ny = l->ny;
    c->nu = l->nu;
    c->period = l->period;
    c->delay = l->delay;
    GOS_TRY(take_names(k, l->ny, l->signal, &c->signal));
    GOS_TRY(take_names(k, l->nu, l->input, &c->input));
    GOS_TRY(take(k, l->n, l->n, l->A, &c->A));
    GOS_TRY(take(k, l->n, l->ny, l->B, &c->B));
    GOS_TRY(take(k, l->nu, l->n, l->C, &c->C));
    GOS_TRY(take(k, l->nu, l->ny, l->D, &c->D));
    GOS_TRY(take(k, l->n, l->nu, l->E, &c->E));
    GOS_TRY(take(k, l->ny, 1, l->y0, &c->y0));
    GOS_TRY(take(k, l->nu, 1, l->u0, &c->u0));
    return take_limits(k, l);
}

static gos_status replace_signals(gos_control_maker *k) {
    const gos_node *given = gos__node_given(k->entry, "signals");
    const int ny = k->c.ny;
    if (!given) {
        return GOS_OK;
    }
    k->c.ny = 0;
    GOS_TRY(gos__control_signals(k, "signals"));
    return k->c.ny == ny ? GOS_OK
                         : gos__fail_at(k->b->ctx, GOS_E_INPUT, given->loc, k->object,
                                        "signals has %d entries, but the law has %d signals; give "
                                        "one for each, in its order",
                                        k->c.ny, ny);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    designed def = {0};
    gos_control_maker k;
    const gos_texts none = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    if (b->model->open_loops && !gos_model_control_law_get(b->model, name)) {
        gos__note(b->ctx, object, "is omitted: the loop is open");
        return GOS_OK;
    }
    GOS_TRY(gos__control_begin(b, entry, name, object, &none, &k));
    const gos_control_law *law = gos_model_control_law_get(b->model, name);
    if (!law) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "it has no control law: make one with `gossamer design MODEL -o FILE` "
                            "and give it as `file`, or supply it by gos_model_control_law%s",
                            def.file ? " (gos_model_read_controllers reads files)" : "");
    }
    GOS_TRY(take_law(&k, law));
    GOS_TRY(replace_signals(&k));
    return gos__control_end(&k, &def.common);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__controller_designed = {
    .section = "controllers",
    .name = "designed",
    .doc = "control law supplied by a design or by the calling program under its name",
    .params = params,
    .size = sizeof(designed),
    .example = "lqg: {type: designed}",
    .ops = &ops};
