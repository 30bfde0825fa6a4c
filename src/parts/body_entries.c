/* Entries of a model that bodies bring with them: what the deck of a mesh says of loads and heat.
   They are read like entries of the model, and stand where the deck says them. */
#include "parts/parts.h"

static gos_node *section_of(const gos_builder *b, const char *section) {
    gos_node *s = b->brought;
    while (s && strcmp(s->key, section) != 0) {
        s = s->next;
    }
    return s;
}

static bool has(const gos_node *map, const char *key) {
    const gos_node *e = map ? map->child : NULL;
    while (e && strcmp(e->key, key) != 0) {
        e = e->next;
    }
    return e != NULL;
}

gos_status gos__bring_entries(gos_builder *b, const char *section, const char *text, gos_loc loc) {
    gos_node *map, *to = section_of(b, section);
    GOS_TRY(gos__node_read(b->model, text, loc, b->arena, &map));
    if (!to) {
        to = GOS_NEW(b->arena, gos_node, 1);
        GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
        *to = (gos_node){.kind = GOS_MAP, .key = section, .next = b->brought};
        b->brought = to;
    }
    for (const gos_node *e = map->child; e; e = e->next) {
        if (has(gos__node_get(b->model->root, section), e->key) || has(to, e->key)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL,
                                "this makes an entry '%s' of `%s`, and there is one of that name; "
                                "name yours otherwise",
                                e->key, section);
        }
    }
    gos_node **end = &to->child;
    while (*end) {
        end = &(*end)->next;
    }
    *end = map->child;
    return GOS_OK;
}

const gos_node *gos__next_entry(const gos_builder *b, const char *section, const gos_node *before) {
    const gos_node *own = gos__node_get(b->model->root, section), *more = section_of(b, section);
    const gos_node *first = own && own->kind == GOS_MAP ? own->child : NULL;
    if (!before) {
        return first ? first : more ? more->child : NULL;
    }
    if (before->next || !more) {
        return before->next;
    }
    const gos_node *last = more->child;
    while (last && last->next) {
        last = last->next;
    }
    return before == last ? NULL : more->child;
}
