/* Section `reduction` of a model. */
#include <math.h>

#include "system/reduction.h"
#include "system/settings.h"

#define SECTION "reduction"
#define DEFAULT "auto" // default method
#define NAMED 4        // maximum methods listed in a message

static bool has_row(const gos_type *type, const char *key) {
    for (const gos_param *p = type->params; p->name; p++) {
        if (strcmp(p->name, key) == 0) {
            return true;
        }
    }
    return false;
}

/* lists the first NAMED methods; returns their number */
static int owners(const char *key, char *list, size_t size) {
    int n = 0;
    list[0] = '\0';
    for (const gos_type *const *t = gos__registry(); *t; t++) {
        if (strcmp((*t)->section, SECTION) == 0 && has_row(*t, key)) {
            const size_t have = strlen(list);
            gos__format(list + have, size - have, "%s%s", n ? ", " : "",
                        n < NAMED ? (*t)->name : "...");
            n++;
        }
        if (n > NAMED) {
            break;
        }
    }
    return n;
}

/* Copy of the entry without `method`; parameters of other methods are errors. Keys without value
   are ignored. */
static gos_status own_keys(gos_model *m, const gos_node *entry, const gos_type *type,
                           gos_arena *arena, gos_node *own) {
    gos_status status = GOS_OK;
    gos_node **end = &own->child;
    for (const gos_node *c = entry->child; c; c = c->next) {
        char list[300];
        const bool mine = has_row(type, c->key);
        const int n = mine ? 0 : owners(c->key, list, sizeof list);
        if (strcmp(c->key, "method") == 0 || (n > 0 && !gos__node_given(entry, c->key))) {
            continue;
        }
        if (n > 0) {
            status = gos__fail_at(
                m->ctx, GOS_E_INPUT, c->key_loc, SECTION,
                "'%s' is a parameter of %s, not of %s; remove it, or select %s with `method`",
                c->key, list, type->name, n > 1 ? "one of these methods" : list);
            continue;
        }
        gos_node *copy = GOS_NEW(arena, gos_node, 1);
        if (!copy) {
            return GOS_E_MEMORY;
        }
        *copy = *c;
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
        own->n++;
    }
    return status;
}

/* additional checks for linear methods */
static gos_status check_band(gos_ctx *ctx, const gos_node *entry, const gos_type *type,
                             const void *def) {
    const gos_reduction_ops *ops = type->ops;
    const gos_linear_def *d = (const gos_linear_def *)((const char *)def + ops->linear_def);
    const gos_node *n = gos__node_get(entry, "band");
    return !ops->linear || d->band[1] >= d->band[0]
               ? GOS_OK
               : gos__fail_at(ctx, GOS_E_INPUT, n ? n->loc : entry->loc, SECTION,
                              "band from %g to %g Hz: give two frequencies, the lower one first",
                              d->band[0], d->band[1]);
}

gos_status gos__settings_reduction(gos_ctx *ctx, gos_model *model, gos_arena *arena,
                                   gos_reduction_choice *choice) {
    const gos_node none = {.kind = GOS_MAP, .loc = model->root->loc};
    const gos_node *given = gos__node_get(model->root, SECTION);
    const gos_node *entry = given ? given : &none;
    GOS_TRY(gos__type_by(model, entry, SECTION, "method", DEFAULT, gos__registry(), SECTION,
                         &choice->type));
    const gos_type *type = choice->type;
    gos_node own = {
        .kind = GOS_MAP, .key = entry->key, .key_loc = entry->key_loc, .loc = entry->loc};
    const gos_status foreign = own_keys(model, entry, type, arena, &own);
    void *def = gos__arena_alloc(arena, 1, type->size);
    if (!def || foreign == GOS_E_MEMORY) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__fill(model, &own, type->params, SECTION, arena, def));
    GOS_TRY(foreign);
    GOS_TRY(check_band(ctx, &own, type, def));
    const gos_reduction_ops *ops = type->ops;
    choice->def = def;
    return ops->nonlinear && ops->nonlinear->check ? ops->nonlinear->check(ctx, &own, def) : GOS_OK;
}

gos_status gos__settings_reduction_kind(gos_ctx *ctx, const gos_model *model, const gos_type *type,
                                        bool linear) {
    const gos_node *entry = gos__node_get(model->root, SECTION);
    const unsigned other = linear ? GOS_P_NONLINEAR : GOS_P_LINEAR;
    gos_status status = GOS_OK;
    for (const gos_param *p = type->params; entry && p->name; p++) {
        if (p->flags & other && gos__node_given(entry, p->name)) {
            status = gos__fail_at(ctx, GOS_E_INPUT, gos__node_get(entry, p->name)->key_loc, SECTION,
                                  "%s supports '%s' for %s models only, but this one is %s; remove "
                                  "it, or select another method",
                                  type->name, p->name, linear ? "nonlinear" : "linear",
                                  linear ? "linear" : "nonlinear");
        }
    }
    return status;
}

gos_status gos_linear_reduction_settings(gos_ctx *ctx, gos_model *model,
                                         gos_linear_reduction_options *options, bool *only) {
    gos_reduction_choice choice;
    GOS_TRY(gos__model_parameters(model));
    GOS_TRY(gos__settings_reduction(ctx, model, model->arena, &choice));
    const gos_reduction_ops *ops = choice.type->ops;
    const gos_node *entry = gos__node_get(model->root, SECTION);
    const bool tolerance_given = entry && gos__node_given(entry, "tolerance");
    if (!gos__node_get(model->root, "bodies")) { // for an external linear model
        GOS_TRY(gos__settings_reduction_kind(ctx, model, choice.type, true));
    }
    static const gos_linear_def none;
    const char *def = (const char *)choice.def + ops->linear_def;
    *only = !ops->nonlinear;
    return gos__linear_options(model->arena, choice.type,
                               ops->linear ? (const gos_linear_def *)def : &none, tolerance_given,
                               options);
}
