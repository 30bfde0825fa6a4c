/* Supports, constraint equations and rigid elements. */
#include "base/base.h"
#include "deck/nastran_reader.h"

/* ---- lists of nodes -------------------------------------------------------------------------- */

typedef struct listing {
    int n, cap, wcap;
    int *node;
    double *weight; // (n), of RBE3
    double w;       // of the next nodes
} listing;

static gos_status take(gos_nastran *r, listing *l, int node) {
    GOS_TRY(gos__grow(r->ctx, (void **)&l->node, &l->cap, l->n + 1, sizeof *l->node));
    GOS_TRY(gos__grow(r->ctx, (void **)&l->weight, &l->wcap, l->n + 1, sizeof *l->weight));
    l->weight[l->n] = l->w;
    l->node[l->n++] = node;
    return GOS_OK;
}

/* Numbers of a range that do not exist are skipped, single ones must exist. */
static gos_status take_range(gos_nastran *r, const gos_nastran_card *c, const int64_t range[3],
                             int i, void *arg) {
    const gos_mesh *m = r->mesh;
    int node, low = 0, high = m->nnode;
    if (range[0] == range[1]) {
        GOS_TRY(gos__nastran_node_id(r, c, i, range[0], &node));
        return take(r, arg, node);
    }
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->tag[middle] < range[0]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < m->nnode && m->tag[low] <= range[1]; low++) {
        if ((m->tag[low] - range[0]) % range[2] == 0) {
            GOS_TRY(take(r, arg, low));
        }
    }
    return GOS_OK;
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* ascending, without duplicates, in the arena */
static gos_status keep(gos_nastran *r, listing *l, int *n, const int **node) {
    int *kept = GOS_NEW(r->arena, int, l->n + 1L);
    GOS_TRY(kept ? GOS_OK : GOS_E_MEMORY);
    if (l->n > 0) {
        qsort(l->node, (size_t)l->n, sizeof *l->node, by_number);
    }
    *n = 0;
    for (int i = 0; i < l->n; i++) {
        if (*n == 0 || kept[*n - 1] != l->node[i]) {
            kept[(*n)++] = l->node[i];
        }
    }
    *node = kept;
    return GOS_OK;
}

static void release(gos_nastran *r, listing *l) {
    gos__free(r->ctx, l->node);
    gos__free(r->ctx, l->weight);
}

/* ---- supports -------------------------------------------------------------------------------- */

static gos_status add_nodal(gos_nastran *r, const gos_deck_nodal *n) {
    gos_deck_nodal *to;
    GOS_TRY(gos__nastran_add(r, &r->deck->nodal, &r->deck->nnodal, sizeof *to, &to));
    *to = *n;
    return GOS_OK;
}

gos_status gos__nastran_nodal(gos_nastran *r, const gos_nastran_card *c, gos_deck_nodal_kind kind,
                              int node, int dof, double value) {
    int *one = GOS_NEW(r->arena, int, 1);
    GOS_TRY(one ? GOS_OK : GOS_E_MEMORY);
    *one = node;
    const gos_deck_nodal n = {.kind = kind,
                              .n = 1,
                              .node = one,
                              .dof = dof,
                              .dof_last = dof,
                              .value = value,
                              .amplitude = -1,
                              .in_step = kind != GOS_DECK_INITIAL_TEMPERATURE,
                              .loc = c->loc};
    return add_nodal(r, &n);
}

/* consecutive components together */
static gos_status hold(gos_nastran *r, const gos_nastran_card *c, int n, const int *node,
                       unsigned bits, double value) {
    gos_deck_nodal a = {.kind = GOS_DECK_FIXED,
                        .n = n,
                        .node = node,
                        .value = value,
                        .amplitude = -1,
                        .loc = c->loc};
    for (int dof = 1; dof <= 6; dof++) {
        if ((bits >> (dof - 1) & 1u) == 0) {
            continue;
        }
        a.dof = dof;
        while (dof < 6 && (bits >> dof & 1u) != 0) {
            dof++;
        }
        a.dof_last = dof;
        GOS_TRY(n > 0 ? add_nodal(r, &a) : GOS_OK);
    }
    return n > 0 ? gos__mesh_add_nodes(r->mesh, r->support_set, n, node) : GOS_OK;
}

