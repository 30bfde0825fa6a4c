/* Builds the mesh of an entry of `meshes`. */
#include "mesh/generate.h"
#include "mesh/named_sets.h"

static const gos_type *const types[] = {
#define X(name) &gos__mesh_##name,
    GOS_MESH_TYPES(X)
#undef X
        NULL,
};

gos_status gos__mesh_grid(const gos_mesh_maker *k, const gos_mesh_def *def, int n, gos_grid *grid) {
    *grid = (gos_grid){.order = def->order + 1, .simplex = def->simplex == 1};
    for (int d = 0; d < n; d++) {
        const double cells = rint(def->cells[d]);
        // a quotient like 1.2/0.1 deviates from its integer by rounding
        if (!(fabs(def->cells[d] - cells) <= 1e-9 * cells)) {
            return gos__fail_at(k->model->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "cells"),
                                k->object, "cells must be whole numbers, got %g", def->cells[d]);
        }
        grid->n[d] = (int)cells;
        grid->bias[d] = def->bias[d];
    }
    return GOS_OK;
}

static gos_status make(const gos_mesh_maker *k, gos_mesh *mesh) {
    const gos_type *type = NULL;
    GOS_TRY(gos__type_of(k->model, k->entry, "meshes", types, k->object, &type));
    const gos_mesh_ops *ops = type->ops;
    gos_mesh_def *def = gos__arena_alloc(mesh->arena, 1, type->size);
    GOS_TRY(def ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fill(k->model, k->entry, type->params, k->object, mesh->arena, def));
    GOS_TRY(ops->make(k, def, mesh));
    return def->sets ? gos__mesh_named_sets(k, def->sets, mesh) : GOS_OK;
}

gos_status gos__mesh_make(gos_model *m, const gos_node *entry, const char *object,
                          gos_mesh **mesh) {
    const gos_mesh_maker k = {m, entry, object};
    gos_mesh *made = NULL;
    GOS_TRY(gos__mesh_create(m->ctx, &made));
    const gos_status status = make(&k, made);
    if (status != GOS_OK) {
        gos__mesh_destroy(made);
        return status;
    }
    *mesh = made;
    return GOS_OK;
}
