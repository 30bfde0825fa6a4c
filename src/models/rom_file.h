/* Files of reduced models: what makes a reduction again without choosing and training. */
#ifndef GOS_ROM_FILE_H
#define GOS_ROM_FILE_H

#include "rom/rom.h"

#define GOS_ROM_FORMAT "gossamer-rom" // root attribute `format`: our magic
#define GOS_ROM_VERSION 2             // root attribute `format_version`: with temperature functions
#define GOS_ROM_OLDEST 1              // ... that is still read

/* Hashes of what a model must have in common with the one that was reduced: loads, heat,
   temperatures, probes of other things than joint forces and initial motions may differ. */
typedef struct gos_rom_match {
    uint64_t bodies, materials, joints;
} gos_rom_match;
gos_rom_match gos__rom_match(const gos_system *full);

/** As gos_rom_save, without the place of the model on this machine: for who keeps model and tables beside it. */
gos_status gos__rom_save_movable(gos_ctx *ctx, const gos_system *reduced, const char *path);

/** What is in a file, for many models that differ in what may differ; stays with ctx. It is read for the first of them.
 *  @return as gos_rom_load */
typedef struct gos_rom_stored gos_rom_stored;
gos_status gos__rom_read(gos_ctx *ctx, const gos_system *full, const char *path,
                         gos_rom_stored **stored);
/** As gos_rom_load of the file that it was read from. */
gos_status gos__rom_again(gos_ctx *ctx, const gos_system *full, const gos_rom_stored *stored,
                          gos_system **reduced);
void gos__rom_forget(gos_rom_stored *stored);

#endif
