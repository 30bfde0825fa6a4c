/* New files: created exclusively and locked under a temporary name beside the final one, and
   renamed when they are on disk. */
#ifndef GOS_IO_NEWFILE_H
#define GOS_IO_NEWFILE_H

#include "base/base.h"

#define GOS_PART_ENDING ".gossamer.part" // appended to the final name

/* A file being created. Its holder is the only writer of this name. */
typedef struct gos_newfile {
    gos_ctx *ctx;
    char *path, *part; // final name, temporary name
    int fd;            // open for reading and writing; -1: none
    bool settled;      // has its final name
} gos_newfile;

/** Create `path`.gossamer.part exclusively; one left by a dead process is removed. `path` must be
 *  missing or a regular file that nobody writes.
 *  @return GOS_E_USE: another process writes it, or the path is blocked; GOS_E_FILE. Free with
 *  gos__newfile_leave in any case. */
gos_status gos__newfile_take(gos_ctx *ctx, const char *path, gos_newfile *made);
/** Synchronise the file to disk, rename it, and synchronise the folder.
 *  @return 0 or an errno; the file keeps its temporary name unless made->settled */
int gos__newfile_settle(gos_newfile *made);
/** Is `path` missing or a regular file that nobody writes? @return GOS_E_USE: no; GOS_E_FILE */
gos_status gos__newfile_check(gos_ctx *ctx, const char *path);
/** Remove the file unless it has its final name, and free. Closes the descriptor unless it was set
 *  to -1. */
void gos__newfile_leave(gos_newfile *made);

/** Lock the open file for writing until it is closed. @return false if another process holds the
 *  lock; *known (may be NULL) is false if the file system cannot tell. */
bool gos__lock_file(int fd, bool *known);
/** Does another process, or another descriptor of this one, write the open file? */
bool gos__is_locked(int fd);
/** Make renames and removals in the folder of `path` durable. @return 0 or an errno */
int gos__sync_folder(const char *path);

#endif
