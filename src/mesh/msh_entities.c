/* Names of physical groups, and their geometric entities (version 4.1). */
#include "mesh/msh_reader.h"

static int64_t key_of(int dim, int tag) {
    return 4 * (int64_t)tag + dim;
}

gos_status gos__msh_group(gos_msh_reader *r, int dim, int tag, int *group) {
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

/* quoted name at the end of a line */
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
        GOS_TRY(gos__msh_group(r, (int)dim, (int)tag, &group));
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
        GOS_TRY(gos__msh_group(r, e->dim, (int)(tag < 0 ? -tag : tag),
                               &r->entity_group[r->nentity_group]));
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

const gos_msh_entity *gos__msh_find_entity(const gos_msh_reader *r, int dim, int tag) {
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
