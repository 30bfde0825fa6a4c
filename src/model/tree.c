/* Tree of a model: entries with source locations, found by key or dotted path. Replaced entries
 * are freed with the model's arena. Maps are indexed by sorted keys: a generated model may have a
 * hundred thousand entries. */
#include <string.h>

#include "model/private.h"
#include "model/model.h"

static bool same_text(const char *a, const char *b) {
    double x, y;
    return strcmp(a, b) == 0 ||
           (gos__number_parse(a, strlen(a), &x) && gos__number_parse(b, strlen(b), &y) && x == y);
}

bool gos__same_value(const gos_node *a, const gos_node *b) {
    if (!a || !b || a->kind != b->kind) {
        return !a && !b;
    }
    if (a->kind == GOS_SCALAR) {
        return same_text(a->text, b->text);
    }
    const gos_node *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next) {
        if ((x->key && strcmp(x->key, y->key) != 0) || !gos__same_value(x, y)) {
            return false;
        }
    }
    return !x && !y;
}

bool gos__node_null(const gos_node *node) {
    if (node->kind != GOS_SCALAR || node->quoted) {
        return false;
    }
    return node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

bool gos__name_valid(const char *name) {
    size_t n = 0;
    for (; name[n] != '\0'; n++) {
        const char c = name[n];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (!letter && !(digit && n > 0)) {
            return false;
        }
    }
    return n > 0 && n <= GOS_LIMIT_NAME;
}

/* ---- search ---------------------------------------------------------------------------------- */

/* equal keys in order of appearance */
static int compare_nodes(const void *pa, const void *pb) {
    const gos_node *a = *(gos_node *const *)pa, *b = *(gos_node *const *)pb;
    const int c = strcmp(a->key, b->key);
    if (c != 0) {
        return c;
    }
    const int line = (a->key_loc.line > b->key_loc.line) - (a->key_loc.line < b->key_loc.line);
    return line != 0 ? line : (a->key_loc.col > b->key_loc.col) - (a->key_loc.col < b->key_loc.col);
}

/* powers of two, so that n insertions use O(n) memory */
static int room(int n) {
    int r = 1;
    while (r < n) {
        r *= 2;
    }
    return r;
}

gos_status gos__node_index(gos_ctx *ctx, gos_arena *a, gos_node *map) {
    gos_node **sorted = GOS_NEW(a, gos_node *, room(map->n));
    if (sorted == NULL) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    for (gos_node *c = map->child; c != NULL; c = c->next) {
        sorted[n++] = c;
    }
    qsort(sorted, n, sizeof(*sorted), compare_nodes);
    gos_status status = GOS_OK;
    for (int i = 1; i < n; i++) {
        if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0) {
            status = gos__fail_at(ctx, GOS_E_INPUT, sorted[i]->key_loc, NULL,
                                  "key '%.64s' is given twice, first in line %d; remove one",
                                  sorted[i]->key, sorted[i - 1]->key_loc.line);
        }
    }
    map->sorted = sorted;
    return status;
}

/* first index position not before the key */
static int index_of(const gos_node *map, const char *key, size_t n) {
    int lo = 0, hi = map->n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (strncmp(map->sorted[mid]->key, key, n) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static bool is_key(const gos_node *node, const char *key, size_t n) {
    return strncmp(node->key, key, n) == 0 && node->key[n] == '\0';
}

static gos_node *get(const gos_node *map, const char *key, size_t n) {
    if (map == NULL || map->kind != GOS_MAP) {
        return NULL;
    }
    if (map->sorted != NULL) {
        const int i = index_of(map, key, n);
        return i < map->n && is_key(map->sorted[i], key, n) ? map->sorted[i] : NULL;
    }
    gos_node *c = map->child;
    while (c != NULL && !is_key(c, key, n)) {
        c = c->next;
    }
    return c;
}

gos_node *gos__node_get(const gos_node *map, const char *key) {
    return get(map, key, strlen(key));
}

gos_node *gos__node_given(const gos_node *map, const char *key) {
    gos_node *node = gos__node_get(map, key);
    return node != NULL && !gos__node_null(node) ? node : NULL;
}

gos_node *gos__node_find(gos_node *root, const char *path) {
    gos_node *node = root;
    while (node != NULL) {
        const size_t n = strcspn(path, ".");
        node = get(node, path, n);
        if (path[n] == '\0') {
            return node;
        }
        path += n + 1;
    }
    return NULL;
}

gos_status gos__node_put(gos_ctx *ctx, gos_arena *a, gos_node *map, gos_node *child) {
    if (map->sorted == NULL) {
        GOS_TRY(gos__node_index(ctx, a, map));
    }
    const int i = index_of(map, child->key, strlen(child->key));
    gos_node *old =
        i < map->n && strcmp(map->sorted[i]->key, child->key) == 0 ? map->sorted[i] : NULL;
    if (old == NULL && room(map->n) < room(map->n + 1)) {
        gos_node **more = GOS_NEW(a, gos_node *, room(map->n + 1));
        if (more == NULL) {
            return GOS_E_MEMORY;
        }
        memcpy(more, map->sorted, map->n * sizeof(*more));
        map->sorted = more;
    }
    gos_node **link = &map->child;
    while (*link != old) {
        link = &(*link)->next;
    }
    child->next = old != NULL ? old->next : NULL;
    *link = child;
    if (old == NULL) {
        memmove(&map->sorted[i + 1], &map->sorted[i], (map->n - i) * sizeof(*map->sorted));
        map->n++;
    }
    map->sorted[i] = child;
    return GOS_OK;
}

gos_status gos__node_remove(gos_ctx *ctx, gos_arena *a, gos_node *map, const gos_node *child) {
    if (map->sorted == NULL) {
        GOS_TRY(gos__node_index(ctx, a, map));
    }
    const int i = index_of(map, child->key, strlen(child->key));
    gos_node **link = &map->child;
    while (*link != child) {
        link = &(*link)->next;
    }
    *link = child->next;
    map->n--;
    memmove(&map->sorted[i], &map->sorted[i + 1], (map->n - i) * sizeof(*map->sorted));
    return GOS_OK;
}

const char *gos__node_suggest(gos_ctx *ctx, const gos_node *map, const char *const *extra, int n,
                              const char *word) {
    if (gos__nerrors(ctx) > GOS_LIMIT_DIAGS) {
        return NULL;
    }
    const long nkey = map != NULL && map->kind == GOS_MAP ? map->n : 0;
    const char **names = gos__alloc(ctx, nkey + n, sizeof(*names));
    if (names == NULL) {
        return NULL;
    }
    int count = 0;
    for (const gos_node *c = nkey > 0 ? map->child : NULL; c != NULL; c = c->next) {
        names[count++] = c->key;
    }
    for (int i = 0; i < n; i++) {
        names[count++] = extra[i];
    }
    const char *near = gos__suggest(word, names, count);
    gos__free(ctx, names);
    return near;
}

gos_loc gos__key_loc(const gos_node *map, const char *name) {
    const gos_node *c = gos__node_get(map, name);
    if (c != NULL) {
        return c->key_loc;
    }
    return map == NULL ? (gos_loc){0} : map->key != NULL ? map->key_loc : map->loc;
}
