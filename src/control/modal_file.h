/* Modal data of other programs. */
#ifndef GOS_MODAL_FILE_H
#define GOS_MODAL_FILE_H

#include "control/modal_plant.h"

/** Read a folder of freq_hz.csv (one frequency per mode [Hz], ascending), phi_centre.csv (one value
 *  per mode), Kup.csv (line per mode, column per channel) and capacitance.csv (per channel [F]);
 *  vectors are one line or column. Format: number_table.h. `damping`: ratio of all modes. loc,
 *  object: where the folder was given (may be empty, NULL). Free with gos__modal_free. @return
 *  GOS_E_FILE, GOS_E_INPUT with file and line */
gos_status gos__modal_read(gos_ctx *ctx, const char *folder, double damping, gos_loc loc,
                           const char *object, gos_modal *modal);

#endif
