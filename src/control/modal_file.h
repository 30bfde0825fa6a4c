/* Modal data of other programs: a folder of four tables. */
#ifndef GOS_MODAL_FILE_H
#define GOS_MODAL_FILE_H

#include "control/modal_plant.h"

/** Read freq_hz.csv (one frequency per mode [Hz], ascending), phi_centre.csv (one value per mode),
 *  Kup.csv (line per mode, column per channel) and capacitance.csv (one value per channel [F]);
 *  vectors are one line or one column. Separators are commas, semicolons or blanks; lines beginning
 *  with # and a header line are skipped. `damping`: ratio of all modes. loc and object (may be
 *  empty and NULL): location of the folder's name. Free with gos__modal_free. @return GOS_E_FILE,
 *  GOS_E_INPUT with file and line */
gos_status gos__modal_read(gos_ctx *ctx, const char *folder, double damping, gos_loc loc,
                           const char *object, gos_modal *modal);

#endif
