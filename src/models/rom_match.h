/* Entries that must agree with the reduced model. Loads, heat, controllers, temperatures, probes
   (except joint forces) and initial motions may differ. */
#ifndef GOS_ROM_MATCH_H
#define GOS_ROM_MATCH_H

#include "system/system.h"

enum { GOS_ROM_BODIES, GOS_ROM_MATERIALS, GOS_ROM_JOINTS, GOS_ROM_MATCHES };
typedef struct gos_rom_match {
    uint64_t hash[GOS_ROM_MATCHES];
} gos_rom_match;
gos_rom_match gos__rom_match(const gos_system *full);

/** One line with hashes per entry that must match; free with gos__free. */
gos_status gos__rom_entries(gos_ctx *ctx, const gos_system *full, char **text);
/** Describe the first entry that differs in hash `which`. */
void gos__rom_differs(int which, const char *now, const char *then, char *words, size_t size);

#endif
