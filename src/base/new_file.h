/* Files in the making: under a temporary name beside the one they will take, made exclusively and
   locked, on the disk before they take it. */
#ifndef GOS_BASE_NEW_FILE_H
#define GOS_BASE_NEW_FILE_H

#include "base/base.h"

#define GOS_PART_ENDING ".gossamer.part" // behind the name that the file will have

/* A file in the making. Whoever holds it is the only one that writes this name. */
typedef struct gos_newfile {
    gos_ctx *ctx;
    char *path, *part; // the name it will have, the one it has
    int fd;            // open for reading and writing; -1: none
    bool settled;      // it has its name
} gos_newfile;

/** Make `path`.gossamer.part, which nobody else may be writing; one that a dead process left is
 * removed. What is at `path` must be a regular file that nobody writes, or nothing.
 *  @return GOS_E_USE: somebody writes it, or something else is in the way; GOS_E_FILE. Free with
 * gos__newfile_leave in any case. */
gos_status gos__newfile_take(gos_ctx *ctx, const char *path, gos_newfile *made);
/** Wait until the disk has the file, give it its name and wait until the disk has that.
 *  @return 0 or an errno; the file keeps its temporary name unless made->settled */
int gos__newfile_settle(gos_newfile *made);
/** Is nothing at `path`, or a regular file that nobody writes? @return GOS_E_USE: no; GOS_E_FILE */
gos_status gos__newfile_check(gos_ctx *ctx, const char *path);
/** Remove the file unless it has its name, and free. The descriptor is closed, unless it was set to
 * -1. */
void gos__newfile_leave(gos_newfile *made);

/** Note that this process writes the open file, until it is closed. @return false when another one
 * does; *known (may be NULL) is false when the file system cannot tell. */
bool gos__lock_file(int fd, bool *known);
/** Does another process, or another descriptor of this one, write the open file? */
bool gos__is_locked(int fd);
/** Make renames and removals in the folder of `path` last through a loss of power. @return 0 or an
 * errno */
int gos__sync_folder(const char *path);

#endif
