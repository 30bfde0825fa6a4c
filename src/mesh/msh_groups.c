/* Converts elements and physical groups to cells and sets. */
#include "mesh/msh_reader.h"

/* element of one dimension less than the cells, by its ascending corners */
typedef struct side_key {
    int node[4];
    gos_cell_shape shape;
    int i;
} side_key;

/* the cell of which it is a side */
typedef struct match {
    int cell, side; // -1: none
    bool between;   // between two cells
} match;

typedef struct finisher {
    gos_msh_reader *r;
    gos_mesh *m;
    int dim; // of the mesh
    bool all;
    int first[GOS_CELL_SHAPES];    // index of the first cell of a shape
    match *match[GOS_CELL_SHAPES]; // of elements of dimension dim - 1, NULL: none
    side_key *key;                 // their keys, sorted (nkey)
    int nkey;
    bool *mark; // nodes (nnode)
} finisher;

static bool is_cell(const finisher *f, gos_cell_shape shape) {
    return f->all || gos__cell_kind[shape].dim == f->dim;
}

static void mark_nodes(const finisher *f, gos_cell_shape shape, int i) {
    const int n = gos__cell_kind[shape].nodes;
    for (int k = 0; k < n; k++) {
        f->mark[f->r->list[shape].node[(size_t)i * n + k]] = true;
    }
}

/* ---- dropped elements and nodes -------------------------------------------------------------- */

static bool reaches_beyond(const finisher *f, gos_cell_shape shape, int i) {
    const int n = gos__cell_kind[shape].nodes;
    for (int k = 0; k < n; k++) {
        if (!f->mark[f->r->list[shape].node[(size_t)i * n + k]]) {
            return true;
        }
    }
    return false;
}

/* lines and surfaces that are dropped but have nodes without cells */
static void warn_beyond(const finisher *f) {
    int n = 0, line = 0;
    long long tag = 0;
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        const gos_msh_list *l = &f->r->list[s];
        const bool counts = !is_cell(f, s) && gos__cell_kind[s].dim > 0;
        for (int i = 0; counts && i < l->n; i++) {
            if (reaches_beyond(f, s, i)) {
                line = n == 0 ? l->line[i] : line;
                tag = n == 0 ? l->tag[i] : tag;
                n++;
            }
        }
    }
    if (n > 0) {
        gos__warn(
            f->r->ctx, (gos_loc){f->r->file, line, 0}, NULL,
            "%d elements (the first is %lld) have a lower dimension than the cells and contain "
            "nodes that belong to no cell; they are ignored unless `elements: all` is set",
            n, tag);
    }
}

/* drop nodes without cells and groups (centres of arcs ...) */
static gos_status drop_nodes(const finisher *f) {
    gos_mesh *m = f->m;
    int *to = gos__alloc(m->ctx, (size_t)m->nnode + 1, sizeof *to);
    int n = 0;
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < m->nnode; i++) {
        to[i] = n;
        if (f->mark[i]) {
            memmove(m->x[n], m->x[i], sizeof m->x[n]);
            m->tag[n++] = m->tag[i];
        }
    }
    for (int s = 0; n < m->nnode && s < GOS_CELL_SHAPES; s++) {
        const size_t all = (size_t)f->r->list[s].n * (size_t)gos__cell_kind[s].nodes;
        for (size_t k = 0; k < all; k++) {
            const int old = f->r->list[s].node[k];
            f->r->list[s].node[k] = f->mark[old] ? to[old] : -1;
        }
    }
    m->nnode = n;
    gos__free(m->ctx, to);
    return GOS_OK;
}

