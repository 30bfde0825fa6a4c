/* Memory from the context's allocator: checked sizes, 64-byte alignment. The allocator only
 * guarantees malloc's alignment, so blocks are enlarged and start at the next multiple of 64, with
 * the original pointer just below. */
#include "base/context.h"

#include <stdlib.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

#define ALIGN 64u
#define PAGE 4096u
#define LARGE ((uintptr_t)1 << 21) // size of a large page [bytes]

typedef struct block_head {
    void *raw;
} block_head;

static bool add_overflows(size_t a, size_t b) {
    return a > SIZE_MAX - b;
}

/* Large pages reduce page faults and clearing by a factor of 512; may be refused. */
static void advise_large_pages(char *p, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t from = ((uintptr_t)p + LARGE - 1) & ~(LARGE - 1);
    const uintptr_t to = ((uintptr_t)p + size) & ~(LARGE - 1);
    if (to > from) {
        (void)madvise(p + (from - (uintptr_t)p), to - from, MADV_HUGEPAGE);
    }
#else
    GOS_UNUSED(p);
    GOS_UNUSED(size);
#endif
}

static void *get(gos_ctx *ctx, size_t size, bool zero) {
    const size_t extra = ALIGN + sizeof(block_head);
    if (add_overflows(size, extra)) {
        return NULL;
    }
    ctx->allocations++;
    // Fresh pages are zero, so calloc skips clearing. Below a page it would bypass malloc's free
    // lists; we clear those blocks.
    const bool fresh = zero && ctx->own_allocator && size >= PAGE;
    void *raw =
        fresh ? calloc(1, size + extra) : ctx->allocator.alloc(ctx->allocator.user, size + extra);
    if (raw == NULL) {
        return NULL;
    }
    if (ctx->own_allocator && size >= 2 * LARGE) {
        advise_large_pages(raw, size);
    }
    const uintptr_t first = (uintptr_t)raw + sizeof(block_head);
    const uintptr_t start = (first + ALIGN - 1u) & ~(uintptr_t)(ALIGN - 1u);
    char *p = (char *)raw + (start - (uintptr_t)raw);
    memcpy(p - sizeof(block_head), &raw, sizeof(raw));
#ifdef HAS_ASAN
    // up to 64 unused bytes behind the block would hide an overflow
    if (ctx->own_allocator) {
        ASAN_POISON_MEMORY_REGION(p + size, (char *)raw + size + extra - (p + size));
    }
#endif
    return zero && !fresh ? memset(p, 0, size) : p;
}

void *gos__raw_alloc(gos_ctx *ctx, size_t size) {
    return get(ctx, size, false);
}

static void *get_array(gos_ctx *ctx, size_t n, size_t size, bool zero) {
    if (size != 0 && n > SIZE_MAX / size) {
        gos__fail(ctx, GOS_E_MEMORY, "out of memory: %zu entries of %zu bytes", n, size);
        return NULL;
    }
    void *p = get(ctx, n * size > 0 ? n * size : 1, zero);
    if (p == NULL) {
        gos__fail(ctx, GOS_E_MEMORY, "out of memory: %zu bytes more were needed", n * size);
    }
    return p;
}

void *gos__alloc(gos_ctx *ctx, size_t n, size_t size) {
    return get_array(ctx, n, size, false);
}

void *gos__zalloc(gos_ctx *ctx, size_t n, size_t size) {
    return get_array(ctx, n, size, true);
}

void gos__free(gos_ctx *ctx, void *p) {
    if (p == NULL) {
        return;
    }
    void *raw;
    memcpy(&raw, (char *)p - sizeof(block_head), sizeof(raw));
    ctx->allocator.free(ctx->allocator.user, raw);
}

gos_status gos__grow(gos_ctx *ctx, void **array, int *cap, int n, size_t size) {
    if (n <= *cap) {
        return GOS_OK;
    }
    int capacity = *cap < 8 ? 8 : *cap;
    while (capacity < n) {
        capacity = capacity > INT32_MAX / 2 ? n : 2 * capacity;
    }
    char *p = gos__zalloc(ctx, capacity, size);
    if (p == NULL) {
        return GOS_E_MEMORY;
    }
    if (*array != NULL) {
        memcpy(p, *array, *cap * size);
        gos__free(ctx, *array);
    }
    *array = p;
    *cap = capacity;
    return GOS_OK;
}
