/* Readers and writers of linear models. */
#ifndef GOS_IO_LINEAR_IO_H
#define GOS_IO_LINEAR_IO_H

#include <stdio.h>

#include "linear/linear.h"

#define GOS_LINEAR_FORMAT "gossamer-linear" // root attribute `format`

/** "M", "C_T", ... */
const char *gos__block_name(gos_block block);
/** Write names as lines: "components,3", "units,mm-t-s", "coordinate,NAME", "temperature,NAME",
 *  "input,NAME,UNIT", "output,NAME,UNIT", each kind in order. @return false if the stream failed.
 */
bool gos__linear_put_names(const gos_linear *l, FILE *out);
/** Read such lines into a model whose sizes are set; other lines are skipped. Unnamed ports become
 *  "u1", "y1", ... `file` is for messages. */
gos_status gos__linear_get_names(gos_linear *l, const char *text, size_t n, const char *file);
bool gos__linear_is_h5(const char *path);
gos_status gos__linear_read_h5(gos_ctx *ctx, const char *path, gos_linear **linear);

#endif
