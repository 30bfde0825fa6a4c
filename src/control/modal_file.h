/* Modal data of other programs: a folder of four tables of numbers. */
#ifndef GOS_MODAL_FILE_H
#define GOS_MODAL_FILE_H

#include "control/modal_plant.h"

/** Read freq_hz.csv (one frequency per mode [Hz], ascending), phi_centre.csv (one value per mode),
 * Kup.csv (a line per mode, a column per channel) and capacitance.csv (one value per channel [F]);
 * vectors stand in one line or in one column. Values are parted by commas, semicolons or blanks;
 * lines that begin with # and a first line of names are skipped. `damping` is the ratio of every
 * mode. loc and object (may be empty and NULL) are where the folder was named. Free with
 * gos__modal_free. @return GOS_E_FILE, GOS_E_INPUT with file and line */
gos_status gos__modal_read(gos_ctx *ctx, const char *folder, double damping, gos_loc loc,
                           const char *object, gos_modal *modal);

#endif
