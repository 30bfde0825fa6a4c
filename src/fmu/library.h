/* The library that runs units: location and dependencies. */
#ifndef GOS_FMU_LIBRARY_H
#define GOS_FMU_LIBRARY_H

#include "fmu/archive.h"

/** Its folder: `named`, or (NULL) one beside this library or program; in the arena.
 *  @return GOS_E_FILE: not found */
gos_status gos__fmu_library_find(gos_ctx *ctx, const char *named, gos_arena *a,
                                 const char **folder);
/** As BINARIES/IDENTIFIER.so with all dependencies, licences into documentation/licenses/. */
gos_status gos__fmu_library_pack(gos_ctx *ctx, const char *folder, const char *binaries,
                                 const char *identifier, gos_arena *a, gos_archive *archive);
/** As gos__fmu_library_pack for units of fixed step, whose library needs the C library only. */
gos_status gos__fmu_step_library_pack(const char *folder, const char *binaries,
                                      const char *identifier, gos_arena *a, gos_archive *archive);

#endif
