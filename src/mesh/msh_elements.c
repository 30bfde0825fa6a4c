/* $Elements: mapping of Gmsh types and their node order. */
#include "mesh/msh_reader.h"

/* Names of physical groups, and their geometric entities (version 4.1). */

static int64_t key_of(int dim, int tag) {
    return 4 * (int64_t)tag + dim;
}

/* Index of a group, created if new. */
static gos_status msh_group(gos_msh_reader *r, int dim, int tag, int *group) {
    int before;
    GOS_TRY(gos__tags_add(&r->groups, key_of(dim, tag), r->ngroup, &before));
    *group = before;
    if (before < 0 && r->ngroup == GOS_LIMIT_MESH_SETS) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, gos__msh_loc(r), NULL,
                            "a mesh can have at most %d groups", GOS_LIMIT_MESH_SETS);
    }
    if (before < 0) {
        GOS_TRY(
            gos__grow(r->ctx, (void **)&r->group, &r->cap_group, r->ngroup + 1, sizeof *r->group));
        *group = r->ngroup;
        r->group[r->ngroup++] = (gos_msh_group){.dim = dim, .tag = tag};
    }
    return GOS_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static gos_status read_name(gos_msh_reader *r, char name[GOS_MSH_NAME + 1]) {
    const char *s;
    int n;
    gos__msh_rest(r, &s, &n);
    const char *end = n >= 2 ? memchr(s + 1, '"', (size_t)n - 1) : NULL;
    if (n < 3 || s[0] != '"' || end != s + n - 1 || n - 2 > GOS_MSH_NAME) {
        return gos__msh_refuse(
            r, s, "the quoted name of a group, of 1 to %d characters, is expected", GOS_MSH_NAME);
    }
    gos__format(name, GOS_MSH_NAME + 1, "%.*s", n - 2, s + 1);
    return GOS_OK;
}

