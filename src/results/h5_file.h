/* Small HDF5 files of our own, written at once: complete under their name or not there at all. */
#ifndef GOS_IO_H5_FILE_H
#define GOS_IO_H5_FILE_H

#include "gossamer/io.h"
#include "results/h5_put.h"

/** Write a file by `put`, under a temporary name, and give it its own when it is on the disk. What
 * is there may be replaced when it is of this kind. @return GOS_E_USE: it is not */
gos_status gos__h5_write_file(gos_ctx *ctx, const char *path, gos_output_kind kind,
                              bool (*put)(hid_t file, const void *what), const void *what);
/** May `path` be replaced: nothing is there, or an empty file, or one of ours of this kind? */
gos_status gos__h5_may_replace(gos_ctx *ctx, const char *path, gos_output_kind kind);

#endif
