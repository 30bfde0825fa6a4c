/* Index of node and cell numbers of a source, which may be sparse and huge. */
#ifndef GOS_MESH_TAGS_H
#define GOS_MESH_TAGS_H

#include "base/base.h"

/* Hash table in the context's memory; initialise by {.ctx = ctx}. Its order is never exposed. */
typedef struct gos_tags {
    gos_ctx *ctx;
    size_t n, nslot; // nslot: 0 or a power of two
    struct gos_tag_slot *slot;
} gos_tags;

/** Reserve memory for n tags; adding them does not allocate. */
gos_status gos__tags_reserve(gos_tags *tags, size_t n);
/** Add a tag with an index of at least 0. *before: existing index, which is kept; -1: new. */
gos_status gos__tags_add(gos_tags *tags, int64_t tag, int index, int *before);
/** Index of a tag, -1: none. */
int gos__tags_find(const gos_tags *tags, int64_t tag);
void gos__tags_free(gos_tags *tags);

/** Sorting permutation of n tags: order[k] is the index of the k-th smallest; stable. @return
 * GOS_E_MEMORY */
gos_status gos__tags_order(gos_ctx *ctx, int n, const int64_t *tag, int *order);

#endif
