/* Controllers of a model whose laws lie in files. */
#include "gossamer/control.h"
#include "gossamer/io.h"
#include "model/model.h"

static gos_status give_law(gos_ctx *ctx, gos_model *model, const gos_node *entry,
                           const gos_node *file, gos_arena *a) {
    const char *path, *object = gos__arena_printf(a, "controller '%s'", entry->key);
    gos_design *design = NULL;
    GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__path_below(ctx, model->folder, file->text, file->loc, object, a, &path));
    GOS_TRY(gos_controller_read(ctx, path, &design));
    const gos_control_law *law = gos_design_law(design);
    const gos_status status =
        law ? gos_model_control_law(ctx, model, entry->key, law)
            : gos__fail_at(ctx, GOS_E_INPUT, file->loc, object,
                           "'%s' has a gain of states alone, for it was designed without signals; "
                           "give its design signals",
                           file->text);
    gos_design_destroy(design);
    return status;
}

gos_status gos_model_read_controllers(gos_ctx *ctx, gos_model *model) {
    const gos_node *section = gos__node_get(model->root, "controllers");
    gos_arena *a = gos__arena_create(ctx);
    gos_status status = a ? GOS_OK : GOS_E_MEMORY;
    for (const gos_node *e = section && section->kind == GOS_MAP ? section->child : NULL;
         e && status == GOS_OK; e = e->next) {
        const gos_node *type = e->kind == GOS_MAP ? gos__node_get(e, "type") : NULL;
        const gos_node *file = type ? gos__node_given(e, "file") : NULL;
        if (file && file->kind == GOS_SCALAR && type->kind == GOS_SCALAR &&
            strcmp(type->text, "designed") == 0) {
            status = give_law(ctx, model, e, file, a);
        }
    }
    gos__arena_destroy(a);
    return status;
}
