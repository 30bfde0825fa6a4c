/* Hash table with linear probing, at most half full. */
#include "mesh/tags.h"

#include "math/random.h"

struct gos_tag_slot {
    int64_t tag;
    int index; // 1 + index, 0: free
};

static struct gos_tag_slot *slot_of(const gos_tags *t, int64_t tag) {
    size_t i = gos__mix_bits((uint64_t)tag) & (t->nslot - 1);
    while (t->slot[i].index != 0 && t->slot[i].tag != tag) {
        i = (i + 1) & (t->nslot - 1);
    }
    return &t->slot[i];
}

gos_status gos__tags_reserve(gos_tags *t, size_t n) {
    size_t nslot = t->nslot > 16 ? t->nslot : 16;
    while (nslot < 2 * n) {
        nslot *= 2;
    }
    if (nslot == t->nslot) {
        return GOS_OK;
    }
    gos_tags larger = {.ctx = t->ctx, .n = t->n, .nslot = nslot};
    larger.slot = gos__zalloc(t->ctx, nslot, sizeof *larger.slot);
    GOS_TRY(larger.slot ? GOS_OK : GOS_E_MEMORY);
    for (size_t i = 0; i < t->nslot; i++) {
        if (t->slot[i].index != 0) {
            *slot_of(&larger, t->slot[i].tag) = t->slot[i];
        }
    }
    gos__free(t->ctx, t->slot);
    *t = larger;
    return GOS_OK;
}

gos_status gos__tags_add(gos_tags *t, int64_t tag, int index, int *before) {
    GOS_TRY(gos__tags_reserve(t, t->n + 1));
    struct gos_tag_slot *s = slot_of(t, tag);
    *before = s->index - 1;
    if (s->index == 0) {
        *s = (struct gos_tag_slot){tag, index + 1};
        t->n++;
    }
    return GOS_OK;
}

int gos__tags_find(const gos_tags *t, int64_t tag) {
    return t->nslot > 0 ? slot_of(t, tag)->index - 1 : -1;
}

void gos__tags_free(gos_tags *t) {
    gos__free(t->ctx, t->slot);
    *t = (gos_tags){.ctx = t->ctx};
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct ranked {
    int64_t tag;
    int i;
} ranked;

static int by_tag(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->tag != y->tag) {
        return x->tag < y->tag ? -1 : 1;
    }
    return (x->i > y->i) - (x->i < y->i);
}

gos_status gos__tags_order(gos_ctx *ctx, int n, const int64_t *tag, int *order) {
    ranked *list = gos__alloc(ctx, (size_t)n + 1, sizeof *list);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        list[i] = (ranked){tag[i], i};
    }
    qsort(list, (size_t)n, sizeof *list, by_tag);
    for (int k = 0; k < n; k++) {
        order[k] = list[k].i;
    }
    gos__free(ctx, list);
    return GOS_OK;
}
