/* Files of reduced models: a reduction without selection and training. */
#ifndef GOS_ROM_FILE_H
#define GOS_ROM_FILE_H

#include <hdf5.h>

#include "rom/rom.h"

#define GOS_ROM_FORMAT "gossamer-rom" // root attribute `format`
#define GOS_ROM_VERSION 2             // root attribute `format_version`
#define GOS_ROM_OLDEST 1              // oldest readable version

/** As gos_rom_save, without the absolute folder of the model. */
gos_status gos__rom_save_movable(gos_ctx *ctx, const gos_system *reduced, const char *path);

/** Contents of a file for many models, read for the first; stays with ctx.
 *  @return as gos_rom_load */
typedef struct gos_rom_stored gos_rom_stored;
gos_status gos__rom_read(gos_ctx *ctx, const gos_system *full, const char *path,
                         gos_rom_stored **stored);
/** As gos_rom_load. */
gos_status gos__rom_again(gos_ctx *ctx, const gos_system *full, const gos_rom_stored *stored,
                          gos_system **reduced);
void gos__rom_forget(gos_rom_stored *stored);

/** Text of a file of `eof` bytes; free with gos__free. GOS_E_FILE if missing or damaged. */
gos_status gos__rom_get_text(gos_ctx *ctx, hid_t file, const char *name, size_t eof, char **text);

#endif