static bool contains(int n, const int64_t *set, int64_t id) {
    for (int i = 0; i < n; i++) {
        if (set[i] == id) {
            return true;
        }
    }
    return false;
}

/* Whether the card's set, field 1, is selected. */
static gos_status selected(gos_nastran *r, const gos_nastran_card *c, const gos_nastran_sets *sets,
                           bool *is) {
    int64_t id;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the set", &id));
    *is = contains(sets->n, sets->id, id);
    return GOS_OK;
}

gos_status gos__nastran_read_spc(gos_nastran *r, const gos_nastran_card *c) {
    bool is;
    GOS_TRY(selected(r, c, &r->spc, &is));
    for (int i = 2; is && i < 8; i += 3) {
        unsigned bits;
        double value;
        int *node = GOS_NEW(r->arena, int, 1);
        if (gos__nastran_blank(r, c, i) && i > 2) {
            continue;
        }
        GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
        GOS_TRY(gos__nastran_node(r, c, i, "number of a grid point", node));
        GOS_TRY(gos__nastran_components(r, c, i + 1, &bits));
        GOS_TRY(gos__nastran_real(r, c, i + 2, "displacement", 0.0, &value));
        GOS_TRY(hold(r, c, 1, node, bits, value));
    }
    return GOS_OK;
}

gos_status gos__nastran_read_spc1(gos_nastran *r, const gos_nastran_card *c) {
    bool is;
    unsigned bits;
    listing l = {0};
    int n;
    const int *node;
    GOS_TRY(selected(r, c, &r->spc, &is));
    if (!is) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_components(r, c, 2, &bits));
    gos_status status = gos__nastran_list(r, c, 3, "grid points", take_range, &l);
    status = status == GOS_OK ? keep(r, &l, &n, &node) : status;
    status = status == GOS_OK ? hold(r, c, n, node, bits, 0) : status;
    release(r, &l);
    return status;
}

/* ---- equations ------------------------------------------------------------------------------- */

gos_status gos__nastran_read_mpc(gos_nastran *r, const gos_nastran_card *c) {
    bool is;
    gos_deck_equation e = {.loc = c->loc}, *to;
    GOS_TRY(selected(r, c, &r->mpc, &is));
    if (!is) {
        return GOS_OK;
    }
    const int most = 2 * (c->n / 8 + 1);
    e.node = GOS_NEW(r->arena, int, most);
    e.dof = GOS_NEW(r->arena, int, most);
    e.factor = GOS_NEW(r->arena, double, most);
    GOS_TRY(e.node && e.dof && e.factor ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < most; k++) {
        const int i = 2 + k / 2 * 8 + k % 2 * 3;
        int64_t dof;
        if (gos__nastran_blank(r, c, i)) {
            continue;
        }
        GOS_TRY(gos__nastran_node(r, c, i, "number of a grid point", &e.node[e.n]));
        GOS_TRY(gos__nastran_whole(r, c, i + 1, "component", 1, GOS_NASTRAN_REQUIRED, &dof));
        GOS_TRY(gos__nastran_real(r, c, i + 2, "factor", 0.0, &e.factor[e.n]));
        if (dof > 6) {
            return gos__nastran_fail(r, c, i + 1, "the component must be 1 to 6");
        }
        e.dof[e.n++] = (int)dof;
    }
    if (e.n == 0 || e.factor[0] == 0) {
        return gos__nastran_fail(r, c, 0,
                                 "the factor of the first term is 0; it is the dependent "
                                 "one");
    }
    GOS_TRY(gos__nastran_add(r, &r->deck->equation, &r->deck->nequation, sizeof *to, &to));
    *to = e;
    return GOS_OK;
}

/* ---- rigid elements -------------------------------------------------------------------------- */

static gos_status add_coupling(gos_nastran *r, const gos_deck_coupling *c) {
    gos_deck_coupling *to;
    GOS_TRY(gos__nastran_add(r, &r->deck->coupling, &r->deck->ncoupling, sizeof *to, &to));
    *to = *c;
    return GOS_OK;
}