/* $PhysicalNames is text in binary files too */
gos_status gos__msh_names(gos_msh_reader *r) {
    int64_t n, dim, tag;
    const char *at = r->s;
    int group;
    GOS_TRY(gos__msh_text_int(r, "number of names", 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_room(r, at, "names", (double)n, 8, 8));
    GOS_TRY(gos__msh_line_end(r));
    for (int64_t i = 0; i < n; i++) {
        char name[GOS_MSH_NAME + 1];
        (void)gos__msh_find(r);
        at = r->s;
        GOS_TRY(gos__msh_text_int(r, "dimension of a group", 0, 3, &dim));
        GOS_TRY(gos__msh_text_int(r, "number of a group", 1, INT32_MAX, &tag));
        GOS_TRY(read_name(r, name));
        GOS_TRY(msh_group(r, (int)dim, (int)tag, &group));
        if (r->group[group].name[0] != '\0') {
            return gos__msh_refuse(r, at, "group %d of dimension %d has two names, '%s' and '%s'",
                                   (int)tag, (int)dim, r->group[group].name, name);
        }
        memcpy(r->group[group].name, name, sizeof name);
    }
    return GOS_OK;
}

/* ---- entities -------------------------------------------------------------------------------- */

/* skip a list of whole numbers after its length */
static gos_status skip_ints(gos_msh_reader *r, const char *what) {
    int64_t n, skipped;
    const char *at = r->s;
    GOS_TRY(gos__msh_int(r, what, 8, 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_room(r, at, "numbers", (double)n, 2, 4));
    for (int64_t i = 0; i < n; i++) {
        GOS_TRY(gos__msh_int(r, what, 4, INT32_MIN, INT32_MAX, &skipped));
    }
    return GOS_OK;
}

static gos_status skip_doubles(gos_msh_reader *r, int n) {
    double skipped;
    for (int i = 0; i < n; i++) {
        GOS_TRY(gos__msh_double(r, "coordinate of the geometry", &skipped));
    }
    return GOS_OK;
}

/* groups of an entity; a negative number reverses its orientation */
static gos_status read_groups(gos_msh_reader *r, gos_msh_entity *e) {
    int64_t n, tag;
    const char *at = r->s;
    GOS_TRY(gos__msh_int(r, "number of groups", 8, 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_room(r, at, "groups", (double)n, 2, 4));
    e->first = r->nentity_group;
    e->n = (int)n;
    GOS_TRY(gos__grow(r->ctx, (void **)&r->entity_group, &r->cap_entity_group,
                      r->nentity_group + (int)n + 1, sizeof *r->entity_group));
    for (int64_t i = 0; i < n; i++) {
        GOS_TRY(gos__msh_int(r, "number of a group", 4, -INT32_MAX, INT32_MAX, &tag));
        GOS_TRY(
            msh_group(r, e->dim, (int)(tag < 0 ? -tag : tag), &r->entity_group[r->nentity_group]));
        r->nentity_group++;
    }
    return GOS_OK;
}

/* `unpartitioned`: number of entities before those of the partitions */
static gos_status read_entity(gos_msh_reader *r, int dim, bool partitioned, int unpartitioned) {
    gos_msh_entity e = {.dim = dim};
    int64_t tag, parent;
    int before;
    const char *at = r->s;
    GOS_TRY(gos__msh_int(r, "number of a geometric entity", 4, INT32_MIN, INT32_MAX, &tag));
    e.tag = (int)tag;
    if (partitioned) {
        GOS_TRY(gos__msh_int(r, "dimension of the parent", 4, -1, 3, &parent));
        GOS_TRY(gos__msh_int(r, "number of the parent", 4, INT32_MIN, INT32_MAX, &parent));
        GOS_TRY(skip_ints(r, "partition"));
    }
    GOS_TRY(skip_doubles(r, dim == 0 ? 3 : 6));
    GOS_TRY(read_groups(r, &e));
    GOS_TRY(dim > 0 ? skip_ints(r, "border") : GOS_OK);
    GOS_TRY(gos__tags_add(&r->entities, key_of(dim, e.tag), r->nentity, &before));
    if (before >= unpartitioned) {
        return gos__msh_refuse(r, at, "geometric entity %d of dimension %d is defined twice", e.tag,
                               dim);
    }
    if (before >= 0) { // elements refer to the entity of the partition
        r->entity[before] = e;
        return gos__msh_end(r);
    }
    GOS_TRY(
        gos__grow(r->ctx, (void **)&r->entity, &r->cap_entity, r->nentity + 1, sizeof *r->entity));
    r->entity[r->nentity++] = e;
    return gos__msh_end(r);
}

/* Geometric entity of a tag, NULL: not listed. */
static const gos_msh_entity *msh_find_entity(const gos_msh_reader *r, int dim, int tag) {
    const int i = gos__tags_find(&r->entities, key_of(dim, tag));
    return i >= 0 ? &r->entity[i] : NULL;
}

/* $PartitionedEntities starts with the number of partitions, and pairs for ghost cells */
static gos_status skip_partitions(gos_msh_reader *r) {
    int64_t n, skipped;
    const char *at;
    GOS_TRY(gos__msh_int(r, "number of partitions", 8, 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_end(r));
    at = r->s;
    GOS_TRY(gos__msh_int(r, "number of ghosts", 8, 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_room(r, at, "ghosts", (double)n, 4, 8));
    GOS_TRY(gos__msh_end(r));
    for (int64_t i = 0; i < n; i++) {
        GOS_TRY(gos__msh_int(r, "ghost", 4, INT32_MIN, INT32_MAX, &skipped));
        GOS_TRY(gos__msh_int(r, "ghost", 4, INT32_MIN, INT32_MAX, &skipped));
        GOS_TRY(gos__msh_end(r));
    }
    return GOS_OK;
}

gos_status gos__msh_entities(gos_msh_reader *r, bool partitioned) {
    const int unpartitioned = r->nentity;
    int64_t n[4];
    const char *at;
    GOS_TRY(partitioned ? skip_partitions(r) : GOS_OK);
    at = r->s;
    for (int dim = 0; dim < 4; dim++) {
        GOS_TRY(gos__msh_int(r, "number of geometric entities", 8, 0, INT32_MAX, &n[dim]));
    }
    GOS_TRY(gos__msh_room(r, at, "geometric entities",
                          (double)n[0] + (double)n[1] + (double)n[2] + (double)n[3], 10, 32));
    GOS_TRY(gos__msh_end(r));
    for (int dim = 0; dim < 4; dim++) {
        for (int64_t i = 0; i < n[dim]; i++) {
            GOS_TRY(read_entity(r, dim, partitioned, partitioned ? unpartitioned : 0));
        }
    }
    return GOS_OK;
}

#define TYPES 140 // capacity for the types of Gmsh

/* Gmsh type: node k of the shape is the element's node order[k]; without an order: k. */
typedef struct element_type {
    const char *name;
    int nodes; // 0: unknown
    bool read;
    gos_cell_shape shape;
    const signed char *order;
    const char *remedy; // if unsupported
} element_type;

/* mid-edge nodes: tetrahedra 12 23 31 41 34 24, hexahedra 12 14 15 23 26 34 37 48 56 58 67 78,
   wedges 12 13 14 23 25 36 45 46 56 */
static const signed char tet10[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const signed char hex20[] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                    13, 9, 16, 18, 19, 17, 10, 12, 14, 15};
static const signed char wedge15[] = {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11};

#define INCOMPLETE "let Gmsh omit the nodes inside faces (Mesh.SecondOrderIncomplete = 1)"
#define NO_PYRAMID "mesh with hexahedra, wedges and tetrahedra without pyramids between them"

static const element_type types[] = {
    [1] = {"line", 2, true, GOS_CELL_LINE2, NULL, NULL},
    [2] = {"triangle", 3, true, GOS_CELL_TRI3, NULL, NULL},
    [3] = {"quadrilateral", 4, true, GOS_CELL_QUAD4, NULL, NULL},
    [4] = {"tetrahedron", 4, true, GOS_CELL_TET4, NULL, NULL},
    [5] = {"hexahedron", 8, true, GOS_CELL_HEX8, NULL, NULL},
    [6] = {"wedge", 6, true, GOS_CELL_WEDGE6, NULL, NULL},
    [7] = {"pyramid", 5, false, GOS_CELL_POINT, NULL, NO_PYRAMID},
    [8] = {"line", 3, true, GOS_CELL_LINE3, NULL, NULL},
    [9] = {"triangle", 6, true, GOS_CELL_TRI6, NULL, NULL},
    [10] = {"quadrilateral", 9, false, GOS_CELL_POINT, NULL, INCOMPLETE},
    [11] = {"tetrahedron", 10, true, GOS_CELL_TET10, tet10, NULL},
    [12] = {"hexahedron", 27, false, GOS_CELL_POINT, NULL, INCOMPLETE},
    [13] = {"wedge", 18, false, GOS_CELL_POINT, NULL, INCOMPLETE},
    [14] = {"pyramid", 14, false, GOS_CELL_POINT, NULL, NO_PYRAMID},
    [15] = {"point", 1, true, GOS_CELL_POINT, NULL, NULL},
    [16] = {"quadrilateral", 8, true, GOS_CELL_QUAD8, NULL, NULL},
    [17] = {"hexahedron", 20, true, GOS_CELL_HEX20, hex20, NULL},
    [18] = {"wedge", 15, true, GOS_CELL_WEDGE15, wedge15, NULL},
    [19] = {"pyramid", 13, false, GOS_CELL_POINT, NULL, NO_PYRAMID},
};

static gos_status find_type(const gos_msh_reader *r, const char *at, int64_t number,
                            const element_type **type) {
    const bool known = number < GOS_COUNT(types) && types[number].name;
    *type = known ? &types[number] : NULL;
    if (known && types[number].read) {
        return GOS_OK;
    }
    return known ? gos__msh_refuse(
                       r, at, "elements of type %d (%s of %d nodes) are not supported; %s",
                       (int)number, types[number].name, types[number].nodes, types[number].remedy)
                 : gos__msh_refuse(r, at,
                                   "elements of type %d are not supported; mesh with elements of "
                                   "first or second order (Mesh.ElementOrder)",
                                   (int)number);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static gos_status grow_list(gos_msh_reader *r, gos_msh_list *l, int nodes, int64_t n) {
    if (n > GOS_LIMIT_MESH_CELLS) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, gos__msh_loc(r), NULL,
                            "%lld elements of one type; a mesh has at most %d", (long long)n,
                            GOS_LIMIT_MESH_CELLS);
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&l->node, &l->cap, (int)n, (size_t)nodes * sizeof(int)));
    GOS_TRY(gos__grow(r->ctx, (void **)&l->tag, &l->cap_tag, (int)n, sizeof *l->tag));
    return gos__grow(r->ctx, (void **)&l->line, &l->cap_line, (int)n, sizeof *l->line);
}

static gos_status read_nodes(gos_msh_reader *r, const element_type *type, int64_t tag, int bytes,
                             int *node) {
    int found[GOS_CELL_NODES];
    for (int k = 0; k < type->nodes; k++) {
        int64_t number;
        const char *at = r->s;
        GOS_TRY(gos__msh_int(r, "node of an element", bytes, 1, INT64_MAX, &number));
        found[k] = gos__tags_find(&r->nodes, number);
        if (found[k] < 0) {
            return gos__msh_refuse(r, at, "element %lld has node %lld, which does not exist",
                                   (long long)tag, (long long)number);
        }
    }
    for (int k = 0; k < type->nodes; k++) {
        node[k] = found[type->order ? type->order[k] : k];
    }
    return GOS_OK;
}

static gos_status add_member(gos_msh_reader *r, int dim, int tag, gos_cell_shape shape, int i) {
    int group;
    GOS_TRY(msh_group(r, dim, tag, &group));
    GOS_TRY(
        gos__grow(r->ctx, (void **)&r->member, &r->cap_member, r->nmember + 1, sizeof *r->member));
    r->member[r->nmember++] = (gos_msh_member){group, shape, i};
    return GOS_OK;
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_nodes(const gos_msh_list *l, int n, int i, int *sorted) {
    memcpy(sorted, l->node + (size_t)i * n, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
}

/* Detects an element with the nodes of an earlier one: version 2.2 writes one per group. In another
   node order they are overlapping cells, an error. *i: its index in the list, the last one if new.
 */
static gos_status unite(gos_msh_reader *r, gos_cell_shape shape, bool grouped, const char *at,
                        int *i) {
    gos_msh_list *l = &r->list[shape];
    const int n = gos__cell_kind[shape].nodes;
    int sorted[GOS_CELL_NODES], other[GOS_CELL_NODES], before;
    *i = l->n - 1;
    sort_nodes(l, n, *i, sorted);
    const uint64_t hash = gos__hash(GOS_HASH_BEGIN + shape, sorted, (size_t)n * sizeof *sorted);
    GOS_TRY(gos__tags_add(&r->same, (int64_t)hash, *i, &before));
    if (before < 0 || before >= *i) { // new, or of another shape
        return GOS_OK;
    }
    sort_nodes(l, n, before, other);
    if (memcmp(sorted, other, (size_t)n * sizeof *sorted) != 0) {
        return GOS_OK;
    }
    if (memcmp(l->node + (size_t)before * n, l->node + (size_t)*i * n,
               (size_t)n * sizeof *l->node) != 0) {
        if (l->overlap[0] == l->overlap[1]) {
            l->overlap[0] = before;
            l->overlap[1] = *i;
        }
        return GOS_OK;
    }
    if (!grouped) {
        return gos__msh_refuse(r, at, "elements %lld and %lld are identical; remove one",
                               (long long)l->tag[before], (long long)l->tag[*i]);
    }
    l->n--;
    *i = before;
    return GOS_OK;
}

static gos_status read_element(gos_msh_reader *r, const element_type *type, const char *at,
                               int64_t tag, bool grouped, int *i) {
    gos_msh_list *l = &r->list[type->shape];
    const int line = r->binary ? 0 : r->line;
    GOS_TRY(grow_list(r, l, type->nodes, (int64_t)l->n + 1));
    GOS_TRY(read_nodes(r, type, tag, r->v4 ? 8 : 4, l->node + (size_t)l->n * type->nodes));
    l->tag[l->n] = tag;
    l->line[l->n] = line;
    l->n++;
    GOS_TRY(gos__msh_end(r));
    return unite(r, type->shape, grouped, at, i);
}

/* ---- version 2.2 ----------------------------------------------------------------------------- */

/* tags of an element: group, geometric entity, then any partitions */
static gos_status read_tags(gos_msh_reader *r, int64_t ntag, int *group) {
    int64_t tag;
    *group = 0;
    for (int64_t k = 0; k < ntag; k++) {
        GOS_TRY(gos__msh_int(r, "tag of an element", 4, -INT32_MAX, INT32_MAX, &tag));
        if (k == 0) {
            *group = (int)(tag < 0 ? -tag : tag);
        }
        r->partitions = r->partitions || k == 2;
    }
    return GOS_OK;
}

static gos_status read_one(gos_msh_reader *r, const char *at, const element_type *type,
                           int64_t ntag, int64_t tag) {
    int group, i;
    GOS_TRY(read_tags(r, ntag, &group));
    GOS_TRY(read_element(r, type, at, tag, group > 0, &i));
    return group > 0 ? add_member(r, gos__cell_kind[type->shape].dim, group, type->shape, i)
                     : GOS_OK;
}

static gos_status read_lines(gos_msh_reader *r, int64_t n) {
    const element_type *type;
    int64_t tag, number, ntag;
    for (int64_t k = 0; k < n; k++) {
        const char *at = r->s;
        GOS_TRY(gos__msh_text_int(r, "number of an element", 1, INT64_MAX, &tag));
        GOS_TRY(gos__msh_text_int(r, "type of an element", 1, TYPES, &number));
        GOS_TRY(find_type(r, at, number, &type));
        GOS_TRY(gos__msh_text_int(r, "number of tags", 0, INT32_MAX, &ntag));
        GOS_TRY(read_one(r, at, type, ntag, tag));
    }
    return GOS_OK;
}

static gos_status read_bytes(gos_msh_reader *r, int64_t n) {
    const element_type *type;
    int64_t tag, number, m, ntag;
    for (int64_t k = 0; k < n; k += m) {
        const char *head = r->s;
        GOS_TRY(gos__msh_int(r, "type of elements", 4, 1, TYPES, &number));
        GOS_TRY(find_type(r, head, number, &type));
        GOS_TRY(gos__msh_int(r, "number of elements", 4, 1, n - k, &m));
        GOS_TRY(gos__msh_int(r, "number of tags", 4, 0, INT32_MAX, &ntag));
        GOS_TRY(
            gos__msh_room(r, head, "elements", (double)m, 0, 4 * (1 + (double)ntag + type->nodes)));
        for (int64_t i = 0; i < m; i++) {
            const char *at = r->s;
            GOS_TRY(gos__msh_int(r, "number of an element", 4, 1, INT32_MAX, &tag));
            GOS_TRY(read_one(r, at, type, ntag, tag));
        }
    }
    return GOS_OK;
}

/* ---- version 4.1 ----------------------------------------------------------------------------- */

static gos_status read_block(gos_msh_reader *r, int64_t left, int64_t *n) {
    const element_type *type;
    const char *head = r->s;
    int64_t dim, part, number, tag;
    GOS_TRY(gos__msh_int(r, "dimension of a block", 4, 0, 3, &dim));
    GOS_TRY(gos__msh_int(r, "number of a geometric entity", 4, INT32_MIN, INT32_MAX, &part));
    GOS_TRY(gos__msh_int(r, "type of elements", 4, 1, TYPES, &number));
    GOS_TRY(find_type(r, head, number, &type));
    GOS_TRY(gos__msh_int(r, "number of elements", 8, 0, INT64_MAX, n));
    GOS_TRY(
        gos__msh_room(r, head, "elements", (double)*n, 2 + 2 * type->nodes, 8 + 8 * type->nodes));
    GOS_TRY(gos__msh_end(r));
    if (*n > left) {
        return gos__msh_refuse(
            r, head, "a block of %lld elements, but only %lld of the declared ones are left",
            (long long)*n, (long long)left);
    }
    if (gos__cell_kind[type->shape].dim != dim) {
        return gos__msh_refuse(r, head, "elements of type %d (%s) in a block of dimension %d",
                               (int)number, type->name, (int)dim);
    }
    const gos_msh_entity *e = msh_find_entity(r, (int)dim, (int)part);
    for (int64_t k = 0; k < *n; k++) {
        const char *at = r->s;
        int i;
        GOS_TRY(gos__msh_int(r, "number of an element", 8, 1, INT64_MAX, &tag));
        GOS_TRY(read_element(r, type, at, tag, e && e->n > 0, &i));
        for (int g = 0; e && g < e->n; g++) {
            const gos_msh_group *group = &r->group[r->entity_group[e->first + g]];
            GOS_TRY(add_member(r, group->dim, group->tag, type->shape, i));
        }
    }
    return GOS_OK;
}

static gos_status read_blocks(gos_msh_reader *r, const char *at) {
    int64_t nblock, all, n, sum = 0, skipped;
    GOS_TRY(gos__msh_int(r, "number of blocks", 8, 0, INT32_MAX, &nblock));
    GOS_TRY(gos__msh_int(r, "number of elements", 8, 0, INT64_MAX, &all));
    GOS_TRY(gos__msh_int(r, "smallest number of an element", 8, 0, INT64_MAX, &skipped));
    GOS_TRY(gos__msh_int(r, "largest number of an element", 8, 0, INT64_MAX, &skipped));
    GOS_TRY(gos__msh_end(r));
    GOS_TRY(gos__msh_room(r, at, "blocks of elements", (double)nblock, 8, 20));
    GOS_TRY(gos__msh_room(r, at, "elements", (double)all, 4, 16));
    for (int64_t i = 0; i < nblock; i++) {
        at = r->s;
        GOS_TRY(read_block(r, all - sum, &n));
        sum += n;
    }
    return sum == all
               ? GOS_OK
               : gos__msh_refuse(r, at, "%lld elements are declared, but the blocks have %lld",
                                 (long long)all, (long long)sum);
}

gos_status gos__msh_elements(gos_msh_reader *r) {
    const char *at = r->s;
    int64_t n;
    if (!r->has_nodes || r->has_elements) {
        return gos__msh_refuse(r, at,
                               r->has_elements ? "there is a second list of elements; remove it"
                                               : "the elements precede their nodes");
    }
    r->has_elements = true;
    if (r->v4) {
        return read_blocks(r, at);
    }
    GOS_TRY(gos__msh_text_int(r, "number of elements", 0, INT64_MAX, &n));
    GOS_TRY(gos__msh_line_end(r));
    GOS_TRY(gos__msh_room(r, at, "elements", (double)n, 8, 12));
    return r->binary ? read_bytes(r, n) : read_lines(r, n);
}
