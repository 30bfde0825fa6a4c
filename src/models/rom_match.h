/* What a model must have in common with the one that was reduced. Loads, heat, controllers,
   temperatures, probes of other things than joint forces and initial motions may differ. */
#ifndef GOS_ROM_MATCH_H
#define GOS_ROM_MATCH_H

#include "system/system.h"

enum { GOS_ROM_BODIES, GOS_ROM_MATERIALS, GOS_ROM_JOINTS, GOS_ROM_MATCHES };
typedef struct gos_rom_match {
    uint64_t hash[GOS_ROM_MATCHES];
} gos_rom_match;
gos_rom_match gos__rom_match(const gos_system *full);

/** A line with hashes for each entry that must match; free it with gos__free. */
gos_status gos__rom_entries(gos_ctx *ctx, const gos_system *full, char **text);
/** Name the entry by which hash `which` of two models differs, from their lines. */
void gos__rom_differs(int which, const char *now, const char *then, char *words, size_t size);

#endif
