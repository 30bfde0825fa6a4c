/* Node sets with prescribed temperature get a common one before any reduction, so that a single
   equation prescribes it. */
#include "floating/mesh_loads.h"
#include "model/same_value.h"

typedef struct grouping {
    gos_builder *b;
    const char *body;
    const gos_mesh_locations *places;
    gos_flex *flex;
    gos_mesh_skin *skin;
    const gos_node **entry; // NULL: none (nodes)
    int *side;              // 0: through the thickness (nodes)
    int *first;             // leading node (nodes)
} grouping;

/* nodes of a location; of an interface those of its set */
static gos_status nodes_of(const grouping *g, const char *place, int *n, int **node) {
    const gos_mesh_interfaces *list = &g->places->interfaces;
    for (int i = 0; i < list->n; i++) {
        if (strcmp(place, list->v[i].name) == 0) {
            *n = list->v[i].n;
            *node = list->v[i].node;
            return GOS_OK;
        }
    }
    const int one = strchr(place, '(') ? gos__mesh_locations_find(g->places, place) : -1;
    if (one >= 0) {
        *n = 1;
        *node = GOS_NEW(g->b->arena, int, 1);
        GOS_TRY(*node ? GOS_OK : GOS_E_MEMORY);
        **node = one;
        return GOS_OK;
    }
    return gos__mesh_locations_nodes(g->b->arena, g->places->mesh, g->flex, place, n, node);
}

/* do both prescribe the same values? */
static bool same_entry(const gos_node *a, const gos_node *b) {
    static const char *const key[] = {"value", "gradients"};
    bool same = a && b;
    for (int i = 0; i < GOS_COUNT(key) && same; i++) {
        same = gos__same_value(gos__node_given(a, key[i]), gos__node_given(b, key[i]));
    }
    return same;
}

/* Shared nodes keep the temperature of an earlier location, of this entry or of one with the same
   value. */
static gos_status take_place(grouping *g, const gos_node *entry, const gos_node *text) {
    const size_t n = strlen(g->body);
    int count = 0, *node = NULL, lead = -1, paired = 0;
    char place[GOS_LIMIT_NAME + 1];
    if (strncmp(text->text, g->body, n) != 0 || text->text[n] != '.') {
        return GOS_OK;
    }
    const int side = gos__mesh_skin_side(text->text + n + 1, place, sizeof place);
    GOS_TRY(nodes_of(g, place, &count, &node));
    for (int i = 0; i < count; i++) {
        const int k = node[i];
        if (g->skin->of_node[k] < 0 || g->entry[k] == entry ||
            (g->side[k] == side && same_entry(g->entry[k], entry))) {
            continue;
        }
        const gos_node *other = g->entry[k] ? g->entry[k] : g->entry[node[0]];
        paired += g->entry[k] && side && g->side[k] == -side; // opposite face
        if ((g->entry[k] || paired > 0) && !(paired == i + 1 && g->first[k] == g->first[node[0]])) {
            return gos__fail_at(
                g->b->ctx, GOS_E_INPUT, text->loc, entry->key,
                "'%s' and '%s' prescribe temperatures of sets of '%s' that share node %lld or are "
                "different faces of a shell; remove the node from one of the sets",
                other->key, entry->key, g->body, (long long)gos__mesh_node_tag(g->places->mesh, k));
        }
        if (paired > 0) {
            continue;
        }
        g->entry[k] = entry;
        g->side[k] = side;
        lead = lead < 0 ? k : lead;
        g->first[k] = lead;
    }
    return GOS_OK;
}

static gos_status take_entry(grouping *g, const gos_node *entry) {
    const gos_node *type = entry->kind == GOS_MAP ? gos__node_get(entry, "type") : NULL;
    const gos_node *on = entry->kind == GOS_MAP ? gos__node_given(entry, "on") : NULL;
    if (!type || !on || type->kind != GOS_SCALAR || strcmp(type->text, "temperature") != 0) {
        return GOS_OK;
    }
    if (on->kind == GOS_SCALAR) {
        return take_place(g, entry, on);
    }
    for (const gos_node *c = on->child; c; c = c->next) {
        GOS_TRY(c->kind == GOS_SCALAR ? take_place(g, entry, c) : GOS_OK);
    }
    return GOS_OK;
}

/* temperature or gradient indices of leading nodes */
static void find_leaders(const grouping *g, const int *number, int *lead) {
    for (int i = 0; i < g->places->mesh->nnode; i++) {
        if (number[i] >= 0) {
            lead[number[i]] = number[g->first[i]];
        }
    }
}

static void renumber(const gos_sparse *S, int nnode, int *number) {
    for (int i = 0; i < nnode; i++) {
        number[i] = number[i] >= 0 ? S->i[number[i]] : -1;
    }
}

/* one temperature per group, in the order of first nodes */
static gos_status tie(const grouping *g) {
    const int n = g->flex->heat.n, nnode = g->places->mesh->nnode;
    gos_ctx *ctx = g->flex->ctx;
    gos_sparse S = {0};
    int *lead = gos__alloc(ctx, (size_t)n + 1, sizeof *lead), count = 0;
    gos_status status = lead ? gos__sparse_alloc(ctx, n, n, (size_t)n, &S) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        find_leaders(g, g->skin->of_node, lead);
        find_leaders(g, g->skin->of_across, lead);
        for (int k = 0; k < n; k++) {
            S.i[k] = lead[k] == k ? count++ : S.i[lead[k]];
            S.x[k] = 1;
            S.p[k + 1] = k + 1;
        }
        S.m = count;
        S.nnz = n;
        renumber(&S, nnode, g->skin->of_node);
        renumber(&S, nnode, g->skin->of_across);
        status = count < n ? gos__flex_tie(g->flex, NULL, &S) : status;
    }
    gos__sparse_free(ctx, &S);
    gos__free(ctx, lead);
    return status;
}

gos_status gos__mesh_prescribe(gos_builder *b, const char *name, const gos_mesh_locations *places,
                               gos_flex *flex, gos_mesh_skin *skin) {
    const int nnode = places->mesh->nnode;
    grouping g = {.b = b, .body = name, .places = places, .flex = flex, .skin = skin};
    g.entry = (const gos_node **)gos__arena_alloc(b->arena, (size_t)nnode + 1, sizeof *g.entry);
    g.first = GOS_NEW(b->arena, int, nnode + 1);
    g.side = GOS_NEW(b->arena, int, nnode + 1);
    GOS_TRY(g.entry && g.first && g.side ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < nnode; i++) {
        g.first[i] = i;
    }
    for (const gos_node *e = gos__next_entry(b, "heat", NULL); e;
         e = gos__next_entry(b, "heat", e)) {
        GOS_TRY(take_entry(&g, e));
    }
    return tie(&g);
}
