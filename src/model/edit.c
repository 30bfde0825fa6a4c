/* Removes entries of a model, copies it and writes it as JSON. */
#include <math.h>

#include "model/private.h"

/* ---- remove ---------------------------------------------------------------------------------- */

/* append the removal as a comment, which gos__model_again repeats */
static gos_status note_removal(const gos_model *m, const char *path, char **text) {
    const size_t have = strlen(m->text), more = strlen(path) + 16;
    char *t = gos__alloc(m->ctx, have + more, 1);
    if (!t) {
        return GOS_E_MEMORY;
    }
    memcpy(t, m->text, have);
    const bool fresh_line = have == 0 || t[have - 1] == '\n';
    gos__format(t + have, more, "%s# remove %s\n", fresh_line ? "" : "\n", path);
    *text = t;
    return GOS_OK;
}

gos_status gos_model_remove(gos_ctx *ctx, gos_model *model, const char *path) {
    const gos_node *entry = gos__node_find(model->root, path);
    const char *dot = strrchr(path, '.');
    gos_node *map = model->root;
    if (entry && dot) {
        char *above = gos__arena_strdup(model->arena, path);
        if (!above) {
            return GOS_E_MEMORY;
        }
        above[dot - path] = '\0';
        map = gos__node_find(model->root, above);
    }
    if (!entry || !map) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "cannot remove '%.100s': the model has no such entry; write the path like "
                         "bodies.rod",
                         path);
    }
    char *text;
    GOS_TRY(note_removal(model, path, &text));
    const gos_status status = gos__node_remove(ctx, model->arena, map, entry);
    gos__free(ctx, status == GOS_OK ? model->text : text);
    model->text = status == GOS_OK ? text : model->text;
    return status;
}

/* ---- copy ------------------------------------------------------------------------------------ */

/* file names are interned in the context of the copy */
static gos_status copy_location(gos_ctx *ctx, gos_loc *loc) {
    if (!loc->file) {
        return GOS_OK;
    }
    loc->file = gos__intern(ctx, loc->file);
    return loc->file ? GOS_OK : GOS_E_MEMORY;
}

/* The depth of a tree is at most GOS_LIMIT_DEPTH. */
static gos_status copy_node(const gos_model *to, const gos_node *from, gos_node **node) {
    gos_node *own = *node = GOS_NEW(to->arena, gos_node, 1);
    if (!own) {
        return GOS_E_MEMORY;
    }
    *own = *from;
    own->sorted = NULL;
    own->child = own->next = NULL;
    own->key = from->key ? gos__arena_strdup(to->arena, from->key) : NULL;
    own->text = from->text ? gos__arena_strdup(to->arena, from->text) : NULL;
    if ((from->key && !own->key) || (from->text && !own->text)) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(copy_location(to->ctx, &own->loc));
    GOS_TRY(copy_location(to->ctx, &own->key_loc));
    gos_node **link = &own->child;
    for (const gos_node *c = from->child; c; c = c->next) {
        GOS_TRY(copy_node(to, c, link));
        link = &(*link)->next;
    }
    return from->sorted ? gos__node_index(to->ctx, to->arena, own) : GOS_OK;
}

static gos_status copy_into(gos_model *to, const gos_model *from) {
    const size_t n = strlen(from->text);
    char *text = gos__alloc(to->ctx, n + 1, 1);
    if (!text) {
        return GOS_E_MEMORY;
    }
    memcpy(text, from->text, n + 1);
    gos__free(to->ctx, to->text);
    to->text = text;
    to->given = from->given;
    to->file = from->file ? gos__intern(to->ctx, from->file) : NULL;
    to->folder = from->folder ? gos__arena_strdup(to->arena, from->folder) : NULL;
    to->stem = from->stem ? gos__arena_strdup(to->arena, from->stem) : NULL;
    if ((from->file && !to->file) || (from->folder && !to->folder) || (from->stem && !to->stem)) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(copy_node(to, from->root, &to->root));
    GOS_TRY(gos__callbacks_copy(to, from));
    return gos__laws_copy(to, from);
}

gos_status gos_model_copy(gos_ctx *ctx, const gos_model *model, gos_model **copy) {
    gos_model *m;
    GOS_TRY(gos_model_create(ctx, &m));
    const gos_status status = copy_into(m, model);
    if (status != GOS_OK) {
        gos_model_destroy(m);
        return status;
    }
    *copy = m;
    return GOS_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_scalar(const gos_node *node, FILE *out) {
    double number;
    if (gos__node_null(node)) {
        (void)fputs("null", out);
    } else if (!node->quoted &&
               (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) {
        (void)fputs(node->text, out);
    } else if (!node->quoted && gos__number_parse(node->text, strlen(node->text), &number) &&
               isfinite(number)) {
        gos_json_number(out, number);
    } else {
        gos_json_text(out, node->text);
    }
}

static void write_node(const gos_node *node, FILE *out) {
    if (node->kind == GOS_SCALAR) {
        write_scalar(node, out);
        return;
    }
    const bool map = node->kind == GOS_MAP;
    (void)fputc(map ? '{' : '[', out);
    for (const gos_node *c = node->child; c; c = c->next) {
        if (map) {
            gos_json_text(out, c->key);
            (void)fputs(": ", out);
        }
        write_node(c, out);
        (void)fputs(c->next ? ", " : "", out);
    }
    (void)fputc(map ? '}' : ']', out);
}

gos_status gos_model_write_json(gos_ctx *ctx, const gos_model *model, const char *path, FILE *out) {
    const gos_node *node = path ? gos__node_find(model->root, path) : model->root;
    if (!node) {
        return gos__fail(ctx, GOS_E_INPUT, "the model has no entry '%.100s'", path);
    }
    write_node(node, out);
    return GOS_OK;
}
