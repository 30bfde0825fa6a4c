/* Raw data are written once; HDF5 overwrites everything else (superblock, headers, block indices,
 * statistics) in an order that a loss of power does not respect. The overwritten ranges are
 * recorded. Their bytes, taken when all is on disk and stored with each checkpoint, restore the
 * file of that moment. */
#define _GNU_SOURCE // getrandom
#include "results/overwrite_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* ---- names ----------------------------------------------------------------------------------- */

void gos__make_key(char key[GOS_KEY_TEXT + 1]) {
    uint64_t v[2];
    if (getrandom(v, sizeof v, GRND_NONBLOCK) != (ssize_t)sizeof v) {
        struct timespec now = {0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        v[0] = gos__hash(GOS_HASH_BEGIN, &now, sizeof now);
        v[1] = (uint64_t)getpid() ^ (uint64_t)(uintptr_t)key;
    }
    (void)snprintf(key, GOS_KEY_TEXT + 1, "%016llx%016llx", (unsigned long long)v[0],
                   (unsigned long long)v[1]);
}

void gos__boot_name(char boot[GOS_BOOT_TEXT + 1]) {
    memset(boot, 0, GOS_BOOT_TEXT + 1);
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t n = read(fd, boot, GOS_BOOT_TEXT);
        boot[n > 0 ? strcspn(boot, "\n") : 0] = '\0';
        (void)close(fd);
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* first range that ends at or after `at` */
static long find(const gos_disk *disk, int64_t at) {
    long lo = 0, hi = disk->nrange;
    while (lo < hi) {
        const long mid = lo + (hi - lo) / 2;
        if (disk->range[2 * mid + 1] < at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

bool gos__disk_note(gos_disk *disk, int64_t at, int64_t end) {
    const long i = find(disk, at);
    long j = i; // ranges i .. j - 1 touch the new one
    while (j < disk->nrange && disk->range[2 * j] <= end) {
        at = disk->range[2 * j] < at ? disk->range[2 * j] : at;
        end = disk->range[2 * j + 1] > end ? disk->range[2 * j + 1] : end;
        j++;
    }
    if (i == j && disk->nrange == disk->range_cap) {
        const long cap = 2 * disk->range_cap + 256;
        int64_t *grown = realloc(disk->range, cap * 2L * sizeof *grown);
        if (!grown) {
            return false;
        }
        disk->range = grown;
        disk->range_cap = cap;
    }
    int64_t *to = disk->range + 2 * i;
    memmove(to + 2, disk->range + 2 * j, (disk->nrange - j) * 2L * sizeof *to);
    to[0] = at;
    to[1] = end;
    disk->nrange += 1 - (j - i);
    return true;
}

/* ---- images ---------------------------------------------------------------------------------- */

typedef struct head {
    char key[GOS_KEY_TEXT];
    int64_t key_at, eof, n;
} head;

gos_status gos__image_take(const gos_disk *disk, const char *key, int64_t key_at,
                           unsigned char **bytes, size_t *size, size_t *n) {
    head h = {.key_at = key_at, .eof = lseek(disk->fd, 0, SEEK_END), .n = disk->nrange};
    const size_t nrange = disk->nrange * 2L * sizeof *disk->range;
    size_t ndata = 0;
    memcpy(h.key, key, GOS_KEY_TEXT);
    for (long i = 0; i < disk->nrange; i++) {
        ndata += disk->range[2 * i + 1] - disk->range[2 * i];
    }
    *n = (sizeof h + nrange + ndata + 7) / 8 * 8;
    if (*n > *size) {
        gos__free(disk->ctx, *bytes);
        *size = *n + *n / 4;
        *bytes = gos__alloc(disk->ctx, *size, 1);
        if (!*bytes) {
            *size = *n = 0;
            return GOS_E_MEMORY;
        }
    }
    memset(*bytes + *n - 8, 0, 8);
    memcpy(*bytes, &h, sizeof h);
    memcpy(*bytes + sizeof h, disk->range, nrange);
    unsigned char *to = *bytes + sizeof h + nrange;
    for (long i = 0; i < disk->nrange; i++) {
        const int64_t at = disk->range[2 * i], length = disk->range[2 * i + 1] - at;
        if (!gos__disk_get(disk, (off_t)at, to, length)) {
            return gos__fail(disk->ctx, GOS_E_FILE, "the written data cannot be read back");
        }
        to += length;
    }
    return GOS_OK;
}

bool gos__image_parse(const void *bytes, size_t n, gos_image_view *view) {
    head h;
    if (n < sizeof h) {
        return false;
    }
    memcpy(&h, bytes, sizeof h);
    size_t left = n - sizeof h;
    if (h.n < 1 || (uint64_t)h.n > left / (2 * sizeof *view->range) || h.eof < 0 || h.key_at < 0 ||
        h.key_at > h.eof - GOS_KEY_TEXT) {
        return false;
    }
    const int64_t *range = (const int64_t *)(const void *)((const char *)bytes + sizeof h);
    left -= h.n * 2L * sizeof *range;
    for (int64_t i = 0, last = 0; i < h.n; i++) {
        const int64_t at = range[2 * i], end = range[2 * i + 1];
        if (at < last || end <= at || end > h.eof || (uint64_t)(end - at) > left) {
            return false;
        }
        left -= end - at;
        last = end;
    }
    *view = (gos_image_view){.key_at = h.key_at,
                             .eof = h.eof,
                             .n = h.n,
                             .range = range,
                             .data = (const unsigned char *)(range + 2 * h.n)};
    memcpy(view->key, h.key, GOS_KEY_TEXT);
    return left < 8;
}

bool gos__image_fits(const gos_image_view *view, const gos_disk *disk) {
    char key[GOS_KEY_TEXT];
    return gos__disk_get(disk, (off_t)view->key_at, key, sizeof key) &&
           memcmp(key, view->key, sizeof key) == 0;
}

bool gos__image_lay(const gos_image_view *view, gos_disk *disk) {
    const unsigned char *data = view->data;
    bool good = true;
    disk->nrange = 0;
    for (int64_t i = 0; i < view->n && good; i++) {
        const int64_t at = view->range[2 * i], end = view->range[2 * i + 1];
        good = gos__disk_put(disk, (off_t)at, data, end - at) && gos__disk_note(disk, at, end);
        data += end - at;
    }
    if (good && ftruncate(disk->fd, (off_t)view->eof) != 0) {
        disk->error = errno;
        good = false;
    }
    disk->eof = (off_t)view->eof;
    return good;
}
