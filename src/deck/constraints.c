/* Equations, couplings, rigid bodies, ties. */
#include "deck/reader.h"

/* ---- *EQUATION ------------------------------------------------------------------------------- */

/* the field may be on the card's next line */
static gos_status next_field(gos_deck_reader *r, gos_deck_field *f, bool *more) {
    *more = true;
    while (!gos__deck_field(r, f)) {
        GOS_TRY(gos__deck_data(r, more));
        if (!*more) {
            return GOS_OK;
        }
    }
    return GOS_OK;
}

typedef struct term {
    int node, dof;
    double factor;
} term;

static gos_status read_terms(gos_deck_reader *r, int64_t n, gos_loc loc, int *have, term **list) {
    for (int64_t k = 0; k < n; k++) {
        gos_deck_field f[3];
        int64_t dof;
        term *t;
        for (int i = 0; i < 3; i++) {
            bool more;
            GOS_TRY(next_field(r, &f[i], &more));
            if (!more) {
                return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object,
                                    "there are %lld of %lld terms; give all", (long long)k,
                                    (long long)n);
            }
        }
        GOS_TRY(gos__deck_add(r, list, have, sizeof *t, &t));
        GOS_TRY(gos__deck_node(r, &f[0], &t->node));
        GOS_TRY(gos__deck_whole(r, &f[1], "degree of freedom", 1, 11, &dof));
        GOS_TRY(gos__deck_real(r, &f[2], "factor", &t->factor));
        if (dof > 6 && dof < 11) {
            return gos__deck_fail(
                r, &f[1], "degree of freedom %d is not supported; give 1 to 6 or 11", (int)dof);
        }
        t->dof = (int)dof;
    }
    return gos__deck_end(r);
}

static gos_status read_equation(gos_deck_reader *r) {
    gos_deck_equation e = {.loc = r->loc}, *to;
    term *list = NULL;
    int64_t n;
    GOS_TRY(gos__deck_next_whole(r, "number of terms", 1, INT32_MAX, 0, &n));
    GOS_TRY(gos__deck_end(r));
    GOS_TRY(read_terms(r, n, e.loc, &e.n, &list));
    if (list[0].factor == 0.0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, e.loc, r->object,
                            "the factor of the first term is 0; this term is the dependent one and "
                            "needs a nonzero factor");
    }
    e.node = GOS_NEW(r->arena, int, e.n);
    e.dof = GOS_NEW(r->arena, int, e.n);
    e.factor = GOS_NEW(r->arena, double, e.n);
    GOS_TRY(e.node && e.dof && e.factor ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < e.n; i++) {
        e.node[i] = list[i].node;
        e.dof[i] = list[i].dof;
        e.factor[i] = list[i].factor;
    }
    GOS_TRY(gos__deck_add(r, &r->deck->equation, &r->deck->nequation, sizeof e, &to));
    *to = e;
    return GOS_OK;
}

gos_status gos__deck_card_equation(gos_deck_reader *r) {
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(read_equation(r));
    }
}

/* ---- *COUPLING, *RIGID BODY ------------------------------------------------------------------ */

/* given by number, or a set of one node; -1: not given */
static gos_status param_node(gos_deck_reader *r, const char *key, int *node) {
    const char *value = gos__deck_param(r, key);
    int n;
    const int *item;
    *node = -1;
    if (!value) {
        return GOS_OK;
    }
    const gos_deck_field f = {value, (int)strlen(value)};
    GOS_TRY(gos__deck_nodes(r, &f, &n, &item));
    if (n != 1) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "%s=%s are %d nodes; one is needed", key, value, n);
    }
    *node = item[0];
    return GOS_OK;
}

static gos_status need_node(gos_deck_reader *r, const char *key, int *node) {
    const char *value;
    GOS_TRY(gos__deck_need(r, key, &value));
    return param_node(r, key, node);
}

gos_status gos__deck_card_coupling(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    gos_deck_coupling c = {.rotation = -1, .loc = r->card_loc}, *to;
    const char *name, *surface;
    int number;
    GOS_TRY(gos__deck_couplings_check(r));
    GOS_TRY(gos__deck_need(r, "CONSTRAINTNAME", &name));
    GOS_TRY(gos__deck_need(r, "SURFACE", &surface));
    GOS_TRY(need_node(r, "REFNODE", &c.reference));
    GOS_TRY(gos__deck_param_named(r, &r->surfaces, "surface", "SURFACE", &number));
    GOS_TRY(
        gos__deck_param_named(r, &r->orientations, "orientation", "ORIENTATION", &c.orientation));
    c.name = gos__arena_strdup(r->arena, name);
    GOS_TRY(c.name ? GOS_OK : GOS_E_MEMORY);
    c.surface = number;
    c.n = d->surface[number].nnode;
    c.node = d->surface[number].node;
    GOS_TRY(gos__deck_add(r, &d->coupling, &d->ncoupling, sizeof c, &to));
    *to = c;
    r->coupling = d->ncoupling - 1;
    return GOS_OK;
}

