/* The HDF5 library as results files use it: one lock, silence, our own disk driver, checked
   access. */
#ifndef GOS_IO_H5_H
#define GOS_IO_H5_H

#include <hdf5.h>
#include <sys/types.h>

#include "base/base.h"

#define GOS_RESULTS_FORMAT "gossamer-results" // root attribute `format`: our magic
#define GOS_RESULTS_VERSION 1                 // root attribute `format_version`

/* Serial HDF5 is not re-entrant and prints its errors: every visit takes the one lock of the
   process and puts the caller's error printing back when it leaves. */
typedef struct gos_h5_visit {
    H5E_auto2_t print;
    void *data;
} gos_h5_visit;
void gos__h5_enter(gos_h5_visit *visit);
void gos__h5_leave(const gos_h5_visit *visit);

/* ---- a file below HDF5 ----------------------------------------------------------------------- */

#define GOS_UNWRITTEN ((uint64_t)1 << 30) // space given away before it is written: some megabytes

/* One open file. After the first write that fails nothing more reaches the disk: later writes are
   kept in memory, so that HDF5 can still be closed in good order and the file stays as it was. */
typedef struct gos_disk {
    gos_ctx *ctx;
    int fd;
    bool writing;
    off_t eof;    // end of the file as HDF5 sees it
    int error;    // errno of the first write that failed, 0 when all went well
    long writes;  // writes so far
    long fail_at; // for tests: the write with this number fails; 0: none
    struct gos_patch
        *kept; // writes after the failure, or what a reader found in the journal, oldest first
    struct gos_patch *kept_last;
    int64_t
        *range; // what HDF5 has written that it may overwrite (nrange, 2): first byte, one behind
    long nrange, range_cap;
    bool range_lost; // memory was short for that
    off_t journal;   // where what is written over is written first (h5_journal.c), 0: nowhere
} gos_disk;

/** Write to the file of a descriptor, which stays the caller's. */
gos_disk gos__disk_of(gos_ctx *ctx, int fd);
/** Open a regular file, for writing in place when `writing`. */
gos_status gos__disk_open(gos_ctx *ctx, const char *path, bool writing, gos_disk *disk);
/** Close; HDF5 must have closed its file before. */
void gos__disk_close(gos_disk *disk);
/** Note that bytes at .. end - 1 may be overwritten. @return false when memory is short */
bool gos__disk_note(gos_disk *disk, int64_t at, int64_t end);
/** Write in place, past HDF5. @return false on failure. */
bool gos__disk_put(gos_disk *disk, off_t offset, const void *data, size_t n);
bool gos__disk_get(const gos_disk *disk, off_t offset, void *data, size_t n);
/** Keep a write in memory and lay it over what is read from now on. @return false when memory is
 * short */
bool gos__disk_keep(gos_disk *disk, off_t offset, const void *data, size_t n);
/** File access properties that send HDF5 to this disk; close with H5Pclose. Negative on failure. */
hid_t gos__disk_access(gos_disk *disk);

/* ---- what a file may contain
   ------------------------------------------------------------------ */

/** Open the HDF5 file on `disk` (H5F_ACC_ flags) when its head is one that we write: the newest
 * superblock, intact, and a root group of the newest kind. Old kinds of superblocks, groups and
 * heaps, where HDF5 trusts what it reads, never reach it. Close with H5Fclose. Negative on
 * failure. */
hid_t gos__h5_open_file(gos_disk *disk, const char *path, unsigned flags);

/** Open a group or dataset below `root`, by hard links only. Negative when missing or refused. */
hid_t gos__h5_open(hid_t root, const char *path, H5O_type_t kind);
/** A dataset's rank <= 2 and sizes dims (2; a missing one is 1); false unless it is stored in the
 * file itself, chunked or contiguous, with no filter but gzip and shuffle, and takes as much room
 * there as its sizes need: then memory for it is in proportion to the file. */
bool gos__h5_plain(hid_t set, hsize_t dims[2]);
/** The same for a dataset of this rank: dims (rank). */
bool gos__h5_plain_rank(hid_t set, int rank, hsize_t *dims);
/** Close what an attribute was read by; ids below 0 were never open. */
void gos__h5_attr_close(hid_t attr, hid_t type, hid_t space);
/** Read a short text attribute or a text dataset into buf (always terminated). */
bool gos__h5_attr_text(hid_t object, const char *name, char *buf, size_t size);
bool gos__h5_attr_number(hid_t object, const char *name, double *value);

/* ---- what a kill would tear
   ------------------------------------------------------------------- */

#define GOS_JOURNAL "/statistics/journal"
/** Make the journal of a new file, and use it from now on. */
bool gos__journal_make(hid_t file, gos_disk *disk);
/** Use the journal of a file; false when it has none. */
bool gos__journal_find(hid_t file, gos_disk *disk);
/** Could a kill leave half of these n bytes? */
bool gos__journal_wants(const gos_disk *disk, off_t at, size_t n);
/** Write them by way of the journal. */
bool gos__journal_put(gos_disk *disk, off_t at, const void *data, size_t n);
/** Put what a killed writer left in the journal in its place: in the file, or before the eyes of a
 * reader. Only when nobody is writing. @return false when the disk or memory fails */
bool gos__journal_settle(gos_disk *disk, off_t journal);

/* ---- the open mark
   ------------------------------------------------------------------------------ */

/** Clear the mark that a killed writer leaves in the superblock, so that any program opens the
 * file: after all else has reached the disk. *cleared tells whether there was one. HDF5 must not
 * have the file open. */
gos_status gos__disk_clear_mark(gos_disk *disk, bool *cleared);
/** True when the file begins as ours do: superblock of version 3 with its checksum, nothing before
 * or beside it, a root group of the newest kind. */
bool gos__disk_is_ours(const gos_disk *disk);
/** True when the superblock says that the file is open for writing. */
bool gos__disk_marked(const gos_disk *disk);
/** Does the file begin with a superblock as we write it? */
bool gos__disk_superblock(const gos_disk *disk);

#endif