/* axes of the followers must be those of the mesh, unless all components follow */
static gos_status begin_coupling(gos_nastran *r, const gos_nastran_card *c, int reference,
                                 int components, gos_deck_coupling *k) {
    unsigned bits;
    int64_t id;
    *k = (gos_deck_coupling){
        .rotation = -1, .surface = -1, .orientation = -1, .rigid_body = false, .loc = c->loc};
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the element", &id));
    GOS_TRY(gos__nastran_new(r, c, &r->rigid_of, id, "rigid element", -1));
    GOS_TRY(gos__nastran_node(r, c, reference, "number of a grid point", &k->reference));
    GOS_TRY(gos__nastran_components(r, c, components, &bits));
    for (int i = 0; i < 6; i++) {
        k->dof[i] = (bits >> i & 1u) != 0;
    }
    k->name = gos__arena_printf(r->arena, "%s(%lld)", c->name, (long long)id);
    GOS_TRY(k->name ? GOS_OK : GOS_E_MEMORY);
    return bits != 0 ? GOS_OK
                     : gos__nastran_fail(r, c, components,
                                         "field %d, the components, is empty; "
                                         "give some, e.g. 123456",
                                         1 + components);
}

static gos_status check_axes(gos_nastran *r, const gos_nastran_card *c,
                             const gos_deck_coupling *k) {
    const bool moves = k->dof[0] && k->dof[1] && k->dof[2];
    const bool all = moves && k->dof[3] && k->dof[4] && k->dof[5];
    const bool three = moves && !k->dof[3] && !k->dof[4] && !k->dof[5];
    for (int i = 0; i < k->n; i++) {
        const gos_nastran_grid *g = &r->grid[k->node[i]];
        if (k->node[i] == k->reference) {
            return gos__nastran_fail(r, c, 0, "grid point %lld is both dependent and independent",
                                     (long long)g->id);
        }
        if (!all && !three && g->cd != 0) {
            return gos__nastran_fail(r, c, 0,
                                     "part of the components at grid point %lld, which has "
                                     "displacement axes (CD), is not supported; give 123456",
                                     (long long)g->id);
        }
    }
    return GOS_OK;
}

gos_status gos__nastran_read_rbe2(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_coupling k;
    listing l = {0};
    gos_nastran_card list = *c; // without ALPHA
    const gos_nastran_field last = gos__nastran_field(r, c, c->n);
    GOS_TRY(begin_coupling(r, c, 2, 3, &k));
    if (last.n > 0 && memchr(last.s, '.', (size_t)last.n)) {
        GOS_TRY(gos__nastran_unused(r, c, c->n, c->n, "thermal expansion of rigid elements"));
        list.n--;
    }
    gos_status status = gos__nastran_list(r, &list, 4, "grid points", take_range, &l);
    status = status == GOS_OK ? keep(r, &l, &k.n, &k.node) : status;
    release(r, &l);
    GOS_TRY(status);
    GOS_TRY(check_axes(r, c, &k));
    return add_coupling(r, &k);
}

/* GA with six independent components, GB dependent */
gos_status gos__nastran_read_rbar(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_coupling k;
    unsigned independent, dependent;
    int *node = GOS_NEW(r->arena, int, 1);
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(begin_coupling(r, c, 2, 4, &k));
    GOS_TRY(gos__nastran_components(r, c, 4, &independent));
    GOS_TRY(gos__nastran_components(r, c, 7, &dependent));
    GOS_TRY(gos__nastran_node(r, c, 3, "number of a grid point", node));
    if (independent != 0x3f || !gos__nastran_blank(r, c, 5) || !gos__nastran_blank(r, c, 6)) {
        return gos__nastran_fail(r, c, 4,
                                 "only CNA 123456 with CNB and CMA empty is supported; "
                                 "use RBE2");
    }
    GOS_TRY(gos__nastran_unused(r, c, 8, 8, "thermal expansion of rigid elements"));
    for (int i = 0; i < 6 && dependent != 0; i++) {
        k.dof[i] = (dependent >> i & 1u) != 0;
    }
    k.n = 1;
    k.node = node;
    GOS_TRY(check_axes(r, c, &k));
    return add_coupling(r, &k);
}