gos_status gos__deck_card_coupling_kind(gos_deck_reader *r) {
    if (r->coupling < 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "this card belongs to a coupling; write it directly below *COUPLING");
    }
    gos_deck_coupling *c = &r->deck->coupling[r->coupling];
    bool any = false;
    r->coupling = -1;
    c->distributing = r->card->kind == 1;
    for (bool more = true;;) {
        int64_t first, last;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            break;
        }
        GOS_TRY(gos__deck_next_whole(r, "first degree of freedom", 1, 6, 0, &first));
        GOS_TRY(gos__deck_next_whole(r, "last degree of freedom", first, 6, first, &last));
        GOS_TRY(gos__deck_end(r));
        for (int64_t k = first; k <= last; k++) {
            c->dof[k - 1] = any = true;
        }
    }
    for (int k = 0; k < 6; k++) {
        c->dof[k] = c->dof[k] || !any;
    }
    return GOS_OK;
}

gos_status gos__deck_couplings_check(gos_deck_reader *r) {
    if (r->coupling < 0) {
        return GOS_OK;
    }
    const gos_deck_coupling *c = &r->deck->coupling[r->coupling];
    return gos__fail_at(r->ctx, GOS_E_INPUT, c->loc, "*COUPLING",
                        "coupling '%s' is neither kinematic nor distributing; write *KINEMATIC or "
                        "*DISTRIBUTING below it",
                        c->name);
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static gos_status nodes_of(gos_deck_reader *r, int ncell, const int *cell, int *n,
                           const int **node) {
    int k, most = 0, kept = 0, at = 0;
    for (int i = 0; i < ncell; i++) {
        most += gos__cell_kind[gos__mesh_cell(r->mesh, cell[i], &k)->shape].nodes;
    }
    GOS_TRY(gos__deck_count(r, most));
    int *list = GOS_NEW(r->arena, int, most + 1L);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < ncell; i++) {
        const gos_cell_block *b = gos__mesh_cell(r->mesh, cell[i], &k);
        const int nodes = gos__cell_kind[b->shape].nodes;
        memcpy(list + at, b->node + (size_t)k * nodes, nodes * sizeof *list);
        at += nodes;
    }
    qsort(list, most, sizeof *list, by_number);
    for (int i = 0; i < most; i++) {
        if (kept == 0 || list[i] != list[kept - 1]) {
            list[kept++] = list[i];
        }
    }
    *n = kept;
    *node = list;
    return GOS_OK;
}

gos_status gos__deck_card_rigid_body(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    gos_deck_coupling c = {.rigid_body = true,
                           .surface = -1,
                           .orientation = -1,
                           .loc = r->card_loc},
                      *to;
    const char *nodes = gos__deck_param(r, "NSET"), *cells = gos__deck_param(r, "ELSET");
    if (!nodes == !cells) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "give either NSET=... or ELSET=..., the set that is rigid");
    }
    GOS_TRY(need_node(r, "REFNODE", &c.reference));
    GOS_TRY(param_node(r, "ROTNODE", &c.rotation));
    if (nodes) {
        GOS_TRY(gos__deck_set_items(r, false, nodes, &c.n, &c.node));
    } else {
        int n;
        const int *cell;
        GOS_TRY(gos__deck_set_items(r, true, cells, &n, &cell));
        GOS_TRY(nodes_of(r, n, cell, &c.n, &c.node));
    }
    for (int k = 0; k < 6; k++) {
        c.dof[k] = true;
    }
    GOS_TRY(gos__deck_add(r, &d->coupling, &d->ncoupling, sizeof c, &to));
    *to = c;
    return GOS_OK;
}

/* ---- *TIE ------------------------------------------------------------------------------------ */

static gos_status next_surface(gos_deck_reader *r, int *number) {
    gos_deck_field f = {r->end, 0};
    char label[GOS_DECK_LABEL + 1];
    (void)gos__deck_field(r, &f);
    GOS_TRY(gos__deck_label(r, &f, label));
    return gos__deck_named(r, &r->surfaces, "surface", label, number);
}

gos_status gos__deck_card_tie(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    gos_deck_tie t = {.loc = r->card_loc}, *to;
    const char *name;
    bool more;
    int adjust;
    GOS_TRY(gos__deck_need(r, "NAME", &name));
    GOS_TRY(gos__deck_param_real(r, "POSITIONTOLERANCE", 0.0, &t.tolerance));
    GOS_TRY(gos__deck_param_choice(r, "ADJUST", "YES NO", &adjust));
    t.adjust = adjust == 0;
    t.name = gos__arena_strdup(r->arena, name);
    GOS_TRY(t.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__deck_data(r, &more));
    if (!more) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the line with the two surfaces is missing below this card");
    }
    GOS_TRY(next_surface(r, &t.dependent));
    GOS_TRY(next_surface(r, &t.independent));
    GOS_TRY(gos__deck_end(r));
    if (d->surface[t.independent].of_nodes) {
        return gos__deck_fail(r, NULL,
                              "the second surface, '%s', is made of nodes; use one of faces",
                              d->surface[t.independent].name);
    }
    GOS_TRY(gos__deck_add(r, &d->tie, &d->ntie, sizeof t, &to));
    *to = t;
    return GOS_OK;
}
