/* Meshes in memory: incremental construction, lookup by name and number, final checks. */
#include "mesh/mesh.h"

#include <math.h>

/* arena lists that double their capacity, so that each block is copied a few times at most */
static void *grow(gos_arena *a, void *list, int n, size_t size) {
    if (n > 0 && (n & (n - 1)) != 0) {
        return list; // capacity is the next power of two
    }
    char *more = gos__arena_alloc(a, n > 0 ? 2 * (size_t)n : 1, size);
    if (more && n > 0) {
        memcpy(more, list, (size_t)n * size);
    }
    return more;
}

gos_status gos__mesh_create(gos_ctx *ctx, gos_mesh **mesh) {
    gos_arena *a = gos__arena_create(ctx);
    gos_mesh *m = a ? GOS_NEW(a, gos_mesh, 1) : NULL;
    if (!m) {
        gos__arena_destroy(a);
        return GOS_E_MEMORY;
    }
    m->ctx = ctx;
    m->arena = a;
    *mesh = m;
    return GOS_OK;
}

void gos__mesh_destroy(gos_mesh *mesh) {
    if (mesh) {
        gos__arena_destroy(mesh->arena);
    }
}

static gos_status check_count(gos_mesh *m, double n, int limit, const char *what, gos_loc loc,
                              const char *object) {
    return n >= 0.0 && n <= limit
               ? GOS_OK
               : gos__fail_at(m->ctx, GOS_E_LIMIT, loc, object,
                              "%.0f %s are too many; a mesh has at most %d", n, what, limit);
}

gos_status gos__mesh_nodes(gos_mesh *m, double n, gos_loc loc, const char *object) {
    GOS_TRY(check_count(m, n, GOS_LIMIT_MESH_NODES, "nodes", loc, object));
    m->x = (double(*)[3])gos__arena_alloc(m->arena, (int)n, sizeof *m->x);
    GOS_TRY(m->x ? GOS_OK : GOS_E_MEMORY);
    m->nnode = (int)n;
    return GOS_OK;
}