static gos_status keep_nodes(finisher *f) {
    f->mark = gos__zalloc(f->r->ctx, (size_t)f->m->nnode + 1, sizeof *f->mark);
    GOS_TRY(f->mark ? GOS_OK : GOS_E_MEMORY);
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        for (int i = 0; is_cell(f, s) && i < f->r->list[s].n; i++) {
            mark_nodes(f, s, i);
        }
    }
    warn_beyond(f);
    for (int k = 0; k < f->r->nmember; k++) {
        mark_nodes(f, f->r->member[k].shape, f->r->member[k].i);
    }
    return drop_nodes(f);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static gos_status add_cells(finisher *f, gos_cell_shape shape) {
    gos_mesh *m = f->m;
    const gos_msh_list *l = &f->r->list[shape];
    const int *two = l->overlap;
    if (two[0] != two[1] && gos__cell_kind[shape].dim == f->dim) {
        return gos__fail_at(f->r->ctx, GOS_E_INPUT, (gos_loc){f->r->file, l->line[two[1]], 0}, NULL,
                            "elements %lld and %lld have the same nodes; remove one (Gmsh: "
                            "Coherence Mesh)",
                            (long long)l->tag[two[0]], (long long)l->tag[two[1]]);
    }
    const size_t n = (size_t)l->n;
    gos_cell_block *b;
    GOS_TRY(gos__mesh_cells(m, shape, l->n, (gos_loc){f->r->file, 0, 0}, NULL, &b));
    memcpy(b->node, l->node, n * (size_t)gos__cell_kind[shape].nodes * sizeof *b->node);
    b->tag = GOS_NEW(m->arena, int64_t, n);
    b->line = f->r->binary ? NULL : GOS_NEW(m->arena, int, n);
    GOS_TRY(b->tag && (b->line || f->r->binary) ? GOS_OK : GOS_E_MEMORY);
    memcpy(b->tag, l->tag, n * sizeof *b->tag);
    if (b->line) {
        memcpy(b->line, l->line, n * sizeof *b->line);
    }
    f->first[shape] = b->first;
    return GOS_OK;
}

/* ---- sides ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_nodes(const void *a, const void *b) {
    return memcmp(((const side_key *)a)->node, ((const side_key *)b)->node,
                  sizeof((const side_key *)a)->node);
}

static side_key key_of(gos_cell_shape shape, const int *node) {
    const int corners = gos__cell_kind[shape].corners;
    side_key key = {.node = {-1, -1, -1, -1}, .shape = shape};
    memcpy(key.node, node, (size_t)corners * sizeof *node);
    qsort(key.node, (size_t)corners, sizeof key.node[0], by_number);
    return key;
}

/* an element without a group may have dropped nodes, which no cell has */
static bool has_dropped(gos_cell_shape shape, const int *node) {
    for (int k = 0; k < gos__cell_kind[shape].nodes; k++) {
        if (node[k] < 0) {
            return true;
        }
    }
    return false;
}

static gos_status collect_keys(finisher *f) {
    size_t n = 0;
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        n += gos__cell_kind[s].dim == f->dim - 1 ? (size_t)f->r->list[s].n : 0;
    }
    f->key = gos__alloc(f->r->ctx, n + 1, sizeof *f->key);
    GOS_TRY(f->key ? GOS_OK : GOS_E_MEMORY);
    memset(f->mark, 0, (size_t)f->m->nnode * sizeof *f->mark);
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        const gos_msh_list *l = &f->r->list[s];
        if (gos__cell_kind[s].dim != f->dim - 1 || l->n == 0) {
            continue;
        }
        f->match[s] = gos__alloc(f->r->ctx, (size_t)l->n, sizeof *f->match[s]);
        GOS_TRY(f->match[s] ? GOS_OK : GOS_E_MEMORY);
        for (int i = 0; i < l->n; i++) {
            f->match[s][i] = (match){-1, -1, false};
            const int *node = l->node + (size_t)i * gos__cell_kind[s].nodes;
            if (has_dropped(s, node)) {
                continue;
            }
            f->key[f->nkey] = key_of(s, node);
            f->key[f->nkey++].i = i;
            mark_nodes(f, s, i);
        }
    }
    qsort(f->key, (size_t)f->nkey, sizeof *f->key, by_nodes);
    return GOS_OK;
}

