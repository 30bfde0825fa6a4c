/* Create, read, parse, change by path, destroy. Each change is checked separately and attached
 * last, so that a rejected one leaves the model unchanged. */
#include "model/private.h"

/* ---- create and destroy ---------------------------------------------------------------------- */

static gos_node *new_map(gos_arena *a, const char *key, gos_loc loc) {
    gos_node *map = GOS_NEW(a, gos_node, 1);
    if (map != NULL) {
        map->kind = GOS_MAP;
        map->key = key;
        map->loc = map->key_loc = loc;
    }
    return map;
}

gos_status gos_model_create(gos_ctx *ctx, gos_model **model) {
    gos_model *m = gos__zalloc(ctx, 1, sizeof(*m));
    if (m == NULL) {
        return GOS_E_MEMORY;
    }
    m->ctx = ctx;
    m->arena = gos__arena_create(ctx);
    m->root = m->arena != NULL ? new_map(m->arena, NULL, (gos_loc){0}) : NULL;
    m->text = gos__zalloc(ctx, 1, 1);
    if (m->root == NULL || m->text == NULL) {
        gos_model_destroy(m);
        return GOS_E_MEMORY;
    }
    *model = m;
    return GOS_OK;
}

void gos_model_destroy(gos_model *model) {
    if (model == NULL) {
        return;
    }
    gos__arena_destroy(model->arena);
    gos__free(model->ctx, model->text);
    gos__free(model->ctx, model);
}

/* ---- read ------------------------------------------------------------------------------------ */

/* file name without folder and extension */
static char *stem_of(gos_arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    char *stem = gos__arena_strdup(a, slash != NULL ? slash + 1 : path);
    char *dot = stem != NULL ? strrchr(stem, '.') : NULL;
    if (dot != NULL && dot != stem) {
        *dot = '\0';
    }
    return stem;
}

static gos_status set_origin(gos_model *m, const char *text, size_t n, const char *name,
                             const char *folder) {
    char *copy = gos__alloc(m->ctx, n + 1, 1);
    if (copy == NULL) {
        return GOS_E_MEMORY;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    gos__free(m->ctx, m->text);
    m->text = copy;
    m->given = n;
    if (name != NULL) {
        m->file = gos__intern(m->ctx, name);
        m->stem = stem_of(m->arena, name);
        if (m->file == NULL || m->stem == NULL) {
            return GOS_E_MEMORY;
        }
    }
    if (folder != NULL) {
        m->folder = gos__arena_strdup(m->arena, folder);
        return m->folder == NULL ? GOS_E_MEMORY : GOS_OK;
    }
    return GOS_OK;
}

static gos_status parse_into(gos_model *m, const char *text, size_t n, const char *name,
                             const char *folder) {
    GOS_TRY(set_origin(m, text, n, name, folder));
    gos_node *root;
    GOS_TRY(gos__yaml_parse(m->ctx, text, n, m->file, 0, m->arena, &root));
    if (root == NULL || gos__node_null(root)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, (gos_loc){m->file, 1, 1}, NULL,
                            "the model is empty; it needs at least 'bodies:'");
    }
    if (root->kind != GOS_MAP) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, root->loc, NULL,
                            "a model is a map of keys like 'bodies:', not a %s",
                            root->kind == GOS_LIST ? "list" : "single text");
    }
    m->root = root;
    const gos_status status = gos__layout_check(m->ctx, root);
    if (status == GOS_E_INPUT) {
        gos__model_parameters(m); // reported with the other errors
    }
    return status;
}

gos_status gos_model_parse(gos_ctx *ctx, const char *text, size_t n, const char *name,
                           const char *folder, gos_model **model) {
    gos_model *m;
    GOS_TRY(gos_model_create(ctx, &m));
    const gos_status status = parse_into(m, text, n, name, folder);
    if (status != GOS_OK) {
        gos_model_destroy(m);
        return status;
    }
    *model = m;
    return GOS_OK;
}

gos_status gos_model_read(gos_ctx *ctx, const char *path, gos_model **model) {
    char *text;
    size_t n;
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_MODEL_BYTES, (gos_loc){0}, NULL, &text, &n));
    const char *slash = strrchr(path, '/');
    const size_t nfolder = slash == NULL ? 1 : slash == path ? 1 : slash - path;
    gos_status status = GOS_E_MEMORY;
    char *folder = gos__alloc(ctx, nfolder + 1, 1);
    if (folder != NULL) {
        memcpy(folder, slash == NULL ? "." : path, nfolder);
        folder[nfolder] = '\0';
        status = gos_model_parse(ctx, text, n, path, folder, model);
    }
    gos__free(ctx, folder);
    gos__free(ctx, text);
    return status;
}

/* ---- change ---------------------------------------------------------------------------------- */

