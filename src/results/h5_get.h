/* Reading whole datasets of files that may be anybody's. */
#ifndef GOS_IO_H5_GET_H
#define GOS_IO_H5_GET_H

#include "results/h5.h"

/** A one-dimensional dataset of floating-point numbers, whatever they are, into the arena (*n).
 * @return false: there is none, or memory is short */
bool gos__get_numbers(hid_t file, const char *path, gos_arena *a, double **x, size_t *n);
/** A text of fixed length, ended by 0, alike. */
bool gos__get_text(hid_t file, const char *path, gos_arena *a, char **text);

#endif
