/* Zip file of a functional mock-up unit. */
#ifndef GOS_FMU_ARCHIVE_H
#define GOS_FMU_ARCHIVE_H

#include "base/base.h"

/* In memory until it is written. */
typedef struct gos_archive gos_archive;

gos_status gos__archive_create(gos_ctx *ctx, gos_archive **archive);
void gos__archive_destroy(gos_archive *archive);
/** `data` is borrowed until the archive is written; `plain`: uncompressed. */
gos_status gos__archive_add(gos_archive *archive, const char *name, const void *data, size_t n,
                            bool plain);
/** Add a file, with fast compression. */
gos_status gos__archive_add_file(gos_archive *archive, const char *name, const char *path);
/** Write to `path`, completely or not at all. */
gos_status gos__archive_write(gos_archive *archive, const char *path);

#endif