static void check_side(const finisher *f, int cell, int side, gos_cell_shape shape) {
    int node[GOS_CELL_SIDE_NODES];
    gos__mesh_side(f->m, cell, side, node);
    for (int k = 0; k < gos__cell_kind[shape].corners; k++) {
        if (!f->mark[node[k]]) {
            return;
        }
    }
    const side_key key = key_of(shape, node);
    const side_key *found = bsearch(&key, f->key, (size_t)f->nkey, sizeof key, by_nodes);
    if (!found) {
        return;
    }
    while (found > f->key && by_nodes(found - 1, &key) == 0) {
        found--;
    }
    for (; found < f->key + f->nkey && by_nodes(found, &key) == 0; found++) {
        match *to = &f->match[found->shape][found->i];
        to->between = to->cell >= 0;
        to->cell = to->between ? to->cell : cell;
        to->side = to->between ? to->side : side;
    }
}

static gos_status find_sides(finisher *f) {
    GOS_TRY(collect_keys(f));
    for (int b = 0; f->nkey > 0 && b < f->m->nblock; b++) {
        const gos_cell_block *block = &f->m->block[b];
        const gos_cell_kind *kind = &gos__cell_kind[block->shape];
        for (int i = 0; kind->dim == f->dim && i < block->n; i++) {
            for (int s = 0; s < kind->sides; s++) {
                check_side(f, block->first + i, s, kind->side[s]);
            }
        }
    }
    return GOS_OK;
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct members {
    int n;
    const gos_msh_member *member; // members of one group (n)
    const char *name, *object;
} members;

static gos_status add_nodes(const finisher *f, const members *g) {
    size_t n = 0;
    for (int k = 0; k < g->n; k++) {
        n += (size_t)gos__cell_kind[g->member[k].shape].nodes;
    }
    int *node = gos__alloc(f->r->ctx, n + 1, sizeof *node);
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    n = 0;
    for (int k = 0; k < g->n; k++) {
        const gos_msh_member *e = &g->member[k];
        const int one = gos__cell_kind[e->shape].nodes;
        memcpy(node + n, f->r->list[e->shape].node + (size_t)e->i * one,
               (size_t)one * sizeof *node);
        n += (size_t)one;
    }
    const gos_status status =
        n <= INT32_MAX ? gos__mesh_add_nodes(f->m, g->name, (int)n, node) : GOS_E_LIMIT;
    gos__free(f->r->ctx, node);
    return status;
}

static gos_status add_cell_set(const finisher *f, const members *g) {
    int *cell = gos__alloc(f->r->ctx, (size_t)g->n + 1, sizeof *cell);
    GOS_TRY(cell ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < g->n; k++) {
        cell[k] = f->first[g->member[k].shape] + g->member[k].i;
    }
    const gos_status status = gos__mesh_add_cells(f->m, g->name, g->n, cell);
    gos__free(f->r->ctx, cell);
    return status;
}

static void warn_sides(const finisher *f, const members *g, int none, int between,
                       const gos_msh_member *first) {
    const gos_msh_list *l = first ? &f->r->list[first->shape] : NULL;
    if (none > 0) {
        gos__warn(f->r->ctx, (gos_loc){f->r->file, l->line[first->i], 0}, g->object,
                  "%d of its %d elements (the first is %lld) are not sides of cells and are "
                  "omitted from the surface",
                  none, g->n, (long long)l->tag[first->i]);
    }
    if (between > 0) {
        gos__warn(f->r->ctx, (gos_loc){f->r->file, 0, 0}, g->object,
                  "%d of its %d elements are between two cells; the surface contains the side of "
                  "the first one",
                  between, g->n);
    }
}

static gos_status add_surface(const finisher *f, const members *g) {
    int *cell = gos__alloc(f->r->ctx, (size_t)g->n + 1, sizeof *cell);
    unsigned char *side = gos__alloc(f->r->ctx, (size_t)g->n + 1, 1);
    gos_status status = cell && side ? GOS_OK : GOS_E_MEMORY;
    int n = 0, between = 0;
    const gos_msh_member *first = NULL;
    for (int k = 0; status == GOS_OK && k < g->n; k++) {
        const match *to = &f->match[g->member[k].shape][g->member[k].i];
        if (to->cell < 0) {
            first = first ? first : &g->member[k];
            continue;
        }
        between += to->between;
        cell[n] = to->cell;
        side[n++] = (unsigned char)to->side;
    }
    if (status == GOS_OK) {
        warn_sides(f, g, g->n - n, between, first);
        status = n > 0 ? gos__mesh_add_surface(f->m, g->name, n, cell, side) : GOS_OK;
    }
    gos__free(f->r->ctx, cell);
    gos__free(f->r->ctx, side);
    return status;
}

static gos_status add_group(const finisher *f, const gos_msh_group *group, members *g) {
    static const char *const kinds[] = {"point", "curve", "surface", "volume"};
    char name[GOS_MSH_NAME + 1], object[GOS_MSH_NAME + 20];
    gos__format(name, sizeof name, group->name[0] ? "%s" : "%s_%d",
                group->name[0] ? group->name : kinds[group->dim], group->tag);
    gos__format(object, sizeof object, "group '%s'", name);
    g->name = name;
    g->object = object;
    if (g->n == 0) {
        gos__warn(f->r->ctx, (gos_loc){f->r->file, 0, 0}, object,
                  "it has no elements; the set is not created");
        return GOS_OK;
    }
    GOS_TRY(add_nodes(f, g));
    GOS_TRY(f->all || group->dim == f->dim ? add_cell_set(f, g) : GOS_OK);
    return f->dim >= 2 && group->dim == f->dim - 1 ? add_surface(f, g) : GOS_OK;
}

static int by_group(const void *a, const void *b) {
    const gos_msh_member *x = a, *y = b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->shape != y->shape) {
        return x->shape < y->shape ? -1 : 1;
    }
    return (x->i > y->i) - (x->i < y->i);
}

