/* HDF5 disk driver. After a failed write, HDF5's own driver leaves objects half closed and may
   loop at exit. This one keeps later writes in memory: HDF5 closes properly, and in SWMR mode
   the file stays readable up to the last flush. No file locks: they fail on some network file
   systems. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/h5.h"

#include "base/global_lock.h"

#define CACHE_SLOTS 13
#define CACHE_BYTES (64u << 10) // [byte] chunk cache of a written dataset, scanned by each flush
#define MAX_OFFSET ((haddr_t)INT64_MAX)

/* write after the failure */
typedef struct gos_patch {
    struct gos_patch *next;
    off_t offset;
    size_t n;
    unsigned char data[];
} gos_patch;

/* HDF5's part first */
typedef struct disk_file {
    H5FD_t pub;
    gos_disk *disk;
    haddr_t eoa;     // end of allocated space
    haddr_t missing; // [byte] beyond the file's end: active or killed writer
    int generation;  // fork generation: a forked child must not write, e.g. at its exit
} disk_file;

/* ---- plain files ----------------------------------------------------------------------------- */

gos_disk gos__disk_of(gos_ctx *ctx, int fd) {
    return (gos_disk){.ctx = ctx, .writing = true, .fd = fd};
}

gos_status gos__disk_open(gos_ctx *ctx, const char *path, bool writing, gos_disk *disk) {
    *disk = (gos_disk){.ctx = ctx, .writing = writing};
    const char *why;
    disk->fd = gos__file_open(path, writing, &disk->eof, &why);
    if (disk->fd < 0) {
        return gos__fail(ctx, GOS_E_FILE, "%s: cannot open: %s", path, why);
    }
    return GOS_OK;
}

void gos__disk_close(gos_disk *disk) {
    while (disk->kept) {
        gos_patch *next = disk->kept->next;
        free(disk->kept);
        disk->kept = next;
    }
    free(disk->range);
    disk->range = NULL;
    disk->nrange = disk->range_cap = 0;
    if (disk->fd >= 0) {
        (void)close(disk->fd);
        disk->fd = -1;
    }
}

bool gos__disk_put(gos_disk *disk, off_t offset, const void *data, size_t n) {
    const unsigned char *p = data;
    while (n > 0) {
        ssize_t k = pwrite(disk->fd, p, n, offset);
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k <= 0) {
            if (disk->error == 0) {
                disk->error = k < 0 ? errno : ENOSPC;
            }
            return false;
        }
        p += k;
        offset += k;
        n -= k;
    }
    return true;
}

/* bytes beyond the end are 0 */
static bool read_some(const gos_disk *disk, off_t offset, void *data, size_t n, size_t *got) {
    unsigned char *p = data;
    *got = 0;
    while (*got < n) {
        ssize_t k = pread(disk->fd, p + *got, n - *got, offset + (off_t)*got);
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k < 0) {
            return false;
        }
        if (k == 0) {
            break;
        }
        *got += k;
    }
    memset(p + *got, 0, n - *got);
    return true;
}

bool gos__disk_get(const gos_disk *disk, off_t offset, void *data, size_t n) {
    size_t got;
    return read_some(disk, offset, data, n, &got) && got == n;
}

/* ---- writes after a failure ------------------------------------------------------------------ */

bool gos__disk_keep(gos_disk *disk, off_t offset, const void *data, size_t n) {
    gos_patch *patch = malloc(sizeof *patch + n);
    if (!patch) {
        return false;
    }
    patch->next = NULL;
    patch->offset = offset;
    patch->n = n;
    memcpy(patch->data, data, n);
    if (disk->kept_last) {
        disk->kept_last->next = patch;
    } else {
        disk->kept = patch;
    }
    disk->kept_last = patch;
    return true;
}

static void lay_over(const gos_disk *disk, off_t offset, unsigned char *data, size_t n) {
    off_t end = offset + (off_t)n;
    for (const gos_patch *p = disk->kept; p; p = p->next) {
        off_t p_end = p->offset + (off_t)p->n;
        off_t lo = p->offset > offset ? p->offset : offset;
        off_t hi = p_end < end ? p_end : end;
        if (lo < hi) {
            memcpy(data + (lo - offset), p->data + (lo - p->offset), hi - lo);
        }
    }
}

/* ---- driver functions ------------------------------------------------------------------------ */

static H5FD_t *drv_open(const char *name, unsigned flags, hid_t access, haddr_t maxaddr) {
    GOS_UNUSED(name);
    GOS_UNUSED(maxaddr);
    gos_disk *const *info = H5Pget_driver_info(access);
    disk_file *file = info ? calloc(1, sizeof *file) : NULL;
    if (!file) {
        return NULL;
    }
    file->disk = *info;
    file->generation = gos__generation();
    if (flags & H5F_ACC_TRUNC) {
        if (ftruncate(file->disk->fd, 0) != 0) {
            file->disk->error = errno;
            free(file);
            return NULL;
        }
        file->disk->eof = 0;
    }
    if (!file->disk->writing && gos__disk_marked(file->disk)) {
        file->missing = GOS_UNWRITTEN;
    }
    return &file->pub;
}

static herr_t drv_close(H5FD_t *pub) {
    free(pub);
    return 0;
}