gos_status gos__mesh_cells(gos_mesh *m, gos_cell_shape shape, double n, gos_loc loc,
                           const char *object, gos_cell_block **block) {
    GOS_TRY(check_count(m, m->ncell + n, GOS_LIMIT_MESH_CELLS, "cells", loc, object));
    gos_cell_block *list = grow(m->arena, m->block, m->nblock, sizeof *list);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    m->block = list;
    gos_cell_block *b = &list[m->nblock];
    *b = (gos_cell_block){.shape = shape, .n = (int)n, .first = m->ncell};
    b->node = GOS_NEW(m->arena, int, (size_t)b->n *(size_t)gos__cell_kind[shape].nodes);
    GOS_TRY(b->node ? GOS_OK : GOS_E_MEMORY);
    m->nblock++;
    m->ncell += b->n;
    *block = b;
    return GOS_OK;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* -1: none */
static int index_of(const gos_names *names, const char *name) {
    const int *i = gos__names_find(names, name, strlen(name));
    return i ? *i : -1;
}

/* Stores i under a copy of the name, which is returned; NULL: no memory. */
static const char *name_index(gos_mesh *m, gos_names *names, const char *name, int i) {
    char *own = gos__arena_strdup(m->arena, name);
    int *index = GOS_NEW(m->arena, int, 1);
    if (!own || !index) {
        return NULL;
    }
    *index = i;
    return gos__names_add(m->arena, names, own, index) == GOS_OK ? own : NULL;
}

/* named set in *list (*n); appended if new */
static gos_mesh_set *set_named(gos_mesh *m, gos_mesh_set **list, int *n, gos_names *names,
                               const char *name) {
    const int i = index_of(names, name);
    if (i >= 0) {
        return &(*list)[i];
    }
    gos_mesh_set *grown = grow(m->arena, *list, *n, sizeof *grown);
    if (!grown) {
        return NULL;
    }
    *list = grown;
    gos_mesh_set *s = &grown[*n];
    *s = (gos_mesh_set){.name = name_index(m, names, name, *n)};
    *n += s->name ? 1 : 0;
    return s->name ? s : NULL;
}

static gos_status add_items(gos_mesh *m, gos_mesh_set *s, int n, const int *item) {
    GOS_TRY(s ? GOS_OK : GOS_E_MEMORY);
    int *all = GOS_NEW(m->arena, int, (size_t)s->n + (size_t)n);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    memcpy(all, item, (size_t)n * sizeof *all);
    if (s->n > 0) {
        memcpy(all + n, s->item, (size_t)s->n * sizeof *all);
    }
    qsort(all, (size_t)s->n + (size_t)n, sizeof *all, by_number);
    int kept = 0;
    for (int i = 0; i < s->n + n; i++) {
        if (kept == 0 || all[i] != all[kept - 1]) {
            all[kept++] = all[i];
        }
    }
    s->item = all;
    s->n = kept;
    return GOS_OK;
}

gos_status gos__mesh_add_nodes(gos_mesh *m, const char *name, int n, const int *node) {
    return add_items(m, set_named(m, &m->node_set, &m->nnode_set, &m->node_set_of, name), n, node);
}

gos_status gos__mesh_add_cells(gos_mesh *m, const char *name, int n, const int *cell) {
    return add_items(m, set_named(m, &m->cell_set, &m->ncell_set, &m->cell_set_of, name), n, cell);
}

static int by_key(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* merge sides into a surface: ascending, without duplicates, so that no load counts twice */
static gos_status add_sides(gos_mesh *m, gos_mesh_surface *s, int n, const int *cell,
                            const unsigned char *side) {
    const size_t all = (size_t)s->n + (size_t)n;
    int64_t *key = gos__alloc(m->ctx, all + 1, sizeof *key);
    int *cells = GOS_NEW(m->arena, int, all);
    unsigned char *sides = GOS_NEW(m->arena, unsigned char, all);
    if (!key || !cells || !sides) {
        gos__free(m->ctx, key);
        return GOS_E_MEMORY;
    }
    for (size_t i = 0; i < all; i++) {
        const size_t j = i - (size_t)s->n;
        key[i] = i < (size_t)s->n ? 8 * (int64_t)s->cell[i] + s->side[i]
                                  : 8 * (int64_t)cell[j] + side[j];
    }
    qsort(key, all, sizeof *key, by_key);
    int kept = 0;
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || key[i] != key[i - 1]) {
            cells[kept] = (int)(key[i] / 8);
            sides[kept++] = (unsigned char)(key[i] % 8);
        }
    }
    gos__free(m->ctx, key);
    s->cell = cells;
    s->side = sides;
    s->n = kept;
    return GOS_OK;
}

gos_status gos__mesh_add_surface(gos_mesh *m, const char *name, int n, const int *cell,
                                 const unsigned char *side) {
    const int i = index_of(&m->surface_of, name);
    gos_mesh_surface *s = i >= 0 ? &m->surface[i] : NULL;
    if (!s) {
        gos_mesh_surface *list = grow(m->arena, m->surface, m->nsurface, sizeof *list);
        GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
        m->surface = list;
        s = &list[m->nsurface];
        *s = (gos_mesh_surface){.name = name_index(m, &m->surface_of, name, m->nsurface)};
        GOS_TRY(s->name ? GOS_OK : GOS_E_MEMORY);
        m->nsurface++;
    }
    return add_sides(m, s, n, cell, side);
}

const gos_mesh_set *gos__mesh_node_set(const gos_mesh *m, const char *name) {
    const int i = index_of(&m->node_set_of, name);
    return i >= 0 ? &m->node_set[i] : NULL;
}

