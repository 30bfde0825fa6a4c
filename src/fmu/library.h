/* The library that runs units, as it was built: where it lies, and what it needs beside it. */
#ifndef GOS_FMU_LIBRARY_H
#define GOS_FMU_LIBRARY_H

#include "fmu/archive.h"

/** The folder with it: the one that is named, or (NULL) one beside this library or program; a text
 * of the arena.
 *  @return GOS_E_FILE: there is none */
gos_status gos__fmu_library_find(gos_ctx *ctx, const char *named, gos_arena *a,
                                 const char **folder);
/** Pack it as BINARIES/IDENTIFIER.so with all libraries that it needs, and their licences into
 * documentation/licenses/. */
gos_status gos__fmu_library_pack(gos_ctx *ctx, const char *folder, const char *binaries,
                                 const char *identifier, gos_arena *a, gos_archive *archive);

#endif