/* a path without dots may be the name of a parameter */
static gos_status complete_path(gos_model *m, const char *path, const char **full) {
    const size_t n = strcspn(path, ".");
    const gos_node *parameters = gos__node_get(m->root, "parameters");
    if (path[n] == '\0' && gos__node_get(parameters, path) != NULL) {
        *full = gos__arena_printf(m->arena, "parameters.%s", path);
        return *full == NULL ? GOS_E_MEMORY : GOS_OK;
    }
    char *head = gos__arena_strdup(m->arena, path);
    if (head == NULL) {
        return GOS_E_MEMORY;
    }
    head[n] = '\0';
    *full = path;
    if (gos__layout_known(head)) {
        return GOS_OK;
    }
    // suggest from both kinds of names
    int nkey;
    const char *const *keys = gos__layout_keys(&nkey);
    const gos_node *also = path[n] == '\0' ? parameters : NULL;
    const char *near = gos__node_suggest(m->ctx, also, keys, nkey, head);
    return gos__fail(
        m->ctx, GOS_E_INPUT,
        "cannot set '%.100s': it is neither a parameter nor an entry of the model%s%s%s", path,
        near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
}

static int count_steps(const char *path) {
    int n = 1;
    for (; *path != '\0'; path++) {
        n += *path == '.';
    }
    return n;
}

static gos_status wrap(gos_model *m, const char *path, gos_loc loc, gos_node *value,
                       gos_node **root) {
    gos_node *map = *root = new_map(m->arena, NULL, loc);
    while (map != NULL) {
        const size_t n = strcspn(path, ".");
        char *key = gos__arena_strdup(m->arena, path);
        if (key == NULL) {
            return GOS_E_MEMORY;
        }
        key[n] = '\0';
        if (n == 0) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, loc, NULL,
                                "a name is missing in the path; write it like bodies.rod.mass");
        }
        const bool last = path[n] == '\0';
        gos_node *child = last ? value : new_map(m->arena, key, loc);
        if (child == NULL) {
            return GOS_E_MEMORY;
        }
        child->key = key;
        child->key_loc = loc;
        map->child = child;
        map->n = 1;
        if (last) {
            return GOS_OK;
        }
        map = child;
        path += n + 1;
    }
    return GOS_E_MEMORY;
}

/* attach the only child of `from` to `to`, descending through common maps */
static gos_status graft(gos_model *m, gos_node *to, const gos_node *from, int steps) {
    for (; steps > 1; steps--) {
        gos_node *old = gos__node_get(to, from->child->key);
        if (old == NULL || gos__node_null(old)) {
            break;
        }
        if (old->kind != GOS_MAP) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, from->child->key_loc, NULL,
                                "'%.64s' is not a map, so entries below it cannot be set",
                                old->key);
        }
        to = old;
        from = from->child;
    }
    return gos__node_put(m->ctx, m->arena, to, from->child);
}

static gos_status note_setting(gos_model *m, const char *path, const char *yaml, char **text) {
    const size_t have = strlen(m->text);
    const size_t more = strlen(path) + strlen(yaml) + 16;
    char *t = gos__alloc(m->ctx, have + more, 1);
    if (t == NULL) {
        return GOS_E_MEMORY;
    }
    memcpy(t, m->text, have);
    const bool fresh_line = have == 0 || t[have - 1] == '\n';
    gos__format(t + have, more, "%s# set %s: %s\n", fresh_line ? "" : "\n", path, yaml);
    // join lines into one comment
    const size_t n = strlen(t);
    for (size_t i = have + 1; i + 1 < n; i++) {
        t[i] = t[i] == '\n' || t[i] == '\r' ? ' ' : t[i];
    }
    *text = t;
    return GOS_OK;
}

gos_status gos_model_set(gos_ctx *ctx, gos_model *model, const char *path, const char *yaml) {
    const char *full;
    GOS_TRY(complete_path(model, path, &full));
    const int steps = count_steps(full);
    char *place = gos__arena_printf(model->arena, "(set %s)", full);
    const char *file = place != NULL ? gos__intern(ctx, place) : NULL;
    if (file == NULL) {
        return GOS_E_MEMORY;
    }
    const gos_loc loc = {file, 1, 1};
    if (steps >= GOS_LIMIT_DEPTH) {
        return gos__fail_at(ctx, GOS_E_LIMIT, loc, NULL,
                            "more than %d nested levels of lists and maps; use fewer",
                            GOS_LIMIT_DEPTH);
    }
    gos_node *value;
    GOS_TRY(gos__yaml_parse(ctx, yaml, strlen(yaml), file, steps, model->arena, &value));
    if (value == NULL) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, NULL, "a value is missing");
    }
    gos_node *wrapped;
    GOS_TRY(wrap(model, full, loc, value, &wrapped));
    GOS_TRY(gos__layout_check(ctx, wrapped));
    char *text;
    GOS_TRY(note_setting(model, full, yaml, &text));
    const gos_status status = graft(model, model->root, wrapped, steps);
    gos__free(ctx, status == GOS_OK ? model->text : text);
    model->text = status == GOS_OK ? text : model->text;
    return status;
}

gos_status gos_model_set_number(gos_ctx *ctx, gos_model *model, const char *path, double value) {
    if (!(value - value == 0.0)) {
        return gos__fail(ctx, GOS_E_INPUT, "cannot set '%.100s': the value must be finite, got %g",
                         path, value);
    }
    char text[32];
    gos__format(text, sizeof(text), "%.17g", value);
    return gos_model_set(ctx, model, path, text);
}

/* ---- queries --------------------------------------------------------------------------------- */

const char *gos_model_get(const gos_model *model, const char *path) {
    const gos_node *node = gos__node_find(model->root, path);
    return node == NULL ? NULL : node->kind == GOS_SCALAR ? node->text : "";
}

const char *gos_model_text(const gos_model *model) {
    return model->text;
}

const char *gos_model_name(const gos_model *model) {
    const gos_node *name = gos__node_get(model->root, "name");
    if (name != NULL && name->kind == GOS_SCALAR && name->text[0] != '\0') {
        return name->text;
    }
    return model->stem != NULL && model->stem[0] != '\0' ? model->stem : "model";
}

static void set_location(gos_node *n, gos_loc loc) {
    for (; n; n = n->next) {
        n->key_loc = n->loc = loc;
        set_location(n->child, loc);
    }
}

gos_status gos__node_read(gos_model *m, const char *text, gos_loc loc, gos_arena *a,
                          gos_node **map) {
    GOS_TRY(gos__yaml_parse(m->ctx, text, strlen(text), loc.file, 0, a, map));
    set_location(*map, loc);
    return GOS_OK;
}