const gos_mesh_set *gos__mesh_cell_set(const gos_mesh *m, const char *name) {
    const int i = index_of(&m->cell_set_of, name);
    return i >= 0 ? &m->cell_set[i] : NULL;
}

const gos_mesh_surface *gos__mesh_surface(const gos_mesh *m, const char *name) {
    const int i = index_of(&m->surface_of, name);
    return i >= 0 ? &m->surface[i] : NULL;
}

/* ---- lookup by number ------------------------------------------------------------------------ */

const gos_cell_block *gos__mesh_cell(const gos_mesh *m, int cell, int *i) {
    int lo = 0, hi = m->nblock - 1; // blocks are ordered by their first cells
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (m->block[mid].first <= cell) {
            lo = mid;
        } else {
            hi = mid - 1;
        }
    }
    while (lo > 0 && m->block[lo].n == 0) {
        lo--;
    }
    *i = cell - m->block[lo].first;
    return &m->block[lo];
}

int gos__mesh_side(const gos_mesh *m, int cell, int side, int node[GOS_CELL_SIDE_NODES]) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    const int n = gos__cell_kind[kind->side[side]].nodes;
    for (int k = 0; k < n; k++) {
        node[k] = b->node[(size_t)i * kind->nodes + kind->side_node[side][k]];
    }
    return n;
}

int64_t gos__mesh_node_tag(const gos_mesh *m, int node) {
    return m->tag ? m->tag[node] : node + 1;
}

int64_t gos__mesh_cell_tag(const gos_mesh *m, int cell) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
    return b->tag ? b->tag[i] : cell + 1;
}

int gos__mesh_find_node(const gos_mesh *m, int64_t tag) {
    if (!m->tag) {
        return tag >= 1 && tag <= m->nnode ? (int)(tag - 1) : -1;
    }
    int lo = 0, hi = m->nnode - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (m->tag[mid] == tag) {
            return mid;
        }
        if (m->tag[mid] < tag) {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    return -1;
}

/* ---- final checks ---------------------------------------------------------------------------- */

static gos_status check_nodes(const gos_mesh *m, gos_loc loc, const char *object) {
    for (int i = 0; i < m->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            if (!(fabs(m->x[i][c]) <= GOS_LIMIT_NUMBER)) {
                return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object,
                                    "coordinate %d of node %lld is not a finite number", c + 1,
                                    (long long)gos__mesh_node_tag(m, i));
            }
        }
    }
    return GOS_OK;
}

/* location of a cell: its line if the source has lines */
static gos_loc loc_of(const gos_cell_block *b, int i, gos_loc loc) {
    if (b->line && b->line[i] > 0) {
        loc.line = b->line[i];
        loc.col = 0;
    }
    return loc;
}

static gos_status check_cell(const gos_mesh *m, const gos_cell_block *b, int i, gos_loc loc,
                             const char *object) {
    const int n = gos__cell_kind[b->shape].nodes;
    const int *node = b->node + (size_t)i * n;
    for (int k = 0; k < n; k++) {
        if (node[k] < 0 || node[k] >= m->nnode) {
            return gos__fail_at(
                m->ctx, GOS_E_INPUT, loc_of(b, i, loc), object,
                "cell %lld has a node that does not exist (its node %d); correct the node number",
                (long long)gos__mesh_cell_tag(m, b->first + i), k + 1);
        }
        for (int l = 0; l < k; l++) {
            if (node[l] == node[k]) {
                return gos__fail_at(m->ctx, GOS_E_INPUT, loc_of(b, i, loc), object,
                                    "cell %lld has node %lld twice; give different nodes",
                                    (long long)gos__mesh_cell_tag(m, b->first + i),
                                    (long long)gos__mesh_node_tag(m, node[k]));
            }
        }
    }
    return GOS_OK;
}

/* ---- the skin -------------------------------------------------------------------------------- */

/* a side, identified by its corners in ascending order */
typedef struct side_key {
    int node[4];
    int cell;
    unsigned char side;
} side_key;

