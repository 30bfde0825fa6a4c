/* Arena: many small zeroed allocations that are freed together. Blocks double in size up to a
 * megabyte; a request larger than a quarter of a block gets its own. */
#include "base/base.h"

#define FIRST_BLOCK 4096
#define LARGEST_BLOCK (1 << 20)
#define SMALL_ALIGN 16
#define LARGE_ALIGN 64
#define LARGE_SIZE 64 // aligned to a cache line from here on, for vectors of 8 doubles

typedef struct block {
    struct block *next;
    size_t used, size;
    char *data; // 64-byte aligned
} block;

typedef struct cleanup {
    struct cleanup *next;
    void (*fn)(void *);
    void *arg;
} cleanup;

struct gos_arena {
    gos_ctx *ctx;
    block *first;
    size_t next_size;
    cleanup *cleanups; // latest first
};

gos_arena *gos__arena_create(gos_ctx *ctx) {
    gos_arena *a = gos__zalloc(ctx, 1, sizeof(*a));
    if (a != NULL) {
        a->ctx = ctx;
        a->next_size = FIRST_BLOCK;
    }
    return a;
}

void gos__arena_destroy(gos_arena *a) {
    if (a == NULL) {
        return;
    }
    for (cleanup *c = a->cleanups; c != NULL; c = c->next) {
        c->fn(c->arg);
    }
    for (block *b = a->first; b != NULL;) {
        block *next = b->next;
        gos__free(a->ctx, b);
        b = next;
    }
    gos__free(a->ctx, a);
}

/* Header and data in one allocation, data one cache line after the start. */
static block *new_block(gos_arena *a, size_t size) {
    const size_t head = (sizeof(block) + LARGE_ALIGN - 1) & ~(LARGE_ALIGN - 1);
    if (size > SIZE_MAX - head) {
        gos__fail(a->ctx, GOS_E_MEMORY, "out of memory: %zu bytes more were needed", size);
        return NULL;
    }
    block *b = gos__zalloc(a->ctx, head + size, 1);
    if (b != NULL) {
        b->size = size;
        b->data = (char *)b + head;
    }
    return b;
}

static void *alloc_large(gos_arena *a, size_t size) {
    block *b = new_block(a, size);
    if (b == NULL) {
        return NULL;
    }
    b->used = size;
    if (a->first == NULL) {
        a->first = b;
    } else {
        b->next = a->first->next;
        a->first->next = b;
    }
    return b->data;
}

void *gos__arena_alloc(gos_arena *a, size_t n, size_t size) {
    if (size != 0 && n > SIZE_MAX / size) {
        gos__fail(a->ctx, GOS_E_MEMORY, "out of memory: %zu entries of %zu bytes", n, size);
        return NULL;
    }
    const size_t bytes = n * size > 0 ? n * size : 1;
    if (bytes > a->next_size / 4) {
        return alloc_large(a, bytes);
    }
    const size_t align = bytes >= LARGE_SIZE ? LARGE_ALIGN : SMALL_ALIGN;
    block *b = a->first;
    size_t at = b == NULL ? 0 : (b->used + align - 1) & ~(align - 1);
    if (b == NULL || at > b->size || bytes > b->size - at) {
        b = new_block(a, a->next_size);
        if (b == NULL) {
            return NULL;
        }
        a->next_size = a->next_size < LARGEST_BLOCK ? 2 * a->next_size : LARGEST_BLOCK;
        b->next = a->first;
        a->first = b;
        at = 0;
    }
    b->used = at + bytes;
    return b->data + at;
}

char *gos__arena_strdup(gos_arena *a, const char *s) {
    const size_t n = strlen(s) + 1;
    char *copy = gos__arena_alloc(a, n, 1);
    if (copy != NULL) {
        memcpy(copy, s, n);
    }
    return copy;
}

char *gos__arena_printf(gos_arena *a, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = gos__vformat(NULL, 0, fmt, args);
    va_end(args);
    char *s = n < 0 ? NULL : gos__arena_alloc(a, n + 1L, 1);
    if (s != NULL) {
        gos__vformat(s, n + 1L, fmt, again);
    }
    va_end(again);
    return s;
}

gos_status gos__arena_defer(gos_arena *a, void (*fn)(void *), void *arg) {
    cleanup *c = GOS_NEW(a, cleanup, 1);
    if (c == NULL) {
        return GOS_E_MEMORY;
    }
    *c = (cleanup){a->cleanups, fn, arg};
    a->cleanups = c;
    return GOS_OK;
}
