/* Small HDF5 files of our own, written at once: complete under their name or not there at all. */
#ifndef GOS_IO_H5_FILE_H
#define GOS_IO_H5_FILE_H

#include "io/h5_put.h"

/** Write a file by `put`, under a temporary name that is then renamed. */
gos_status gos__h5_write_file(gos_ctx *ctx, const char *path,
                              bool (*put)(hid_t file, const void *what), const void *what);

#endif
