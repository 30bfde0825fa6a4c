/* Attributes and datasets of known size; false or a negative id on failure. */
#ifndef GOS_IO_H5_PUT_H
#define GOS_IO_H5_PUT_H

#include "results/h5.h"

bool gos__put_attr_text(hid_t object, const char *name, const char *text);
bool gos__put_attr_number(hid_t object, const char *name, double value);
/** n integers; a scalar for n = 1. */
bool gos__put_attr_ints(hid_t object, const char *name, const int64_t *v, hsize_t n);
bool gos__put_attr_names(hid_t object, const char *name, const char *const *names, int n);

/** A new file whose root group has no times. @return its id, or a negative number */
hid_t gos__put_file(const char *path, hid_t access);
/** Only the last group of the path may be new. */
bool gos__put_group(hid_t at, const char *path);
/** Allocates the space immediately; `data` NULL: zeros. Close with H5Dclose. */
hid_t gos__put_array(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims,
                     const void *data);
/** Fixed length `size`. Close with H5Dclose. */
hid_t gos__put_text(hid_t at, const char *name, const char *text, size_t size);
/** Close a new dataset; false if the id is invalid. */
bool gos__put_done(hid_t set);

#endif
