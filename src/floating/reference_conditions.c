#include "floating/reference_conditions.h"

typedef struct holding {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const gos_mesh_hold *as;
    const gos_mesh_locations *locations;
    gos_flex *flex;
} holding;

static gos_status refuse(const holding *k, const char *key, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, key), k->object, "%s", why);
}

static gos_status find_location(const holding *k, const char *key, const char *name, int *node) {
    *node = name ? gos__mesh_locations_find(k->locations, name) : -1;
    return *node >= 0 ? GOS_OK
           : name
               ? gos__fail_at(
                     k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, key), k->object,
                     "mesh '%s' has no node or set '%s'; give one of its sets or node(NUMBER)",
                     k->as->mesh, name)
               : refuse(
                     k, key,
                     "this reference needs `at`, a set of nodes, and for a chord also `chord_end`");
}

static gos_status drop(const holding *k) {
    bool *none = gos__zalloc(k->b->ctx, (size_t)k->flex->n + 1, sizeof *none);
    GOS_TRY(none ? GOS_OK : GOS_E_MEMORY);
    const gos_status status = gos__flex_drop(k->flex, none);
    gos__free(k->b->ctx, none);
    return status;
}

static bool is_interface(const holding *k, const char *name) {
    const gos_mesh_interfaces *list = &k->locations->interfaces;
    bool found = false;
    for (int i = 0; i < list->n; i++) {
        found = found || strcmp(list->v[i].name, name) == 0;
    }
    return found;
}

static gos_status clamp_interface(const holding *k, int node) {
    if (!k->locations->turns[node]) {
        return refuse(k, "at",
                      "the nodes of this interface do not determine the rotation of a frame; use "
                      "another one");
    }
    GOS_TRY(gos__flex_hold(k->flex, GOS_FLEX_CLAMPED, node, 0));
    return drop(k);
}

static gos_status hold_column(const gos_sparse *A, int column, gos_conditions *held) {
    GOS_TRY(A->p[column] < A->p[column + 1] ? gos__conditions_begin(held, -1) : GOS_OK);
    for (int p = A->p[column]; p < A->p[column + 1]; p++) {
        GOS_TRY(gos__conditions_term(held, A->i[p], A->x[p]));
    }
    return GOS_OK;
}

static gos_status clamp_set(const holding *k) {
    const gos_flex *flex = k->flex;
    const gos_mesh_set *set = k->as->at ? gos__mesh_node_set(k->locations->mesh, k->as->at) : NULL;
    int node;
    GOS_TRY(find_location(k, "at", k->as->at, &node));
    if (is_interface(k, k->as->at)) {
        return clamp_interface(k, node);
    }
    if (!set) {
        return refuse(k, "at",
                      "a clamped frame needs the name of a set of nodes or of an interface");
    }
    GOS_TRY(gos__mesh_interfaces_hold(k->b->ctx, &k->locations->interfaces, set->n, set->item,
                                      gos__key_loc(k->entry, "at"), k->object));
    gos_conditions held = {.ctx = k->b->ctx};
    gos_status status = GOS_OK;
    for (int i = 0; i < 3 * set->n && status == GOS_OK; i++) {
        const int column = 3 * set->item[i / 3] + i % 3;
        status = hold_column(&flex->move, column, &held);
        if (status == GOS_OK && !k->as->pinned) {
            status = hold_column(&flex->turn, column, &held);
        }
    }
    status = status == GOS_OK ? gos__flex_fix(k->flex, &held) : status;
    gos__conditions_free(&held);
    return status;
}

gos_status gos__mesh_hold(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_mesh_hold *hold, const gos_mesh_locations *locations,
                          gos_flex *flex) {
    const holding k = {b, entry, object, hold, locations, flex};
    int a = 0, z = 0;
    if (hold->reference == GOS_FLEX_CLAMPED) {
        return clamp_set(&k);
    }
    if (hold->reference == GOS_FLEX_CHORD) {
        GOS_TRY(find_location(&k, "at", hold->at, &a));
        GOS_TRY(find_location(&k, "chord_end", hold->chord_end, &z));
        GOS_TRY(a != z ? GOS_OK
                       : refuse(&k, "chord_end",
                                "the chord starts and ends at the same node; give two nodes"));
    }
    GOS_TRY(gos__flex_hold(flex, hold->reference, a, z));
    return drop(&k);
}
