/* Node and element sets. References use the set as defined so far, as in CalculiX. */
#include "deck/reader.h"

gos_status gos__deck_count(gos_deck_reader *r, int n) {
    r->items += n;
    return r->items <= GOS_LIMIT_DECK_ITEMS
               ? GOS_OK
               : gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, r->object,
                              "sets and references to them have more than %.0f entries in total",
                              GOS_LIMIT_DECK_ITEMS);
}

static gos_deck_sets *sets_of(gos_deck_reader *r, bool cells) {
    return cells ? &r->cell_sets : &r->node_sets;
}

static const char *what_of(bool cells) {
    return cells ? "element" : "node";
}

static gos_status set_for(gos_deck_reader *r, bool cells, const char *label, gos_deck_set **set) {
    gos_deck_sets *sets = sets_of(r, cells);
    const int *found = gos__deck_find(r, &sets->names, label);
    if (found) {
        *set = &sets->set[*found];
        return GOS_OK;
    }
    if (sets->n == GOS_LIMIT_DECK_SETS) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, r->object, "there are more than %d sets",
                            GOS_LIMIT_DECK_SETS);
    }
    gos_deck_set s = {.sorted = true, .nkept = -1};
    GOS_TRY(gos__grow(r->ctx, (void **)&sets->set, &sets->cap, sets->n + 1, sizeof s));
    GOS_TRY(gos__deck_name(r, &sets->names, "set", label, sets->n, &s.name));
    *set = &sets->set[sets->n];
    sets->set[sets->n++] = s;
    return GOS_OK;
}

static gos_status add_items(gos_deck_reader *r, gos_deck_set *s, int n, const int *item) {
    GOS_TRY(gos__deck_count(r, n));
    GOS_TRY(gos__grow(r->ctx, (void **)&s->item, &s->cap, s->n + n, sizeof *s->item));
    for (int i = 0; i < n; i++) {
        s->sorted = s->sorted && (s->n == 0 || item[i] > s->item[s->n - 1]);
        s->item[s->n++] = item[i];
    }
    s->nkept = n > 0 ? -1 : s->nkept;
    return GOS_OK;
}

