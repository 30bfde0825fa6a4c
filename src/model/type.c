/* Looks up the type of an entry in a registry. */
#include "model/private.h"

#define TYPES_MAX 64

/* type names of a section; returns the type if it is the only one */
static const gos_type *list_types(const gos_type *const *types, const char *section,
                                  const char **names, int *n) {
    const gos_type *only = NULL;
    *n = 0;
    for (; *types != NULL && *n < TYPES_MAX; types++) {
        if (strcmp((*types)->section, section) == 0) {
            only = *types;
            names[(*n)++] = (*types)->name;
        }
    }
    return *n == 1 ? only : NULL;
}

static const gos_type *find(const gos_type *const *types, const char *section, const char *name) {
    for (; *types != NULL; types++) {
        if (strcmp((*types)->section, section) == 0 && strcmp((*types)->name, name) == 0) {
            return *types;
        }
    }
    return NULL;
}

static void join(const char *const *names, int n, char *buf, size_t size) {
    buf[0] = '\0';
    for (int i = 0; i < n; i++) {
        const size_t have = strlen(buf);
        gos__format(buf + have, size - have, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
}

gos_status gos__type_by(gos_model *m, const gos_node *entry, const char *section, const char *key,
                        const char *otherwise, const gos_type *const *types, const char *object,
                        const gos_type **type) {
    const char *names[TYPES_MAX];
    char list[512];
    int n;
    const gos_type *only = list_types(types, section, names, &n);
    only = otherwise != NULL ? find(types, section, otherwise) : only;
    join(names, n, list, sizeof(list));
    const bool empty = gos__node_null(entry);
    if (entry->kind != GOS_MAP && !empty) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, entry->loc, object,
                            "must be a map, like {%s: %s, ...}", key, n > 0 ? names[0] : "...");
    }
    gos_node *node = gos__node_get(entry, key);
    if (node != NULL) {
        node->used = true;
    }
    if (node == NULL || gos__node_null(node)) {
        if (only != NULL) {
            *type = only;
            return GOS_OK;
        }
        return gos__fail_at(m->ctx, GOS_E_INPUT, entry->key != NULL ? entry->key_loc : entry->loc,
                            object, "%s is missing; give one of %s", key, list);
    }
    if (node->kind != GOS_SCALAR) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, node->loc, object,
                            "%s must be one of the names %s", key, list);
    }
    *type = find(types, section, node->text);
    if (*type != NULL) {
        return GOS_OK;
    }
    const char *near = gos__suggest(node->text, names, n);
    if (near != NULL) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, node->loc, object,
                            "unknown %s '%.64s'; did you mean '%s'?", key, node->text, near);
    }
    return gos__fail_at(m->ctx, GOS_E_INPUT, node->loc, object,
                        "unknown %s '%.64s'; allowed are %s", key, node->text, list);
}

gos_status gos__type_of(gos_model *m, const gos_node *entry, const char *section,
                        const gos_type *const *types, const char *object, const gos_type **type) {
    return gos__type_by(m, entry, section, "type", NULL, types, object, type);
}
