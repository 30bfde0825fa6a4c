/* New files: created and locked under a temporary name, renamed when on disk. */
#ifndef GOS_BASE_NEW_FILE_H
#define GOS_BASE_NEW_FILE_H

#include "base/base.h"

#define GOS_PART_ENDING ".gossamer.part" // appended to the final name

/* Its holder is the only writer of this name. */
typedef struct gos_newfile {
    gos_ctx *ctx;
    char *path, *part; // final name, temporary name
    int fd;            // open for reading and writing; -1: none
    bool settled;      // has its final name
    int generation;    // fork generation: a forked child leaves file and lock to its parent
} gos_newfile;

/** Create `path`.gossamer.part; a stale one is removed. `path` must be missing or a regular file
 *  that no process writes.
 *  @return GOS_E_USE: being written, or blocked; GOS_E_FILE. Free with gos__newfile_leave in any
 *  case. */
gos_status gos__newfile_take(gos_ctx *ctx, const char *path, gos_newfile *made);
/** Synchronise to disk, rename, synchronise the folder.
 *  @return 0 or an errno; the file keeps its temporary name unless made->settled */
int gos__newfile_settle(gos_newfile *made);
/** @return GOS_E_USE unless `path` is missing or a regular file that no process writes; GOS_E_FILE
 */
gos_status gos__newfile_check(gos_ctx *ctx, const char *path);
/** Remove the file unless settled, and free. Closes the descriptor unless it is -1. */
void gos__newfile_leave(gos_newfile *made);

/** Create a folder for outputs, or accept an existing one, which is no link. *made (may be NULL):
 *  created. @return GOS_E_USE: something else has the name; GOS_E_FILE */
gos_status gos__folder_take(gos_ctx *ctx, const char *path, bool *made);

/** Lock for writing until the file is closed. @return false if locked by another process; *known
 *  (may be NULL) is false if the file system has no locks. */
bool gos__lock_file(int fd, bool *known);
/** By another process, or another descriptor of this one? */
bool gos__is_locked(int fd);
/** Make renames and removals in its folder durable. @return 0 or an errno */
int gos__sync_folder(const char *path);

#endif
