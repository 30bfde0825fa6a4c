/* Preloaded library: malloc, calloc, realloc and their aligned forms return NULL at call number
 * FAIL_AT (FAIL_ON: at this and all later calls). The file FAIL_COUNT (8 bytes) is mapped and has
 * the number of calls so far, however the process ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long own, *calls = &own;
static long fail_at;
static bool fail_on;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAIL_AT"), *path = getenv("FAIL_COUNT");
    const int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0 && ftruncate(file, sizeof own) == 0) {
        void *p = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        calls = p == MAP_FAILED ? &own : p;
    }
    if (file >= 0) {
        (void)close(file);
    }
    fail_on = getenv("FAIL_ON") != NULL;
    fail_at = at ? atol(at) : 0;
}

static bool fails(void) {
    const long n = atomic_fetch_add(calls, 1) + 1;
    const bool now = fail_at > 0 && (n == fail_at || (fail_on && n > fail_at));
    if (now) {
        errno = ENOMEM;
    }
    return now;
}

void *malloc(size_t n) {
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
    return fails() ? NULL : __libc_realloc(p, n);
}

void *memalign(size_t alignment, size_t n) {
    return fails() ? NULL : __libc_memalign(alignment, n);
}

void *aligned_alloc(size_t alignment, size_t n) {
    return memalign(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n) {
    void *q = memalign(alignment, n);
    if (q) {
        *p = q;
    }
    return q ? 0 : ENOMEM;
}