static int by_nodes(const void *a, const void *b) {
    const side_key *x = a, *y = b;
    for (int k = 0; k < 4; k++) {
        if (x->node[k] != y->node[k]) {
            return x->node[k] < y->node[k] ? -1 : 1;
        }
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static bool same_nodes(const side_key *x, const side_key *y) {
    return memcmp(x->node, y->node, sizeof x->node) == 0;
}

static int by_cell(const void *a, const void *b) {
    const side_key *x = a, *y = b;
    if (x->cell != y->cell) {
        return x->cell < y->cell ? -1 : 1;
    }
    return (x->side > y->side) - (x->side < y->side);
}

static void side_of(const gos_mesh *m, int cell, int side, const gos_cell_kind *kind, side_key *k) {
    int node[GOS_CELL_SIDE_NODES];
    gos__mesh_side(m, cell, side, node);
    const int corners = gos__cell_kind[kind->side[side]].corners;
    for (int c = 0; c < 4; c++) {
        k->node[c] = c < corners ? node[c] : -1;
    }
    qsort(k->node, 4, sizeof k->node[0], by_number);
    k->cell = cell;
    k->side = (unsigned char)side;
}

static gos_status add_skin(gos_mesh *m, int dim) {
    size_t n = 0;
    for (int b = 0; b < m->nblock; b++) {
        const gos_cell_kind *kind = &gos__cell_kind[m->block[b].shape];
        n += kind->dim == dim ? (size_t)m->block[b].n * (size_t)kind->sides : 0;
    }
    side_key *key = gos__alloc(m->ctx, n ? n : 1, sizeof *key);
    GOS_TRY(key ? GOS_OK : GOS_E_MEMORY);
    n = 0;
    for (int b = 0; b < m->nblock; b++) {
        const gos_cell_kind *kind = &gos__cell_kind[m->block[b].shape];
        for (int i = 0; kind->dim == dim && i < m->block[b].n; i++) {
            for (int s = 0; s < kind->sides; s++) {
                side_of(m, m->block[b].first + i, s, kind, &key[n++]);
            }
        }
    }
    qsort(key, n, sizeof *key, by_nodes);
    size_t outer = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && same_nodes(&key[i], &key[end])) {
            end++;
        }
        if (end == i + 1) {
            key[outer++] = key[i];
        }
        i = end;
    }
    qsort(key, outer, sizeof *key, by_cell);
    int *cell = gos__alloc(m->ctx, outer ? outer : 1, sizeof *cell);
    unsigned char *side = gos__alloc(m->ctx, outer ? outer : 1, sizeof *side);
    gos_status st = cell && side ? GOS_OK : GOS_E_MEMORY;
    for (size_t i = 0; st == GOS_OK && i < outer; i++) {
        cell[i] = key[i].cell;
        side[i] = key[i].side;
    }
    if (st == GOS_OK) {
        st = gos__mesh_add_surface(m, "skin", (int)outer, cell, side);
    }
    gos__free(m->ctx, cell);
    gos__free(m->ctx, side);
    gos__free(m->ctx, key);
    return st;
}

gos_status gos__mesh_finish(gos_mesh *m, gos_loc loc, const char *object) {
    int dim = 0;
    GOS_TRY(check_nodes(m, loc, object));
    for (int b = 0; b < m->nblock; b++) {
        for (int i = 0; i < m->block[b].n; i++) {
            GOS_TRY(check_cell(m, &m->block[b], i, loc, object));
        }
        const int d = m->block[b].n > 0 ? gos__cell_kind[m->block[b].shape].dim : 0;
        dim = d > dim ? d : dim;
    }
    if (m->ncell == 0) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object, "the mesh has no cells; add some");
    }
    if (gos__mesh_surface(m, "skin") || dim < 2) {
        return GOS_OK; // the source defines it, or there are no sides
    }
    return add_skin(m, dim);
}
