/* Numbers that a source gives its nodes and cells, which may be sparse and huge, and where they are
 * found in a mesh. */
#ifndef GOS_MESH_TAGS_H
#define GOS_MESH_TAGS_H

#include "base/base.h"

/* A hash table of the context's memory; {.ctx = ctx} to begin. Nothing is ever listed in its
   order. */
typedef struct gos_tags {
    gos_ctx *ctx;
    size_t n, nslot; // nslot: 0 or a power of two
    struct gos_tag_slot *slot;
} gos_tags;

/** Make room for n tags, so that adding them takes no memory any more. */
gos_status gos__tags_reserve(gos_tags *tags, size_t n);
/** Add a tag with its index, at least 0. *before: the index that the tag has already, which it
 * keeps; -1: it is new. */
gos_status gos__tags_add(gos_tags *tags, int64_t tag, int index, int *before);
/** Index of a tag, -1: it is not there. */
int gos__tags_find(const gos_tags *tags, int64_t tag);
void gos__tags_free(gos_tags *tags);

/** Order of n tags: order[k] is which of them is the k-th smallest; equal ones in their order.
 *  @return GOS_E_MEMORY */
gos_status gos__tags_order(gos_ctx *ctx, int n, const int64_t *tag, int *order);

#endif