/* weight, components 123, grid points; from field *i */
static gos_status read_group(gos_nastran *r, const gos_nastran_card *c, int *i, listing *l) {
    unsigned bits;
    GOS_TRY(gos__nastran_positive(r, c, *i, "weight", &l->w));
    GOS_TRY(gos__nastran_components(r, c, *i + 1, &bits));
    if (bits != 7) {
        return gos__nastran_fail(r, c, *i + 1,
                                 "only components 123 of the averaged grid points are supported; "
                                 "give 123");
    }
    for (*i += 2; *i <= c->n; ++*i) {
        int64_t range[3];
        if (gos__nastran_blank(r, c, *i)) {
            continue;
        }
        if (!gos__nastran_is_whole(r, c, *i)) {
            return GOS_OK;
        }
        GOS_TRY(gos__nastran_id(r, c, *i, "number of a grid point", &range[0]));
        range[1] = range[0];
        range[2] = 1;
        GOS_TRY(take_range(r, c, range, *i, l));
    }
    return GOS_OK;
}

/* ascending, with the weights */
static gos_status keep_weighted(gos_nastran *r, const gos_nastran_card *c, const listing *l,
                                gos_deck_coupling *k) {
    int *node = GOS_NEW(r->arena, int, l->n + 1L);
    double *weight = GOS_NEW(r->arena, double, l->n + 1L);
    GOS_TRY(node && weight ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < l->n; i++) {
        int at = i;
        while (at > 0 && node[at - 1] > l->node[i]) {
            node[at] = node[at - 1];
            weight[at] = weight[at - 1];
            at--;
        }
        if (at > 0 && node[at - 1] == l->node[i]) {
            return gos__nastran_fail(r, c, 0, "grid point %lld is listed twice",
                                     (long long)gos__mesh_node_tag(r->mesh, l->node[i]));
        }
        node[at] = l->node[i];
        weight[at] = l->weight[i];
    }
    k->n = l->n;
    k->node = node;
    k->weight = weight;
    return GOS_OK;
}

static gos_status read_groups(gos_nastran *r, const gos_nastran_card *c, listing *l) {
    int i = 5;
    while (i <= c->n) {
        if (gos__nastran_is_word(r, c, i, "UM")) {
            return gos__nastran_fail(r, c, i, "UM is not supported: REFGRID must be dependent");
        }
        if (gos__nastran_is_word(r, c, i, "ALPHA")) {
            return gos__nastran_unused(r, c, i + 1, i + 1, "thermal expansion of rigid elements");
        }
        GOS_TRY(gos__nastran_blank(r, c, i) ? GOS_OK : read_group(r, c, &i, l));
        i += gos__nastran_blank(r, c, i);
    }
    return l->n > 0 ? GOS_OK : gos__nastran_fail(r, c, 0, "the card lists no grid points");
}

gos_status gos__nastran_read_rbe3(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_coupling k;
    listing l = {0};
    GOS_TRY(begin_coupling(r, c, 3, 4, &k));
    k.distributing = true;
    if (!k.dof[0] || !k.dof[1] || !k.dof[2]) {
        return gos__nastran_fail(r, c, 4, "REFC must be 123 or 123456");
    }
    gos_status status = read_groups(r, c, &l);
    status = status == GOS_OK ? keep_weighted(r, c, &l, &k) : status;
    release(r, &l);
    GOS_TRY(status);
    GOS_TRY(check_axes(r, c, &k));
    return add_coupling(r, &k);
}

/* ---- sets of sets ---------------------------------------------------------------------------- */

static gos_status add_set(gos_nastran *r, gos_nastran_sets *to, int64_t id) {
    int64_t *at;
    if (contains(to->n, to->id, id)) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_add(r, &to->id, &to->n, sizeof *at, &at));
    *at = id;
    return GOS_OK;
}

