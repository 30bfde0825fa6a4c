/* Write-ahead journal. A kill during a write leaves whole pages written. Appended numbers tolerate
 * this, but metadata that HDF5 overwrites has checksums. So writes that cross a page go first to
 * the journal, a dataset at a fixed position: they are complete there or, by their checksum,
 * absent, and then the old bytes are intact. */
#include <unistd.h>

#include "results/h5_put.h"

#define PAGE 4096            // smallest page size; larger pages end at multiples
#define RESERVED_BYTES 16384 // bytes; HDF5 overwrites less than 8300 at a time
#define ALIGN 64             // keeps the head in one page
#define MAGIC "GOSTURN"      // head of a journal in use

typedef struct head {
    char magic[8];
    int64_t at;   // destination
    uint64_t n;   // bytes after the head
    uint64_t sum; // checksum
} head;

static uint64_t sum_of(const head *h, const void *data) {
    const uint64_t sum = gos__hash(0, &h->at, sizeof h->at);
    return gos__hash(gos__hash(sum, &h->n, sizeof h->n), data, h->n);
}

/* position of the head in the dataset */
static off_t aligned(off_t at) {
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

bool gos__journal_make(hid_t file, gos_disk *disk) {
    const hsize_t n = RESERVED_BYTES;
    const hid_t set = gos__put_array(file, GOS_JOURNAL, H5T_NATIVE_UCHAR, 1, &n, NULL);
    return gos__put_done(set) && gos__journal_find(file, disk);
}

bool gos__journal_find(hid_t file, gos_disk *disk) {
    const hid_t set = gos__h5_open(file, GOS_JOURNAL, H5O_TYPE_DATASET);
    hsize_t dims[2] = {0, 0};
    const bool good = set >= 0 && gos__h5_plain(set, dims) && dims[0] == RESERVED_BYTES &&
                      dims[1] == 1 && H5Dget_storage_size(set) == RESERVED_BYTES &&
                      H5Dget_offset(set) < INT64_MAX / 2;
    disk->journal = good ? aligned((off_t)H5Dget_offset(set)) : 0;
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good;
}

bool gos__journal_covers(const gos_disk *disk, off_t at, size_t n) {
    return disk->journal > 0 && n > 1 && n <= RESERVED_BYTES - ALIGN - sizeof(head) &&
           at / PAGE != (at + (off_t)n - 1) / PAGE;
}

bool gos__journal_put(gos_disk *disk, off_t at, const void *data, size_t n) {
    static const head none = {0};
    head h = {.magic = MAGIC, .at = at, .n = n};
    h.sum = sum_of(&h, data);
    return gos__disk_put(disk, disk->journal + (off_t)sizeof h, data, n) &&
           gos__disk_put(disk, disk->journal, &h, sizeof h) && gos__disk_put(disk, at, data, n) &&
           gos__disk_put(disk, disk->journal, &none, sizeof none);
}

bool gos__journal_settle(gos_disk *disk, off_t journal) {
    head h;
    unsigned char data[RESERVED_BYTES];
    if (journal <= 0 || !gos__disk_get(disk, journal, &h, sizeof h) ||
        memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.n > RESERVED_BYTES - ALIGN - sizeof h ||
        h.at < 0 || h.at > lseek(disk->fd, 0, SEEK_END) ||
        !gos__disk_get(disk, journal + (off_t)sizeof h, data, h.n) || h.sum != sum_of(&h, data)) {
        return true; // empty
    }
    if (!disk->writing) {
        return gos__disk_keep(disk, h.at, data, h.n);
    }
    return gos__disk_put(disk, h.at, data, h.n) &&
           gos__disk_put(disk, journal, &(head){0}, sizeof h);
}