/* readers and writers must not share caches */
static int drv_cmp(const H5FD_t *a, const H5FD_t *b) {
    uintptr_t p = (uintptr_t)((const disk_file *)a)->disk;
    uintptr_t q = (uintptr_t)((const disk_file *)b)->disk;
    return (p > q) - (p < q);
}

static herr_t drv_query(const H5FD_t *pub, unsigned long *flags) {
    GOS_UNUSED(pub);
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t drv_get_eoa(const H5FD_t *pub, H5FD_mem_t type) {
    GOS_UNUSED(type);
    return ((const disk_file *)pub)->eoa;
}

static herr_t drv_set_eoa(H5FD_t *pub, H5FD_mem_t type, haddr_t eoa) {
    GOS_UNUSED(type);
    ((disk_file *)pub)->eoa = eoa;
    return 0;
}

/* With an active writer the file may be shorter than the superblock states; the rest reads as 0. */
static haddr_t drv_get_eof(const H5FD_t *pub, H5FD_mem_t type) {
    GOS_UNUSED(type);
    const disk_file *file = (const disk_file *)pub;
    struct stat st;
    if (file->disk->writing || fstat(file->disk->fd, &st) != 0) {
        return (haddr_t)file->disk->eof;
    }
    return (haddr_t)st.st_size + file->missing;
}

static bool outside(haddr_t addr, size_t n) {
    return addr == HADDR_UNDEF || addr > MAX_OFFSET || n > MAX_OFFSET - addr;
}

static herr_t drv_read(H5FD_t *pub, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t n,
                       void *data) {
    GOS_UNUSED(type);
    GOS_UNUSED(dxpl);
    const gos_disk *disk = ((disk_file *)pub)->disk;
    size_t got;
    if (outside(addr, n) || !read_some(disk, (off_t)addr, data, n, &got)) {
        return -1;
    }
    lay_over(disk, (off_t)addr, data, n);
    return 0;
}

static herr_t drv_write(H5FD_t *pub, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t n,
                        const void *data) {
    GOS_UNUSED(dxpl);
    const disk_file *file = (const disk_file *)pub;
    gos_disk *disk = file->disk;
    if (outside(addr, n)) {
        return -1;
    }
    if (file->generation != gos__generation()) {
        return 0;
    }
    if (type != H5FD_MEM_DRAW) { // raw data are written once
        disk->range_lost |= !gos__disk_note(disk, (int64_t)addr, (int64_t)(addr + n));
    }
    disk->writes++;
    if (disk->error == 0 && disk->writes == disk->fail_at) {
        disk->error = ENOSPC;
    }
    const bool journal = type != H5FD_MEM_DRAW && gos__journal_covers(disk, (off_t)addr, n);
    const bool done = disk->error == 0 && (journal ? gos__journal_put(disk, (off_t)addr, data, n)
                                                   : gos__disk_put(disk, (off_t)addr, data, n));
    if (!done && !gos__disk_keep(disk, (off_t)addr, data, n)) {
        return -1;
    }
    if ((off_t)(addr + n) > disk->eof) {
        disk->eof = (off_t)(addr + n);
    }
    return 0;
}

/* to the allocated length */
static herr_t drv_truncate(H5FD_t *pub, hid_t dxpl, hbool_t closing) {
    GOS_UNUSED(dxpl);
    GOS_UNUSED(closing);
    disk_file *file = (disk_file *)pub;
    gos_disk *disk = file->disk;
    if (!disk->writing || (haddr_t)disk->eof == file->eoa ||
        file->generation != gos__generation()) {
        return 0;
    }
    if (disk->error == 0 && ftruncate(disk->fd, (off_t)file->eoa) != 0) {
        disk->error = errno;
    }
    disk->eof = (off_t)file->eoa;
    return 0;
}

/* HDF5 (at least 1.10.8) frees an unregistered driver with the last file that uses it, and then
   uses it to close that file. So it stays registered: HDF5 calls `terminate` when it drops all
   drivers (H5close, process exit); we unregister it when this library is unloaded first. Protected
   by the lock of h5.c. */
static hid_t driver = -1;

static herr_t drv_terminate(void) {
    driver = -1;
    return 0;
}

static hid_t registered_driver(void) {
    static const H5FD_class_t class = {
        .name = "gossamer",
        .maxaddr = MAX_OFFSET,
        .fc_degree = H5F_CLOSE_STRONG,
        .terminate = drv_terminate,
        .fapl_size = sizeof(gos_disk *),
        .open = drv_open,
        .close = drv_close,
        .cmp = drv_cmp,
        .query = drv_query,
        .get_eoa = drv_get_eoa,
        .set_eoa = drv_set_eoa,
        .get_eof = drv_get_eof,
        .read = drv_read,
        .write = drv_write,
        .truncate = drv_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    if (driver < 0) {
        driver = H5FDregister(&class);
    }
    return driver;
}

__attribute__((destructor)) static void forget_driver(void) {
    if (driver >= 0) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        (void)H5FDunregister(driver);
        gos__h5_leave(&visit);
    }
}

hid_t gos__disk_access(gos_disk *disk) {
    const hid_t id = registered_driver();
    hid_t access = id < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
    bool good = access >= 0 && H5Pset_driver(access, id, &disk) >= 0 &&
                H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
                H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
                (!disk->writing || H5Pset_cache(access, 0, CACHE_SLOTS, CACHE_BYTES, 1) >= 0);
    if (!good && access >= 0) {
        (void)H5Pclose(access);
    }
    return good ? access : -1;
}
