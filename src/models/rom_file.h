/* Files of reduced models: what makes a reduction again without choosing and training. */
#ifndef GOS_ROM_FILE_H
#define GOS_ROM_FILE_H

#include <hdf5.h>

#include "rom/rom.h"

#define GOS_ROM_FORMAT "gossamer-rom" // root attribute `format`: our magic
#define GOS_ROM_VERSION 2             // root attribute `format_version`: with temperature functions
#define GOS_ROM_OLDEST 1              // ... that is still read

/** As gos_rom_save, without the place of the model on this machine: for who keeps model and tables
 * beside it. */
gos_status gos__rom_save_movable(gos_ctx *ctx, const gos_system *reduced, const char *path);

/** What is in a file, for many models that differ in what may differ; stays with ctx. It is read
 * for the first of them.
 *  @return as gos_rom_load */
typedef struct gos_rom_stored gos_rom_stored;
gos_status gos__rom_read(gos_ctx *ctx, const gos_system *full, const char *path,
                         gos_rom_stored **stored);
/** As gos_rom_load of the file that it was read from. */
gos_status gos__rom_again(gos_ctx *ctx, const gos_system *full, const gos_rom_stored *stored,
                          gos_system **reduced);
void gos__rom_forget(gos_rom_stored *stored);

/** Text of a file of `eof` bytes; GOS_E_FILE where it is missing or damaged. Free it with
 * gos__free. */
gos_status gos__rom_get_text(gos_ctx *ctx, hid_t file, const char *name, size_t eof, char **text);

#endif
