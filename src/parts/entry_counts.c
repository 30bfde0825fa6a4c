#include "parts/entry_counts.h"

const gos_node *gos__entry_of(const gos_builder *b, const char *section, const char *name) {
    const gos_node *e = NULL;
    while ((e = gos__next_entry(b, section, e)) != NULL) {
        if (strcmp(e->key, name) == 0) {
            return e;
        }
    }
    return NULL;
}

/* of the numbers, each increased by `more` */
static double product_of(const gos_builder *b, const gos_node *entry, const char *key, int more,
                         int *n) {
    const gos_node *list = gos__node_given(entry, key);
    const gos_node *one = list && list->kind == GOS_LIST ? list->child : list;
    gos_ctx *quiet = one ? gos__ctx_quiet(b->ctx) : NULL;
    double product = quiet ? 1 : 0, v = 0;
    *n = 0;
    if (!quiet) {
        return 0;
    }
    gos_model silent = *b->model;
    silent.ctx = quiet;
    for (; one; one = one->next) {
        const bool number = one->kind == GOS_SCALAR &&
                            gos__expr(&silent, one->text, one->loc, NULL, &v) == GOS_OK && v > 0 &&
                            v <= GOS_LIMIT_MESH_CELLS;
        product *= number ? v + more : 0;
        ++*n;
        if (list->kind != GOS_LIST) {
            break;
        }
    }
    gos_ctx_destroy(quiet);
    return product;
}

double gos__entry_product(const gos_builder *b, const gos_node *entry, const char *key, int *n) {
    return product_of(b, entry, key, 0, n);
}

double gos__entry_mesh_nodes(const gos_builder *b, const gos_node *entry, int *dim) {
    const gos_node *name = gos__node_given(entry, "mesh");
    const gos_node *mesh =
        name && name->kind == GOS_SCALAR ? gos__entry_of(b, "meshes", name->text) : NULL;
    const gos_node *cells = mesh ? gos__node_given(mesh, "cells") : NULL;
    const gos_node *type = cells ? gos__node_given(mesh, "type") : NULL;
    *dim = 0;
    if (!type || type->kind != GOS_SCALAR || cells->kind != GOS_LIST) {
        return 0;
    }
    const bool open = strcmp(type->text, "box") == 0 || strcmp(type->text, "rectangle") == 0;
    return product_of(b, mesh, "cells", open, dim); // rings may be closed
}
