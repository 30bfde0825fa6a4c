/* HDF5 for results files: a lock, silenced errors, a disk driver, checked access. */
#ifndef GOS_IO_H5_H
#define GOS_IO_H5_H

#include <hdf5.h>
#include <sys/types.h>

#include "base/base.h"

#define GOS_RESULTS_FORMAT "gossamer-results" // root attribute `format`
#define GOS_RESULTS_VERSION 1                 // root attribute `format_version`

/* Serial HDF5 is not re-entrant: each visit holds the process-wide lock, silences HDF5, and
   restores the caller's error printing. */
typedef struct gos_h5_visit {
    H5E_auto2_t print;
    void *data;
} gos_h5_visit;
void gos__h5_enter(gos_h5_visit *visit);
void gos__h5_leave(const gos_h5_visit *visit);

/* ---- files below HDF5 ------------------------------------------------------------------------ */

#define GOS_UNWRITTEN ((uint64_t)1 << 30) // [byte] allocated before it is written

/* After the first failed write, later writes stay in memory: HDF5 closes properly and the file
   remains unchanged. */
typedef struct gos_disk {
    gos_ctx *ctx;
    int fd;
    bool writing;
    off_t eof;              // end of the file as reported to HDF5
    int error;              // errno of the first failed write, or 0
    long writes;            // writes so far
    long fail_at;           // for tests: number of the write that fails; 0: none
    struct gos_patch *kept; // writes after the failure, or journal contents, oldest first
    struct gos_patch *kept_last;
    int64_t *range; // (nrange, 2) first and one past last byte that HDF5 may overwrite
    long nrange, range_cap;
    bool range_lost; // out of memory for ranges
    off_t journal;   // position of the journal (h5_journal.c), 0: none
} gos_disk;

/** The descriptor remains owned by the caller. */
gos_disk gos__disk_of(gos_ctx *ctx, int fd);
/** Open a regular file; `writing`: in place. */
gos_status gos__disk_open(gos_ctx *ctx, const char *path, bool writing, gos_disk *disk);
/** HDF5 must have closed its file. */
void gos__disk_close(gos_disk *disk);
/** Bytes at .. end - 1 may be overwritten. @return false without memory */
bool gos__disk_note(gos_disk *disk, int64_t at, int64_t end);
/** Write in place, bypassing HDF5. */
bool gos__disk_put(gos_disk *disk, off_t offset, const void *data, size_t n);
bool gos__disk_get(const gos_disk *disk, off_t offset, void *data, size_t n);
/** Keep a write in memory for later reads. @return false without memory */
bool gos__disk_keep(gos_disk *disk, off_t offset, const void *data, size_t n);
/** Access properties for this disk; close with H5Pclose. Negative on failure. */
hid_t gos__disk_access(gos_disk *disk);

/* ---- checked access -------------------------------------------------------------------------- */

/** Open the file on `disk` (H5F_ACC_ flags) if it has the newest superblock, intact, and a root
 *  group of the newest kind. Old superblocks, groups and heaps, whose contents HDF5 trusts, are
 *  rejected. Close with H5Fclose. Negative on failure. */
hid_t gos__h5_open_file(gos_disk *disk, const char *path, unsigned flags);

/** By hard links only. Negative if missing or rejected. */
hid_t gos__h5_open(hid_t root, const char *path, H5O_type_t kind);
/** Sizes dims (2; a missing one is 1) of a dataset of rank <= 2. False unless stored in the file
 *  itself, chunked or contiguous, with no filter but gzip and shuffle, and as large as its sizes
 *  imply: memory is then bounded by the file size. */
bool gos__h5_plain(hid_t set, hsize_t dims[2]);
/** The same for a given rank. */
bool gos__h5_plain_rank(hid_t set, int rank, hsize_t *dims);
/** Negative ids are ignored. */
void gos__h5_attr_close(hid_t attr, hid_t type, hid_t space);
/** A short text attribute or text dataset into buf (always terminated). */
bool gos__h5_attr_text(hid_t object, const char *name, char *buf, size_t size);
bool gos__h5_attr_number(hid_t object, const char *name, double *value);

/* ---- protection against torn writes ---------------------------------------------------------- */

#define GOS_JOURNAL "/statistics/journal"
/** Create the journal of a new file. */
bool gos__journal_make(hid_t file, gos_disk *disk);
/** Use the journal of a file; false if it has none. */
bool gos__journal_find(hid_t file, gos_disk *disk);
/** Could a kill leave these bytes half written? */
bool gos__journal_covers(const gos_disk *disk, off_t at, size_t n);
/** Write them through the journal. */
bool gos__journal_put(gos_disk *disk, off_t at, const void *data, size_t n);
/** Apply a killed writer's journal to the file, or in memory for a reader. Only while no process
 *  writes it. @return false if the disk or memory fails */
bool gos__journal_settle(gos_disk *disk, off_t journal);

/* ---- open flag ------------------------------------------------------------------------------- */

/** Clear the open flag of a killed writer, so that any program can open the file. Everything else
 *  must be on disk, and HDF5 must not have the file open. *cleared: the flag was set. */
gos_status gos__disk_clear_mark(gos_disk *disk, bool *cleared);
/** Superblock of version 3 with valid checksum, nothing before it, a root group of the newest
 *  kind? */
bool gos__disk_is_ours(const gos_disk *disk);
bool gos__disk_marked(const gos_disk *disk);
/** Does the file begin with a superblock of version 3? */
bool gos__disk_superblock(const gos_disk *disk);

#endif
