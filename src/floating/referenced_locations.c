/* Locations of joints, loads and probes, before these are built. */
#include "floating/mesh_loads.h"

typedef struct listing {
    const gos_floating_names *names;
    const char *body;
    int n, most;
    bool crowded, framed;
    int *node;
    const char **name;
} listing;

static void add_node(listing *l, int node, const char *name) {
    for (int i = 0; i < l->n; i++) {
        if (l->node[i] == node) {
            return;
        }
    }
    l->crowded = l->crowded || (node >= 0 && l->n == l->most);
    if (node >= 0 && l->n < l->most) {
        l->node[l->n] = node;
        l->name[l->n++] = name;
    }
}

static void add_text(listing *l, const char *text) {
    const size_t n = strlen(l->body);
    int beside[2];
    if (strncmp(text, l->body, n) != 0 || text[n] != '.') {
        return;
    }
    const char *name = text + n + 1;
    const int node = l->names->node(l->names->par, name);
    l->framed = l->framed || strcmp(name, "frame") == 0;
    const int others =
        node < 0 && l->names->beside ? l->names->beside(l->names->par, name, beside) : 0;
    for (int i = 0; i < others; i++) {
        add_node(l, beside[i], name);
    }
    add_node(l, node, name);
}

static void add_entry(listing *l, const gos_node *entry) {
    for (const gos_node *c = entry->child; c; c = c->next) {
        if (c->kind == GOS_SCALAR) {
            add_text(l, c->text);
        }
        for (const gos_node *d = c->kind == GOS_LIST ? c->child : NULL; d; d = d->next) {
            if (d->kind == GOS_SCALAR) {
                add_text(l, d->text);
            }
        }
    }
}

static void add_section(listing *l, const gos_builder *b, const char *section) {
    for (const gos_node *e = gos__next_entry(b, section, NULL); e;
         e = gos__next_entry(b, section, e)) {
        add_entry(l, e);
    }
}

static bool is_text(const gos_node *n, const char *text) {
    return n && n->kind == GOS_SCALAR && strcmp(n->text, text) == 0;
}

/* a clamp between the ground and the frame */
static bool holds_frame(const gos_node *joint, const char *body) {
    char frame[GOS_LIMIT_NAME + 10];
    const gos_node *between = gos__node_get(joint, "between");
    if (!is_text(gos__node_get(joint, "type"), "clamp") || !between || between->kind != GOS_LIST ||
        between->n != 2) {
        return false;
    }
    gos__format(frame, sizeof frame, "%s.frame", body);
    const gos_node *a = between->child, *z = a->next;
    return (is_text(a, "ground") && is_text(z, frame)) ||
           (is_text(z, "ground") && is_text(a, frame));
}

/* a probe of stress or strain of the body */
static bool asks_stress(const gos_node *probe, const char *body) {
    const gos_node *at = gos__node_get(probe, "at"), *of = gos__node_get(probe, "quantity");
    const size_t n = strlen(body);
    if (!at || !of || at->kind != GOS_SCALAR || of->kind != GOS_SCALAR ||
        strncmp(at->text, body, n) != 0 || (at->text[n] != '\0' && !strchr(".(", at->text[n]))) {
        return false;
    }
    return strstr(of->text, "stress") || strstr(of->text, "strain") || strstr(of->text, "mises");
}

/* joints first, then loads */
static gos_status begin_listing(gos_builder *b, const char *name, gos_floating_names *names,
                                listing *l) {
    *l = (listing){.names = names, .body = name, .most = GOS_MESH_MENTIONS};
    l->node = GOS_NEW(b->arena, int, GOS_MESH_MENTIONS);
    l->name = (const char **)gos__arena_alloc(b->arena, GOS_MESH_MENTIONS, sizeof *l->name);
    if (!l->node || !l->name) {
        return GOS_E_MEMORY;
    }
    add_section(l, b, "joints");
    names->njoint = l->n;
    add_section(l, b, "loads");
    names->njoined = l->n;
    names->joined = l->node;
    names->joined_name = l->name;
    return GOS_OK;
}

gos_status gos__floating_mentions(gos_builder *b, const char *name, gos_floating_names *names) {
    listing l;
    GOS_TRY(begin_listing(b, name, names, &l));
    names->offered = true;
    if (names->nend == 0) {
        names->nend = l.n;
        names->end = l.node;
        names->end_name = l.name;
    }
    return GOS_OK;
}

gos_status gos__mesh_mentions(gos_builder *b, const char *name, gos_floating_names *names) {
    listing l;
    GOS_TRY(begin_listing(b, name, names, &l));
    names->nend = l.n;
    names->framed = l.framed;
    names->statics = true;
    names->crowded = l.crowded;
    for (const gos_node *e = gos__next_entry(b, "joints", NULL); e;
         e = gos__next_entry(b, "joints", e)) {
        names->grounded = names->grounded || holds_frame(e, name);
    }
    add_section(&l, b, "probes");
    names->stressed = b->stress || b->strain;
    for (const gos_node *e = gos__next_entry(b, "probes", NULL); e;
         e = gos__next_entry(b, "probes", e)) {
        names->stressed = names->stressed || asks_stress(e, name);
    }
    names->nseen = l.n;
    names->end = names->seen = l.node;
    names->end_name = names->seen_name = l.name;
    return GOS_OK;
}
