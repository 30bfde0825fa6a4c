/* Assigns designed control laws to controllers, from files or on demand. */
#include "gossamer/control.h"
#include "gossamer/io.h"
#include "model/model.h"

/* type designed, still without a law? */
static bool is_open(const gos_model *m, const gos_node *entry) {
    const gos_node *type = entry->kind == GOS_MAP ? gos__node_get(entry, "type") : NULL;
    return type && type->kind == GOS_SCALAR && strcmp(type->text, "designed") == 0 &&
           !gos_model_control_law_get(m, entry->key);
}

/* next such entry after `e`, or the first */
static const gos_node *next_open(const gos_model *m, const gos_node *e) {
    const gos_node *section = gos__node_get(m->root, "controllers");
    const gos_node *n = e ? e->next : section && section->kind == GOS_MAP ? section->child : NULL;
    while (n && !is_open(m, n)) {
        n = n->next;
    }
    return n;
}

static gos_status give_law(gos_ctx *ctx, gos_model *m, const gos_node *entry,
                           const gos_design *design) {
    const gos_control_law *law = gos_design_law(design);
    return law ? gos_model_control_law(ctx, m, entry->key, law)
               : gos__fail_at(
                     ctx, GOS_E_INPUT, entry->key_loc, entry->key,
                     "its design has no signals and therefore yields only a state-feedback gain; "
                     "add `signals` to the design, and an observer (type: lqg) if they do not "
                     "determine all states");
}

/* The entry's `design:`, a design with its name, or NULL for the only one. *none: no such design,
   so the program must supply the law */
static const char *design_of(const gos_model *m, const gos_node *entry, bool *none) {
    const gos_node *named = gos__node_given(entry, "design");
    int n = 0;
    *none = false;
    if (named && named->kind == GOS_SCALAR) {
        return named->text;
    }
    for (const char *name; (name = gos_design_name(m, n)); n++) {
        if (strcmp(name, entry->key) == 0) {
            return entry->key;
        }
    }
    *none = n != 1;
    return NULL;
}

static gos_status make_law(gos_ctx *ctx, gos_model *m, const gos_node *entry, gos_arena *a) {
    const gos_node *file = gos__node_given(entry, "file");
    const char *path, *object = gos__arena_printf(a, "controller '%s'", entry->key);
    gos_design *design = NULL;
    bool none = false;
    GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
    if (file && file->kind == GOS_SCALAR) {
        GOS_TRY(gos__path_below(ctx, m->folder, file->text, file->loc, object, a, &path));
        GOS_TRY(gos_controller_read(ctx, path, &design));
    } else {
        const char *name = design_of(m, entry, &none);
        char text[160];
        if (none) {
            return GOS_OK;
        }
        gos__format(text, sizeof text, "designing %s", name ? name : entry->key);
        gos__progress_start(ctx);
        GOS_TRY(gos__progress(ctx, 0, text));
        GOS_TRY(gos_design_model(ctx, m, name, &design));
    }
    const gos_status status = give_law(ctx, m, entry, design);
    gos_design_destroy(design);
    return status;
}

gos_status gos_model_read_controllers(gos_ctx *ctx, gos_model *model) {
    gos_arena *a = gos__arena_create(ctx);
    gos_status status = a ? GOS_OK : GOS_E_MEMORY;
    for (const gos_node *e = next_open(model, NULL); e && status == GOS_OK;
         e = next_open(model, e)) {
        status = make_law(ctx, model, e, a);
    }
    gos__arena_destroy(a);
    return status;
}

gos_status gos_model_use_controller(gos_ctx *ctx, gos_model *model, const char *path) {
    const gos_node *first = next_open(model, NULL);
    gos_design *design = NULL;
    if (!first || next_open(model, first)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "%s requires a model with exactly one controller of type designed, but "
                         "this model has %s; specify the files in the model (file: CONTROLLER.h5)",
                         path, first ? "several" : "none");
    }
    GOS_TRY(gos_controller_read(ctx, path, &design));
    const gos_status status = give_law(ctx, model, first, design);
    gos_design_destroy(design);
    return status;
}