gos_status gos__deck_set_add(gos_deck_reader *r, bool cells, const char *label, int n,
                             const int *item) {
    gos_deck_set *s;
    GOS_TRY(set_for(r, cells, label, &s));
    return add_items(r, s, n, item);
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort(gos_deck_set *s) {
    int kept = 0;
    if (s->sorted) {
        return;
    }
    qsort(s->item, s->n, sizeof *s->item, by_number);
    for (int i = 0; i < s->n; i++) {
        if (kept == 0 || s->item[i] != s->item[kept - 1]) {
            s->item[kept++] = s->item[i];
        }
    }
    s->n = kept;
    s->sorted = true;
}

static gos_status keep(gos_deck_reader *r, gos_deck_set *s, int *n, const int **item) {
    sort(s);
    if (s->nkept < 0) {
        GOS_TRY(gos__deck_count(r, s->n));
        int *copy = GOS_NEW(r->arena, int, s->n + 1L);
        GOS_TRY(copy ? GOS_OK : GOS_E_MEMORY);
        if (s->n > 0) {
            memcpy(copy, s->item, s->n * sizeof *copy);
        }
        s->kept = copy;
        s->nkept = s->n;
    }
    *n = s->nkept;
    *item = s->kept;
    return GOS_OK;
}

gos_status gos__deck_set_items(gos_deck_reader *r, bool cells, const char *label, int *n,
                               const int **item) {
    int number;
    char what[24];
    gos__format(what, sizeof what, "%s set", what_of(cells));
    gos_deck_sets *sets = sets_of(r, cells);
    GOS_TRY(gos__deck_named(r, &sets->names, what, label, &number));
    return keep(r, &sets->set[number], n, item);
}

/* ---- by number ------------------------------------------------------------------------------- */

static int64_t tag_at(const gos_deck_reader *r, bool cells, int i) {
    return cells ? r->cell_tag[i] : r->mesh->tag[i];
}

static int first_from(const gos_deck_reader *r, bool cells, int n, int64_t tag) {
    int lo = 0, hi = n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (tag_at(r, cells, mid) < tag) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

int gos__deck_cell(const gos_deck_reader *r, int64_t tag) {
    const int i = first_from(r, true, r->mesh->ncell, tag);
    return i < r->mesh->ncell && r->cell_tag[i] == tag ? r->cell_of[i] : -1;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

/* one, or two (item) */
static gos_status numbered(gos_deck_reader *r, bool cells, const gos_deck_field *f, int *n,
                           int item[2]) {
    int64_t tag;
    char what[24];
    gos__format(what, sizeof what, "number of %s %s", cells ? "an" : "a", what_of(cells));
    GOS_TRY(gos__deck_tag(r, f, what, &tag));
    *n = 1;
    item[0] = cells ? gos__deck_cell(r, tag) : gos__mesh_find_node(r->mesh, tag);
    const int other = cells && item[0] >= 0 ? gos__deck_other_half(r->mesh, item[0]) : -1;
    if (other >= 0) {
        *n = 2;
        item[1] = other > item[0] ? other : item[0];
        item[0] = other > item[0] ? item[0] : other;
    }
    return item[0] >= 0
               ? GOS_OK
               : gos__deck_fail(r, f, "there is no %s %.*s; correct the number, or add it by %s",
                                what_of(cells), f->n < 40 ? f->n : 40, f->s,
                                cells ? "*ELEMENT" : "*NODE");
}

gos_status gos__deck_node(gos_deck_reader *r, const gos_deck_field *f, int *node) {
    int n, item[2];
    GOS_TRY(numbered(r, false, f, &n, item));
    *node = item[0];
    return GOS_OK;
}

static gos_status place(gos_deck_reader *r, bool cells, const gos_deck_field *f, int *n,
                        const int **item) {
    char label[GOS_DECK_LABEL + 1];
    if (!gos__deck_is_tag(r, f)) {
        GOS_TRY(gos__deck_label(r, f, label));
        return gos__deck_set_items(r, cells, label, n, item);
    }
    int *one = GOS_NEW(r->arena, int, 2);
    GOS_TRY(one ? GOS_OK : GOS_E_MEMORY);
    *item = one;
    return numbered(r, cells, f, n, one);
}

gos_status gos__deck_nodes(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **node) {
    return place(r, false, f, n, node);
}

gos_status gos__deck_cells(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **cell) {
    return place(r, true, f, n, cell);
}

/* ---- cards ----------------------------------------------------------------------------------- */

/* existing numbers of `from, to, step` */
static gos_status generate(gos_deck_reader *r, bool cells, const char *label) {
    int64_t from, to, step, found = 0;
    const int n = cells ? r->mesh->ncell : r->mesh->nnode;
    const int64_t most = INT64_MAX / 1000;
    GOS_TRY(gos__deck_next_whole(r, "first number", 1, most, 0, &from));
    GOS_TRY(gos__deck_next_whole(r, "last number", from, most, from - 1, &to));
    GOS_TRY(gos__deck_next_whole(r, "step", 1, most, 1, &step));
    GOS_TRY(gos__deck_end(r));
    const int64_t off = gos__deck_offset(r);
    for (int i = first_from(r, cells, n, from + off); i < n && tag_at(r, cells, i) <= to + off;
         i++) {
        if ((tag_at(r, cells, i) - off - from) % step == 0) {
            const int item = cells ? r->cell_of[i] : i;
            GOS_TRY(gos__deck_set_add(r, cells, label, 1, &item));
            found++;
        }
    }
    if (found == 0) {
        return gos__deck_fail(
            r, NULL, "there is no %s with a number %lld, %lld ... %lld; correct the range",
            what_of(cells), (long long)from, (long long)(from + step), (long long)to);
    }
    const int64_t missing = (to - from) / step + 1 - found;
    if (missing > 0) {
        gos__warn(r->ctx, r->loc, r->object, "%lld of the numbers %lld to %lld are not %ss",
                  (long long)missing, (long long)from, (long long)to, what_of(cells));
    }
    return GOS_OK;
}

/* numbers and sets, any number per line */
static gos_status list(gos_deck_reader *r, bool cells, const char *label) {
    gos_deck_field f;
    while (gos__deck_field(r, &f)) {
        int n, one[2];
        const int *item = one;
        if (f.n == 0) {
            continue;
        }
        if (gos__deck_is_tag(r, &f)) {
            GOS_TRY(numbered(r, cells, &f, &n, one));
        } else {
            GOS_TRY(place(r, cells, &f, &n, &item));
        }
        GOS_TRY(gos__deck_set_add(r, cells, label, n, item));
    }
    return GOS_OK;
}

static gos_status read_set(gos_deck_reader *r, bool cells) {
    const char *label;
    const bool ranges = gos__deck_param(r, "GENERATE") != NULL;
    gos_deck_set *s;
    GOS_TRY(gos__deck_need(r, cells ? "ELSET" : "NSET", &label));
    GOS_TRY(gos__deck_member(r));
    GOS_TRY(set_for(r, cells, label, &s));
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(ranges ? generate(r, cells, label) : list(r, cells, label));
    }
}

gos_status gos__deck_card_nset(gos_deck_reader *r) {
    return read_set(r, false);
}

gos_status gos__deck_card_elset(gos_deck_reader *r) {
    return read_set(r, true);
}

/* ---- completion ------------------------------------------------------------------------------ */

gos_status gos__deck_sets_finish(gos_deck_reader *r) {
    for (int k = 0; k < 2; k++) {
        const gos_deck_sets *sets = sets_of(r, k == 1);
        for (int i = 0; i < sets->n; i++) {
            static const int none;
            gos_deck_set *s = &sets->set[i];
            sort(s);
            const int *item = s->item ? s->item : &none;
            GOS_TRY(k == 1 ? gos__mesh_add_cells(r->mesh, s->name, s->n, item)
                           : gos__mesh_add_nodes(r->mesh, s->name, s->n, item));
        }
    }
    return GOS_OK;
}

void gos__deck_sets_free(gos_deck_reader *r) {
    for (int k = 0; k < 2; k++) {
        gos_deck_sets *sets = sets_of(r, k == 1);
        for (int i = 0; i < sets->n; i++) {
            gos__free(r->ctx, sets->set[i].item);
        }
        gos__free(r->ctx, sets->set);
    }
}