/* remove duplicate elements of a group */
static void sort_members(gos_msh_reader *r) {
    int n = 0;
    if (r->nmember > 0) {
        qsort(r->member, (size_t)r->nmember, sizeof *r->member, by_group);
    }
    for (int k = 0; k < r->nmember; k++) {
        if (n == 0 || by_group(&r->member[k], &r->member[n - 1]) != 0) {
            r->member[n++] = r->member[k];
        }
    }
    r->nmember = n;
}

static gos_status add_groups(const finisher *f) {
    gos_msh_reader *r = f->r;
    int at = 0;
    sort_members(r);
    for (int g = 0; g < r->ngroup; g++) {
        members of = {.member = r->nmember > 0 ? &r->member[at] : NULL};
        while (at + of.n < r->nmember && r->member[at + of.n].group == g) {
            of.n++;
        }
        at += of.n;
        GOS_TRY(add_group(f, &r->group[g], &of));
    }
    return GOS_OK;
}

/* ---- file ------------------------------------------------------------------------------------ */

static gos_status make(finisher *f) {
    GOS_TRY(keep_nodes(f));
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        GOS_TRY(is_cell(f, s) && f->r->list[s].n > 0 ? add_cells(f, s) : GOS_OK);
    }
    GOS_TRY(f->dim >= 2 ? find_sides(f) : GOS_OK);
    GOS_TRY(add_groups(f));
    return gos__mesh_finish(f->m, (gos_loc){f->r->file, 0, 0}, NULL);
}

gos_status gos__msh_finish(gos_msh_reader *r, bool all) {
    finisher f = {.r = r, .m = r->mesh, .all = all, .dim = -1};
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        const int dim = gos__cell_kind[s].dim;
        f.dim = r->list[s].n > 0 && dim > f.dim ? dim : f.dim;
    }
    if (f.dim < 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, 0, 0}, NULL,
                            "the file has no elements; generate the mesh in Gmsh before saving");
    }
    if (r->partitions) {
        gos__warn(r->ctx, (gos_loc){r->file, 0, 0}, NULL,
                  "the mesh is partitioned; its partitions are ignored");
    }
    const gos_status status = make(&f);
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        gos__free(r->ctx, f.match[s]);
    }
    gos__free(r->ctx, f.key);
    gos__free(r->ctx, f.mark);
    return status;
}
