/* Small HDF5 files, complete or not present. */
#ifndef GOS_IO_H5_FILE_H
#define GOS_IO_H5_FILE_H

#include "gossamer/io.h"
#include "results/h5_put.h"

/** Write a file by `put` under a temporary name, and rename it when on disk. May replace a file of
 *  this kind. @return GOS_E_USE: an existing file is of another kind */
gos_status gos__h5_write_file(gos_ctx *ctx, const char *path, gos_output_kind kind,
                              bool (*put)(hid_t file, const void *what), const void *what);
/** Missing, empty, or a file of ours of this kind? */
gos_status gos__h5_may_replace(gos_ctx *ctx, const char *path, gos_output_kind kind);

#endif
