/* Whole datasets of untrusted files. */
#ifndef GOS_IO_H5_GET_H
#define GOS_IO_H5_GET_H

#include "results/h5.h"

/** One-dimensional dataset of any number type, into the arena (*n). @return false if missing or
 *  without memory */
bool gos__get_numbers(hid_t file, const char *path, gos_arena *a, double **x, size_t *n);
/** The same for a fixed-length text, terminated by 0. */
bool gos__get_text(hid_t file, const char *path, gos_arena *a, char **text);

#endif