/* sets of SPCADD or MPCADD with the selected number */
static gos_status add_sets(gos_nastran *r, const char *name, gos_nastran_sets *to) {
    const int64_t wanted = to->n > 0 ? to->id[0] : 0;
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        int64_t id;
        if (strcmp(c->name, name) != 0) {
            continue;
        }
        GOS_TRY(gos__nastran_id(r, c, 1, "number of the set", &id));
        for (int k = 2; k <= c->n && id == wanted; k++) {
            GOS_TRY(gos__nastran_blank(r, c, k) ? GOS_OK
                                                : gos__nastran_id(r, c, k, "number of a set", &id));
            GOS_TRY(gos__nastran_blank(r, c, k) ? GOS_OK : add_set(r, to, id));
            id = wanted;
        }
    }
    return GOS_OK;
}

/* Sets of some cards, field 1. */
typedef struct numbers {
    int n;        // cards
    int64_t only; // their set; 0: none or several
    bool has;     // one of them has the set that was asked for
} numbers;

static numbers look(const gos_nastran *r, const char *const *name, int n, int64_t set) {
    numbers all = {0};
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        const gos_nastran_field f = gos__nastran_field(r, c, 1);
        bool is = false;
        int64_t id = 0;
        for (int k = 0; k < n; k++) {
            is = is || strcmp(c->name, name[k]) == 0;
        }
        is = is && gos__nastran_is_whole(r, c, 1);
        for (int k = 0; k < f.n && is && f.s[0] != '-' && id <= GOS_NASTRAN_ID; k++) {
            id = 10 * id + (f.s[k] == '+' ? 0 : f.s[k] - '0');
        }
        if (is) {
            all.only = all.n++ == 0 || id == all.only ? id : 0;
            all.has = all.has || id == set;
        }
    }
    return all;
}

static gos_status choose(gos_nastran *r, const char *what, const char *const *name, int n,
                         int64_t *set) {
    const gos_loc loc = {r->file[0].name, 0, 0};
    const numbers all = look(r, name, n, *set);
    *set = r->has_case ? *set : all.only;
    if (r->has_case && *set > 0 && !all.has && strcmp(what, "SPC") == 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, loc, what,
                            "the case control selects set %lld, which is not in the bulk data; "
                            "correct its number",
                            (long long)*set);
    }
    if (r->has_case && *set > 0 && !all.has) {
        gos__warn(r->ctx, loc, what,
                  "the case control selects set %lld, which is not in the bulk data: none is "
                  "applied",
                  (long long)*set);
    }
    if (*set == 0 && all.n > 0 && (strcmp(what, "LOAD") != 0 || r->solution != 103)) {
        gos__warn(r->ctx, loc, what,
                  r->has_case ? "no set is applied: the case control selects none"
                              : "no set is applied: there are several; select one in a case "
                                "control above BEGIN BULK");
    }
    return GOS_OK;
}

gos_status gos__nastran_choose_sets(gos_nastran *r) {
    static const char *const spc[] = {"SPC", "SPC1", "SPCADD"}, *const mpc[] = {"MPC", "MPCADD"},
                             *const load[] = {"FORCE",  "MOMENT", "PLOAD",  "PLOAD1", "PLOAD2",
                                              "PLOAD4", "GRAV",   "RFORCE", "LOAD",   "SPCD"};
    gos_nastran_case *k = &r->chosen;
    GOS_TRY(choose(r, "SPC", spc, GOS_COUNT(spc), &k->spc));
    GOS_TRY(choose(r, "MPC", mpc, GOS_COUNT(mpc), &k->mpc));
    GOS_TRY(choose(r, "LOAD", load, GOS_COUNT(load), &k->load));
    GOS_TRY(k->spc > 0 ? add_set(r, &r->spc, k->spc) : GOS_OK);
    GOS_TRY(k->mpc > 0 ? add_set(r, &r->mpc, k->mpc) : GOS_OK);
    r->support_set = gos__arena_printf(r->arena, "SPC(%lld)", (long long)k->spc);
    GOS_TRY(r->support_set ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(add_sets(r, "SPCADD", &r->spc));
    return add_sets(r, "MPCADD", &r->mpc);
}
